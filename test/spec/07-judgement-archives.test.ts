import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { calendar, ingestInMemory } from '../../faults/replay/desk.ts';
import {
  addCaracasDays,
  type CaracasDay,
  caracasDayOf,
  startOfCaracasDay,
} from '../../src/core/domain/time.ts';

/*
 * Archives of rates that move like the real ones, loaded as `vesfx backfill` loads a workbook, with
 * a fault in a run of value dates. The rules of judgement alone must hold it: what a workbook's own
 * figures tell is the work of its parser.
 */

/** Before it a dollar of six bolívares or more is in another unit, whatever moves (contract §7). */
const FIRST_DAY = caracasDayOf(Date.parse('2021-10-04T12:00:00Z'));

const CURRENCIES = ['USD', 'EUR', 'CNY', 'TRY', 'RUB'] as const;
type Rates = Readonly<Partial<Record<(typeof CURRENCIES)[number], number>>>;

interface Publication {
  readonly date: CaracasDay;
  readonly rates: Rates;
}

const figure = (value: number): number => Number(value.toPrecision(12));

/** Steps from one value date to the next, within those of 2020 to 2026 that are not held. */
const step = fc.record({
  dollar: fc.double({ min: 0.99, max: 1.035, noNaN: true }),
  cross: fc.double({ min: 0.988, max: 1.012, noNaN: true }),
});

/** Two to six months of business days. */
const series = fc
  .record({
    start: fc.integer({ min: 0, max: 1_447 }),
    dollar: fc.double({ min: 0.08, max: 900, noNaN: true }),
    cross: fc.double({ min: 1.13, max: 1.2, noNaN: true }),
    steps: fc.array(step, { minLength: 40, maxLength: 60 }),
  })
  .map(({ start, dollar, cross, steps }) => {
    const found: Publication[] = [];
    let date = addCaracasDays(FIRST_DAY, start);
    let [usd, euro] = [dollar, cross];
    for (const one of steps) {
      date = calendar.nextValueDate(date);
      usd *= one.dollar;
      // The euro stays where it is in the real figures of these years.
      euro = Math.min(1.22, Math.max(1.12, euro * one.cross));
      const rates = { USD: usd, EUR: usd * euro, CNY: usd / 7.1, TRY: usd / 41, RUB: usd / 82 };
      found.push({ date, rates: mapped(rates, figure) });
    }
    return found;
  });

/** Ten days in which EUR over USD moves as on most days. */
const calm = fc
  .array(fc.double({ min: 0.998, max: 1.002, noNaN: true }), { minLength: 10, maxLength: 10 })
  .map((steps) => {
    const found: Publication[] = [];
    let date = addCaracasDays(FIRST_DAY, 1_500);
    let cross = 1.16;
    for (const one of steps) {
      date = calendar.nextValueDate(date);
      cross *= one;
      found.push({ date, rates: mapped({ USD: 400, EUR: 400 * cross }, figure) });
    }
    return found;
  });

function mapped(rates: Rates, change: (rate: number) => number): Rates {
  return Object.fromEntries(Object.entries(rates).map(([name, rate]) => [name, change(rate)]));
}

/** Every currency has the figure of the one after it in the table. */
function shifted(rates: Rates): Rates {
  const names = CURRENCIES.filter((name) => rates[name] !== undefined);
  return Object.fromEntries(
    names.map((name, place) => [name, rates[names[(place + 1) % 5] ?? 'USD']]),
  );
}

const FAULTS: Readonly<Record<string, (rates: Rates) => Rates>> = {
  ...Object.fromEntries(
    [10, 100, 1_000, 100_000, 1_000_000].flatMap((factor) => [
      [`times ${factor}`, (rates: Rates) => mapped(rates, (rate) => figure(rate * factor))],
      [`divided by ${factor}`, (rates: Rates) => mapped(rates, (rate) => figure(rate / factor))],
      [
        `the dollar times ${factor}`,
        (rates: Rates) => ({ USD: figure((rates.USD ?? 0) * factor) }),
      ],
    ]),
  ),
  'the next currency in each row': shifted,
  'the yuan for the dollar': (rates) => ({ ...rates, USD: figure(rates.CNY ?? 0) }),
  'the euro for the dollar': (rates) => ({ ...rates, USD: figure(rates.EUR ?? 0) }),
  'dollar and euro swapped': (rates) => ({
    ...rates,
    USD: figure(rates.EUR ?? 0),
    EUR: figure(rates.USD ?? 0),
  }),
  'dollars for one bolívar': (rates) => mapped(rates, (rate) => figure(1 / rate)),
};

async function archive() {
  const { store, ingest } = ingestInMemory(() => Date.parse('2030-01-01T00:00:00Z'));
  return {
    load: (publications: readonly Publication[]) =>
      ingest.ingest(
        publications.map(({ date, rates }) => ({
          kind: 'official',
          value_date: date,
          rates,
          captured_at: new Date(startOfCaracasDay(date)).toISOString(),
        })),
        { source: 'bcv-archive', onlyNewValueDates: true },
      ),
    rates: async () =>
      (store.captures.get('reference') ?? []).map(({ effectiveDate, mid }) => [effectiveDate, mid]),
  };
}

const dollars = (publications: readonly Publication[]) =>
  publications.map(({ date, rates }) => [date, rates.USD]);

