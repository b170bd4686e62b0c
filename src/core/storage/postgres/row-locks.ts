import { hash } from 'node:crypto';
import type { LockScope } from '../engine.ts';

/**
 * A transaction locks one row for each part of its lock scope. Row locks end with the transaction,
 * on any server and behind any proxy. One statement locks all rows in numeric order, so two
 * transactions never deadlock.
 */

/** The table also identifies a database as ours. Its name is older than this file's. */
export const LOCK_TABLE = 'vesfx_gate';

export const MIGRATION_LOCK = 0;
const ACCESS_LOCK = 1;
const RECORDS_LOCK = 2;
const COLLECTING_LOCK = 3;
const FIRST_USAGE_LOCK = 4;

/**
 * Rows shared by all accounts: few enough to lock all, many enough that accounts rarely wait for
 * each other. Never change it, because concurrent processes must use the same number.
 */
const USAGE_LOCKS = 64;

export const LOCK_ROW_COUNT = FIRST_USAGE_LOCK + USAGE_LOCKS;

/** @returns the statement that locks rows by their own numbers, or none. */
export function lockRows(rows: readonly number[]): readonly string[] {
  if (rows.length === 0) return [];
  return [`select id from ${LOCK_TABLE} where id in (${rows.join(', ')}) order by id for update`];
}

function usageLockOf(accountId: string): number {
  const [first = 0] = hash('sha256', accountId, 'buffer');
  return FIRST_USAGE_LOCK + (first % USAGE_LOCKS);
}

/** The numbers of the rows to lock for a transaction. */
export function lockRowsOf({
  access,
  records,
  collecting,
  usageOf = [],
}: LockScope): readonly number[] {
  const rows = new Set(usageOf.map(usageLockOf));
  if (access === true) rows.add(ACCESS_LOCK);
  if (records === true) rows.add(RECORDS_LOCK);
  if (collecting === true) rows.add(COLLECTING_LOCK);
  return [...rows];
}

/**
 * Those of the rows that any number of calls of one process may want at once, in the order in which
 * they are locked. Units of an account are taken in one transaction at a time anyway.
 */
export function queuedRowsOf(scope: LockScope): readonly number[] {
  return lockRowsOf({ ...scope, usageOf: [] });
}
