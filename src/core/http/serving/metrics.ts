import type { Registry } from 'prom-client';
import type { Peers, ProcessCounts } from '../../app/peers.ts';
import { SECOND_MS } from '../../domain/time.ts';
import type { Route } from '../pipeline/router.ts';
import type { Services } from '../pipeline/services.ts';
import type { MetricsParts } from './metrics-registry.ts';

const DURATION_BUCKETS_SEC = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5];

/** Label of requests to unknown paths: the number of labels must stay small. */
const UNKNOWN_PATH = 'unknown';

/** Counts of one path since the start. */
interface Counts {
  readonly byStatus: Map<number, number>;
  /** Answers by the first bucket that holds their duration; the last holds all longer ones. */
  readonly byBucket: number[];
  seconds: number;
}

/**
 * The metrics for Prometheus. Requests are counted in plain numbers, which become metrics when they
 * are read: the counters of prom-client cost a tenth of a request, and loading the library a tenth
 * of a start.
 */
export class Metrics {
  /** Its `services` are one object for good: the metrics read what it has at the time. */
  readonly #parts: MetricsParts;
  #registry: Promise<Registry> | undefined;
  readonly #counts = new Map<string, Counts>();
  readonly #peers: Peers | undefined;

  constructor({ peers, ...parts }: MetricsParts & { readonly peers?: Peers | undefined }) {
    this.#parts = { ...parts, services: { ...parts.services } };
    this.#peers = peers;
  }

  use(services: Services): void {
    Object.assign(this.#parts.services, services);
  }

  /** Counts one answer. `started` is a time of `performance.now()`. */
  answered(route: Route | undefined, status: number, started: number): void {
    const counts = this.#countsAt(route?.path ?? UNKNOWN_PATH);
    counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1);
    const seconds = (performance.now() - started) / SECOND_MS;
    counts.seconds += seconds;
    let bucket = 0;
    while (seconds > (DURATION_BUCKETS_SEC[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
    counts.byBucket[bucket] = (counts.byBucket[bucket] ?? 0) + 1;
  }

  /** @throws ApiError `service_unavailable` when one of several processes does not answer. */
  async text(): Promise<{ readonly contentType: string; readonly body: string }> {
    const { addedUp } = await import('./metrics-registry.ts');
    return addedUp((await this.#peers?.counts()) ?? [await this.counts()]);
  }

  /** The counts of this process, in a form that can be added to those of others. */
  async counts(): Promise<ProcessCounts> {
    const { openRegistry } = await import('./metrics-registry.ts');
    this.#registry ??= openRegistry(this.#parts);
    const metrics = await (await this.#registry).getMetricsAsJSON();
    // The library omits the start time, which cannot be added up. The oldest one is reported.
    const summable = metrics.map((metric) =>
      metric.aggregator === 'omit' ? { ...metric, aggregator: 'min' } : metric,
    );
    return [...summable, ...this.#requestCounts()];
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

/** One value of a metric, as prom-client has it. */
interface Value {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}
