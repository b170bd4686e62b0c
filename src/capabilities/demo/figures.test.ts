import { describe, expect, test } from 'vitest';
import { day } from '../../../testkit/day.ts';
import { recordSchema } from '../../core/app/ingest/record.ts';
import { loadCatalogue } from '../../core/catalogue/catalogue.ts';
import { loadHolidays } from '../../core/catalogue/holidays.ts';
import { PACKAGED_CATALOGUE } from '../../core/config.ts';
import { PUBLISHED_CURRENCIES } from '../../core/domain/bcv.ts';
import { bankCalendar } from '../../core/domain/calendar.ts';
import { isOfficial } from '../../core/domain/markets.ts';
import {
  caracasDayOf,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  startOfCaracasDay,
  utcDayOf,
} from '../../core/domain/time.ts';
import {
  figureAt,
  movedBankTable,
  movedCaptures,
  movedPublications,
  readDemoFigures,
  shiftDaysAt,
  spanishLabel,
} from './figures.ts';

const figures = readDemoFigures();
const calendar = bankCalendar(loadHolidays(PACKAGED_CATALOGUE));

/** Every three hours of a week, and of one with a holiday: both sides of both midnights. */
const INSTANTS = ['2026-11-16T00:30:00Z', '2026-06-21T00:30:00Z'].flatMap((start) =>
  Array.from({ length: 7 * 8 }, (_, step) => Date.parse(start) + step * 3 * HOUR_MS),
);

function publicationsFrom(now: number) {
  return movedPublications(figures, { shiftDays: shiftDaysAt(now), calendar }).map((due) => {
    const record = recordSchema.parse(due.record);
    if (record.kind !== 'official') throw new Error('not a publication');
    return { ...due, record };
  });
}

/** The publications of an instant's week, made once. */
const byShift = new Map<number, ReturnType<typeof publicationsFrom>>();
function known(now: number) {
  const shift = shiftDaysAt(now);
  const all = byShift.get(shift) ?? publicationsFrom(now);
  byShift.set(shift, all);
  return all.filter(({ at }) => at <= now).map(({ record }) => record);
}

describe('the figures of the demonstration', () => {
  test('never miss a publication or show one early', () => {
    for (const now of INSTANTS) {
      const newestValueDate = known(now).at(-1)?.value_date ?? day('2000-01-01');
      expect(calendar.missedPublications({ newestValueDate, now }), `${now}`).toBe(0);
      const next = calendar.nextValueDate(caracasDayOf(now));
      expect(newestValueDate <= next, `${now}`).toBe(true);
    }
  });

  test('have a value date for each business day of the last year and for no other day', () => {
    const now = INSTANTS[0] ?? 0;
    const dates = new Set(known(now).map(({ value_date: date }) => date));
    for (let ago = 0; ago < 365; ago += 1) {
      const date = caracasDayOf(now - ago * DAY_MS);
      expect(dates.has(date), date).toBe(calendar.isBusinessDay(date));
    }
  });

  test('publish at 16:30 of each business day', () => {
    for (const now of INSTANTS) {
      const next = publicationsFrom(now).find(({ at }) => at > now);
      const published = caracasDayOf(next?.at ?? 0);
      expect((next?.at ?? 0) - startOfCaracasDay(published)).toBe(16.5 * HOUR_MS);
      expect(calendar.isBusinessDay(published)).toBe(true);
    }
  });

  test('§2.9 have all currencies in every publication, and a label that marks simulated ones', () => {
    const all = publicationsFrom(INSTANTS[0] ?? 0);
    for (const { record } of all) {
      expect(Object.keys(record.rates)).toEqual([...PUBLISHED_CURRENCIES]);
    }
    expect(all[0]?.record.value_date_text).toMatch(/ \(demostración\)$/);
    expect(all.at(-1)?.record.value_date_text).toMatch(/ \(simulada\)$/);
    expect(spanishLabel(day('2026-11-23'))).toBe('Lunes, 23 Noviembre 2026');
  });

  test('have a bank table scaled to the official rate of its day, marked as simulated', () => {
    const now = INSTANTS[0] ?? 0;
    const published = publicationsFrom(now).filter(({ at }) => at <= now);
    const due = movedPublications(figures, { shiftDays: shiftDaysAt(now), calendar }).slice(
      0,
      published.length,
    );
    const newest = published.at(-1);
    if (newest === undefined) throw new Error('nothing is published');
    const table = recordSchema.parse(movedBankTable(figures, due).record);
    if (table.kind !== 'bank_table') throw new Error('not a bank table');
    const today = caracasDayOf(newest.at);
    expect(table).toMatchObject({ indicator_date: today, captured_at: newest.at });
    // Published for the next business day, so the rate of the table's day is the one before.
    expect(newest.record.value_date > today).toBe(true);
    const usd = published.find(({ record }) => record.value_date === today)?.record.rates.USD;
    const real = figures.bankTable;
    const then = figures.publications.real.find(
      ({ value_date: date }) => date === real.indicator_date,
    );
    const growth = (usd ?? 0) / (then?.rates.USD ?? 0);
    for (const [index, { bank, buy, sell }] of table.rows.entries()) {
      expect(bank).toMatch(/ \(simulado\)$/);
      expect(buy).toBeCloseTo((real.rows[index]?.buy ?? 0) * growth, 3);
      expect(sell).toBeCloseTo((real.rows[index]?.sell ?? 0) * growth, 3);
    }
  });

  test.each([
    ['parallel', 365],
    ['binance', 320],
  ])('have a real series of %s of at least %i days, hourly in the last month', (market, days) => {
    for (const now of INSTANTS) {
      const real = figures.real.get(market) ?? [];
      const past = movedCaptures(market, real, shiftDaysAt(now)).filter(({ at }) => at <= now);
      expect(now - (past[0]?.at ?? now)).toBeGreaterThanOrEqual(days * DAY_MS);
      const recent = past.filter(({ at }) => at > now - 30 * DAY_MS);
      expect(recent.length).toBeGreaterThan(30 * 4);
    }
  });
});

