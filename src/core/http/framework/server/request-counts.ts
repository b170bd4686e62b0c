import { SECOND_MS } from '../../../domain/time.ts';

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

/** One value of a metric, as prom-client has it. */
interface Value {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/**
 * Counts requests in plain numbers, which become metrics when they are read: the counters of
 * prom-client cost a tenth of a request.
 */
export class RequestCounts {
  readonly #prefix: string;
  readonly #counts = new Map<string, Counts>();

  /** @param prefix What the names of the metrics begin with. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Counts one answer. `started` is a time of `performance.now()`. */
  answered(path: string | undefined, status: number, started: number): void {
    const counts = this.#countsAt(path ?? UNKNOWN_PATH);
    counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1);
    const seconds = (performance.now() - started) / SECOND_MS;
    counts.seconds += seconds;
    let bucket = 0;
    while (seconds > (DURATION_BUCKETS_SEC[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
    counts.byBucket[bucket] = (counts.byBucket[bucket] ?? 0) + 1;
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

  /** In the form of prom-client's JSON, which can be added to the counts of other processes. */
  metrics() {
    const duration = `${this.#prefix}request_duration_seconds`;
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
        name: `${this.#prefix}requests_total`,
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
