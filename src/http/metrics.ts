import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Clock } from '../app/ports.ts';
import type { SourceHealth } from '../app/source-health.ts';
import type { SourceWatch } from '../app/source-watch.ts';
import { stalenessSec } from '../domain/quotes.ts';
import { type Instant, SECOND_MS } from '../domain/time.ts';
import type { Services } from './endpoint.ts';
import type { Place } from './router.ts';

const DURATION_BUCKETS_SEC = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5];

/** Path under which requests to no address of ours are counted: labels must stay few. */
const UNKNOWN_PATH = 'unknown';

/** What was counted at one path since the start. */
interface Counts {
  readonly byStatus: Map<number, number>;
  /** Answers by the first bucket that holds their time; the last is for longer ones. */
  readonly byBucket: number[];
  seconds: number;
}

/**
 * What the service says of itself to Prometheus. Requests are counted in plain numbers and written
 * out when asked: the library's own counters cost a tenth of a request.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #counts = new Map<string, Counts>();

  constructor({ services, clock }: { readonly services: Services; readonly clock: Clock }) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry, prefix: 'vesfx_' });
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
    this.#addSources(services.watch);
  }

  /** Counts one answer. `started` is what `performance.now()` gave before. */
  answered(place: Place | undefined, status: number, started: number): void {
    const counts = this.#countsAt(place?.path ?? UNKNOWN_PATH);
    counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1);
    const seconds = (performance.now() - started) / SECOND_MS;
    counts.seconds += seconds;
    let bucket = 0;
    while (seconds > (DURATION_BUCKETS_SEC[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
    counts.byBucket[bucket] = (counts.byBucket[bucket] ?? 0) + 1;
  }

  async text(): Promise<string> {
    return `${await this.#registry.metrics()}\n${this.#requestsText()}`;
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  #addSources(watch: SourceWatch): void {
    const registers = [this.#registry];
    const gauge = (
      name: string,
      help: string,
      value: (source: SourceHealth) => number | undefined,
    ) =>
      new Gauge({
        name,
        help,
        labelNames: ['source'],
        registers,
        async collect() {
          this.reset();
          // While the store does not answer, there is still the rest to be told.
          const health = await watch.health().catch(() => undefined);
          for (const source of health?.sources ?? []) {
            const found = source.enabled ? value(source) : undefined;
            if (found !== undefined) this.set({ source: source.name }, found);
          }
        },
      });
    const seconds = (at: Instant | undefined) => (at === undefined ? undefined : at / SECOND_MS);
    gauge(
      'vesfx_source_last_success_timestamp_seconds',
      'When the source was last read well.',
      ({ lastSuccessAt }) => seconds(lastSuccessAt),
    );
    gauge(
      'vesfx_source_last_change_timestamp_seconds',
      'When the figures of the source last changed.',
      ({ lastChangeAt }) => seconds(lastChangeAt),
    );
    gauge(
      'vesfx_source_consecutive_failures',
      'Readings of the source that failed since the last good one.',
      ({ consecutiveFailures }) => consecutiveFailures,
    );
    gauge(
      'vesfx_source_publications_missed',
      'Publications of the central bank that should be stored and are not.',
      ({ publicationsMissed }) => publicationsMissed,
    );
    gauge('vesfx_held_records', 'Records of the source that are held.', ({ held }) => held);
    new Counter({
      name: 'vesfx_source_runs_total',
      help: 'Readings by this process, by how they ended.',
      labelNames: ['source', 'outcome'],
      registers,
      collect() {
        this.reset();
        for (const { source, outcome, turns } of watch.turns) this.inc({ source, outcome }, turns);
      },
    });
  }

  #countsAt(path: string): Counts {
    let counts = this.#counts.get(path);
    if (counts === undefined) {
      const byBucket = new Array(DURATION_BUCKETS_SEC.length + 1).fill(0);
      counts = { byStatus: new Map(), byBucket, seconds: 0 };
      this.#counts.set(path, counts);
    }
    return counts;
  }

  #requestsText(): string {
    const total = 'vesfx_http_requests_total';
    const duration = 'vesfx_http_request_duration_seconds';
    const requests = [`# HELP ${total} Requests answered, by path and status.`];
    requests.push(`# TYPE ${total} counter`);
    const durations = [`# HELP ${duration} From the headers read to the answer handed over.`];
    durations.push(`# TYPE ${duration} histogram`);
    for (const [path, { byStatus, byBucket, seconds }] of this.#counts) {
      for (const [status, count] of byStatus) {
        requests.push(`${total}{path="${path}",status="${status}"} ${count}`);
      }
      let sum = 0;
      for (const [position, count] of byBucket.entries()) {
        sum += count;
        const bound = DURATION_BUCKETS_SEC[position] ?? '+Inf';
        durations.push(`${duration}_bucket{le="${bound}",path="${path}"} ${sum}`);
      }
      durations.push(`${duration}_sum{path="${path}"} ${seconds}`);
      durations.push(`${duration}_count{path="${path}"} ${sum}`);
    }
    return `${[...requests, ...durations].join('\n')}\n`;
  }
}
