import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ingestOf } from '../faults/replay/desk.ts';
import { recordsIn } from '../src/core/app/ingest/ndjson.ts';
import type { Store } from '../src/core/app/ports/store.ts';
import { DAY_MS } from '../src/core/domain/time.ts';
import { ENGINES } from './contracts/engines.ts';
import { iso, official, quote } from './harness/make.ts';
import { START } from './harness/service.ts';

/* What an operator decides between readings that arrive in any order, some of them twice. */

const SECOND = 1_000;
const END = START + 30 * DAY_MS;

/** A reading has a time of its own, so its content is found again. */
const read = fc.record({
  market: fc.constantFrom('parallel', 'binance', 'bybit', 'okx'),
  mid: fc.constantFrom(1_000, 1_004, 1_250, 1_900, 1_910, 3_000, 4_500),
  wait: fc.constantFrom(1, 60, 200, 301, 900),
  age: fc.constantFrom(0, 0, 20, 300),
});
const act = fc.oneof(
  fc.record({ kind: fc.constant('read' as const), place: fc.nat(99) }),
  fc.record({ kind: fc.constantFrom('release' as const, 'reject' as const), place: fc.nat(99) }),
  fc.record({ kind: fc.constant('trust' as const), place: fc.nat(99) }),
);

const run = fc.record({
  reads: fc.array(read, { minLength: 3, maxLength: 15 }),
  acts: fc.array(act, { minLength: 5, maxLength: 40 }),
});

interface Sent {
  readonly market: string;
  readonly mid: number;
  readonly at: number;
  readonly record: object;
}

const keyOf = ({ market, mid, at }: Pick<Sent, 'market' | 'mid' | 'at'>) =>
  [market, mid, (at - START) / SECOND].join(' ');

async function stored(store: Store) {
  const { captures } = await store.quotesRead({ from: 0, to: END }, 10_000);
  const idsOf = async (status: 'held' | 'rejected' | 'released') =>
    (await store.listHeld(status, 1_000)).map(({ subject: market, record, capturedAt: at }) =>
      keyOf({ market, mid: Number(record['mid']), at }),
    );
  return {
    published: captures.map(({ quote: { market, mid, capturedAt, observedAt: at = capturedAt } }) =>
      keyOf({ market, mid, at }),
    ),
    held: await idsOf('held'),
    rejected: await idsOf('rejected'),
    // A checked quote closes the held ones that it repeats.
    released: await idsOf('released'),
  };
}

describe.each(ENGINES)(
  'what an operator decides between readings (contract §8), on $name',
  ({ create }) => {
    test('stays, whatever arrives later or once more; no reading is lost, none is there twice', async () => {
      await fc.assert(
        fc.asyncProperty(run, async ({ reads, acts }) => {
          const site = create();
          try {
            const store = await site.open();
            const judge = ingestOf(store, () => END);
            const push = (records: readonly object[], trust = false) =>
              judge.ingest(recordsIn(records.map((one) => JSON.stringify(one))), {
                source: 'venues',
                trust,
              });
            await push([official('2026-11-20', { USD: 800, EUR: 920 })], true);
            let at = START;
            const sent: Sent[] = reads.map(({ market, mid, wait, age }) => {
              at += wait * SECOND;
              const times = { captured_at: iso(at), updated_at: iso(at - age * SECOND) };
              return { market, mid, at, record: quote(market, mid, times) };
            });
            const arrived = new Set<string>();
            const checked = new Set<string>();
            const rejected = new Set<string>();
            for (const { kind, place } of acts) {
              const one = sent[place % sent.length];
              const held = await store.listHeld('held', 1_000);
              const suspect = held[place % Math.max(1, held.length)];
              if (kind === 'read' && one !== undefined) {
                await push([one.record]);
                arrived.add(keyOf(one));
              } else if (kind === 'trust' && one !== undefined) {
                if (arrived.has(keyOf(one))) continue;
                await push([one.record], true);
                arrived.add(keyOf(one));
                checked.add(keyOf(one));
              } else if (suspect !== undefined) {
                const { id, subject: market, record, capturedAt } = suspect;
                const key = keyOf({ market, mid: Number(record['mid']), at: capturedAt });
                if (kind === 'release') {
                  await judge.release(id, { why: 'operator' });
                  checked.add(key);
                } else {
                  await store.rejectHeld(id);
                  rejected.add(key);
                }
              }
              const now = await stored(store);
              expect(now.published).toEqual(expect.arrayContaining([...checked]));
              expect(new Set(now.rejected)).toEqual(rejected);
              const all = [...now.published, ...now.held, ...now.rejected];
              expect(all).toHaveLength(new Set(all).size);
              const kept = [...arrived].filter((key) => !key.includes(' 4500 '));
              expect([...all, ...now.released]).toEqual(expect.arrayContaining(kept));
            }
          } finally {
            await site.close();
          }
        }),
        { numRuns: Number(process.env['RUNS'] ?? 30) },
      );
    });
  },
);
