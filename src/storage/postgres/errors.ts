import pg from 'pg';
import { StoreUnavailable } from '../../app/failures.ts';

/** Error codes: https://www.postgresql.org/docs/current/errcodes-appendix.html */

/** Conflicts between transactions. A retry may succeed. */
const CONFLICTS = ['40001', '40P01'];

/** The server is reachable and refuses this operation. */
const REFUSALS = [
  '25006', // read-only
  '25P03', // the transaction was idle for too long
  '28000', // authentication failed
  '28P01',
  '3D000', // no such database
  '3F000', // no such schema
  '42501', // no permission
  '55P03', // lock timeout
  '57014', // statement timeout
  '57P05', // the session was idle for too long
  '58030', // disk failure
];

/** Prefix: out of disk, memory or connections. */
const EXHAUSTED = '53';

/** Prefixes: a broken connection, or a server that stops or starts. */
const LOST = ['08', '57P01', '57P02', '57P03', '57P04'];

/** The cause of an error. `other` is a fault of the statement. */
type FailureKind = 'conflict' | 'refused' | 'lost' | 'other';

/** The cause of a driver error. Every error that is not from the server is a broken connection. */
export function failureKindOf(error: unknown): FailureKind {
  if (!(error instanceof pg.DatabaseError)) return 'lost';
  const code = error.code ?? '';
  if (CONFLICTS.includes(code)) return 'conflict';
  if (LOST.some((start) => code.startsWith(start))) return 'lost';
  return REFUSALS.includes(code) || code.startsWith(EXHAUSTED) ? 'refused' : 'other';
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** One line for messages. The driver's messages contain no secrets. */
function reasonOf(error: unknown): string {
  // A host with several addresses fails with one error for each.
  const one = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  const message = one instanceof Error ? one.message : String(one);
  return message.trim().replaceAll(/\s+/g, ' ').replace(/\.$/, '');
}

export function unavailable(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  return new StoreUnavailable(`The database cannot be reached: ${reasonOf(error)}.`, {
    cause: error,
  });
}
