import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { day } from '../../../../testkit/day.ts';
import { loadJudgement } from '../../catalogue/judgement.ts';
import type { PublishedRates } from '../judgement.ts';
import {
  archiveDoubt,
  besideIn,
  type Neighbours,
  type PageContext,
  pageDoubts,
} from './page-judgement.ts';

const { thresholds } = loadJudgement('catalog');

/** The figures of the central bank for 24 and 25 March 2026. */
const TUESDAY = {
  USD: 459.4525,
  EUR: 533.45651417,
  CNY: 66.78282798,
  TRY: 10.36781452,
  RUB: 5.58062745,
};
const WEDNESDAY = {
  USD: 462.6687,
  EUR: 536.09422269,
  CNY: 67.10303267,
  TRY: 10.43329635,
  RUB: 5.72632455,
};

const of = (rates: PublishedRates, date = '2026-03-24') => ({ valueDate: day(date), rates });

function reasons(
  rates: PublishedRates,
  recent: PageContext['recent'] = [of(TUESDAY)],
  limits = thresholds,
  date = '2026-03-25',
) {
  const valueDate = day(date);
  const observation = { kind: 'publication', valueDate, rates, isWhole: true } as const;
  const page: PageContext = { inForce: day('2026-03-24'), recent };
  return pageDoubts(observation, page, recent.at(-1)?.rates ?? {}, limits).map(
    ({ reason }) => reason,
  );
}

describe('figures in the place of others (contract §8)', () => {
  const { USD, EUR, CNY, TRY, RUB } = WEDNESDAY;
  test.each([
    ['TRY and RUB', { USD, EUR, CNY, TRY: RUB, RUB: TRY }],
    ['CNY and TRY', { USD, EUR, CNY: TRY, TRY: CNY, RUB }],
    ['EUR and CNY', { USD, EUR: CNY, CNY: EUR, TRY, RUB }],
  ])('%s belong to no page', (_, rates) => {
    expect(reasons(rates)).toEqual(['figures_unrelated']);
  });

  test.each([
    ['over 1 %', 1.0101, ['figures_unrelated']],
    ['1 %', 1.01, []],
  ])('currencies that were %s apart are told apart or not', (_, factor, expected) => {
    const known = { USD: 100, TRY: 10, RUB: 10 * factor };
    expect(reasons({ USD: 100, TRY: 10 * factor, RUB: 10 }, [of(known)])).toEqual(expected);
  });

  test('only figures that are both nearer to the last one of the other are in its place', () => {
    const known = { USD: 100, TRY: 10, RUB: 10.2 };
    const shown = (TRY: number, RUB: number) => reasons({ USD: 100, TRY, RUB }, [of(known)]);
    expect(shown(10.12, 10.08)).toEqual(['figures_unrelated']);
    expect([shown(10.09, 10.08), shown(10.12, 10.11)]).toEqual([[], []]);
  });
});

describe('a figure of another value date (contract §8)', () => {
  test('the dollar may stay the same, as on 22 July 2026', () => {
    const recent = [of({ USD: 737.2321, EUR: 840.70999755 })];
    expect(reasons({ USD: 737.2321, EUR: 840.85744397 }, recent)).toEqual([]);
  });

  test('a figure of four decimals, as an aggregator rounds it, may repeat', () => {
    const recent = [of({ USD: 459.4525, EUR: 533.4565 })];
    expect(reasons({ USD: 462.6687, EUR: 533.4565 }, recent)).toEqual([]);
    expect(reasons({ USD: 459.4525 }, [of({ USD: 459.4525 })])).toEqual([]);
    const longer = [of({ USD: 459.4525, EUR: 533.45651 })];
    expect(reasons({ USD: 462.6687, EUR: 533.45651 }, longer)).toEqual(['figure_repeated']);
  });

  const cut = (rates: typeof TUESDAY, by: (value: number) => number): PublishedRates =>
    Object.fromEntries(Object.entries(rates).map(([name, rate]) => [name, by(rate * 1e4) / 1e4]));

  test.each([
    ['rounded to four decimals', cut(TUESDAY, Math.round), ['figure_repeated']],
    ['cut off after four decimals', cut(TUESDAY, Math.floor), ['figure_repeated']],
    ['rounded, without three of them', { USD: 459.4525, EUR: 533.4565 }, ['figure_repeated']],
    ['of which one is another', { ...cut(TUESDAY, Math.round), RUB: 5.5808 }, []],
    ['one of which is a currency more', { USD: 459.4525, EUR: 533.4565, GBP: 600.1 }, []],
  ])('all figures of another date, %s', (_, rates, expected) => {
    expect(reasons(rates)).toEqual(expected);
  });

  test.each([
    ['four', 459.4525, ['figure_repeated']],
    ['three, as they are rounded,', 459.452, []],
  ])('all figures of a page do not, with %s decimals', (_, usd, expected) => {
    const rates = { USD: usd, EUR: 533.45 };
    expect(reasons(rates, [of(rates)])).toEqual(expected);
  });
});

