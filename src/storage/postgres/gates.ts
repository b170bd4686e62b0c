import { createHash } from 'node:crypto';
import type { Claims } from '../engine.ts';

/**
 * Rows that are locked for what a transaction claims: locks that end with the transaction, on any
 * server, behind any proxy. One statement locks all of them in the order of their numbers, so that
 * no two transactions wait for each other.
 */

/** The table is also the mark by which a database is known to be ours. */
export const GATE_TABLE = 'vesfx_gate';

export const MIGRATION_GATE = 0;
const ACCESS_GATE = 1;
const RECORDS_GATE = 2;
const COLLECTING_GATE = 3;
const FIRST_USAGE_GATE = 4;

/**
 * Accounts share so many gates: few enough to lock all, many enough not to wait for each other.
 * Processes that count at the same time must agree on it, so it never changes.
 */
const USAGE_GATES = 64;

export const GATES = FIRST_USAGE_GATE + USAGE_GATES;

export const LOCK_GATES = `select id from ${GATE_TABLE} where id = any($1) order by id for update`;

function usageGateOf(accountId: string): number {
  const [first = 0] = createHash('sha256').update(accountId).digest();
  return FIRST_USAGE_GATE + (first % USAGE_GATES);
}

/** The numbers of the gates of a transaction's claims. */
export function gatesOf({ access, records, collecting, usageOf = [] }: Claims): readonly number[] {
  const gates = new Set(usageOf.map(usageGateOf));
  if (access === true) gates.add(ACCESS_GATE);
  if (records === true) gates.add(RECORDS_GATE);
  if (collecting === true) gates.add(COLLECTING_GATE);
  return [...gates];
}
