import pg from 'pg';
import { StoreUnavailable } from '../../app/failures.ts';

/** Codes of errors: https://www.postgresql.org/docs/current/errcodes-appendix.html */

/** Transactions that met, and may do better when they begin again. */
const CONFLICTS = ['40001', '40P01'];

/** The server is there and says why it does not do it: it will do other things. */
const REFUSALS = [
  '25006', // read-only
  '25P03', // the transaction was idle for too long
  '28000', // not let in
  '28P01',
  '3D000', // no such database
  '3F000', // no such schema
  '42501', // not allowed
  '55P03', // locked for too long
  '57014', // took too long
  '57P05', // the session was idle for too long
  '58030', // its disk fails
];

/** Out of room, of memory or of connections. */
const EXHAUSTED = '53';

/** Connections that break off, and a server that stops or starts. */
const LOST = ['08', '57P01', '57P02', '57P03', '57P04'];

/** How an error came about; `other` ones are the fault of the statement. */
export type FailureKind = 'conflict' | 'refused' | 'lost' | 'other';

/** What an error that the driver throws means. All but the server's own are broken connections. */
export function failureKindOf(error: unknown): FailureKind {
  if (!(error instanceof pg.DatabaseError)) return 'lost';
  const code = error.code ?? '';
  if (CONFLICTS.includes(code)) return 'conflict';
  if (LOST.some((start) => code.startsWith(start))) return 'lost';
  return REFUSALS.includes(code) || code.startsWith(EXHAUSTED) ? 'refused' : 'other';
}

/** The server's code of an error. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** One line that names no secret: the driver's messages hold none. */
function reasonOf(error: unknown): string {
  // A host of several addresses fails with one error for each.
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
