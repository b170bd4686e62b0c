import { describe, expect, test } from 'vitest';
import { day } from '../../../../testkit/day.ts';
import { loadHolidays } from '../../catalogue/holidays.ts';
import { loadJudgement } from '../../catalogue/judgement.ts';
import { crossOf, OTHER_CURRENCIES } from '../bcv.ts';
import { bankCalendar } from '../calendar.ts';
import type { PublishedRates } from '../judgement.ts';
import { addCaracasDays, HOUR_MS, type Instant } from '../time.ts';
import { type Cross, corrects, type PublicationContext } from './publication-context.ts';
import { publicationDoubts } from './publication-judgement.ts';

const { thresholds } = loadJudgement('catalog');
const calendar = bankCalendar(loadHolidays('catalog'));

const LAST = { USD: 800, EUR: 920, CNY: 110 };

/** Read on Friday 20 November 2026 for Monday, after the publication for Friday. */
const usual: PublicationContext = {
  last: LAST,
  stored: {},
  before: {},
  beforeOn: {},
  lastCurrencies: ['USD', 'EUR', 'CNY'],
  crosses: [],
  readOn: day('2026-11-20'),
  today: day('2026-11-20'),
  nextValueDate: day('2026-11-23'),
  closing: undefined,
  page: { inForce: day('2026-11-20'), recent: [] },
  isOfArchive: false,
  neighbours: undefined,
  repetition: undefined,
};

const RATES: PublishedRates = { USD: 802, EUR: 922, CNY: 110.2 };

/** What the currencies cost in dollars beside the last rates, so many business days before. */
function crossesOf(rates: PublishedRates, known: PublishedRates, days = 1): readonly Cross[] {
  return OTHER_CURRENCIES.flatMap((name) => {
    const [value, last] = [crossOf(rates, name), crossOf(known, name)];
    if (value === undefined || last === undefined) return [];
    return [{ name, value, known: [{ value: last, on: day('2026-11-20'), days }] }];
  });
}

function doubtsOf(rates: PublishedRates, context: Partial<PublicationContext>) {
  const publication = { kind: 'publication', valueDate: day('2026-11-23'), rates } as const;
  const whole = { ...usual, lastCurrencies: [], ...context };
  return publicationDoubts({ ...publication, isWhole: true }, whole, thresholds);
}

const areCrossesLasting = (rates: PublishedRates, known: PublishedRates, days?: number) =>
  doubtsOf(rates, { last: {}, crosses: crossesOf(rates, known, days) }).flatMap(
    ({ reason, isLasting = false }) => (reason === 'cross_moved' ? [isLasting] : []),
  );

function reasons(rates: PublishedRates, context: Partial<PublicationContext> = {}) {
  const known = { ...usual, crosses: crossesOf(rates, LAST), ...context };
  const publication = { kind: 'publication', valueDate: day('2026-11-23'), rates } as const;
  const doubts = publicationDoubts({ ...publication, isWhole: true }, known, thresholds);
  return doubts.map(({ reason }) => reason);
}

describe('figures of a publication (contract §8)', () => {
  test.each([
    [{ USD: 880, EUR: 1_012, CNY: 121 }, []],
    [{ USD: 880.00000001, EUR: 1_012, CNY: 121 }, ['moved']],
    [{ USD: 727.27272728, EUR: 836.4, CNY: 100 }, []],
    [{ USD: 727.27272727, EUR: 836.4, CNY: 100 }, ['moved']],
  ])(
    'a ratio of exactly 1.1 to the last publication passes, a larger one is held: %j',
    (rates, expected) => {
      expect(reasons(rates)).toEqual(expected);
    },
  );

  test.each([
    [952.2, []],
    [952.21, ['cross_moved']],
    [887.8, []],
    [887.79, ['cross_moved']],
  ])('EUR over USD may move by exactly 3.5 percent, and no more: %d of 920', (EUR, expected) => {
    expect(reasons({ USD: 800, EUR, CNY: 110 })).toEqual(expected);
  });

  test.each([
    ['EUR', 1.035, []],
    ['EUR', 1.03501, [true]],
    ['EUR', 0.96499, [true]],
    ['CNY', 1.08, []],
    ['CNY', 1.08001, [true]],
    ['CNY', 0.91999, [true]],
    ['TRY', 1.4, []],
    ['TRY', 1.40001, [true]],
    ['TRY', 0.59999, [true]],
    ['RUB', 1.25, []],
    ['RUB', 1.25001, [true]],
    ['RUB', 0.74999, [true]],
  ] as const)(
    '%s, measured in dollars, %d times the last one: whether no repetition releases its page',
    (name, factor, expected) => {
      const known = { USD: 800, EUR: 920, CNY: 110, TRY: 18, RUB: 10 };
      const rates: PublishedRates = { ...known, [name]: known[name] * factor };
      expect(areCrossesLasting(rates, known)).toEqual(expected);
    },
  );

  test.each([
    [1, 952.21, [true]],
    [2, 952.21, [false]],
    [2, 984.4, [false]],
    [2, 984.41, [true]],
    [3, 984.41, [false]],
  ])('over %d business days to %d of 920: as much for each of them', (days, EUR, expected) => {
    expect(areCrossesLasting({ USD: 800, EUR }, { USD: 800, EUR: 920 }, days)).toEqual(expected);
  });

  test('the dollar alone up by 10.02 percent moves the others away from it', () => {
    const known = { USD: 800, EUR: 920, CNY: 110, TRY: 18, RUB: 10 };
    const rates = { ...known, USD: 880.16 };
    const doubts = doubtsOf(rates, { last: known, crosses: crossesOf(rates, known) });
    expect(
      doubts.map(({ reason, currencies, isLasting }) => [reason, currencies, isLasting]),
    ).toEqual([
      ['moved', [], undefined],
      ['cross_moved', ['EUR', 'CNY'], true],
    ]);
  });
});

