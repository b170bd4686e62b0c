import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Peers, ProcessCounts } from '../app/peers.ts';
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
  readonly #peers: Peers | undefined;

  constructor({
    services,
    clock,
    peers,
  }: {
    readonly services: Services;
    readonly clock: Clock;
    readonly peers: Peers | undefined;
  }) {
    this.#peers = peers;
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry, prefix: 'vesfx_' });
    new Gauge({
      name: 'vesfx_snapshot_age_seconds',
      help: 'Time since the newest ingestion in the published snapshot.',
      registers,
      aggregator: 'max',
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
      aggregator: 'max',
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

  /** @throws ApiError `service_unavailable` when one of several processes does not answer. */
  async text(): Promise<string> {
    const all = (await this.#peers?.counts()) ?? [await this.counts()];
    return AggregatorRegistry.aggregate([...all]).metrics();
  }

  /** What this process counted, so that several can be added up. */
  async counts(): Promise<ProcessCounts> {
    const metrics = await this.#registry.getMetricsAsJSON();
    // The library leaves out what it would not add up: when the process started. The oldest will do.
    const kept = metrics.map((one) =>
      one.aggregator === 'omit' ? { ...one, aggregator: 'min' } : one,
    );
    return [...kept, ...this.#requestCounts()];
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
        // Every process reads the same of the store.
        aggregator: 'first',
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

  #requestCounts(): ProcessCounts {
    const duration = 'vesfx_http_request_duration_seconds';
    const requests: Value[] = [];
    const durations: Value[] = [];
    for (const [path, { byStatus, byBucket, seconds }] of this.#counts) {
      for (const [status, value] of byStatus) requests.push({ labels: { path, status }, value });
      let sum = 0;
      for (const [position, count] of byBucket.entries()) {
        sum += count;
        const le = DURATION_BUCKETS_SEC[position] ?? '+Inf';
        durations.push({ metricName: `${duration}_bucket`, labels: { le, path }, value: sum });
      }
      durations.push({ metricName: `${duration}_sum`, labels: { path }, value: seconds });
      durations.push({ metricName: `${duration}_count`, labels: { path }, value: sum });
    }
    return [
      {
        name: 'vesfx_http_requests_total',
        help: 'Requests answered, by path and status.',
        type: 'counter',
        aggregator: 'sum',
        values: requests,
      },
      {
        name: duration,
        help: 'From the headers read to the answer handed over.',
        type: 'histogram',
        aggregator: 'sum',
        values: durations,
      },
    ];
  }
}

/** One row of a metric, as the library has it. */
interface Value {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}
