import { z } from 'zod';
import type { Thresholds } from '../domain/judgement.ts';
import { CatalogueError, type CatalogueFile, type Fault, readCatalogueFile } from './file.ts';

/**
 * Reads `judgement.json` of a folder, or the packaged one when the folder has none.
 * @throws CatalogueError naming file, line and what is wrong.
 */
export function loadThresholds(folder: string): Thresholds {
  const file = readCatalogueFile(folder, 'judgement.json');
  const result = thresholdsFile.safeParse(file.value);
  if (!result.success) throw new CatalogueError(file.shownAs, faultsOf(file, result.error));
  return thresholdsOf(result.data);
}

/** At 100 or more no fall could be over the share, and a factor of 0.001 would pass. */
const share = z
  .number('must be a number of percent')
  .gt(0, 'must be more than 0')
  .lt(100, 'must be less than 100');
const seconds = z.int('must be a whole number of seconds').positive('must be more than 0');

const thresholdsFile = z.strictObject(
  {
    official_move_percent: share,
    other_move_percent: share,
    agreement_percent: share,
    confirming_reads: z
      .int('must be a whole number')
      .min(2, 'must be at least 2: one reading cannot confirm itself'),
    confirming_span_sec: seconds,
    agreement_within_sec: seconds,
    value_date_days_ahead: z.int('must be a whole number of days').min(0, 'must be 0 or more'),
    bank_rows_percent: share,
    frozen_after_sec: z.strictObject(
      {
        reference: seconds,
        parallel: seconds,
        p2p: seconds,
        remittance: seconds,
        exchange_house: seconds,
        cash: seconds,
      },
      'must be an object of seconds for each type of market',
    ),
  },
  'must be an object of thresholds',
);

function thresholdsOf(row: z.output<typeof thresholdsFile>): Thresholds {
  return Object.freeze({
    officialMovePercent: row.official_move_percent,
    otherMovePercent: row.other_move_percent,
    agreementPercent: row.agreement_percent,
    confirmingReads: row.confirming_reads,
    confirmingSpanSec: row.confirming_span_sec,
    agreementWithinSec: row.agreement_within_sec,
    valueDateDaysAhead: row.value_date_days_ahead,
    bankRowsPercent: row.bank_rows_percent,
    frozenAfterSec: Object.freeze(row.frozen_after_sec),
  });
}

function faultsOf(file: CatalogueFile, error: z.ZodError): readonly Fault[] {
  return error.issues.flatMap((issue): readonly Fault[] => {
    const path = issue.path.map(String);
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => {
        const whole = [...path, key];
        return { line: file.lineOf(whole), problem: `${whole.join('.')} is not a known field` };
      });
    }
    const line = file.lineOf(path);
    const name = path.join('.');
    if (issue.code === 'invalid_type' && name !== '' && isMissing(file.value, path)) {
      return [{ line, problem: `${name} is missing` }];
    }
    return [{ line, problem: name === '' ? issue.message : `${name} ${issue.message}` }];
  });
}

function isMissing(value: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return false;
  if (typeof value !== 'object' || value === null) return true;
  const entry = Object.entries(value).find(([name]) => name === key);
  return entry === undefined || isMissing(entry[1], rest);
}