describe('figures that do not fit each other (contract §8)', () => {
  test.each([
    ['the last digit of the dollar is wrong', { ...WEDNESDAY, USD: 462.6688 }],
    ['two digits of the euro are swapped', { ...WEDNESDAY, EUR: 536.04922269 }],
    ['the last digits of the yuan are wrong', { ...WEDNESDAY, CNY: 67.10303299 }],
    ['the yuan has lost its decimals', { ...WEDNESDAY, CNY: 67 }],
    [
      'all are 1.5 percent off and rounded',
      { USD: 469.6087, EUR: 544.13563603, CNY: 68.10957816, TRY: 10.5897958, RUB: 5.81221942 },
    ],
  ])('a page is held when %s', (_, rates) => {
    expect(reasons(rates)).toEqual(['figures_unrelated']);
  });

  test.each([
    ['before any page was read', WEDNESDAY.USD, []],
    ['after a page that did not pass it', WEDNESDAY.USD, [of({ USD: 459.4, EUR: 533.45651 })]],
    ['after a page with rounded figures', WEDNESDAY.USD, [of({ USD: 459.4525, EUR: 533.4565 })]],
  ])('the cross-check does not apply %s', (_, usd, recent) => {
    expect(reasons({ USD: usd, EUR: 536.09422999 }, recent)).toEqual([]);
  });

  test('the cross-check applies when one of the last three publications passed it', () => {
    const odd = [22, 23, 24].map((date) =>
      of({ USD: 459.4, EUR: 533.456514 + date }, `2026-03-${date}`),
    );
    const wrong = { ...WEDNESDAY, USD: 469.6087 };
    expect(reasons(wrong, [of(TUESDAY, '2026-03-21'), ...odd.slice(1)])).toEqual([
      'figures_unrelated',
    ]);
    expect(reasons(wrong, [of(TUESDAY, '2026-03-21'), ...odd])).toEqual([]);
  });

  test('the cross-check does not apply to rounded figures, or without `cross_decimals`', () => {
    expect(reasons({ USD: 462.6687, EUR: 536.1 })).toEqual([]);
    const { crossDecimals: _, ...limits } = thresholds;
    expect(reasons({ ...WEDNESDAY, USD: 469.6087 }, [of(TUESDAY)], limits)).toEqual([]);
  });

  test.each([
    ['the ruble has that of the lira', { ...WEDNESDAY, RUB: WEDNESDAY.TRY }],
    ['the lira has that of the ruble', { ...WEDNESDAY, TRY: WEDNESDAY.RUB }],
  ])('a page is held when %s', (_, rates) => {
    expect(reasons(rates)).toEqual(['figures_unrelated']);
  });

  test('a page is held when a currency has the figure of the dollar, also in a year of parity', () => {
    // The value dates 20 and 21 September 2022.
    const before = of({ USD: 8.0275, EUR: 8.03311925 }, '2022-09-20');
    expect(reasons({ USD: 8.0496, EUR: 8.04299932 }, [before])).toEqual([]);
    expect(reasons({ USD: 8.0496, EUR: 8.0496 }, [before])).toEqual(['figures_unrelated']);
    const rounded = of({ USD: 8.0275, EUR: 8.0331 }, '2022-09-20');
    expect(reasons({ USD: 8.0496, EUR: 8.0496 }, [rounded])).toEqual([]);
  });

  describe('of before 1 October 2021, as they are converted', () => {
    const before = of({ USD: 3.2437087063, EUR: 3.8360099161, RUB: 0.0436099584 }, '2021-07-07');
    const right = { USD: 3.2473219659, EUR: 3.8331063753, RUB: 0.0434386571 };
    const shown = (rates: PublishedRates) => reasons(rates, [before], thresholds, '2021-07-08');

    test.each([
      ['none is wrong', right, []],
      ['all decimals are kept', { ...right, EUR: 3.8331063753287, RUB: 0.04343865705189 }, []],
      [
        'those of the dollar are 2 percent off',
        { ...right, USD: 3.3164899238 },
        ['figures_unrelated'],
      ],
      ['a digit of the dollar is wrong', { ...right, USD: 3.2473219759 }, ['figures_unrelated']],
      ['a digit of the euro is wrong', { ...right, EUR: 3.8331063763 }, ['figures_unrelated']],
    ])('%s', (_, rates, expected) => {
      expect(shown(rates)).toEqual(expected);
    });
  });

  test('every page computed from the dollar with such quotes passes, but for a quote of 1', () => {
    const cut = (value: number) => Number((Math.floor(value * 1e8) / 1e8).toFixed(8));
    const quote = (min: number, max: number) =>
      fc.integer({ min: min * 1e5, max: max * 1e5 }).map((value) => value / 1e5);
    fc.assert(
      fc.property(
        fc.integer({ min: 40_000, max: 90_000_000 }),
        quote(1, 2).filter((value) => value > 1),
        quote(6, 8),
        quote(50, 120),
        (units, euro, yuan, ruble) => {
          const usd = units / 1e4;
          const rates = {
            USD: usd,
            EUR: cut(usd * euro),
            CNY: cut(usd / yuan),
            RUB: cut(usd / ruble),
          };
          expect(reasons(rates)).toEqual([]);
        },
      ),
    );
  });
});

