import { describe, expect, test } from 'vitest';
import type { Key, UsageOfADay } from '../../../client/types.ts';
import { markupOf } from '../../../core/http/framework/encoding/markup.ts';
import { CONSOLE_TEXTS } from '../texts/texts.ts';
import {
  breakable,
  callsByDay,
  callsByEndpoint,
  callsByKey,
  daysOfMonth,
  endpointText,
  scaleTop,
  usageOf,
  usageView,
} from './usage-view.ts';

const reader = (language: 'es' | 'en') => ({ language, texts: CONSOLE_TEXTS[language] });

function row(date: string, endpoint: string, calls: number, errors = 0): UsageOfADay {
  return { date, endpoint, calls, units: calls - errors, client_errors: errors, server_errors: 0 };
}

const usage = {
  from: '2026-11-19',
  to: '2026-11-21',
  days: [
    row('2026-11-19', 'GET /a', 10),
    row('2026-11-19', 'GET /b', 30, 5),
    row('2026-11-21', 'GET /a', 40, 1),
  ],
};

describe('the usage of the console', () => {
  test('has every day of its range, even without calls', () => {
    expect(callsByDay(usage)).toEqual([
      { name: '2026-11-19', calls: 40, units: 35, errors: 5 },
      { name: '2026-11-20', calls: 0, units: 0, errors: 0 },
      { name: '2026-11-21', calls: 40, units: 39, errors: 1 },
    ]);
  });

  test('lists the most used endpoint first', () => {
    const shown = callsByEndpoint(usage).map(({ name, calls }) => [name, calls]);
    expect(shown).toEqual([
      ['GET /a', 50],
      ['GET /b', 30],
    ]);
  });

  test('a month has a place for each of its days, and its average counts those that have begun', () => {
    const { from, through } = daysOfMonth('2026-02');
    expect([from, through]).toEqual(['2026-02-01', '2026-02-28']);
    const begun = { from, through, to: '2026-02-04', days: [row('2026-02-03', 'GET /a', 40)] };
    expect(callsByDay(begun)).toHaveLength(28);
    const seen = markupOf(usageView(begun, reader('es'))).replaceAll(/<[^>]*>/g, ' ');
    expect(seen).toMatch(/40 +consultas +10 +promedio por día/);
  });

  test('the keys add up to the account: those that work by name, and all else together', () => {
    const named = (id: string, label: string | null) => ({ id, label }) as Key;
    const used = (id: string, calls: number) => ({ id, calls, units: calls - 1 });
    const ofKeys = { total_calls: 80, total_units: 74, keys: [used('k1', 10), used('gone', 60)] };
    const live = [named('k2', null), named('k1', 'Caja')];
    expect(callsByKey(ofKeys, live, reader('es'))).toEqual([
      { name: 'Caja', calls: 10, units: 9 },
      { name: 'Sin nombre (k2)', calls: 0, units: 0 },
      { name: 'Otras claves', calls: 70, units: 65 },
    ]);
    const all = { total_calls: 10, total_units: 9, keys: [used('k1', 10)] };
    expect(callsByKey(all, [named('k1', 'Caja')], reader('es'))).toHaveLength(1);
  });

  test.each([
    [0, 2],
    [2, 2],
    [3, 4],
    [5, 10],
    [40, 40],
    [41, 100],
    [1_500_000, 2_000_000],
  ])('a scale for %i ends at %i with a whole half', (value, top) => {
    expect(scaleTop(value)).toBe(top);
    expect(Number.isInteger(top / 2)).toBe(true);
  });

  test('states the figures of its chart in words of the language', () => {
    const busy = { ...usage, days: [row('2026-11-20', 'GET /a', 1_234, 2)] };
    expect(markupOf(usageView(busy, reader('es')))).toContain(
      'aria-label="Consultas por día, del 19/11/2026 al 21/11/2026: 1.234 en total, 2 con error."',
    );
    expect(markupOf(usageView(busy, reader('en')))).toContain('1,234 in total, 2 with an error.');
  });

  test('has its totals and the average of all its days, also of one endpoint alone', () => {
    const seen = (endpoint?: string) =>
      markupOf(usageView(usageOf(usage, endpoint), reader('es'))).replaceAll(/<[^>]*>/g, ' ');
    expect(seen()).toMatch(/80 +consultas +26,7 +promedio por día +6 +con error/);
    expect(seen('GET /b')).toMatch(/30 +consultas +10 +promedio por día +5 +con error/);
  });

  test.each([
    [2, false],
    [3, true],
  ])('tells an average of at least one request a day: %i in 3 days', (calls, isTold) => {
    const few = { ...usage, days: [row('2026-11-20', 'GET /a', calls)] };
    const markup = markupOf(usageView(few, reader('es')));
    expect(markup.includes('promedio por día')).toBe(isTold);
    expect(markup.includes('class="average"')).toBe(isTold);
  });

  test('names endpoints as the reference and the playground do', () => {
    const name = 'GET /v1/fx/rates/:market/history';
    expect(endpointText(name)).toBe('GET /v1/fx/rates/{market}/history');
    expect(markupOf(breakable(name)).replaceAll(/<[^>]*>/g, '')).toBe(endpointText(name));
  });
});
