import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from '../app/ports.ts';
import { stalenessSec } from '../domain/quotes.ts';
import { SECOND_MS } from '../domain/time.ts';
import type { Services } from './endpoint.ts';
import type { Place } from './router.ts';

const DURATION_BUCKETS_SEC = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5];

/** What the service says of itself to Prometheus. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Counter<'path' | 'status'>;
  readonly #durations: Histogram<'path'>;
  /** Counts since the last collection: naming labels on every request would cost more than it. */
  readonly #pending = new Map<string, { path: string; status: number; count: number }>();
  readonly #timers = new Map<string, Histogram.Internal<'path'>>();

  constructor({ services, clock }: { readonly services: Services; readonly clock: Clock }) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry, prefix: 'vesfx_' });
    const flush = () => this.#flush();
    this.#requests = new Counter({
      name: 'vesfx_http_requests_total',
      help: 'Requests answered, by path and status.',
      labelNames: ['path', 'status'],
      registers,
      collect: flush,
    });
    this.#durations = new Histogram({
      name: 'vesfx_http_request_duration_seconds',
      help: 'Time from the last byte of the headers to the answer handed to the socket.',
      labelNames: ['path'],
      buckets: DURATION_BUCKETS_SEC,
      registers,
    });
    new Gauge({
      name: 'vesfx_snapshot_age_seconds',
      help: 'Time since the newest ingestion in the published snapshot.',
      registers,
      collect() {
        const now = clock.now();
        this.set((now - services.snapshots.at(now).fetchedAt) / SECOND_MS);
      },
    });
    new Gauge({
      name: 'vesfx_quote_age_seconds',
      help: 'Age of each published quote; a market without a quote has no row.',
      labelNames: ['market'],
      registers,
      collect() {
        this.reset();
        const now = clock.now();
        for (const quote of services.snapshots.at(now).quotes) {
          this.set({ market: quote.market.id }, stalenessSec(quote, now));
        }
      },
    });
  }

  /** Counts one answer. `started` is what `performance.now()` gave before. */
  answered(
    place: Place | undefined,
    method: string | undefined,
    status: number,
    started: number,
  ): void {
    const path = pathOf(place, method);
    const id = `${path} ${status}`;
    const known = this.#pending.get(id);
    if (known !== undefined) known.count += 1;
    else this.#pending.set(id, { path, status, count: 1 });
    let timer = this.#timers.get(path);
    if (timer === undefined) {
      timer = this.#durations.labels({ path });
      this.#timers.set(path, timer);
    }
    timer.observe((performance.now() - started) / SECOND_MS);
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  #flush(): void {
    for (const { path, status, count } of this.#pending.values()) {
      this.#requests.inc({ path, status: String(status) }, count);
    }
    this.#pending.clear();
  }
}

/** The declared path, never the caller's text: labels must stay few. */
function pathOf(place: Place | undefined, method: string | undefined): string {
  if (place === undefined) return 'unknown';
  const endpoint = [...place.methods.values()].find((one) => one.method === method);
  return endpoint?.path ?? place.page?.path ?? [...place.methods.values()][0]?.path ?? 'unknown';
}