describe('a row of an archive beside its neighbours (contract §8)', () => {
  const doubt = (
    rates: PublishedRates,
    around: Partial<Neighbours>,
    limits = thresholds,
    date = '2026-03-25',
  ) =>
    archiveDoubt(
      { kind: 'publication', valueDate: day(date), rates, isWhole: true },
      { before: {}, after: {}, ...around },
      limits,
    );
  const pair = (cross: number): PublishedRates => ({ USD: 400, EUR: 400 * cross });

  test.each([
    [1.013, undefined],
    [1.0131, 'figures_unrelated'],
    [0.987, undefined],
    [0.9869, 'figures_unrelated'],
  ])('EUR over USD that leaves both sides by a factor of %d: %s', (factor, reason) => {
    const around = { before: pair(1.16), after: pair(1.16) };
    const found = doubt(pair(1.16 * factor), around);
    expect(found?.reason).toBe(reason);
    // The next value dates confirm nothing.
    expect(found?.isLasting).toBe(reason && true);
  });

  test('a move that stays, however large, is not this doubt; without both sides there is none', () => {
    const [low, high] = [pair(1.16), pair(1.2)];
    expect(doubt(high, { before: low, after: high })).toBeUndefined();
    expect(doubt(high, { before: low, after: pair(1.18) })?.reason).toBe('figures_unrelated');
    expect(doubt(high, { before: low })).toBeUndefined();
    expect(doubt(high, { after: low })).toBeUndefined();
    expect(doubt({ USD: 400 }, { before: low, after: low })).toBeUndefined();
  });

  test('a file without the number has no such rule', () => {
    const { archiveApartPercent: _, ...older } = thresholds;
    const around = { before: pair(1.16), after: pair(1.16) };
    expect(doubt(pair(1.2), around, older)).toBeUndefined();
  });

  test('one wrong digit is found between rows that are computed rightly', () => {
    const wrong = { ...WEDNESDAY, EUR: 537.09422269 };
    const around = { before: TUESDAY, after: TUESDAY };
    expect(doubt(WEDNESDAY, around)).toBeUndefined();
    expect(doubt(wrong, around)?.reason).toBe('figures_unrelated');
    // Nothing shows how the bank computed.
    expect(doubt(wrong, { before: TUESDAY, after: wrong })).toBeUndefined();
    expect(doubt(wrong, { before: TUESDAY })).toBeUndefined();
  });

  test('one wrong digit is found among rows of before 1 October 2021 too', () => {
    const [before, after] = [
      { USD: 3.2437087063, EUR: 3.8360099161 },
      { USD: 3.2606778505, EUR: 3.8650118833 },
    ];
    const shown = (rates: PublishedRates) =>
      doubt(rates, { before, after }, thresholds, '2021-07-08')?.reason;
    expect(shown({ USD: 3.2473219659, EUR: 3.8331063753 })).toBeUndefined();
    expect(shown({ USD: 3.2473219659, EUR: 3.8431063753 })).toBe('figures_unrelated');
  });

  test('a figure that was converted from an older bolívar has other decimals', () => {
    const converted = { USD: 462.6687, EUR: 537.094222691 };
    expect(doubt(converted, { before: TUESDAY, after: TUESDAY })).toBeUndefined();
  });
});

describe('the neighbours of a value date in an archive', () => {
  const row = (date: string, USD: number) => ({ valueDate: day(date), rates: { USD } });

  test('are the nearest on each side, at most seven days away', () => {
    const rows = [row('2026-03-31', 5), row('2026-03-20', 1), row('2026-03-24', 3)];
    expect(besideIn(rows, day('2026-03-24'))).toEqual({ before: { USD: 1 }, after: { USD: 5 } });
    expect(besideIn(rows, day('2026-03-23'))).toEqual({ before: { USD: 1 }, after: { USD: 3 } });
    expect(besideIn(rows, day('2026-04-07'))).toEqual({ before: { USD: 5 } });
    expect(besideIn(rows, day('2026-04-08'))).toEqual({});
  });
});
