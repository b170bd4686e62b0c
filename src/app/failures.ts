import type { FailureReason } from '../domain/source-health.ts';

/** The store cannot be reached, or stayed locked longer than a caller may wait. */
export class StoreUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreUnavailable';
  }
}

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
