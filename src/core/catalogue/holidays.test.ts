import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PACKAGED_CATALOGUE } from '../config.ts';
import { bankCalendar } from '../domain/calendar.ts';
import {
  type CaracasDay,
  caracasDayOf,
  DAY_MS,
  parseCaracasDay,
  startOfCaracasDay,
} from '../domain/time.ts';
import { CatalogueError } from './file.ts';
import { loadHolidays, MAX_HOLIDAYS } from './holidays.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vesfx-holidays-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function load(value: unknown) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  writeFileSync(join(folder, 'holidays.json'), text);
  return loadHolidays(folder);
}

function faultsOf(value: unknown): string[] {
  try {
    load(value);
  } catch (error) {
    if (error instanceof CatalogueError)
      return error.message.replaceAll(`${folder}/`, '').split('\n');
    throw error;
  }
  throw new Error('the file was accepted');
}

function caracasDay(text: string): CaracasDay {
  const day = parseCaracasDay(text);
  if (day === undefined) throw new Error(`${text} is no day.`);
  return day;
}

const packaged = loadHolidays(PACKAGED_CATALOGUE);
const calendar = bankCalendar(packaged);

function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

describe('the packaged holidays', () => {
  /** Those whose date nobody has to announce: by the day of the year, and by Easter. */
  const FIXED = {
    'Año Nuevo': '01-01',
    'Movimiento Precursor': '04-19',
    'Día del Trabajador': '05-01',
    'Batalla de Carabobo': '06-24',
    Independencia: '07-05',
    'Natalicio del Libertador': '07-24',
    'Resistencia Indígena': '10-12',
    Nochebuena: '12-24',
    Navidad: '12-25',
    'Fin de Año': '12-31',
  };
  const AROUND_EASTER: readonly (readonly [days: number, name: string])[] = [
    [-48, 'Carnaval'],
    [-47, 'Carnaval'],
    [-3, 'Jueves Santo'],
    [-2, 'Viernes Santo'],
  ];
  const EASTER = [
    ...['2019-04-21', '2020-04-12', '2021-04-04', '2022-04-17', '2023-04-09'],
    ...['2024-03-31', '2025-04-20', '2026-04-05', '2027-03-28', '2028-04-16'],
  ];

  test.each(EASTER)('have every national holiday of a weekday: Easter of %s', (easter) => {
    const wanted = new Map(
      Object.entries(FIXED).map(([name, day]) => [`${easter.slice(0, 4)}-${day}`, name]),
    );
    const sunday = startOfCaracasDay(caracasDay(easter));
    for (const [days, name] of AROUND_EASTER)
      wanted.set(caracasDayOf(sunday + days * DAY_MS), name);
    const weekdays = [...wanted].filter(([day]) => ![0, 6].includes(weekdayOf(day)));
    expect(weekdays.length).toBeGreaterThan(7);
    expect(weekdays.map(([day]) => [day, calendar.holidayOn(caracasDay(day))])).toEqual(weekdays);
  });

  test("have the regulator's list until the end of 2026, with its 11 Mondays", () => {
    expect(calendar.announcedUntil).toBe('2026-12-31');
    const mondays = [...packaged.names.keys()].filter((day) => weekdayOf(day) === 1);
    expect(mondays.filter((day) => day.startsWith('2026'))).toHaveLength(11);
  });

  test('fall on weekdays', () => {
    expect([...packaged.names.keys()].filter((day) => [0, 6].includes(weekdayOf(day)))).toEqual([]);
  });
});

