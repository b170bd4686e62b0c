import type { FailureReason } from '../domain/source-health.ts';

/** Why a store that can be read cannot be written. */
export type WriteFailure = 'read_only' | 'disk_full';

/** The store cannot be reached, or stayed locked longer than a caller may wait. */
export class StoreUnavailable extends Error {
  /** Set when the database itself gave that reason. */
  readonly writeFailure: WriteFailure | undefined;

  constructor(
    message: string,
    { writeFailure, ...options }: ErrorOptions & { writeFailure?: WriteFailure | undefined } = {},
  ) {
    super(message, options);
    this.name = 'StoreUnavailable';
    this.writeFailure = writeFailure;
  }
}

/** The store cannot be reached now. It may answer later without anybody's help. */
export class StoreAway extends StoreUnavailable {}

/** The store answers, but other writes kept it busy for longer than a caller may wait. */
export class StoreBusy extends StoreUnavailable {}

/** Resolves with `fallback` when the store does not answer. */
export async function withoutStore<Result, Fallback>(
  work: Promise<Result>,
  fallback: Fallback,
): Promise<Result | Fallback> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StoreUnavailable) return fallback;
    throw error;
  }
}

/** Another process has taken the lease. Nothing was stored. */
export class LeaseLost extends Error {
  constructor() {
    super('Another process collects now.');
    this.name = 'LeaseLost';
  }
}

/** A source could not be read. `reason` is a code for metrics; the message is for people. */
export class SourceFailure extends Error {
  readonly reason: FailureReason;
  /** How long upstream asked to wait (`Retry-After`). */
  readonly retryAfterMs: number | undefined;

  constructor(
    reason: FailureReason,
    message: string,
    { retryAfterMs, ...options }: ErrorOptions & { readonly retryAfterMs?: number } = {},
  ) {
    super(message, options);
    this.name = 'SourceFailure';
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}