describe('a value date with stored figures (contract §8)', () => {
  const isLasting = (rates: PublishedRates, context: Partial<PublicationContext>) =>
    publicationDoubts(
      { kind: 'publication', valueDate: day('2026-11-23'), rates, isWhole: true },
      { ...usual, ...context },
      thresholds,
    ).flatMap(({ reason, isLasting: never = false }) =>
      reason === 'figure_changed' ? [] : [never],
    );
  const before = { USD: 800, EUR: 920 };

  const wrong = { USD: 1_200, EUR: 1_380 };

  test.each([
    ['that fit those before it', { USD: 880, EUR: 1_012 }, [true]],
    ['that do not', { USD: 880.01, EUR: 1_012 }, [false]],
    ['whose EUR over USD does not', { USD: 800, EUR: 955 }, [false]],
    ['of another currency only', { EUR: 922 }, [false]],
  ])('%s: whether repeated readings of other figures are ignored', (_, stored, expected) => {
    expect(isLasting(wrong, { stored, before, lastCurrencies: [] })).toEqual(expected);
    // Without rates before it nothing can fit.
    expect(isLasting(wrong, { stored, before: {}, lastCurrencies: [] })).toEqual([false]);
  });

  test('is corrected by a page that fits the earlier rates better', () => {
    const stored = { USD: 880, EUR: 1_012 };
    const context = { stored, last: stored, before, lastCurrencies: [] };
    expect(isLasting({ USD: 795, EUR: 914 }, context)).toEqual([false]);
  });

  test('does not help to reach larger figures in steps', () => {
    const stored = { USD: 879, EUR: 1_010 };
    const context = { stored, last: stored, before, lastCurrencies: [] };
    expect(reasons({ USD: 880, EUR: 1_012 }, context)).toEqual(['figure_changed']);
    expect(reasons({ USD: 880.01, EUR: 1_012 }, context)).toEqual(['moved', 'figure_changed']);
    const jump = { ...context, stored: { USD: 960, EUR: 1_104 }, last: { USD: 960, EUR: 1_104 } };
    expect(reasons({ USD: 961, EUR: 1_105 }, jump)).toEqual(['figure_changed']);
    const known = [1.1875, 1.15].map((value) => ({ value, on: day('2026-11-20'), days: 1 }));
    const shown = (EUR: number) => {
      const crosses = [{ name: 'EUR', value: EUR / 800, known }];
      return reasons({ USD: 800, EUR }, { ...context, crosses });
    };
    expect(shown(952)).toEqual(['figure_changed']);
    expect(shown(953)).toEqual(['cross_moved', 'figure_changed']);
  });
});

