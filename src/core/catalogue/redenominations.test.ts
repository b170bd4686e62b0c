import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PACKAGED_CATALOGUE } from '../config.ts';
import { FIRST_DIGITAL_DAY, FIRST_SOBERANO_DAY } from '../domain/bcv.ts';
import { addCaracasDays, type CaracasDay } from '../domain/time.ts';
import { CatalogueError } from './file.ts';
import { loadRedenominations, MAX_REDENOMINATIONS } from './redenominations.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vesfx-redenominations-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function load(value: unknown) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 1);
  writeFileSync(join(folder, 'redenominations.json'), text);
  return loadRedenominations(folder).list;
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

const reform = (on: string, given: object = {}) => ({ on, factor: 1000, name: 'nuevo', ...given });

describe('redenominations.json', () => {
  test('the packaged file has the reforms that the archive converts by', () => {
    const { list } = loadRedenominations(PACKAGED_CATALOGUE);
    expect(list.map(({ on, factor }) => [on, factor])).toEqual([
      [FIRST_SOBERANO_DAY, 100_000],
      [FIRST_DIGITAL_DAY, 1_000_000],
    ]);
  });

  test('a folder without it has the packaged one, and an empty list is allowed', () => {
    expect(loadRedenominations(folder).list).toHaveLength(2);
    expect(load([])).toEqual([]);
  });

  test('days ascend: the next day is accepted, the same and an earlier one are not', () => {
    expect(load([reform('2027-01-01'), reform('2027-01-02')])).toHaveLength(2);
    const after = 'must be after 2027-01-01, the day of the one before it';
    for (const day of ['2027-01-01', '2026-12-31']) {
      expect(faultsOf([reform('2027-01-01'), reform(day)])).toEqual([
        `redenominations.json:8: [1].on ${after}`,
      ]);
    }
  });

  test('a factor is a whole number over 1', () => {
    expect(load([reform('2027-01-01', { factor: 2 })])).toHaveLength(1);
    for (const factor of [1, 0, -10, 2.5, '1000', null]) {
      expect(faultsOf([reform('2027-01-01', { factor })])).toEqual([
        'redenominations.json:4: [0].factor must be a whole number over 1',
      ]);
    }
  });

  test('each fault names its line', () => {
    expect(faultsOf([reform('2027-02-30', { name: '', to: 1 })])).toEqual([
      'redenominations.json:3: [0].on must be a date that exists, YYYY-MM-DD',
      'redenominations.json:5: [0].name must be a name of 1 to 100 characters',
      'redenominations.json:6: [0].to is not a known field',
    ]);
    expect(faultsOf([{ on: '2027-01-01' }])).toEqual([
      'redenominations.json:2: [0].factor is missing',
      'redenominations.json:2: [0].name is missing',
    ]);
    expect(faultsOf({})).toEqual(['redenominations.json:1: must be a list of redenominations']);
    expect(faultsOf('[')[0]).toMatch(/^redenominations\.json:1: not JSON/);
  });

  test(`at most ${MAX_REDENOMINATIONS} reforms`, () => {
    const days = (count: number) =>
      Array.from({ length: count }, (_, place) =>
        reform(addCaracasDays('2027-01-01' as CaracasDay, place)),
      );
    expect(load(days(MAX_REDENOMINATIONS))).toHaveLength(MAX_REDENOMINATIONS);
    expect(faultsOf(days(MAX_REDENOMINATIONS + 1))).toEqual([
      `redenominations.json:1: must have at most ${MAX_REDENOMINATIONS} redenominations`,
    ]);
  });
});