describe('a run of wrong value dates in an archive (contract §8)', () => {
  test.each(Object.entries(FAULTS))(
    '%s: all of them are held, and the right file is accepted afterwards',
    async (_, fault) => {
      await fc.assert(
        fc.asyncProperty(
          series,
          fc.integer({ min: 1, max: 30 }),
          fc.integer({ min: 3, max: 60 }),
          async (right, from, length) => {
            const isWrong = (place: number) => place >= from && place < from + length;
            const wrong = right.map((one, place) =>
              isWrong(place) ? { ...one, rates: fault(one.rates) } : one,
            );
            const { load, rates } = await archive();
            const { held } = await load(wrong);
            expect(held).toBeGreaterThanOrEqual(Math.min(length, right.length - from));
            const known = dollars(right.filter((_one, place) => !isWrong(place)));
            expect(known).toEqual(expect.arrayContaining(await rates()));
            await load(right);
            expect(await rates()).toEqual(dollars(right));
          },
        ),
        { numRuns: 15 },
      );
    },
  );

  test('a whole file in another unit is held where rates of the quarter before are known', async () => {
    await fc.assert(
      fc.asyncProperty(series, fc.constantFrom(...Object.values(FAULTS)), async (right, fault) => {
        const { load, rates } = await archive();
        const [before, after] = [right.slice(0, 10), right.slice(10)];
        await load(before);
        await load(after.map((one) => ({ ...one, rates: fault(one.rates) })));
        expect(await rates()).toEqual(dollars(before));
        await load(after);
        expect(await rates()).toEqual(dollars(right));
      }),
      { numRuns: 40 },
    );
  });

  test('one value date whose euro is 2 % off is held, whatever comes after it, until the operator decides', async () => {
    await fc.assert(
      fc.asyncProperty(
        calm,
        fc.integer({ min: 1, max: 8 }),
        fc.constantFrom(1.02, 0.98),
        async (right, place, factor) => {
          const { load, rates } = await archive();
          const wrong = right.map((one, at) =>
            at === place
              ? { ...one, rates: { ...one.rates, EUR: figure((one.rates.EUR ?? 0) * factor) } }
              : one,
          );
          expect(await load(wrong)).toMatchObject({ accepted: 9, held: 1 });
          expect(await rates()).toEqual(dollars(right.filter((_, at) => at !== place)));
          expect(await load(right)).toMatchObject({ accepted: 1, held: 0 });
          expect(await rates()).toEqual(dollars(right));
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('an archive with the figures of one value date for another one too (contract §8)', () => {
  /** From that place on every row has the figures of the row before it, or of the row after it. */
  const moved = (right: readonly Publication[], from: number, by: -1 | 1) =>
    right.map((row, place) => {
      const source = place < from ? row : right[place + by];
      return { ...row, rates: (source ?? row).rates };
    });

  const DAMAGES: Readonly<
    Record<string, (right: readonly Publication[], place: number) => readonly Publication[]>
  > = {
    'one row has the figures of the row before it': (right, place) =>
      right.map((row, at) => (at === place ? { ...row, rates: right[at - 1]?.rates ?? {} } : row)),
    'one row has the figures of another one': (right, place) =>
      right.map((row, at) =>
        at === place ? { ...row, rates: right[(at + 20) % right.length]?.rates ?? {} } : row,
      ),
    'the rows from one on are a row too far': (right, place) => moved(right, place, -1),
    'the rows from one on are a row too near': (right, place) => moved(right, place, 1),
  };

  test.each(Object.entries(DAMAGES))(
    '%s: all new rows are held, and the right file is accepted afterwards',
    async (_, damage) => {
      await fc.assert(
        fc.asyncProperty(series, fc.integer({ min: 1, max: 30 }), async (right, place) => {
          const { load, rates } = await archive();
          expect(await load(damage(right, place))).toMatchObject({ accepted: 0, refused: 0 });
          await load(damage(right, place));
          expect(await rates()).toEqual([]);
          await load(right);
          expect(await rates()).toEqual(dollars(right));
        }),
        { numRuns: 5 },
      );
    },
  );

  test.each([
    ['too far, after stored dates', -1],
    ['too near, before stored dates', 1],
  ] as const)('all its rows are a row %s: none is stored', async (_, by) => {
    await fc.assert(
      fc.asyncProperty(series, async (right) => {
        const { load, rates } = await archive();
        const isStored = (place: number) => (by < 0 ? place < 10 : place >= 30);
        const stored = right.filter((_row, place) => isStored(place));
        await load(stored);
        const shown = moved(right, 0, by).filter((_row, place) => !isStored(place));
        expect(await load(shown)).toMatchObject({ accepted: 0, held: shown.length });
        expect(await rates()).toEqual(dollars(stored));
        await load(right);
        expect(await rates()).toEqual(dollars(right));
      }),
      { numRuns: 5 },
    );
  });

  test('the dollar alone may repeat, as on 22 July 2026', async () => {
    const { load } = await archive();
    const [first = FIRST_DAY, second = FIRST_DAY] = [1, 2].map((days) =>
      addCaracasDays(FIRST_DAY, days),
    );
    const repeated = [
      { date: first, rates: { USD: 739.4221, EUR: 843.71803721 } },
      { date: second, rates: { USD: 739.4221, EUR: 845.49265025 } },
    ];
    expect(await load(repeated)).toMatchObject({ accepted: 2, held: 0 });
    const { load: loadDollars } = await archive();
    const lone = repeated.map(({ date, rates: { USD } }) => ({ date, rates: { USD } }));
    expect(await loadDollars(lone)).toMatchObject({ accepted: 2, held: 0 });
  });
});
