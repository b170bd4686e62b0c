import type { CaracasDay, Instant } from './time.ts';

/*
 * The condition of a source. The API returns these words and callers compare them, so none is ever
 * renamed.
 */

/** Kind of the source of the official rates. Its entry of the catalogue names no markets. */
export const OFFICIAL_KIND = 'bcv-official';

/** Source and kind of the records that an operator pushes or imports. No entry has this name. */
export const PUSHED = 'operator';
/** The source of the demonstration's figures that are made by rules. */
export const SIMULATED = 'simulated';
/** The source of the demonstration's real figures, whose dates are shifted. */
export const SHIFTED = 'demo';

/**
 * The condition of a source. `late`: a due publication is missing. `frozen`: it gives the same
 * figures new dates. `incomplete`: it no longer brings some of its markets. `waiting`: it was never
 * read, or its scheduled reading is overdue. `standby`: it is read only when the source it replaces
 * fails.
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

/**
 * What a source adds beside those that bring a figure anyway. `second_voice`: a witness confirms or
 * contradicts the official rate. `independent_origin`: it reads a venue itself, which another source
 * relays.
 */
export const SOURCE_ADDITIONS = ['second_voice', 'independent_origin'] as const;
export type SourceAddition = (typeof SOURCE_ADDITIONS)[number];

/** Rank of a condition in lists: what needs someone's attention comes first. */
export const CONDITION_RANK: Readonly<Record<SourceCondition, number>> = {
  failing: 0,
  late: 1,
  frozen: 2,
  incomplete: 3,
  waiting: 4,
  ok: 5,
  standby: 6,
  off: 7,
};

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
  /** Successful readings with other figures than the reading before. */
  readonly changes: number;
}

/**
 * Whether it fails: its last reading did, or nobody has read it since one that did. A source that
 * waits has not recovered.
 */
export function isFailing({
  condition,
  failingSince,
}: Pick<SourceHealth, 'condition' | 'failingSince'>): boolean {
  return condition === 'failing' || failingSince !== undefined;
}

/** The condition of a source, for operators and the status page. */
export interface SourceHealth {
  readonly name: string;
  readonly kind: string;
  readonly enabled: boolean;
  /** A witness publishes nothing. */
  readonly role?: 'witness';
  /** Absent for a source that brings its figures alone. It tells the same while the source is off. */
  readonly adds?: SourceAddition;
  /** Ids of the markets that it quotes. */
  readonly markets: readonly string[];
  /** The source that it replaces when that one fails. */
  readonly fallbackFor?: string;
  readonly condition: SourceCondition;
  /** Why it is off, when the operator did not switch it off. */
  readonly whyOff?: string;
  readonly failure?: FailureReason;
  /** One public sentence, without addresses or text from the upstream. */
  readonly why: string;
  readonly lastSuccessAt?: Instant;
  readonly lastChangeAt?: Instant;
  readonly consecutiveFailures: number;
  /** Since when it fails; absent while it works, or is not to be read. */
  readonly failingSince?: Instant;
  /** Only for what brings the publications, once one is stored: a source, else the operator. */
  readonly publicationsMissed?: number;
  /** Only for what brings the publications: the value dates of the last days that are not stored. */
  readonly valueDatesMissing?: readonly CaracasDay[];
  /** The turn at which it should have been read; absent unless it is overdue. */
  readonly overdueSince?: Instant;
  /** Requests to its host are paused until then, so its last scheduled reading was skipped. */
  readonly pausedUntil?: Instant;
  /** The markets that it no longer brings. */
  readonly missingMarkets?: readonly string[];
  /** True while its page shows an older publication than before. */
  readonly pageWentBack?: true;
  readonly nextRunAt?: Instant;
  readonly held: number;
  /** The recent days on which it was read, oldest first. */
  readonly days: readonly SourceDay[];
}
