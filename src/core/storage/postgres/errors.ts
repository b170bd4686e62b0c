import pg from 'pg';
import { StoreAway, StoreBusy, StoreUnavailable, type WriteFailure } from '../../app/failures.ts';

/** Error codes: https://www.postgresql.org/docs/current/errcodes-appendix.html */

/** A lock or an answer took too long: the server is busy. */
const TIMEOUTS = ['55P03', '57014'];

/** Conflicts between transactions. A retry may succeed. */
const CONFLICTS = ['40001', '40P01'];

/** The server is reachable and refuses this operation. */
const REFUSALS = [
  '0A000', // not supported: a standby says this of the start of a write, and no other statement of ours gets it
  '25006', // read-only
  '25P03', // the transaction was idle for too long
  '28000', // authentication failed
  '28P01',
  '3D000', // no such database
  '3F000', // no such schema
  '42501', // no permission
  ...TIMEOUTS,
  '57P05', // the session was idle for too long
  '58030', // disk failure
];

/** Prefix: out of disk, memory or connections. */
const EXHAUSTED = '53';

/** A server that can be read and not written. */
const WRITE_FAILURES: Readonly<Record<string, WriteFailure>> = {
  '0A000': 'read_only',
  '25006': 'read_only',
  '53100': 'disk_full',
};

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

/** Prefixes of the messages of the driver that no wait mends: no password, and no TLS. */
const LASTING = [
  'SASL: ',
  'The server does not support SSL',
  'There was an error establishing an SSL',
];

/** Codes of Node for a certificate that is not accepted, and of OpenSSL. */
const TLS_FAULT =
  /^(?:ERR_(?:TLS|SSL)_|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_(?:CA|PURPOSE)|HOSTNAME_MISMATCH)/;

/**
 * Whether the database may answer later without anybody's help: it is stopped, starting, or has no
 * connection or memory left. What it refuses, such as a password, it refuses again.
 */
function mayPass(error: unknown): boolean {
  const kind = failureKindOf(error);
  if (kind !== 'lost') return kind === 'refused' && (codeOf(error) ?? '').startsWith(EXHAUSTED);
  if (!(error instanceof Error)) return true;
  if (LASTING.some((start) => error.message.startsWith(start))) return false;
  return !('code' in error && TLS_FAULT.test(String(error.code)));
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** One line for messages. The driver's messages contain no secrets. */
function reasonOf(error: unknown): string {
  // A host with several addresses fails with one error for each.
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  const message = first instanceof Error ? first.message : String(first);
  return message.trim().replaceAll(/\s+/g, ' ').replace(/\.$/, '');
}

export function unavailable(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  const writeFailure = WRITE_FAILURES[codeOf(error) ?? ''];
  const problem = writeFailure === undefined ? 'reached' : 'written';
  return new (failureClassOf(error, writeFailure))(
    `The database cannot be ${problem}: ${reasonOf(error)}.`,
    {
      cause: error,
      writeFailure,
    },
  );
}

function failureClassOf(error: unknown, writeFailure: WriteFailure | undefined) {
  if (TIMEOUTS.includes(codeOf(error) ?? '')) return StoreBusy;
  return writeFailure === undefined && mayPass(error) ? StoreAway : StoreUnavailable;
}
