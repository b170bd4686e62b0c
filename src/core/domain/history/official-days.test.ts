import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { day } from '../../../../testkit/day.ts';
import { NO_REDENOMINATIONS, redenominations } from '../redenomination.ts';
import { addCaracasDays, type CaracasDay, isWeekend, parseCaracasDay } from '../time.ts';
import {
  officialDays,
  officialDaysRange,
  type ValueDateRate,
  valueDatesFor,
} from './official-days.ts';

const stored = (valueDate: string, rate: number): ValueDateRate => ({
  valueDate: day(valueDate),
  rate,
  readAt: Date.parse(`${valueDate}T00:00:00Z`),
});

const nextWeekday = (date: CaracasDay): CaracasDay => {
  const next = addCaracasDays(date, 1);
  return isWeekend(next) ? nextWeekday(next) : next;
};

const WEEKDAYS = {
  calendar: {
    isBusinessDay: (date: CaracasDay) => !isWeekend(date),
    nextValueDate: nextWeekday,
  },
  redenominations: NO_REDENOMINATIONS,
};
const WEEK = { from: day('2026-11-16'), to: day('2026-11-22') };

const daysIn = (rates: readonly ValueDateRate[], choice: 'value' | 'all', range = WEEK) => {
  const { rows, missing } = officialDays(rates, range, choice, WEEKDAYS);
  return { rows: rows.map((row) => [row.date, row.rate, row.carriedDays]), missing };
};

describe('contract §21 the official days of a range', () => {
  test('all: a rate is carried over days without banks, never over a business day without a rate', () => {
    const rates = [
      stored('2026-11-13', 1),
      stored('2026-11-16', 2),
      stored('2026-11-18', 3),
      stored('2026-11-20', 4),
    ];
    expect(daysIn(rates, 'all')).toEqual({
      rows: [
        ['2026-11-16', 2, 0],
        ['2026-11-18', 3, 0],
        ['2026-11-20', 4, 0],
        ['2026-11-21', 4, 1],
        ['2026-11-22', 4, 2],
      ],
      missing: ['2026-11-17', '2026-11-19'],
    });
  });

  test('a missing Friday leaves the weekend without a row, until the next value date', () => {
    const rates = [stored('2026-11-19', 1), stored('2026-11-23', 2)];
    const range = { from: day('2026-11-19'), to: day('2026-11-23') };
    expect(daysIn(rates, 'all', range)).toEqual({
      rows: [
        ['2026-11-19', 1, 0],
        ['2026-11-23', 2, 0],
      ],
      missing: ['2026-11-20'],
    });
  });

  test('value: a row for each value date of the range, with the same missing days', () => {
    const rates = [stored('2026-11-13', 1), stored('2026-11-17', 2)];
    expect(daysIn(rates, 'value')).toEqual({
      rows: [['2026-11-17', 2, 0]],
      missing: ['2026-11-16', '2026-11-18', '2026-11-19', '2026-11-20'],
    });
  });

  test('a weekend at the begin has the rate of before the range, unless a business day between is missing', () => {
    const weekend = { from: day('2026-11-21'), to: day('2026-11-22') };
    expect(daysIn([stored('2026-11-20', 1)], 'all', weekend).rows).toEqual([
      ['2026-11-21', 1, 1],
      ['2026-11-22', 1, 2],
    ]);
    const early = [stored('2026-11-02', 1), stored('2026-11-19', 2)];
    expect(daysIn(early, 'all', weekend)).toEqual({ rows: [], missing: [] });
  });

  test('days before the first stored value date have no row and are not missing', () => {
    const first = [stored('2026-11-18', 1)];
    expect(daysIn(first, 'all').rows[0]).toEqual(['2026-11-18', 1, 0]);
    expect(daysIn(first, 'all').missing).toEqual(['2026-11-19', '2026-11-20']);
    expect(daysIn([stored('2026-11-23', 1)], 'all')).toEqual({ rows: [], missing: [] });
  });

  test('contract §10 a carried rate is in the unit of its day', () => {
    const reform = redenominations([{ on: day('2026-11-21'), factor: 1_000, name: 'new' }]);
    const { rows } = officialDays([stored('2026-11-20', 5_000)], WEEK, 'all', {
      ...WEEKDAYS,
      redenominations: reform,
    });
    expect(rows.map(({ rate }) => rate)).toEqual([5_000, 5, 5]);
  });

  test('contract §9 each row has the rate of the next banking day too: its own on a business day, none while it is not stored', () => {
    const nextOf = (rates: readonly ValueDateRate[], range = WEEK) =>
      officialDays(rates, range, 'all', WEEKDAYS).rows.map(({ date, nextBanking }) => [
        date,
        nextBanking?.valueDate,
        nextBanking?.rate,
      ]);
    const friday = stored('2026-11-20', 4);
    const weekend = { from: day('2026-11-20'), to: day('2026-11-22') };
    expect(nextOf([friday, stored('2026-11-23', 5)], weekend)).toEqual([
      ['2026-11-20', '2026-11-20', 4],
      ['2026-11-21', '2026-11-23', 5],
      ['2026-11-22', '2026-11-23', 5],
    ]);
    // Tuesday's rate never stands in for Monday's.
    const without = [
      ['2026-11-20', '2026-11-20', 4],
      ['2026-11-21', undefined, undefined],
      ['2026-11-22', undefined, undefined],
    ];
    expect(nextOf([friday], weekend)).toEqual(without);
    expect(nextOf([friday, stored('2026-11-24', 6)], weekend)).toEqual(without);
    // A rate for a day without banks is in force on it, and does not change the other rule.
    const saturday = stored('2026-11-21', 4.5);
    expect(nextOf([friday, saturday, stored('2026-11-23', 5)], weekend).slice(1)).toEqual([
      ['2026-11-21', '2026-11-23', 5],
      ['2026-11-22', '2026-11-23', 5],
    ]);
  });

  test('contract §1 the rate of the next banking day is in the unit of the day of its row', () => {
    const reform = redenominations([{ on: day('2026-11-22'), factor: 1_000, name: 'new' }]);
    const rates = [stored('2026-11-20', 5_000), stored('2026-11-23', 6)];
    const rules = { ...WEEKDAYS, redenominations: reform };
    const { rows } = officialDays(rates, { ...WEEK, from: day('2026-11-20') }, 'all', rules);
    expect(rows.map(({ rate, nextBanking }) => [rate, nextBanking?.rate])).toEqual([
      [5_000, 5_000],
      [5_000, 6_000],
      [5, 6],
    ]);
  });

  test('the value dates to read end with the next one after a range that ends on a day without banks', () => {
    const { calendar } = WEEKDAYS;
    const from = day('2026-11-16');
    const toRead = (to: string) => valueDatesFor({ from, to: day(to) }, calendar);
    expect(toRead('2026-11-20')).toEqual({ from, to: '2026-11-20' });
    expect(toRead('2026-11-21')).toEqual({ from, to: '2026-11-23' });
    expect(toRead('2026-11-22')).toEqual({ from, to: '2026-11-23' });
  });

  test('each day of a range has a row, is missing, or is without banks after a missing day', () => {
    const picks = fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 1 });
    fc.assert(
      fc.property(picks, fc.nat(40), fc.nat(20), (offsets, start, length) => {
        const begin = day('2026-10-01');
        const dates = offsets.sort((a, b) => a - b).map((days) => addCaracasDays(begin, days));
        const rates = dates.map((date, index) => ({ ...stored(date, index + 1), valueDate: date }));
        const from = addCaracasDays(begin, start);
        const range = { from, to: addCaracasDays(from, length) };
        // What the store gives: the first, the last before the range, and those inside.
        const before = rates.filter(({ valueDate }) => valueDate < from);
        const given = rates.filter(
          (rate) =>
            rate === rates[0] ||
            rate === before.at(-1) ||
            (rate.valueDate >= from && rate.valueDate <= range.to),
        );
        const { rows, missing } = officialDays(given, range, 'all', WEEKDAYS);
        for (let date = from; date <= range.to; date = addCaracasDays(date, 1)) {
          const upTo = rates.filter(({ valueDate }) => valueDate <= date);
          const last = upTo.at(-1);
          const row = rows.find((one) => one.date === date);
          const isOpen = !isWeekend(date);
          const isMissing = isOpen && last !== undefined && last.valueDate !== date;
          expect(missing.includes(date)).toBe(isMissing);
          let isKnown = last !== undefined;
          for (let one = last?.valueDate; one !== undefined && one < date; ) {
            one = addCaracasDays(one, 1);
            if (!isWeekend(one)) isKnown = false;
          }
          expect(row?.rate).toBe(isKnown ? last?.rate : undefined);
        }
      }),
    );
  });
});

