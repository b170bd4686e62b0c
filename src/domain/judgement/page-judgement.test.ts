import { describe, expect, test } from 'vitest';
import { loadJudgement } from '../../catalogue/judgement.ts';
import type { PublishedRates } from '../judgement.ts';
import { parseCaracasDay } from '../time.ts';
import { type PageContext, pageDoubts } from './page-judgement.ts';

const { thresholds } = loadJudgement('catalog');

function day(text: string) {
  const found = parseCaracasDay(text);
  if (found === undefined) throw new Error(`no day: ${text}`);
  return found;
}

const MONDAY: PublishedRates = {
  USD: 480.2572,
  EUR: 555.19172835,
  CNY: 69.41230857,
  TRY: 10.91403951,
  RUB: 5.70928144,
};

/** Tuesday's: the dollar rose by 0.5 %, and the others moved over it by little. */
const TUESDAY: PublishedRates = {
  USD: 482.6585,
  EUR: 559.08219403,
  CNY: 69.71338842,
  TRY: 10.95760288,
  RUB: 5.74930207,
};

function reasons(rates: PublishedRates, page: Partial<PageContext> = {}, limits = thresholds) {
  const observation = {
    kind: 'publication',
    valueDate: day('2026-11-17'),
    rates,
    isWhole: true,
  } as const;
  const context: PageContext = {
    inForce: day('2026-11-16'),
    recent: [{ valueDate: day('2026-11-16'), rates: MONDAY }],
    dayBefore: MONDAY,
    stored: {},
    ...page,
  };
  return pageDoubts(observation, context, limits).map(({ reason }) => reason);
}

const times = (rates: PublishedRates, factor: number, name = 'USD') => ({
  ...rates,
  [name]: Number(((rates[name] ?? 0) * factor).toFixed(4)),
});

describe('a figure of another value date (decisions §8)', () => {
  test.each([
    ['all of them', MONDAY],
    ['of the euro', { ...TUESDAY, EUR: 555.19172835 }],
    ['of another currency', { ...TUESDAY, RUB: 5.70928144 }],
  ])('%s', (_, rates) => {
    expect(reasons(rates, { dayBefore: undefined })).toEqual(['figure_repeated']);
  });

  test.each([
    ['new ones', TUESDAY],
    ['another last digit', { ...TUESDAY, EUR: 555.19172836 }],
    ['the dollar, which stayed the same on 22 July 2026', { ...TUESDAY, USD: 480.2572 }],
  ])('%s are none', (_, rates) => {
    expect(reasons(rates)).toEqual([]);
  });

  test('one that is rounded to four decimals, as an aggregator does, may repeat', () => {
    const recent = [{ valueDate: day('2026-11-16'), rates: { USD: 480.2572, EUR: 555.1917 } }];
    expect(reasons({ USD: 480.2572, EUR: 555.1917 }, { recent })).toEqual([]);
    const longer = [{ valueDate: day('2026-11-16'), rates: { USD: 480.2572, EUR: 555.19171 } }];
    expect(reasons({ USD: 480.2572, EUR: 555.19171 }, { recent: longer })).toEqual([
      'figure_repeated',
    ]);
  });
});

describe('all other currencies move over the dollar in one direction (decisions §8)', () => {
  test.each([
    ['up by 2 percent', times(TUESDAY, 1.02), ['cross_moved']],
    ['down by 2 percent', times(TUESDAY, 0.98), ['cross_moved']],
    ['up by 0.5 percent', times(TUESDAY, 1.005), []],
    ['right, and the euro up by 3 percent', times(TUESDAY, 1.03, 'EUR'), []],
    [
      'right, and the euro up by 3 percent, the yuan down by 1.2',
      times(times(TUESDAY, 1.03, 'EUR'), 0.988, 'CNY'),
      [],
    ],
  ])('the dollar is %s', (_, rates, expected) => {
    expect(reasons(rates)).toEqual(expected);
  });

  test('exactly the limit passes', () => {
    const before = { USD: 100, EUR: 120, CNY: 15, TRY: 2.5 };
    const moved = (factor: number) => ({
      USD: 100,
      EUR: 120 * factor,
      CNY: 15 * factor,
      TRY: 2.5 * factor,
    });
    expect(reasons(moved(1.01), { dayBefore: before })).toEqual([]);
    expect(reasons(moved(1.011), { dayBefore: before })).toEqual(['cross_moved']);
  });

  test.each([
    ['two others tell nothing', { USD: 500, EUR: 559, CNY: 69.7 }, {}],
    ['nor does a day before that is not stored', times(TUESDAY, 1.02), { dayBefore: undefined }],
    [
      'nor one without the dollar',
      times(TUESDAY, 1.02),
      { dayBefore: { EUR: 555, CNY: 69, TRY: 11 } },
    ],
  ])('%s', (_, rates, page) => {
    expect(reasons(rates, page)).toEqual([]);
  });

  test('of two pages for one date the one further from the day before is the wrong one', () => {
    // Over the day before, one currency moved the other way, so the first page alone told nothing.
    const right = { ...TUESDAY, RUB: 5.9 };
    const wrong = times(right, 1.015);
    expect(reasons(wrong)).toEqual([]);
    expect(reasons(wrong, { stored: right })).toEqual(['cross_moved']);
    expect(reasons(right, { stored: wrong })).toEqual([]);
  });

  test('a catalogue without the number does not ask', () => {
    const { dollarPercent: _, ...limits } = thresholds;
    expect(reasons(times(TUESDAY, 1.02), {}, limits)).toEqual([]);
  });
});
