import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PACKAGED_CATALOGUE } from '../config.ts';
import { CatalogueError } from './file.ts';
import { loadThresholds } from './judgement.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vesfx-judgement-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const packaged = readFileSync(join(PACKAGED_CATALOGUE, 'judgement.json'), 'utf8');

function write(text: string): void {
  writeFileSync(join(folder, 'judgement.json'), text);
}

/** The packaged file with one piece of its text replaced; fails when the piece is not there. */
function change(from: string, to: string): void {
  const changed = packaged.replace(from, to);
  expect(changed).not.toBe(packaged);
  write(changed);
}

function fault(): string {
  try {
    loadThresholds(folder);
  } catch (error) {
    if (error instanceof CatalogueError) return error.message.replaceAll(`${folder}/`, '');
    throw error;
  }
  throw new Error('the thresholds were accepted');
}

describe('judgement.json', () => {
  test('the packaged thresholds', () => {
    const day = 86_400;
    expect(loadThresholds(folder)).toEqual({
      officialMovePercent: 10,
      otherMovePercent: 30,
      agreementPercent: 10,
      confirmingReads: 3,
      confirmingSpanSec: 600,
      agreementWithinSec: 3600,
      valueDateDaysAhead: 10,
      bankRowsPercent: 50,
      frozenAfterSec: {
        reference: 7 * day,
        parallel: 7 * day,
        p2p: 2 * day,
        remittance: 14 * day,
        exchange_house: 14 * day,
        cash: 14 * day,
      },
    });
  });

  test("the operator's file goes before the packaged one", () => {
    change('"other_move_percent": 30', '"other_move_percent": 12.5');
    expect(loadThresholds(folder).otherMovePercent).toBe(12.5);
  });

  test.each([
    ['"official_move_percent": 10', '"official_move_percent": 0', 'must be more than 0'],
    ['"other_move_percent": 30', '"other_move_percent": 100', 'must be less than 100'],
    ['"agreement_percent": 10', '"agreement_percent": "10"', 'must be a number of percent'],
    ['"agreement_percent": 10', '"agreement_percent": null', 'must be a number of percent'],
    ['"confirming_reads": 3', '"confirming_reads": 1', 'must be at least 2: one reading cannot'],
    ['"confirming_reads": 3', '"confirming_reads": 2.5', 'must be a whole number'],
    ['"confirming_span_sec": 600', '"confirming_span_sec": 0', 'must be more than 0'],
    ['"agreement_within_sec": 3600', '"agreement_within_sec": 1e400', 'must be a whole number of'],
    ['"value_date_days_ahead": 10', '"value_date_days_ahead": -1', 'must be 0 or more'],
    ['"bank_rows_percent": 50', '"bank_rows_percent": 101', 'must be less than 100'],
    ['"cash": 1209600', '"cash": 0.5', 'must be a whole number of seconds'],
  ])('%s written as %s is named with its line', (from, to, problem) => {
    change(from, to);
    const line = packaged.split('\n').findIndex((text) => text.includes(from)) + 1;
    const name =
      /"(\w+)"/.exec(from)?.[1] === 'cash' ? 'frozen_after_sec.cash' : from.split('"')[1];
    expect(fault()).toContain(`judgement.json:${line}: ${name} ${problem}`);
  });

  test.each([
    ['  "confirming_reads": 3,\n', '', 'judgement.json:1: confirming_reads is missing'],
    ['    "p2p": 172800,\n', '', 'judgement.json:10: frozen_after_sec.p2p is missing'],
    ['"cash"', '"gold"', 'judgement.json:16: frozen_after_sec.gold is not a known field'],
    ['{', '{ "colour": 1,', 'judgement.json:1: colour is not a known field'],
    ['{', '{ "__proto__": 1,', 'judgement.json:1: __proto__ is not a known field'],
    ['"p2p"', '"parallel"', 'judgement.json:13: the key "parallel" is there twice'],
  ])('%j replaced by %j', (from, to, problem) => {
    change(from, to);
    expect(fault().split('\n')).toContain(problem);
  });

  test.each([
    ['[]', 'judgement.json:1: must be an object of thresholds'],
    ['null', 'judgement.json:1: must be an object of thresholds'],
    [
      packaged.replace(/\{\s+"reference"[^}]*\}/, '3'),
      'judgement.json:10: frozen_after_sec must be an object of seconds for each type of market',
    ],
  ])('the file %j', (text, problem) => {
    write(text);
    expect(fault()).toMatch(problem);
  });

  test('all faults are told at once, in the order of their lines', () => {
    write('{\n"frozen_after_sec": {},\n"confirming_reads": 0\n}');
    const lines = fault().split('\n');
    expect(lines).toHaveLength(7 + 6 + 1);
    expect(lines.at(0)).toBe('judgement.json:1: official_move_percent is missing');
    expect(lines.at(7)).toBe('judgement.json:2: frozen_after_sec.reference is missing');
    expect(lines.at(-1)).toMatch(/^judgement\.json:3: confirming_reads must be at least 2/);
  });
});
