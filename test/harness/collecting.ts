import { onTestFinished } from 'vitest';
import { calendar, ingestOf, markets, thresholds } from '../../faults/replay/desk.ts';
import { Collector, type CollectorParts } from '../../src/core/app/collecting/collect.ts';
import { SourceWatch } from '../../src/core/app/collecting/source-watch.ts';
import { SourceFailure } from '../../src/core/app/failures.ts';
import type { Ingest } from '../../src/core/app/ingest/ingest.ts';
import type { SourceState } from '../../src/core/app/ports/collecting.ts';
import type {
  ScheduleRule,
  Source,
  SourceRecord,
  UpstreamBody,
} from '../../src/core/app/ports/sources.ts';
import type { Store } from '../../src/core/app/ports/store.ts';
import { caracasDayOf, type Instant } from '../../src/core/domain/time.ts';
import { createFetcher } from '../../src/core/sources/client/fetch.ts';
import { openStore } from '../../src/core/storage/store.ts';
import { storeOfficialRate } from './official-rate.ts';
import {
  type ManualClock,
  manualClock,
  type RecordedLog,
  recordedLog,
  temporaryDir,
} from './service.ts';
import { startUpstream, type Upstream } from './upstream.ts';

/** A collector over a real store and real requests, on a clock that stands still. */

/** A source whose upstream answers with the records themselves, as a list in JSON. */
export interface TestSource extends Source {
  readonly upstream: Upstream;
}

export async function testSource(
  name: string,
  given: Partial<Source> & { readonly schedule?: readonly ScheduleRule[] } = {},
): Promise<TestSource> {
  const upstream = await startUpstream();
  const source: Source = {
    name,
    kind: 'test',
    enabled: true,
    url: upstream.url,
    schedule: [{ cron: '* * * * *', whileExpected: false }],
    jitterMs: 0,
    timeoutMs: 5_000,
    origin: () => name,
    between: () => [1, 1_000_000],
    markets: [],
    parserVersion: 1,
    read: async (fetch) => [await fetch({ url: upstream.url, accept: ['application/json'] })],
    parse: listedRecords,
    ...given,
  };
  return { ...source, upstream };
}

async function listedRecords(bodies: readonly UpstreamBody[]): Promise<readonly SourceRecord[]> {
  const text = new TextDecoder().decode(bodies[0]?.bytes);
  if (!text.startsWith('[{')) throw new SourceFailure('content', 'expected a list of records');
  return JSON.parse(text);
}

export interface Site {
  readonly clock: ManualClock;
  readonly log: RecordedLog;
  readonly store: Store;
  readonly ingest: Ingest;
  readonly watch: SourceWatch;
  readonly collector: Collector;
  /** Another collector on the same database, like one of another process. */
  another(parts?: Partial<CollectorParts>): Promise<Collector>;
  /** Sets the clock and completes everything that is due then. */
  at(instant: Instant | string): Promise<void>;
  /** The `mid` that callers would see now. */
  served(market: string): Promise<number | undefined>;
  state(source: string): Promise<SourceState>;
}

export async function collecting(
  sources: readonly TestSource[],
  {
    start,
    officialRate = 800,
    ...parts
  }: Partial<CollectorParts> & {
    readonly start?: Instant | string | undefined;
    /** The official dollar for judging quotes, with a value date long past. */
    readonly officialRate?: number;
  } = {},
): Promise<Site> {
  const clock = manualClock(instantOf(start ?? '2026-11-20T12:00:00Z'));
  const log = recordedLog();
  const dataDir = await temporaryDir();
  const store = await openedStore(dataDir);
  if (officialRate !== undefined) await storeOfficialRate(store, officialRate);
  const originOf = (name: string, subject: string) =>
    sources.find((source) => source.name === name)?.origin(subject) ?? name;
  const random = () => 0;
  const watch = new SourceWatch({ store, sources, clock, markets, calendar, thresholds });
  const collectorOf = (of: Store, holder: string, more: Partial<CollectorParts>) => {
    const fetcher = createFetcher({
      userAgent: 'vesfx/0.0.0 (test)',
      clock,
      random,
      certificates: () => [],
      allowLoopback: true,
    });
    const collector = new Collector({
      sources,
      store: of,
      ingest: ingestOf(of, clock.now, originOf),
      fetch:
        ({ timeoutMs }) =>
        (request) =>
          fetcher.fetch(request, { timeoutMs }),
      clock,
      log,
      markets,
      calendar,
      thresholds,
      random,
      holder,
      onTurn: (source, outcome) => watch.count(source, outcome),
      ...more,
    });
    onTestFinished(async () => {
      await collector.stop();
      fetcher.close();
    });
    return collector;
  };
  const collector = collectorOf(store, 'first', parts);
  return {
    clock,
    log,
    store,
    ingest: ingestOf(store, clock.now, originOf),
    watch,
    collector,
    another: async (more = {}) => collectorOf(await openedStore(dataDir), 'second', more),
    async at(instant) {
      clock.set(instantOf(instant));
      await collector.tick();
    },
    async served(market) {
      const today = caracasDayOf(clock.now());
      const { quotes } = await store.currentRecords(today);
      return quotes
        .filter(({ market: of, effectiveDate = '' }) => of === market && effectiveDate <= today)
        .at(-1)?.mid;
    },
    async state(name) {
      const found = (await store.sourceStates()).find(({ source }) => source === name);
      if (found === undefined) throw new Error(`there is no state of ${name}`);
      return found;
    },
  };
}

async function openedStore(dataDir: string): Promise<Store> {
  const store = await openStore({ dataDir });
  onTestFinished(() => store.close());
  return store;
}

function instantOf(given: Instant | string): Instant {
  return typeof given === 'string' ? Date.parse(given) : given;
}
