import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ingestOf } from '../faults/replay/desk.ts';
import { MemoryStore } from '../faults/replay/memory-store.ts';
import type { Ingest } from '../src/core/app/ingest/ingest.ts';
import { recordsIn } from '../src/core/app/ingest/ndjson.ts';
import type { IngestStore } from '../src/core/app/ports/ingest-store.ts';
import {
  NO_REDENOMINATIONS,
  type Redenominations,
  redenominations,
  unitAt,
} from '../src/core/domain/redenomination.ts';
import { caracasDayOf, DAY_MS } from '../src/core/domain/time.ts';
import { day } from '../testkit/day.ts';
import { ENGINES } from './contracts/engines.ts';
import { iso, official, quote } from './harness/make.ts';
import { START } from './harness/service.ts';

/* What is published depends on when readings were made, never on when or how they arrived. */

const SECOND = 1_000;
const MARKETS = ['parallel', 'binance', 'bybit', 'okx', 'cash'];

interface Read {
  readonly market: string;
  readonly mid: number;
  /** Seconds after the start, and from then back to the time that the source gives. */
  readonly at: number;
  readonly age: number | null;
}

const OUTSIDE = [4_500, 600];

/**
 * Moments at which some markets were read: with jumps, lies and repetitions of them. A figure outside
 * the band that its source dates before the current quote is kept nowhere, so none is here. Late
 * readings of one figure that are placed at one instant are one capture: ages with different
 * fractions of a second keep them apart.
 */
const read = fc
  .record({
    market: fc.constantFrom(...MARKETS),
    mid: fc.constantFrom(1_000, 1_004, 990, 1_050, 1_250, 1_260, 1_900, 1_910, 3_000, ...OUTSIDE),
    age: fc.constantFrom(0, 0, 0, 20.5, 300.25),
  })
  .map((one) => (OUTSIDE.includes(one.mid) ? { ...one, age: 0 } : one));
const reads = fc.uniqueArray(read, {
  minLength: 1,
  maxLength: 4,
  selector: ({ market }) => market,
});

/** @param waits Seconds between moments. */
function historyWith(waits: readonly number[]): fc.Arbitrary<readonly Read[]> {
  const moment = fc.record({ wait: fc.constantFrom(...waits), reads });
  const moments = fc.array(moment, { minLength: 2, maxLength: 20 });
  return fc.tuple(moments, fc.boolean()).map(([all, isDated]) => {
    let at = 0;
    return all.flatMap((one) => {
      at += one.wait;
      return one.reads.map((other) => ({ ...other, at, age: isDated ? other.age : null }));
    });
  });
}

const history = historyWith([1, 20, 60, 200, 301, 900]);
/** With silences of nearly a day, in which readings wait for many days to be confirmed. */
const longHistory = historyWith([1, 60, 301, 900, 22 * 3_600]);

/** A history, and its readings in another order. */
const shuffled = (of: fc.Arbitrary<readonly Read[]>) =>
  of.chain((readings) => {
    const all = { minLength: readings.length, maxLength: readings.length };
    return fc.tuple(fc.constant(readings), fc.shuffledSubarray([...readings], all));
  });

/** A redenomination on the second day of a history. */
const REFORM = redenominations([{ on: day('2026-11-22'), factor: 1_000, name: 'new' }]);

const record = ({ market, mid, at, age }: Read, reforms: Redenominations) => {
  const time = START + at * SECOND;
  const shown = reforms.rebased(mid, { from: unitAt(START), to: unitAt(time) });
  const { updated_at: _, ...bare } = { updated_at: '', ...quote(market, shown) };
  return {
    ...bare,
    captured_at: iso(time),
    ...(age !== null && { updated_at: iso(time - age * SECOND) }),
  };
};

const SOURCE = { source: 'venues' };
const linesOf = (batch: readonly Read[], reforms = NO_REDENOMINATIONS) =>
  recordsIn(batch.map((one) => JSON.stringify(record(one, reforms))));

/** What judges into a store, after the last reading. */
function judgeOf(store: IngestStore, reforms = NO_REDENOMINATIONS): Ingest {
  return ingestOf(store, () => START + 30 * DAY_MS, undefined, reforms);
}