describe('what the value dates of an archive confirm (contract §8)', () => {
  /** Whether they may release it, `days` after the last rates: USD 800 and EUR 920. */
  const isConfirmable = (rates: PublishedRates, days: number) => {
    const on = day('2026-11-20');
    const known = { USD: 800, EUR: 920 };
    const doubts = publicationDoubts(
      { kind: 'publication', valueDate: addCaracasDays(on, days), rates, isWhole: false },
      {
        ...usual,
        ...{ nextValueDate: addCaracasDays(on, days), page: undefined, isOfArchive: true },
        before: known,
        beforeOn: { USD: on, EUR: on },
        crosses: crossesOf(rates, known),
      },
      thresholds,
    );
    expect(doubts).not.toEqual([]);
    return doubts.every(({ isLasting }) => isLasting !== true);
  };

  test.each([
    [4_000, 1, true],
    [4_000.01, 1, false],
    [4_000.01, 89, false],
    [8_000, 90, true],
    [8_000.01, 90, false],
    [16_000, 180, true],
    [16_000.01, 269, false],
    [160, 1, true],
    [159.99, 1, false],
    [159.99, 900, false],
  ])(
    'a ratio of exactly five to the last rate, twice as much with each 90 days for a rise: %d of 800 after %d days, %s',
    (USD, days, expected) => {
      expect(isConfirmable({ USD }, days)).toBe(expected);
    },
  );

  test.each([
    [952.2, 1, true],
    [952.21, 1, false],
    [952.21, 89, false],
    [952.21, 90, true],
    [1_104, 90, true],
    [1_104.01, 90, false],
  ])(
    'a move of EUR over USD by exactly 3.5 percent, after 90 days by 20: %d of 920 after %d days, %s',
    (EUR, days, expected) => {
      expect(isConfirmable({ USD: 881, EUR: EUR * 1.10125 }, days)).toBe(expected);
    },
  );

  test.each([
    ['RUB', 7.5, []],
    ['RUB', 7.49, ['moved']],
    ['TRY', 25.2, []],
    ['TRY', 25.21, ['moved']],
    ['EUR', 1_020, ['moved', 'cross_moved']],
  ])(
    '%s at %d, measured in dollars: whether it moved too far for an archive',
    (name, rate, expected) => {
      const last = { USD: 800, EUR: 920, TRY: 18, RUB: 10 };
      const rates: PublishedRates = { ...last, [name]: rate };
      const crosses = crossesOf(rates, last).filter((one) => one.name === 'EUR');
      const shown = (isOfArchive: boolean) =>
        doubtsOf(rates, { last, crosses, page: undefined, isOfArchive }).map(
          ({ reason }) => reason,
        );
      expect(shown(true)).toEqual(expected);
      expect(shown(false)[0]).toBe('moved');
    },
  );

  test('the devaluation of 20 August 2018: the dollar rose 24 times in a day', () => {
    const confirmable = (from: string, to: string) =>
      publicationDoubts(
        {
          kind: 'publication',
          valueDate: day(to),
          rates: { USD: 0.00006 },
          isWhole: false,
        },
        {
          ...usual,
          ...{ page: undefined, isOfArchive: true },
          last: { USD: 0.00000248832 },
          beforeOn: { USD: day(from) },
        },
        thresholds,
      ).map(({ isLasting }) => isLasting !== true);
    expect(confirmable('2018-08-17', '2018-08-20')).toEqual([true]);
    expect(confirmable('2018-08-15', '2018-08-17')).toEqual([false]);
    expect(confirmable('2018-08-20', '2018-08-21')).toEqual([false]);
  });

  test('a figure in another unit hides behind no smaller doubt of another currency', () => {
    expect(isConfirmable({ USD: 900, EUR: 9_200 }, 1)).toBe(false);
  });

  test('any figure, with the numbers of a catalogue that has no such limit', () => {
    const { archiveRatio: _, archiveCrossPercent: __, ...older } = thresholds;
    const rates = { USD: 8_000, EUR: 800 };
    const crosses = crossesOf(rates, LAST);
    const context = { ...usual, crosses, page: undefined, isOfArchive: true };
    const wrong = { kind: 'publication', valueDate: day('2026-11-23'), isWhole: false } as const;
    const doubts = publicationDoubts({ ...wrong, rates }, context, older);
    expect(doubts.map(({ reason, isLasting }) => [reason, isLasting])).toEqual([
      ['moved', undefined],
      ['cross_moved', undefined],
    ]);
  });
});

describe('a corrected date (contract §8)', () => {
  const published = (date: string, capturedAt: Instant, rates: PublishedRates = RATES) => ({
    valueDate: day(date),
    rates,
    capturedAt,
  });
  // The holiday of 1 May 2026 was corrected to Monday three hours later.
  const at = Date.parse('2026-04-30T21:00:00Z');
  const isCorrected = (next: ReturnType<typeof published>, before: ReturnType<typeof published>) =>
    corrects(next, before, { thresholds, calendar });

  test('has the same figures under another date, read within a day', () => {
    const before = published('2026-05-01', at);
    expect(isCorrected(published('2026-05-04', at + 3 * HOUR_MS), before)).toBe(true);
    expect(isCorrected(published('2026-05-04', at + 24 * HOUR_MS), before)).toBe(true);
    expect(isCorrected(published('2026-05-04', at + 24 * HOUR_MS + 1), before)).toBe(false);
    expect(isCorrected(published('2026-05-04', at - 1), before)).toBe(false);
    expect(isCorrected(published('2026-05-01', at + HOUR_MS), before)).toBe(false);
    const other = { ...RATES, CNY: 110.3 };
    expect(isCorrected(published('2026-05-04', at + HOUR_MS, other), before)).toBe(false);
  });

  test('does not withdraw a rate in force on a business day', () => {
    const isRead = (time: string) => {
      const readAt = Date.parse(time);
      return isCorrected(published('2026-11-20', readAt), published('2026-11-19', readAt));
    };
    expect(isRead('2026-11-19T04:00:00Z')).toBe(false);
    expect(isRead('2026-11-19T03:59:59.999Z')).toBe(true);
  });

  test('is not recognised by one currency alone', () => {
    const [dollar, next] = [published('2026-05-01', at, { USD: 802 }), { USD: 802 }];
    expect(isCorrected(published('2026-05-04', at, next), dollar)).toBe(false);
  });
});