describe('contract §21 the range of a request', () => {
  const NOW = Date.parse('2026-11-26T12:00:00Z');
  const AT = { now: NOW, lastValueDate: null };

  test('ends today and begins thirty days before its end', () => {
    expect(officialDaysRange({}, AT)).toEqual({ from: '2026-10-27', to: '2026-11-26' });
    expect(officialDaysRange({ to: day('2026-03-31') }, AT).from).toBe('2026-03-01');
  });

  test('is capped at the newest value date, or today, and begins after neither', () => {
    const known = { now: NOW, lastValueDate: day('2026-11-30') };
    const ask = (from: string | undefined, to?: string) => () =>
      officialDaysRange(
        { from: parseCaracasDay(from ?? ''), to: parseCaracasDay(to ?? '') },
        known,
      );
    expect(ask('2026-11-25', '2026-11-30')()).toEqual({ from: '2026-11-25', to: '2026-11-30' });
    expect(ask('2026-11-25', '2026-12-01')()).toEqual({ from: '2026-11-25', to: '2026-11-30' });
    expect(ask('2026-11-25')()).toEqual({ from: '2026-11-25', to: '2026-11-26' });
    expect(ask('2026-11-27')()).toEqual({ from: '2026-11-27', to: '2026-11-30' });
    expect(ask('2026-12-01')).toThrow('from must not be after 2026-11-30, the newest value date.');
    expect(ask('2026-12-01', '2026-11-30')).toThrow('from must not be after to.');
    expect(officialDaysRange({ to: day('2026-12-31') }, AT).to).toBe('2026-11-26');
  });

  test('has 3,700 days at most', () => {
    const to = day('2026-11-26');
    const first = addCaracasDays(to, -3_699);
    expect(officialDaysRange({ from: first, to }, AT)).toEqual({ from: first, to });
    const longer = () => officialDaysRange({ from: addCaracasDays(first, -1), to }, AT);
    expect(longer).toThrow(expect.objectContaining({ code: 'invalid_format' }));
  });
});