async function rateIsKnown(judge: Ingest): Promise<void> {
  const rate = official('2026-11-20', { USD: 800, EUR: 920 }, { captured_at: iso(START) });
  await judge.ingest(recordsIn([JSON.stringify(rate)]), { source: 'operator', trust: true });
}

/**
 * Brings batches, one after another.
 * @param options Whether the process begins anew before each, as after it was killed.
 */
async function outcome(
  batches: readonly (readonly Read[])[],
  { isKilled = false, reforms = NO_REDENOMINATIONS } = {},
) {
  const store = new MemoryStore();
  let judge = judgeOf(store, reforms);
  await rateIsKnown(judge);
  for (const batch of batches) {
    if (isKilled) judge = judgeOf(store, reforms);
    await judge.ingest(linesOf(batch, reforms), SOURCE);
  }
  return storedIn(store, reforms);
}

/** What is stored, with its figures in the unit of the start. */
async function storedIn(store: IngestStore, reforms = NO_REDENOMINATIONS) {
  const shown = (figure: number, at: number) =>
    reforms.rebased(figure, { from: unitAt(at), to: unitAt(START) });
  const held = await store.listHeld('held', 1_000);
  const { captures } = await store.quotesRead({ from: 0, to: START + 30 * DAY_MS }, 1_000);
  const published = captures.map(({ quote: one }) => one);
  const { memories } = await store.currentRecords(caracasDayOf(START));
  return {
    // A figure of before the current quote may count at an instant that has the same one.
    published: new Set(
      published.map(({ market, mid, capturedAt, observedAt = capturedAt }) =>
        [market, shown(mid, observedAt), (capturedAt - START) / SECOND].join(' '),
      ),
    ),
    held: held
      .map(({ subject, record: { mid }, capturedAt: at, counts, reasons = [] }) =>
        [subject, shown(Number(mid), at), (at - START) / SECOND, counts, ...reasons].join(' '),
      )
      .sort(),
    remembered: MARKETS.flatMap((name) => {
      const memory = memories.find((one) => one.market === name);
      if (memory?.published === undefined) return [];
      const { market, unchangedSince, past, driftedAt, step, insisted } = memory;
      const { replaced, replacedAt } = memory;
      return [{ market, unchangedSince, past, replaced, replacedAt, driftedAt, step, insisted }];
    }),
  };
}

/** Cuts a list at random places. */
function cut<Item>(items: readonly Item[], places: readonly boolean[]): Item[][] {
  const parts: Item[][] = [];
  items.forEach((item, place) => {
    if (place === 0 || places[place % places.length] === true) parts.push([]);
    parts.at(-1)?.push(item);
  });
  return parts;
}

const cuts = fc.array(fc.boolean(), { minLength: 1, maxLength: 40 });