describe('the simulated markets of the demonstration', () => {
  const now = Date.parse('2026-08-12T15:00:00Z');

  test('each market has a series of 365 days, with captures on nearly all of them', () => {
    for (const [name, series] of figures.simulated) {
      for (const instant of INSTANTS) {
        const to = instant - shiftDaysAt(instant) * DAY_MS;
        const from = to - 365 * DAY_MS;
        expect(series[0]?.at, name).toBeLessThanOrEqual(from);
        const days = series.filter(({ at }) => at > from && at <= to).map(({ at }) => utcDayOf(at));
        expect(new Set(days).size, name).toBeGreaterThan(355);
      }
    }
    const { markets } = loadCatalogue(PACKAGED_CATALOGUE);
    const ids = markets.list.filter((market) => !isOfficial(market)).map(({ id }) => id);
    expect([...figures.simulated.keys()].sort()).toEqual(ids.sort());
  });

  test('what is simulated before the first real capture goes on in it without a jump', () => {
    const [first] = figures.real.get('binance') ?? [];
    const before =
      figures.simulated.get('binance')?.filter(({ at }) => at < (first?.at ?? 0)) ?? [];
    expect(before.length).toBeGreaterThan(30);
    expect((before.at(-1)?.mid ?? 0) / (first?.mid ?? 1)).toBeCloseTo(1, 2);
  });

  test('a figure moves within minutes, by less than a quarter of a percent', () => {
    for (const [market, series] of figures.simulated) {
      const [first, later] = [now, now + 5 * MINUTE_MS].map((at) => figureAt(series, at).mid);
      expect(later, market).not.toBe(first);
      expect((later ?? 0) / (first ?? 1), market).toBeCloseTo(1, 2);
    }
  });

  test('a figure lies between its captures, and a bid below its ask', () => {
    const series = [
      { at: 0, mid: 10, ask: 12, bid: 8 },
      { at: 100, mid: 20, ask: 22, bid: 18 },
    ];
    expect(figureAt(series, 25)).toEqual({ at: 25, mid: 12.5, ask: 14.5, bid: 10.5 });
    expect(figureAt(series, 200)).toEqual({ at: 200, mid: 20, ask: 22, bid: 18 });
    for (const captures of figures.simulated.values()) {
      const { mid, ask = Infinity, bid = 0 } = figureAt(captures, now);
      expect(bid).toBeLessThan(mid);
      expect(mid).toBeLessThan(ask);
    }
  });

  test('the figures keep growing after the last real capture', () => {
    for (const [market, series] of figures.simulated) {
      const [soon, later] = [30, 60].map((days) => figureAt(series, now + days * DAY_MS).mid);
      expect(later, market).toBeGreaterThan(soon ?? 0);
    }
  });
});
