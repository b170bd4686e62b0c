import type { ErrorCode } from './types.ts';

/** Codes of failures without an error from the service. */
export type ClientErrorCode =
  /** No answer: no connection, no such host, or the browser refused it. */
  | 'network_error'
  /** The answer took longer than `timeoutMs`. */
  | 'timeout'
  /** The caller's signal ended the call; `cause` is its reason. */
  | 'aborted'
  /** An answer that is not the service's: a proxy's page, a redirect, a code of a newer version. */
  | 'unexpected_answer'
  /** One day has more points than an answer can contain, so the series would have a gap. */
  | 'history_incomplete'
  /** A static copy has no answer to the call. */
  | 'not_in_static_copy'
  /** `verifyWebhook`: the service has not signed this message, or not in the last five minutes. */
  | 'webhook_not_verified';

export type VesfxErrorCode = ErrorCode | ClientErrorCode;

/** The limit that a 429 reports. */
export type LimitScope = 'minute' | 'hour' | 'month' | 'account';

export interface VesfxErrorOptions {
  readonly message: string;
  readonly status?: number | undefined;
  readonly field?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfterSec?: number | undefined;
  readonly scope?: LimitScope | undefined;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/** Every failure of a call. Decide on `code`: a `switch` over it is checked by the compiler. */
export class VesfxError extends Error {
  override readonly name = 'VesfxError';
  readonly code: VesfxErrorCode;
  /** Status of the answer; undefined when there was none. */
  readonly status: number | undefined;
  /** The faulty parameter or body field. */
  readonly field: string | undefined;
  /** Details by code: `max_days`, `feature`, `current_plan`, `required_plan`, `max`, `got` … */
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** Seconds to wait before another try, from `Retry-After`. */
  readonly retryAfterSec: number | undefined;
  readonly scope: LimitScope | undefined;
  /** Identifies the request in the logs of the service. */
  readonly requestId: string | undefined;

  constructor(code: VesfxErrorCode, { message, cause, ...more }: VesfxErrorOptions) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = more.status;
    this.field = more.field;
    this.details = more.details;
    this.retryAfterSec = more.retryAfterSec;
    this.scope = more.scope;
    this.requestId = more.requestId;
  }
}
