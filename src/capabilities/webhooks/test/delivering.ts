import { manualClock, recordedLog } from '../../../../test/harness/service.ts';
import { SourceWatch } from '../../../core/app/collecting/source-watch.ts';
import type { IngestOptions } from '../../../core/app/ingest/batch.ts';
import { Ingest } from '../../../core/app/ingest/ingest.ts';
import { recordsIn } from '../../../core/app/ingest/ndjson.ts';
import type { SourceState } from '../../../core/app/ports/collecting.ts';
import type { Lease } from '../../../core/app/ports/lease.ts';
import type { Source } from '../../../core/app/ports/sources.ts';
import { loadRules } from '../../../core/compose.ts';
import { readConfig } from '../../../core/config.ts';
import { HOUR_MS } from '../../../core/domain/time.ts';
import type { OpenedStore } from '../../../core/storage/store.ts';
import { Deliverer } from '../delivery/deliverer.ts';
import { type AttemptResult, Sender } from '../delivery/sender.ts';
import { sealerOf } from '../secrets.ts';
import { NOON, packagedRules, SECRET, webhooksOn } from './webhook-site.ts';

const FEED: Source = {
  ...{ name: 'feed', kind: 'test', enabled: true, url: 'https://feed.example/', jitterMs: 0 },
  ...{
    schedule: [{ cron: '* * * * *', whileExpected: false }],
    timeoutMs: 1_000,
    markets: [],
    parserVersion: 1,
  },
  origin: () => 'feed',
  between: () => [1, 1_000_000],
  read: async () => [],
  parse: async () => [],
};

/** A process that holds the lease to collect and delivers, on a clock that stands still. */
export async function delivering(store: OpenedStore, { secret = SECRET, holder = 'one' } = {}) {
  const clock = manualClock(NOON);
  const log = recordedLog();
  const rules = packagedRules();
  const { calendar, judgementRules } = loadRules(readConfig({}, {}));
  const watch = new SourceWatch({ ...rules, calendar, store, sources: [FEED], clock });
  const edition = { ...rules, calendar, judgementRules, store, watch };
  const ingest = new Ingest({ ...edition, originOf: (name) => name, clock });
  const results: AttemptResult[] = [];
  let lease: Lease | undefined;
  const take = async () => {
    lease = await store.takeLease(holder, clock.now(), clock.now() + HOUR_MS);
  };
  await take();
  const { engine } = store;
  const sender = new Sender({
    ...{ engine, clock, log, lease: () => lease },
    sealer: sealerOf(secret, 'webhook'),
    rules: () => edition,
    random: () => 0.5,
    userAgent: 'vesfx/test',
    allowLoopback: true,
    onAttempt: (result) => results.push(result),
  });
  const deliverer = new Deliverer({
    ...{ engine, clock, log, lease: () => lease },
    edition: () => edition,
    sender,
  });
  const ingestAll = (records: readonly object[], options: IngestOptions) =>
    ingest.ingest(recordsIn(records.map((record) => JSON.stringify(record))), options);
  return {
    ...{ clock, log, sender, deliverer, results, take },
    webhooks: webhooksOn(store, secret),
    /** Stores trusted records. */
    push: (...records: readonly object[]) =>
      ingestAll(records, { source: 'operator', trust: true }),
    /** The page of the central bank shows it. */
    page: (record: object) => ingestAll([record], { source: 'bcv', isPage: true }),
    /** A witness shows it. */
    witness: (record: object) => ingestAll([record], { source: 'relay', isWitness: true }),
    /** How the source was read last. */
    sourceState(given: Partial<SourceState>) {
      const now = clock.now();
      const read = { source: FEED.name, consecutiveFailures: 0, lastAttemptAt: now };
      return store.saveSourceState({ ...read, nextRunAt: now + HOUR_MS, ...given }, lease);
    },
    /** One look of the deliverer, and all that it sends. */
    async tick() {
      await deliverer.tick();
      await sender.settled();
    },
    async pass(milliseconds: number) {
      clock.advance(milliseconds);
      await take();
    },
  };
}

export type Delivering = Awaited<ReturnType<typeof delivering>>;
