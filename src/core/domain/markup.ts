import { add, compare, type Decimal, decimal, multiply, round, toNumber } from './decimal.ts';
import { sentence } from './errors/sentence.ts';
import type { Redenominations, Units } from './redenomination.ts';

export const MARKUP_KINDS = ['percent', 'fixed'] as const;
export type MarkupKind = (typeof MARKUP_KINDS)[number];

/** `percent` is a change of the rate in percent, `fixed` an amount of VES added to it. */
export interface MarkupRule {
  readonly tag: string;
  readonly kind: MarkupKind;
  readonly value: number;
  /** Ids of the markets to which it applies; every market when empty. */
  readonly markets: readonly string[];
  readonly active: boolean;
}

export const MARKUP_TAG = /^[a-z0-9_-]{1,32}$/;
// limit: Markup: percent, fixed (either sign) | -99 to 1,000, one trillion (10^12) VES | 400 | MAX_PERCENT, MAX_FIXED
export const MIN_PERCENT = -99;
export const MAX_PERCENT = 1000;
/** Largest absolute value of a fixed markup, in VES. */
export const MAX_FIXED = 1e12;
/** The same as messages say it. */
export const FIXED_LIMIT = sentence('one trillion (10^12)', 'un billón (10^12)');

/** Whether a value of that kind is within the limits. */
export function isInRange(kind: MarkupKind, value: number): boolean {
  if (kind === 'percent') return value >= MIN_PERCENT && value <= MAX_PERCENT;
  return Math.abs(value) <= MAX_FIXED;
}

const MARKUP_DECIMALS = 4;

/** The rule for rates in another unit: a fixed markup is an amount in the bolívar of today. */
export function markupInUnits(
  rule: MarkupRule,
  units: Units,
  { rebased }: Pick<Redenominations, 'rebased'>,
): MarkupRule {
  return rule.kind === 'fixed' ? { ...rule, value: rebased(rule.value, units) } : rule;
}

/**
 * The rules that a plan allows: the oldest `max`, or all when `max` is null.
 * @param rules Oldest first.
 */
export function rulesInPlan(
  rules: readonly MarkupRule[],
  max: number | null,
): readonly MarkupRule[] {
  return max === null ? rules : rules.slice(0, max);
}

/**
 * The rate with the rule applied, 4 decimals.
 * @returns undefined when the rule does not cover the market, or the result is not positive.
 */
export function applyMarkup(
  rule: MarkupRule,
  quote: { readonly market: string; readonly mid: number },
): number | undefined {
  if (rule.markets.length > 0 && !rule.markets.includes(quote.market)) return undefined;
  const marked = round(markedUp(rule, quote.mid), MARKUP_DECIMALS);
  return compare(marked, 0) > 0 ? toNumber(marked) : undefined;
}

function markedUp(rule: MarkupRule, mid: number): Decimal {
  switch (rule.kind) {
    case 'percent':
      return multiply(mid, add(1, multiply(decimal(rule.value), '0.01')));
    case 'fixed':
      return add(mid, rule.value);
    default:
      return rule.kind satisfies never;
  }
}
