import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PACKAGED_CATALOGUE } from '../config.ts';
import { CatalogueError } from './file.ts';
import { loadJudgement } from './judgement.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vesfx-judgement-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const packaged = readFileSync(join(PACKAGED_CATALOGUE, 'judgement.json'), 'utf8');

function write(text: string): void {
  writeFileSync(join(folder, 'judgement.json'), text);
}

/** The packaged file with another value of one rule. */
function withValue(name: string, value: unknown): string {
  const file = JSON.parse(packaged);
  return JSON.stringify({ ...file, [name]: { ...file[name], value } }, undefined, 2);
}

function lineOf(text: string, name: string): number {
  return text.split('\n').findIndex((line) => line.startsWith(`  "${name}"`)) + 1;
}

function fault(): string {
  try {
    loadJudgement(folder);
  } catch (error) {
    if (error instanceof CatalogueError) return error.message.replaceAll(`${folder}/`, '');
    throw error;
  }
  throw new Error('the thresholds were accepted');
}

describe('judgement.json', () => {
  test('the packaged thresholds are those of contract §8', () => {
    const day = 86_400;
    expect(loadJudgement(folder).thresholds).toEqual({
      quoteRatio: 1.3,
      quoteBand: { low: 0.7, high: 5 },
      venuePercent: 20,
      venuesNeeded: 2,
      parallelPercent: 25,
      parallelVenuesNeeded: 3,
      inDoubtSec: day,
      driftRatio: 1.2,
      originStepPercent: 10,
      restoreWithinSec: 3600,
      publicationRatio: 1.1,
      crossPercent: { EUR: 3.5, CNY: 8, TRY: 40, RUB: 25 },
      archiveRatio: 5,
      archiveDoublesInDays: 90,
      archiveCrossPercent: 10,
      archiveApartPercent: 1.3,
      crossDecimals: 5,
      repeatedWithinDays: 400,
      insistedRatio: 2,
      releaseBeforeEffectSec: 3600,
      publicationAgreementPercent: 0.1,
      correctionWithinSec: day,
      bankBand: { low: 0.7, high: 1.5 },
      bankRatio: 1.5,
      bankRowsPercent: 50,
      valueDateDaysAhead: 10,
      agreementPercent: 10,
      confirmingReads: 3,
      confirmingSpanSec: 600,
      agreementWithinSec: 3600,
      frozenAfterSec: {
        reference: 7 * day,
        parallel: day,
        p2p: 6 * 3600,
        remittance: 14 * day,
        exchange_house: 14 * day,
        cash: 14 * day,
      },
    });
  });

  test('every number has its reason, in both languages and the order of the file', () => {
    const { rules } = loadJudgement(folder);
    expect(rules.map(({ name }) => name)).toEqual(Object.keys(JSON.parse(packaged)));
    for (const { reason } of rules) {
      expect(reason.en).toMatch(/\.$/);
      expect(reason.es).toMatch(/\.$/);
      expect(reason.es).not.toBe(reason.en);
    }
  });

  test("the operator's file takes precedence over the packaged one", () => {
    write(withValue('quote_ratio', 1.25));
    expect(loadJudgement(folder).thresholds.quoteRatio).toBe(1.25);
  });

  test.each([
    ['quote_ratio', 1, 'must be more than 1'],
    ['quote_ratio', '1.3', 'must be a ratio'],
    ['quote_band', [5, 0.7], 'must have the lower multiple first'],
    ['quote_band', [1.1, 5], 'must have 1 between its multiples'],
    ['quote_band', 5, 'must be a list of the lowest and the highest multiple'],
    ['venue_percent', 0, 'must be more than 0'],
    ['venue_percent', 100, 'must be less than 100'],
    ['venues_needed', 1, 'must be at least 2: one venue is no median'],
    ['parallel_venues_needed', 1, 'must be at least 2: one venue is no median'],
    ['agreement_percent', null, 'must be a number of percent'],
    ['confirming_reads', 1, 'must be at least 2: one reading cannot'],
    ['confirming_reads', 2.5, 'must be a whole number'],
    ['confirming_span_sec', 0, 'must be more than 0'],
    ['value_date_days_ahead', -1, 'must be 0 or more'],
    ['frozen_after_sec', 3, 'must be an object of seconds for each type of market'],
  ])('%s of %j is named with its line', (name, value, problem) => {
    const text = withValue(name, value);
    write(text);
    const line = lineOf(text, name);
    expect(fault()).toMatch(new RegExp(`judgement\\.json:(${line}|${line + 1}): ${name}\\.value`));
    expect(fault()).toContain(problem);
  });

  test.each([
    ['without its reason', { value: 1.3 }, 'quote_ratio.reason is missing'],
    [
      'without a language',
      { value: 1.3, reason: { en: 'So.' } },
      'quote_ratio.reason.es is missing',
    ],
    ['as a number', 1.3, 'quote_ratio must be an object of value and reason'],
  ])('a rule %s', (_, rule, problem) => {
    write(JSON.stringify({ ...JSON.parse(packaged), quote_ratio: rule }, undefined, 2));
    expect(fault()).toContain(problem);
  });

  test('missing and unknown cells are reported', () => {
    const { quote_ratio: _, ...rest } = JSON.parse(packaged);
    write(JSON.stringify({ ...rest, colour: 1 }, undefined, 2));
    expect(fault()).toContain('judgement.json:1: quote_ratio is missing');
    expect(fault()).toContain('colour is not a known field');
  });

  const LIMITS = ['ratio', 'doubles_in_days', 'cross_percent'].map((name) => `archive_${name}`);

  test('the limits of archives are all there, or none of them, as in a file of 0.2.0', () => {
    const before = Object.entries(JSON.parse(packaged)).filter(([name]) => !LIMITS.includes(name));
    write(JSON.stringify(Object.fromEntries(before)));
    const { thresholds, rules } = loadJudgement(folder);
    expect(thresholds).not.toHaveProperty('archiveRatio');
    expect(rules).toHaveLength(before.length);
    for (const missing of LIMITS) {
      const { [missing]: _, ...others } = JSON.parse(packaged);
      write(JSON.stringify(others));
      expect(fault()).toContain(`${missing} is missing`);
    }
  });

  test('a file of 0.2.0 is read without the rules that came later', () => {
    const {
      parallel_percent: ____,
      parallel_venues_needed: _____,
      in_doubt_sec: ______,
      cross_decimals: _,
      repeated_within_days: __,
      archive_apart_percent: ___,
      ...before
    } = JSON.parse(packaged);
    write(JSON.stringify(before));
    const { thresholds, rules } = loadJudgement(folder);
    expect(thresholds).not.toHaveProperty('archiveApartPercent');
    expect(thresholds).not.toHaveProperty('crossDecimals');
    expect(thresholds).not.toHaveProperty('parallelPercent');
    expect(thresholds).not.toHaveProperty('repeatedWithinDays');
    expect(rules.map(({ name }) => name)).toEqual(Object.keys(before));
  });

  test('one percentage of `cross_percent`, as in a file of 0.4.0, is that of the euro', () => {
    write(withValue('cross_percent', 4));
    expect(loadJudgement(folder).thresholds.crossPercent).toEqual({ EUR: 4 });
    for (const value of [100, { EUR: 100 }, { EUR: 4, XAU: 5 }, { CNY: 8 }]) {
      write(withValue('cross_percent', value));
      expect(fault()).toContain('cross_percent.value');
    }
  });

  test.each(['[]', 'null'])('the file %j', (text) => {
    write(text);
    expect(fault()).toContain('judgement.json:1: must be an object of thresholds');
  });
});
