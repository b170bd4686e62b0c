import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PUBLISHED_CURRENCIES, type PublishedCurrency } from './bcv.ts';
import {
  type DoubtfulPublication,
  doubtfulRates,
  type ObservedRate,
  officialRates,
} from './official.ts';
import { NO_REDENOMINATIONS } from './redenomination.ts';
import { type CaracasDay, parseCaracasDay } from './time.ts';

function caracasDay(text: string): CaracasDay {
  const day = parseCaracasDay(text);
  if (day === undefined) throw new Error(`${text} is no day.`);
  return day;
}

function observed(valueDate: string, rate: number, currency: PublishedCurrency = 'USD') {
  return { currency, valueDate: caracasDay(valueDate), rate };
}

const placed = (valueDate: string, rate: number) => ({
  rate,
  valueDate,
  effectiveAt: Date.parse(`${valueDate}T04:00:00Z`),
});

const ratesOn = (known: readonly ObservedRate[], today: CaracasDay) =>
  officialRates(known, today, NO_REDENOMINATIONS);

const FRIDAY = caracasDay('2026-11-20');

describe('the official rates around a day', () => {
  test('are in force, previous and next, each with its change', () => {
    const board = ratesOn(
      [observed('2026-11-24', 801), observed('2026-11-19', 800), observed('2026-11-20', 804)],
      FRIDAY,
    );
    expect(Object.fromEntries(board)).toEqual({
      USD: {
        previous: placed('2026-11-19', 800),
        inForce: { ...placed('2026-11-20', 804), change: { amount: 4, percent: 0.5 } },
        next: { ...placed('2026-11-24', 801), change: { amount: -3, percent: -0.3731 } },
      },
    });
  });

  test('a rate is in force from its value date, and next on the day before', () => {
    const known = [observed('2026-11-19', 800), observed('2026-11-20', 804)];
    const on = (text: string) => ratesOn(known, caracasDay(text)).get('USD');
    expect([on('2026-11-19')?.inForce?.rate, on('2026-11-19')?.next?.rate]).toEqual([800, 804]);
    expect([on('2026-11-20')?.inForce?.rate, on('2026-11-20')?.next?.rate]).toEqual([
      804,
      undefined,
    ]);
    expect(on('2027-01-01')?.inForce?.rate).toBe(804);
  });

  test('next is the first of several future rates, and previous the last of the past ones', () => {
    const days = ['18', '19', '20', '24', '25'].map((day) =>
      observed(`2026-11-${day}`, Number(day)),
    );
    const usd = ratesOn(days, FRIDAY).get('USD');
    expect([usd?.previous?.rate, usd?.inForce?.rate, usd?.next?.rate]).toEqual([19, 20, 24]);
  });

  test('unknown rates are absent', () => {
    expect(ratesOn([], FRIDAY).size).toBe(0);
    expect(Object.fromEntries(ratesOn([observed('2026-11-20', 800)], FRIDAY))).toEqual({
      USD: { inForce: placed('2026-11-20', 800) },
    });
    expect(Object.fromEntries(ratesOn([observed('2026-11-24', 800)], FRIDAY))).toEqual({
      USD: { next: placed('2026-11-24', 800) },
    });
  });

  test('currencies are in a fixed order and do not affect each other', () => {
    const board = ratesOn(
      PUBLISHED_CURRENCIES.toReversed().map((code, place) =>
        observed('2026-11-20', 100 + place, code),
      ),
      FRIDAY,
    );
    expect([...board.keys()]).toEqual([...PUBLISHED_CURRENCIES]);
    expect([...board.values()].map(({ inForce }) => inForce?.rate)).toEqual([
      104, 103, 102, 101, 100,
    ]);
  });
});

describe('the change of a rate', () => {
  const changeOf = (from: number, to: number) =>
    ratesOn([observed('2026-11-19', from), observed('2026-11-20', to)], FRIDAY).get('USD')?.inForce
      ?.change;

  test.each([
    [800, 804, 4, 0.5],
    [804, 800, -4, -0.4975],
    [889.5754, 889.5754, 0, 0],
    [0.1, 0.3, 0.2, 200],
    [3, 4, 1, 33.3333],
    [3, 5, 2, 66.6667],
    // 0.00005% is a half of the last place, and goes away from zero.
    [200, 200.0001, 0.0001, 0.0001],
    [200, 199.9999, -0.0001, -0.0001],
    [200, 200.00009998, 0.00009998, 0],
    [1, 1.000000005, 0.00000001, 0],
    [1, 0.999999995, -0.00000001, 0],
    [1, 1.000000004, 0, 0],
    [0.00001, 0.000012, 0.000002, 20],
  ])('from %d to %d is %d VES and %d percent', (from, to, amount, percent) => {
    // As on the wire, where -0 is 0.
    expect(JSON.stringify(changeOf(from, to))).toBe(JSON.stringify({ amount, percent }));
  });

  test('the amount is the exact difference of rates of 8 decimals', () => {
    const units = fc.integer({ min: 1, max: 10 ** 14 });
    fc.assert(
      fc.property(units, units, (from, to) => {
        const change = changeOf(from / 1e8, to / 1e8);
        expect(change?.amount).toBe(Number(`${BigInt(to) - BigInt(from)}e-8`));
        expect(Math.sign(change?.percent ?? 0) * Math.sign(to - from)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('rates in doubt (contract §8)', () => {
  const known = [observed('2026-11-20', 800), observed('2026-11-24', 804)];
  const around = ratesOn([...known, observed('2026-11-24', 925, 'EUR')], FRIDAY);

  function held(capturedAt: number, given: Partial<DoubtfulPublication> = {}) {
    const rates = { USD: 1_040, EUR: 925 };
    const valueDate = caracasDay('2026-11-24');
    return { valueDate, rates, capturedAt, source: 'bcv', reasons: ['moved'], ...given };
  }

  test('count from the first of their readings in a row', () => {
    const dollar = { currency: 'USD', valueDate: '2026-11-24', rate: 1_040, reasons: ['moved'] };
    const other = held(4, { rates: { USD: 900 } });
    const row = [held(9), held(7), held(5), other, held(3)];
    expect(doubtfulRates(row, around, FRIDAY, NO_REDENOMINATIONS)).toEqual([
      { ...dollar, since: 5 },
    ]);
    // Readings of another source do not interrupt it.
    const relay = held(6, { source: 'relay', rates: { USD: 900 } });
    expect(doubtfulRates([held(9), relay, held(5)], around, FRIDAY, NO_REDENOMINATIONS)).toEqual([
      { ...dollar, since: 5 },
    ]);
    expect(doubtfulRates([], around, FRIDAY, NO_REDENOMINATIONS)).toEqual([]);
  });

  test('are none for a value date in force or past, nor if they are stored for theirs', () => {
    const on = (date: string) =>
      doubtfulRates(
        [held(5, { valueDate: caracasDay(date) })],
        around,
        FRIDAY,
        NO_REDENOMINATIONS,
      ).map(({ currency }) => currency);
    expect(['2026-11-19', '2026-11-20', '2026-11-24', '2026-11-25'].map(on)).toEqual([
      ['EUR'],
      ['EUR'],
      ['USD'],
      ['USD', 'EUR'],
    ]);
  });
});
