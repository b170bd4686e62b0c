import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../../core/domain/time.ts';
import { dayTicks } from './chart-days.ts';
import { afterKey, apart, isZoomed, pinched, wholeView } from './chart-view.ts';

const KEYS = ['ArrowLeft', 'ArrowRight', 'Home', 'End', '+', '-'];

describe('the days in sight', () => {
  test('no sequence of keys leaves the days, and the day that is read is in sight', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 400 }),
        fc.array(fc.constantFrom(...KEYS), { maxLength: 30 }),
        (last, keys) => {
          let view = wholeView(last);
          for (const key of keys) {
            view = afterKey(view, key, last) ?? view;
            const { from, to, at = 0 } = view;
            expect(from).toBeGreaterThanOrEqual(-1e-9);
            expect(to).toBeLessThanOrEqual(last + 1e-9);
            expect(at).toBeGreaterThanOrEqual(from - 1e-9);
            expect(at).toBeLessThanOrEqual(to + 1e-9);
          }
        },
      ),
    );
  });

  test('as many steps out as in show all days again', () => {
    for (const steps of [1, 2, 3, 4]) {
      let view = wholeView(30);
      for (const key of ['+', '-']) {
        for (let step = 0; step < steps; step += 1) view = afterKey(view, key, 30) ?? view;
      }
      expect(isZoomed(view, 30)).toBe(false);
    }
  });

  test('two fingers keep the days under them, and never leave the days', () => {
    const place = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(place, place, place, place, (a, b, c, d) => {
        const view = wholeView(100);
        const next = pinched(view, { days: [a * 100, b * 100], places: [c, d] }, 100);
        expect(next.from).toBeGreaterThanOrEqual(-1e-9);
        expect(next.to).toBeLessThanOrEqual(100 + 1e-9);
        expect(next.to - next.from).toBeGreaterThan(0.99);
      }),
    );
    const next = pinched(wholeView(100), { days: [40, 60], places: [0.3, 0.7] }, 100);
    expect(next.from).toBeCloseTo(25);
    expect(next.to).toBeCloseTo(75);
  });

  test('labels stand apart, in the order of their lines, and within the plot', () => {
    const places = fc.array(fc.double({ min: 0, max: 260, noNaN: true }), { maxLength: 6 });
    fc.assert(
      fc.property(places, (wanted) => {
        const moved = apart(wanted, 36, 260);
        const sorted = moved.toSorted((one, other) => one - other);
        for (const [at, one] of sorted.entries()) {
          expect(one).toBeLessThanOrEqual(260);
          if (at > 0) expect(one - (sorted[at - 1] ?? 0)).toBeGreaterThan(35.99);
        }
      }),
    );
    expect(apart([100, 50], 36, 260)).toEqual([100, 50]);
  });
});

describe('the days below a chart', () => {
  const first = Date.parse('2025-11-24');
  const days = Array.from({ length: 366 }, (_, at) =>
    new Date(first + at * DAY_MS).toISOString().slice(0, 10),
  );
  const ticks = (count: number, width: number, language: 'es' | 'en' = 'es') => {
    const shown = days.slice(-count);
    return dayTicks(shown, wholeView(count - 1), { width, language }).map(({ text }) => text);
  };

  test('end with the last close, and have no year up to 90 days, and a year from 180 on', () => {
    for (const count of [8, 31, 91]) {
      for (const text of ticks(count, 900)) expect(text).toMatch(/^\d+ [a-z]{3}$/);
      expect(ticks(count, 900).at(-1)).toBe('23 nov');
    }
    for (const count of [181, 366]) {
      for (const text of ticks(count, 900)) expect(text).toMatch(/^[a-z]{3} 202[56]$/);
    }
    expect(ticks(366, 900, 'en')).toContain('Jan 2026');
  });

  test('have room, on a phone too', () => {
    for (const count of [3, 8, 31, 91, 181, 366]) {
      for (const width of [260, 900]) {
        const found = ticks(count, width);
        expect(found.length).toBeGreaterThan(1);
        expect(found.length * 72).toBeLessThanOrEqual(width + 72);
      }
    }
  });
});