describe('judgement of quotes (contract §8)', () => {
  test('one batch or many, in the order of their times or any other: the same is published, held and remembered', async () => {
    await fc.assert(
      fc.asyncProperty(shuffled(history), cuts, async ([readings, arrived], places) => {
        const whole = await outcome([readings]);
        for (const order of [readings, arrived]) {
          expect(await outcome(cut(order, places))).toEqual(whole);
        }
      }),
      { numRuns: Number(process.env['RUNS'] ?? 200) },
    );
  });

  // How far a market moved is remembered for 26 hours, so after a late reading its marks may differ.
  test('after silences of 22 hours, kills and a redenomination, in any order of arrival: the same is published and held as without them', async () => {
    const reform = fc.constantFrom(NO_REDENOMINATIONS, REFORM);
    const all = fc.tuple(shuffled(longHistory), cuts, reform, fc.boolean());
    await fc.assert(
      fc.asyncProperty(all, async ([[readings, arrived], places, reforms, isKilled]) => {
        const { published, held } = await outcome([readings]);
        for (const order of [readings, arrived]) {
          const made = await outcome(cut(order, places), { isKilled, reforms });
          expect(made).toMatchObject({ published, held });
        }
      }),
      { numRuns: Number(process.env['RUNS'] ?? 200) },
    );
  });

  test('a reading that ended with a release counts again when a late one takes that back', async () => {
    const at = (market: string, mid: number, seconds: number) => [
      { market, mid, at: seconds, age: 0 },
    ];
    const batches = [
      ...[at('okx', 1_910, 1), at('okx', 4_500, 2)],
      ...[at('okx', 1_000, 79_203), at('okx', 1_000, 158_403), at('okx', 1_050, 158_404)],
    ];
    const late = [...at('parallel', 1_000, 79_203), ...at('binance', 1_900, 158_403)];
    const last = at('bybit', 1_910, 158_404);
    const all = [...batches.flat(), ...late, ...last];
    const { published, held } = await outcome([all]);
    expect(held).toContain('okx 4500 2 true out_of_band moved');
    expect(await outcome([...batches, late, last])).toMatchObject({ published, held });
  });

  test('a jump of many readings within minutes, released after days: it waits while late readings are judged', async () => {
    const at = (mid: number, seconds: number, market = 'bybit') => ({
      ...{ market, mid, at: seconds },
      age: null,
    });
    const batches = [
      [at(1_910, 1), at(1_000, 79_204, 'parallel'), at(1_000, 158_404)],
      [at(1_000, 158_404, 'binance'), at(1_000, 158_406, 'parallel')],
      [at(1_000, 2), at(1_000, 3), at(1_000, 4)],
      [at(1_250, 158_404, 'okx'), at(1_000, 158_405, 'parallel')],
    ];
    const { published, held } = await outcome([batches.flat()]);
    expect(held).toEqual([]);
    expect(await outcome(batches)).toMatchObject({ published, held });
  });

  test('beside readings of other Caracas days: they are judged by the official rates of their days', async () => {
    const at = (market: string, seconds: number) => ({
      market,
      mid: 1_000,
      at: seconds,
      age: null,
    });
    const batches = [
      [at('binance', 2)],
      [at('parallel', 2), at('parallel', 145_000)],
      [at('okx', 60_000), at('parallel', 60_000)],
      [at('parallel', 1), at('okx', 145_000)],
    ];
    const { published, held } = await outcome([batches.flat()]);
    expect(held).toEqual([]);
    expect(await outcome(batches)).toMatchObject({ published, held });
  });

  test('a quote that a run of days replaced is no longer restored, whichever of its readings arrives last', async () => {
    const of = (market: string, mid: number, hours: number, seconds: number) => ({
      ...{ market, mid, at: hours * 3_600 + seconds },
      age: null,
    });
    const run = [0, 22, 44, 66, 88].map((hours) => of('okx', 1_000, hours, 2));
    const beside = [88, 88.5].map((hours) => of('parallel', 1_000, hours, 2));
    const all = [of('okx', 600, 0, 1), ...run, ...beside, of('okx', 600, 89, 0)];
    const { published, held } = await outcome([all]);
    expect(held).toEqual([`okx 600 ${89 * 3_600} true parallel_differs moved`]);
    for (const last of all) {
      const first = all.filter((one) => one !== last);
      const made = await outcome([first, [last]], { isKilled: true });
      expect(made).toMatchObject({ published, held });
    }
  });

  test('a late reading that takes back what a quote replaced: one hours later is judged by it', async () => {
    const of = (mid: number, hours: number, seconds = 0, market = 'cash') => ({
      ...{ market, mid, at: hours * 3_600 + seconds },
      age: null,
    });
    const rise = [of(1_000, 0), of(1_150, 0, 100), of(1_260, 0, 160), of(1_310, 0, 220)];
    const batches = [
      rise,
      [of(1_000, 2, 0, 'parallel'), of(1_310, 4), of(1_000, 4, 60)],
      [of(1_000, 44, 0, 'parallel')],
      [of(1_080, 0, 50)],
    ];
    const { published, held } = await outcome([batches.flat()]);
    expect(held).toEqual([`cash 1000 ${4 * 3_600 + 60} true moved`]);
    expect(await outcome(batches, { isKilled: true })).toMatchObject({ published, held });
  });

  test('a reading that the parallel held for days and a jump of it released: a late one takes the release back', async () => {
    const of = (market: string, mid: number, at: number, age = 0) => ({ market, mid, at, age });
    const batches = [
      [of('okx', 1_000, 4), of('okx', 1_000, 159_305), of('parallel', 1_000, 79_204)],
      [of('parallel', 1_000, 158_405)],
      [of('parallel', 1_900, 2)],
      [of('parallel', 1_910, 159_305, 20.5)],
      [of('parallel', 1_000, 158_404)],
    ];
    const { published, held } = await outcome([batches.flat()]);
    expect(held).toContain('okx 1000 4 false parallel_differs');
    expect(await outcome(batches)).toMatchObject({ published, held });
  });

  test.each([
    ['a reading between those that released it', [1, 3, 2]],
    ['a reading before those that released it, and then between them', [3, 1, 2]],
  ])('a figure that was held for days and then released: %s arrives late', async (_, order) => {
    const hours = (...all: readonly (readonly [number, number])[]) =>
      all.map(([at, mid]) => ({ market: 'cash', mid, at: at * 3_600, age: null }));
    const parts: Readonly<Record<number, readonly Read[]>> = {
      1: hours([0, 1_000], [22, 1_900]),
      2: hours([60, 1_000]),
      3: hours([44, 1_900], [66, 1_900], [88, 1_900]),
    };
    const batches = order.map((part) => parts[part] ?? []);
    expect(await outcome(batches)).toEqual(await outcome([batches.flat()]));
  });

  test('two held venues of which each decides about the other: the same is released in any order of arrival', async () => {
    const at = (seconds: number, mids: Readonly<Record<string, number>>) =>
      Object.entries(mids).map(([market, mid]) => ({ market, mid, at: seconds, age: null }));
    const jump = (seconds: number) => at(seconds, { parallel: 1_910 });
    const others = at(1_483, { bybit: 1_000 });
    const later = [at(100, { parallel: 1_260 }), jump(1_143), jump(1_443), others, jump(1_743)];
    const first = [at(60, { binance: 1_000 }), at(61, { okx: 1_000 })];
    const rest = [...later, at(1_943, { binance: 1_260, okx: 990 })];
    const release = at(1_963, { parallel: 1_260 });
    const inOrder = await outcome([...first, ...rest, release]);
    expect(await outcome([...first, ...rest])).toMatchObject({ held: { length: 2 } });
    expect(await outcome([...first.toReversed(), ...rest, release])).toEqual(inOrder);
  });

  describe.each(ENGINES)('on $name', ({ create }) => {
    test('after an upgrade: all markets are remembered from the first batch on, with their doubts', async () => {
      const site = create();
      try {
        const store = await site.open();
        await rateIsKnown(judgeOf(store));
        const of = (market: string, mid: number, at: number) => ({ market, mid, at, age: null });
        const jump = [1, 301, 601].map((at) => of('cash', 1_900, at));
        await judgeOf(store).ingest(linesOf([of('cash', 1_000, 0), ...jump]), SOURCE);
        const { remembered } = await storedIn(store);
        expect(remembered).toMatchObject([{ market: 'cash', insisted: [{ mid: 1_900 }] }]);
        await site.run('update quote_state set memory = null');
        await judgeOf(store).ingest(linesOf([of('parallel', 1_000, 700)]), SOURCE);
        expect((await storedIn(store)).remembered).toMatchObject([
          { market: 'parallel' },
          { market: 'cash', insisted: [{ mid: 1_900 }] },
        ]);
      } finally {
        await site.close();
      }
    });

    test('by two processes at once: the same is published, held and remembered', async () => {
      await fc.assert(
        fc.asyncProperty(history, cuts, cuts, async (readings, places, whose) => {
          const site = create();
          try {
            const stores = [await site.open(), await site.open()];
            const judges = stores.map((store) => judgeOf(store));
            for (const judge of judges.slice(0, 1)) await rateIsKnown(judge);
            const batches = cut(readings, places);
            await Promise.all(
              judges.map(async (judge, own) => {
                for (const [place, batch] of batches.entries()) {
                  const isOwn = Number(whose[place % whose.length]) === own;
                  if (isOwn) await judge.ingest(linesOf(batch), SOURCE);
                }
              }),
            );
            for (const store of stores) {
              expect(await storedIn(store)).toEqual(await outcome([readings]));
            }
          } finally {
            await site.close();
          }
        }),
        { numRuns: Number(process.env['RUNS'] ?? 200) / 10 },
      );
    });
  });
});
