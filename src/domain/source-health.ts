import type { CaracasDay, Instant } from './time.ts';

/* How a source is. The words are those of the API: callers compare them, so none is ever renamed. */

/**
 * How a source is. `late`: a publication is missing that should be there. `frozen`: it dates the
 * same figures anew. `incomplete`: it no longer brings some of its markets. `waiting`: it was never
 * read, or its turn has passed. `standby`: it is read only when it is needed.
 */
export const SOURCE_CONDITIONS = [
  'ok',
  'failing',
  'frozen',
  'late',
  'incomplete',
  'waiting',
  'off',
  'standby',
] as const;
export type SourceCondition = (typeof SOURCE_CONDITIONS)[number];

/** Why a source could not be read. */
export type FailureReason =
  | 'unreachable'
  | 'tls'
  | 'timeout'
  | 'status'
  | 'redirect'
  | 'content_type'
  | 'too_large'
  | 'forbidden_address'
  | 'paused'
  | 'content'
  | 'refused';

/** How the readings of a source ended on one day. */
export interface SourceDay {
  readonly source: string;
  readonly day: CaracasDay;
  readonly successes: number;
  readonly failures: number;
  /** Successes that brought other figures than the one before. */
  readonly changes: number;
}

/** How a source is, as operators and readers of the status page are told. */
export interface SourceHealth {
  readonly name: string;
  readonly kind: string;
  readonly enabled: boolean;
  /** Ids of the markets it quotes. */
  readonly markets: readonly string[];
  /** The source that it is read instead of, when that fails. */
  readonly fallbackFor?: string;
  readonly condition: SourceCondition;
  /** Why it is off, when that is not the operator's switch. */
  readonly whyOff?: string;
  /** Why its last reading failed, in one word. */
  readonly failure?: FailureReason;
  /** One sentence for anyone: no addresses, and nothing that an upstream said. */
  readonly why: string;
  readonly lastSuccessAt?: Instant;
  readonly lastChangeAt?: Instant;
  readonly consecutiveFailures: number;
  /** Of a source that brings publications, once one is stored. */
  readonly publicationsMissed?: number;
  /** Of such a source, the value dates of the last days that are not stored. */
  readonly valueDatesMissing?: readonly CaracasDay[];
  /** It was not asked at its last turn: requests to its host are paused until then. */
  readonly pausedUntil?: Instant;
  /** Of its markets, those that it no longer brings. */
  readonly missingMarkets?: readonly string[];
  /** True while its page shows an older publication than it has shown before. */
  readonly pageWentBack?: true;
  readonly nextRunAt?: Instant;
  /** Its records that are held. */
  readonly held: number;
  /** The last days, those on which it was read, oldest first. */
  readonly days: readonly SourceDay[];
}
