import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ingestInMemory } from '../faults/replay/desk.ts';
import { recordsIn } from '../src/core/app/ingest/ndjson.ts';
import { iso, official, quote } from './harness/make.ts';
import { START } from './harness/service.ts';

/*
 * A market with one source: readings dated by the source or not, with a slow or a fast clock. The
 * current quote may only move as contract §8 says. That late readings change nothing of it is a law
 * of its own: `judgement-order.test.ts`.
 */

const SECOND = 1_000;
const LEVELS = [1_000, 1_010, 990, 1_250, 1_900, 3_500, 4_500, 700, 600];

interface Reading {
  readonly mid: number;
  /** Seconds since the reading before it was sent. */
  readonly wait: number;
  /** Seconds from sending it to the time at which it was read. */
  readonly read: number;
  /** Seconds from reading it to the source's time; null without one. */
  readonly dated: number | null;
}

const reading: fc.Arbitrary<Reading> = fc.record({
  mid: fc.constantFrom(...LEVELS),
  wait: fc.constantFrom(1, 20, 60, 120, 301, 601, 1_800),
  read: fc.constantFrom(0, 0, 0, 0, 200),
  dated: fc.constantFrom(null, 0, 0, -30, -180, -900, 90),
});

const ratio = (a: number, b: number) => Math.max(a / b, b / a);
const areNear = (a: number, b: number) => ratio(a, b) <= 1.1;

async function market() {
  let now = START;
  const { store, ingest } = ingestInMemory(() => now);
  const rate = official('2026-11-20', { USD: 800, EUR: 920 }, { captured_at: iso(START) });
  await ingest.ingest(recordsIn([JSON.stringify(rate)]), { source: 'operator', trust: true });
  return {
    current: () => store.captures.get('parallel')?.at(-1),
    /** @returns when it counts as read. */
    async send({ mid, wait, read, dated }: Reading): Promise<number> {
      now += wait * SECOND;
      const at = now + read * SECOND;
      const { updated_at: _, ...bare } = { updated_at: '', ...quote('parallel', mid) };
      const record = {
        ...bare,
        captured_at: iso(at),
        ...(dated !== null && { updated_at: iso(at + dated * SECOND) }),
      };
      await ingest.ingest(recordsIn([JSON.stringify(record)]), { source: 'a' });
      return Math.min(at, now);
    },
  };
}

describe('the current quote of a market with one source (contract §8)', () => {
  test('moves over the ratio only after insistence, or back to the quote that was replaced', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(reading, { minLength: 5, maxLength: 25 }), async (readings) => {
        const { send, current } = await market();
        await send({ mid: 1_000, wait: 0, read: 0, dated: 0 });
        const read: { readonly at: number; readonly mid: number }[] = [];
        const replaced: number[] = [];
        for (const one of readings) {
          const before = current();
          read.push({ at: await send(one), mid: one.mid });
          const after = current();
          if (before === undefined || after === undefined || before === after) continue;
          if (ratio(after.mid, before.mid) > 1.3) {
            // Each within 20 % of their median, so within a ratio of 1.5 of each other.
            const times = read
              .filter(({ mid }) => ratio(mid, after.mid) <= 1.5)
              .map(({ at }) => at);
            const insists =
              new Set(times).size >= 3 && Math.max(...times) - Math.min(...times) >= 600 * SECOND;
            const returns =
              after.capturedAt - before.capturedAt <= 3_600 * SECOND &&
              replaced.some((mid) => areNear(mid, after.mid));
            expect({ mid: after.mid, isExplained: insists || returns }).toEqual({
              mid: after.mid,
              isExplained: true,
            });
          }
          replaced.push(before.mid);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('is never outside the band, and never one that its source dates before another', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(reading, { minLength: 5, maxLength: 25 }), async (readings) => {
        const { send, current } = await market();
        for (const one of readings) {
          const before = current();
          await send(one);
          const after = current();
          if (after === undefined) continue;
          expect(after.mid).toBeGreaterThanOrEqual(560);
          expect(after.mid).toBeLessThanOrEqual(4_000);
          if (one.dated === null || before === undefined || before === after) continue;
          expect(after.updatedAt).toBeGreaterThanOrEqual(before.updatedAt);
        }
      }),
      { numRuns: 200 },
    );
  });
});