describe('a file of the operator', () => {
  const list = { announced_until: '2027-12-31', announced: { '2027-03-19': 'San José' } };

  test('replaces the packaged one if it is present', () => {
    expect(loadHolidays(folder)).toEqual(packaged);
    const { announcedUntil, names } = load(list);
    expect([announcedUntil, ...names]).toEqual(['2027-12-31', ['2027-03-19', 'San José']]);
  });

  test('may have days of all three kinds, and moved holidays after announced_until', () => {
    const { names } = load({
      ...list,
      observed: { '2020-05-01': 'Día del Trabajador' },
      computed: { '2028-05-01': 'Día del Trabajador' },
    });
    expect([...names.keys()]).toEqual(['2027-03-19', '2020-05-01', '2028-05-01']);
  });

  test.each([
    ['[]', 'must be an object of holidays'],
    ['null', 'must be an object of holidays'],
    ['{}', 'must be an object of holidays'],
    [{ announced: {} }, 'announced_until must be a date that exists, YYYY-MM-DD'],
    [{ ...list, announced_until: '2027-02-29' }, /^.*announced_until must be a date/],
    [{ ...list, announced_until: 2027 }, /^.*announced_until must be a date/],
    [{ ...list, fixed: {} }, 'fixed is not a known field'],
    [{ ...list, observed: [] }, 'observed must be an object of dates with names'],
    [{ ...list, observed: null }, 'observed must be an object of dates with names'],
    [{ ...list, computed: { '2027-13-01': 'X' } }, 'computed: "2027-13-01" must be a date that'],
    [{ ...list, computed: { '1.1.2027': 'X' } }, 'computed: "1.1.2027" must be a date that'],
    [{ ...list, computed: { '2027-01-01': '' } }, 'computed.2027-01-01 must be a name of 1 to 100'],
    [{ ...list, computed: { '2027-01-01': 1 } }, 'computed.2027-01-01 must be a name of 1 to 100'],
    [{ ...list, computed: { '2027-01-01': 'a\nb' } }, 'computed.2027-01-01 must be a name of 1'],
    [{ ...list, computed: { '2027-03-19': 'X' } }, 'computed.2027-03-19 is in announced already'],
    [{ ...list, announced_until: '2027-03-18' }, 'announced.2027-03-19 is after announced_until'],
    ['{"announced_until": "2027-12-31", "__proto__": {}}', '__proto__ is not a known field'],
  ])('%j is refused', (value, problem) => {
    const [only, ...more] = faultsOf(value);
    expect(more).toEqual([]);
    expect(only).toMatch(/^holidays\.json:1: /);
    expect(only).toMatch(problem);
  });

  test('limits a name to 100 characters', () => {
    const named = (length: number) => ({ ...list, observed: { '2020-05-01': 'x'.repeat(length) } });
    expect(load(named(100)).names.size).toBe(2);
    expect(faultsOf(named(101))).toEqual([expect.stringContaining('must be a name of 1 to 100')]);
  });

  test('may announce a holiday on announced_until', () => {
    expect(load({ ...list, announced_until: '2027-03-19' }).names.size).toBe(1);
  });

  test('has at most 2,000 days', () => {
    const days = (length: number) =>
      Object.fromEntries(
        Array.from({ length }, (_, index) => [caracasDayOf((index + 1) * DAY_MS), 'X']),
      );
    expect(load({ ...list, announced: days(MAX_HOLIDAYS) }).names.size).toBe(MAX_HOLIDAYS);
    expect(faultsOf({ ...list, announced: days(MAX_HOLIDAYS + 1) })).toEqual([
      'holidays.json:1: must have at most 2000 holidays',
    ]);
  });

  test('reports all faults at once with their lines, including a repeated day', () => {
    const lines = [
      '{',
      '  "announced_until": "2027-12-32",',
      '  "announced": { "2027-03-19": "San José" },',
      '  "observed": {',
      '    "2020-05-01": "Día del Trabajador",',
      '    "2020-05-32": "Nunca"',
      '  },',
      '  "computed": { "2020-05-01": "Otra vez" }',
      '}',
    ];
    expect(faultsOf(lines.join('\n'))).toEqual([
      'holidays.json:2: announced_until must be a date that exists, YYYY-MM-DD',
      'holidays.json:6: observed: "2020-05-32" must be a date that exists, YYYY-MM-DD',
      'holidays.json:8: computed.2020-05-01 is in observed already',
    ]);
    const twice = ['{"announced": {', '"2027-03-19": "A",', '"2027-03-19": "B"', '}}'];
    expect(faultsOf(twice.join('\n'))).toEqual([
      'holidays.json:3: the key "2027-03-19" is there twice',
    ]);
  });
});
