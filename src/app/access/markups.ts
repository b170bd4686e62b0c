import { z } from 'zod';
import {
  MAX_SIGNIFICANT_DIGITS,
  significantDigits,
  TOO_MANY_DIGITS,
} from '../../domain/decimal.ts';
import { WrittenNumber } from '../../domain/exact-json.ts';
import type { Markets } from '../../domain/markets.ts';
import {
  FIXED_LIMIT_WORDS,
  isInRange,
  MARKUP_KINDS,
  MARKUP_TAG,
  MAX_PERCENT,
  type MarkupRule,
  MIN_PERCENT,
} from '../../domain/markup.ts';

export const MAX_RULE_MARKETS = 100;

/** The schema of a rule's value, before its kind is known. */
export const markupValue = z
  .number({
    error: ({ input }) => (input instanceof WrittenNumber ? TOO_MANY_DIGITS : 'must be a number'),
  })
  .refine((value) => significantDigits(value) <= MAX_SIGNIFICANT_DIGITS, TOO_MANY_DIGITS);

/**
 * The schema of a markup rule in requests and commands (decisions §6). `markets` may hold ids and
 * aliases; the rule keeps unique ids. Without `markets` it covers all markets; without `active` it
 * is active.
 */
export function markupRuleSchema(markets: Markets) {
  const marketId = z.string('must be text').transform((name, context): string => {
    const market = markets.find(name);
    if (market !== undefined) return market.id;
    context.addIssue({ code: 'custom', message: 'is not in the catalogue' });
    return z.NEVER;
  });
  return z
    .strictObject({
      tag: z.string('must be text').regex(MARKUP_TAG, 'must be 1 to 32 of a-z, 0-9, _ and -'),
      kind: z.enum(MARKUP_KINDS, `must be one of ${MARKUP_KINDS.join(', ')}`),
      value: markupValue,
      markets: z
        .array(marketId, 'must be a list of markets')
        .max(MAX_RULE_MARKETS, `must have at most ${MAX_RULE_MARKETS} markets`)
        .default([]),
      active: z.boolean('must be true or false').default(true),
    })
    .superRefine(({ kind, value }, context) => {
      const problem = outOfRange(kind, value);
      if (problem !== undefined) {
        context.addIssue({ code: 'custom', path: ['value'], message: problem });
      }
    })
    .transform((rule): MarkupRule => ({ ...rule, markets: [...new Set(rule.markets)] }));
}

function outOfRange(kind: MarkupRule['kind'], value: number): string | undefined {
  if (isInRange(kind, value)) return undefined;
  switch (kind) {
    case 'percent':
      return `must be ${MIN_PERCENT} to ${MAX_PERCENT} percent`;
    case 'fixed':
      return `must be at most ${FIXED_LIMIT_WORDS}, positive or negative`;
    default:
      return kind satisfies never;
  }
}
