import { manualClock, recordedLog } from '../../../../test/harness/service.ts';
import { SourceWatch } from '../../../core/app/collecting/source-watch.ts';
import { Ingest } from '../../../core/app/ingest/ingest.ts';
import { recordsIn } from '../../../core/app/ingest/ndjson.ts';
import type { Lease } from '../../../core/app/ports/lease.ts';
import { loadRules } from '../../../core/compose.ts';
import { readConfig } from '../../../core/config.ts';
import { HOUR_MS } from '../../../core/domain/time.ts';
import type { OpenedStore } from '../../../core/storage/store.ts';
import { Deliverer } from '../deliverer.ts';
import { sealerOf } from '../secrets.ts';
import { type AttemptResult, Sender } from '../sender.ts';
import { NOON, packagedRules, SECRET, webhooksOn } from './webhook-site.ts';

/** A process that holds the lease to collect and delivers, on a clock that stands still. */
export async function delivering(store: OpenedStore, { secret = SECRET, holder = 'one' } = {}) {
  const clock = manualClock(NOON);
  const log = recordedLog();
  const rules = packagedRules();
  const { calendar, judgementRules } = loadRules(readConfig({}, {}));
  const watch = new SourceWatch({ ...rules, calendar, store, sources: [], clock });
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
  return {
    ...{ clock, log, sender, deliverer, results, take },
    webhooks: webhooksOn(store, secret),
    /** Stores trusted records. */
    async push(...records: readonly object[]) {
      const lines = recordsIn(records.map((record) => JSON.stringify(record)));
      await ingest.ingest(lines, { source: 'operator', trust: true });
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
