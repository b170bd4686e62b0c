import { describe, expect, test } from 'vitest';
import { recordSchema } from '../../app/ingest/record.ts';
import { PUBLISHED_CURRENCIES } from '../../domain/bcv.ts';
import {
  type CaracasDay,
  caracasDayOf,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  parseCaracasDay,
} from '../../domain/time.ts';
import {
  movedPublications,
  observationsAt,
  observationsBefore,
  readDemoFigures,
  shiftDaysAt,
  spanishLabel,
} from './demo-figures.ts';

const figures = readDemoFigures();

/** Every three hours of two weeks, one in another year: every weekday, both sides of both midnights. */
const INSTANTS = ['2026-11-16T00:30:00Z', '2028-02-26T00:30:00Z'].flatMap((start) =>
  Array.from({ length: 7 * 8 }, (_, step) => Date.parse(start) + step * 3 * HOUR_MS),
);

function parsed(line: string) {
  return recordSchema.parse(JSON.parse(line));
}

/** The moved publications by the days that they were moved by: most instants are of one week. */
const moved = new Map<number, ReturnType<typeof movedBy>>();

function movedBy(days: number) {
  return movedPublications(figures, days).flatMap(({ at, line }) => {
    const record = parsed(line);
    return record.kind === 'official' ? [{ at, record }] : [];
  });
}

function publicationsAt(now: number) {
  const days = shiftDaysAt(now);
  const all = moved.get(days) ?? movedBy(days);
  moved.set(days, all);
  return all.filter(({ at }) => at <= now).map(({ record }) => record);
}

function day(text: string): CaracasDay {
  const found = parseCaracasDay(text);
  if (found === undefined) throw new Error(text);
  return found;
}

function weekdayOf(text: string): number {
  return new Date(`${text}T00:00:00Z`).getUTCDay();
}

describe('the figures of the demonstration', () => {
  test('the newest official rate in force is of the current or the last bank day', () => {
    for (const now of INSTANTS) {
      const today = caracasDayOf(now);
      const inForce = publicationsAt(now).findLast(({ value_date }) => value_date <= today);
      const ageDays = (Date.parse(today) - Date.parse(inForce?.value_date ?? '')) / DAY_MS;
      const weekday = weekdayOf(today);
      const expected = weekday === 0 ? 2 : weekday === 6 ? 1 : 0;
      expect({ now, ageDays }).toEqual({ now, ageDays: expected });
    }
  });

  test('no value date is beyond the next bank day, and all of them are weekdays', () => {
    for (const now of INSTANTS) {
      const today = caracasDayOf(now);
      const later = publicationsAt(now).filter(({ value_date }) => value_date > today);
      expect(later.length).toBeLessThanOrEqual(1);
    }
    const [now = 0] = INSTANTS;
    const all = movedPublications(figures, shiftDaysAt(now)).map(({ line }) => parsed(line));
    for (const record of all) {
      if (record.kind !== 'official') continue;
      expect([1, 2, 3, 4, 5]).toContain(weekdayOf(record.value_date));
    }
  });

  test('§2.9 the newest publication has all currencies, whatever the day', () => {
    for (const now of INSTANTS) {
      const newest = publicationsAt(now).at(-1);
      expect(Object.keys(newest?.rates ?? {})).toEqual([...PUBLISHED_CURRENCIES]);
    }
  });

  test('the label is that of the moved date, and says that it is a demonstration', () => {
    expect(spanishLabel(day('2026-11-23'))).toBe('Lunes, 23 Noviembre 2026');
    expect(spanishLabel(day('2028-02-02'))).toBe('Miércoles, 02 Febrero 2028');
    const now = Date.parse('2026-11-21T07:00:00Z');
    expect(publicationsAt(now).at(-1)).toMatchObject({
      value_date: '2026-11-23',
      value_date_text: 'Lunes, 23 Noviembre 2026 (demostración)',
    });
  });

  test('§4.3 the official series reaches back 365 days', () => {
    for (const now of INSTANTS) {
      const oldest = publicationsAt(now)[0]?.value_date ?? '';
      expect(Date.parse(oldest)).toBeLessThanOrEqual(now - 365 * DAY_MS);
    }
  });

  test('the day of observations fills the 24 hours before now, at its own times of the day', () => {
    for (const now of INSTANTS) {
      const due = observationsBefore(figures, now);
      expect(due).toHaveLength(31);
      for (const { at } of due) {
        expect(at).toBeLessThanOrEqual(now);
        expect(at).toBeGreaterThan(now - DAY_MS);
      }
    }
  });

  test('what is observed at an instant is the last figure of that time of the day, dated now', () => {
    for (const now of INSTANTS) {
      const before = observationsBefore(figures, now).map(({ line }) => parsed(line));
      for (const line of observationsAt(figures, now)) {
        const record = parsed(line);
        if (record.kind !== 'quote') throw new Error('not a quote');
        expect([record.captured_at, record.updated_at]).toEqual([now, now]);
        const last = before.findLast((one) => one.kind === 'quote' && one.market === record.market);
        expect(last).toMatchObject({ mid: record.mid });
      }
    }
    expect(observationsAt(figures, INSTANTS[0] ?? 0)).toHaveLength(2);
  });

  test('both markets are observed at every minute of the day', () => {
    const start = Date.parse('2026-11-21T00:00:00Z');
    for (let now = start; now < start + DAY_MS; now += 7 * MINUTE_MS) {
      expect(observationsAt(figures, now)).toHaveLength(2);
    }
  });
});
