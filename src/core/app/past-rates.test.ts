import fc from 'fast-check';
import { expect, test } from 'vitest';
import { day } from '../../../testkit/day.ts';
import { loadJudgement } from '../catalogue/judgement.ts';
import { bankCalendar } from '../domain/calendar.ts';
import { ApiError } from '../domain/errors.ts';
import { type Market, markets as marketsOf, OFFICIAL_USD } from '../domain/markets.ts';
import { NO_REDENOMINATIONS } from '../domain/redenomination.ts';
import { addCaracasDays, type CaracasDay, startOfCaracasDay } from '../domain/time.ts';
import { pastRate } from './past-rates.ts';
import type { StoredQuote } from './ports/quotes.ts';
import { buildSnapshot } from './snapshot.ts';

const { thresholds } = loadJudgement('catalog');

const FIRST = day('2026-11-02');
const DAYS = 25;
/** Monday the 23rd is a holiday. */
const calendar = bankCalendar({
  announcedUntil: day('2026-12-31'),
  names: new Map([[day('2026-11-23'), 'Virgen de Chiquinquirá']]),
});

const market: Market = {
  id: OFFICIAL_USD,
  name: 'BCV',
  type: 'reference',
  base: 'USD',
  aliases: [],
  staleAfterSec: 1,
  requiredPlan: undefined,
  nameEn: 'BCV',
  alsoKnownAs: [],
  dropAfterSec: 604_800,
};

/** A rate for some of the days, business days or not. */
const publications = fc.array(fc.boolean(), { minLength: DAYS, maxLength: DAYS }).map((published) =>
  published.flatMap((is, index): StoredQuote[] => {
    const effectiveDate = addCaracasDays(FIRST, index);
    const at = startOfCaracasDay(effectiveDate);
    const quote = { market: OFFICIAL_USD, mid: 800 + index, effectiveDate };
    return is ? [{ ...quote, updatedAt: at, capturedAt: at, observedAt: at - 1 }] : [];
  }),
);

test('contract §9: value_date gives the rate in force at midnight of the day, or an error', async () => {
  await fc.assert(
    fc.asyncProperty(publications, fc.nat(DAYS - 1), async (quotes, index) => {
      const date = addCaracasDays(FIRST, index);
      const records = {
        version: 1,
        judged: 0,
        fetchedAt: undefined,
        quotes,
        publication: undefined,
        bankTable: undefined,
        memories: [],
        days: [],
      };
      const redenominations = NO_REDENOMINATIONS;
      const times = { now: startOfCaracasDay(date), startedAt: 0, redenominations, thresholds };
      const inForce = buildSnapshot(records, marketsOf([market]), times).quoteOf(market);
      const store = {
        lastQuotesBefore: async () => [],
        officialRateUpTo: async (_: string, upTo: CaracasDay) =>
          quotes.findLast(({ effectiveDate = '' }) => effectiveDate <= upTo),
        officialSeries: async () => [],
        firstCaptureAt: async () => undefined,
      };
      const ask = { date, rule: 'value_date' } as const;
      const now = startOfCaracasDay(addCaracasDays(FIRST, DAYS));
      const found = await pastRate(market, ask, { store, calendar, redenominations, now }).catch(
        (error: unknown) => error,
      );
      const expected = calendar.isBusinessDay(date) ? date : calendar.previousBusinessDay(date);
      const valueDate = inForce?.effectiveDate;
      if (found instanceof ApiError) {
        const isMissing = valueDate !== undefined && valueDate < expected;
        expect(found.code).toBe(isMissing ? 'rate_not_published' : 'resource_not_found');
        if (!isMissing) expect(inForce).toBeUndefined();
        return;
      }
      expect(found).toMatchObject({ quote: inForce, asOf: { official: { valueDate } } });
      expect(valueDate !== undefined && valueDate >= expected).toBe(true);
    }),
  );
});
