import { describe, expect, test } from 'vitest';
import { day } from '../../../../testkit/day.ts';
import { loadHolidays } from '../../catalogue/holidays.ts';
import { loadJudgement } from '../../catalogue/judgement.ts';
import { crossOf } from '../bcv.ts';
import { bankCalendar } from '../calendar.ts';
import type { PublishedRates } from '../judgement.ts';
import { addCaracasDays, HOUR_MS, type Instant } from '../time.ts';
import { corrects, type PublicationContext } from './publication-context.ts';
import { publicationDoubts } from './publication-judgement.ts';

const { thresholds } = loadJudgement('catalog');
const calendar = bankCalendar(loadHolidays('catalog'));

/** Read on Friday 20 November 2026 for Monday, after the publication for Friday. */
const usual: PublicationContext = {
  last: { USD: 800, EUR: 920, CNY: 110 },
  stored: {},
  before: {},
  beforeOn: {},
  lastCurrencies: ['USD', 'EUR', 'CNY'],
  lastCross: { value: 1.15, on: day('2026-11-20') },
  cross: undefined,
  readOn: day('2026-11-20'),
  today: day('2026-11-20'),
  nextValueDate: day('2026-11-23'),
  closing: undefined,
  page: { inForce: day('2026-11-20'), isNext: true, recent: [] },
  isOfArchive: false,
  neighbours: undefined,
  repetition: undefined,
};

const RATES: PublishedRates = { USD: 802, EUR: 922, CNY: 110.2 };

function reasons(rates: PublishedRates, context: Partial<PublicationContext> = {}) {
  const { USD: usd, EUR: eur } = rates;
  const known = { ...usual, cross: crossOf({ USD: usd, EUR: eur }), ...context };
  const publication = { kind: 'publication', valueDate: day('2026-11-23'), rates } as const;
  const doubts = publicationDoubts({ ...publication, isWhole: true }, known, thresholds);
  return doubts.map(({ reason }) => reason);
}

describe('figures of a publication (contract §8)', () => {
  test.each([
    [{ USD: 880, EUR: 1_012, CNY: 121 }, []],
    [{ USD: 880.00000001, EUR: 1_012, CNY: 121 }, ['moved']],
    [{ USD: 727.27272728, EUR: 836.4, CNY: 110 }, []],
    [{ USD: 727.27272727, EUR: 836.4, CNY: 110 }, ['moved']],
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
    const lastCross = { value: 1.1875, on: day('2026-11-20') };
    expect(reasons({ USD: 800, EUR: 952 }, { ...context, lastCross })).toEqual(['figure_changed']);
    expect(reasons({ USD: 800, EUR: 953 }, { ...context, lastCross })).toEqual([
      'cross_moved',
      'figure_changed',
    ]);
  });
});

describe('what the value dates of an archive confirm (contract §8)', () => {
  /** Whether they may release it, `days` after the last rates: USD 800 and EUR 920. */
  const isConfirmable = (rates: PublishedRates, days: number) => {
    const on = day('2026-11-20');
    const [usd, eur] = [rates['USD'], rates['EUR']];
    const doubts = publicationDoubts(
      { kind: 'publication', valueDate: addCaracasDays(on, days), rates, isWhole: false },
      {
        ...usual,
        ...{ nextValueDate: addCaracasDays(on, days), page: undefined, isOfArchive: true },
        before: { USD: 800, EUR: 920 },
        beforeOn: { USD: on, EUR: on },
        lastCross: { value: 1.15, on },
        cross: crossOf({ USD: usd, EUR: eur }),
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
          ...{ page: undefined, lastCross: undefined, isOfArchive: true },
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
    const context = { ...usual, cross: 0.1, page: undefined, isOfArchive: true };
    const wrong = { kind: 'publication', valueDate: day('2026-11-23'), isWhole: false } as const;
    const doubts = publicationDoubts({ ...wrong, rates: { USD: 8_000, EUR: 800 } }, context, older);
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
