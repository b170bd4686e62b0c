import { addCaracasDays, type CaracasDay, caracasDayOf, type Instant } from '../time.ts';
import { requireBegun } from './history.ts';

/** What was published and is no longer true (contract §21). */

export const CORRECTION_KINDS = ['publication', 'quote'] as const;

/** Why a figure is no longer true. Callers compare these codes, so none of them changes. */
export const CORRECTION_REASONS = [
  'insisted',
  'confirmed',
  'page_returned',
  'wrong_date',
  'witness_differs',
  'archive',
  'operator',
  'restored',
] as const;
export type CorrectionReason = (typeof CORRECTION_REASONS)[number];

/** Most corrections of one answer. */
// limit: Corrections | 1,000 | the newest
export const MAX_CORRECTIONS = 1_000;
/** Days before today when `since` is missing. */
const DEFAULT_DAYS_BEFORE = 30;

export interface Correction {
  readonly kind: (typeof CORRECTION_KINDS)[number];
  /** The id of a market, or the code of a currency without one. */
  readonly name: string;
  /** Of a publication. Its figures are stored in the unit of this day, those of a quote in that of its own. */
  readonly valueDate?: CaracasDay;
  readonly was: number;
  /** Undefined when it was withdrawn. */
  readonly is: number | undefined;
  readonly correctedAt: Instant;
  readonly why: CorrectionReason;
}

/** @throws ApiError `invalid_format` for a future day. */
export function correctionsSince(since: CaracasDay | undefined, now: Instant): CaracasDay {
  const today = caracasDayOf(now);
  if (since !== undefined) requireBegun('since', since, today, { now });
  return since ?? addCaracasDays(today, -DEFAULT_DAYS_BEFORE);
}
