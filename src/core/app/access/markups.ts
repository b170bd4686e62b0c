import { z } from 'zod';
import { MAX_SIGNIFICANT_DIGITS, significantDigits } from '../../domain/decimal.ts';
import { type Sentence, sentence } from '../../domain/errors/sentence.ts';
import { fault, type ValueFault } from '../../domain/errors/value-rules.ts';
import type { Markets } from '../../domain/markets.ts';
import {
  FIXED_LIMIT,
  isInRange,
  MARKUP_KINDS,
  MARKUP_TAG,
  MAX_PERCENT,
  type MarkupRule,
  MIN_PERCENT,
} from '../../domain/markup.ts';
import type { Plan } from '../../domain/plans.ts';
import { refused, TOO_MANY_DIGITS } from '../schema-sentences.ts';

// limit: Markets of a markup rule | 100 | 400
export const MAX_RULE_MARKETS = 100;

/** The schema of a rule's value, before its kind is known. */
export const markupValue = z
  .number()
  .refine((value) => significantDigits(value) <= MAX_SIGNIFICANT_DIGITS, refused(TOO_MANY_DIGITS));

const UNKNOWN_MARKET = fault('unknown_market', 'is not in the catalogue', 'no está en el catálogo');
const WRONG_TAG = fault(
  'malformed',
  'must be 1 to 32 of a-z, 0-9, _ and -',
  'debe tener de 1 a 32 de a-z, 0-9, _ y -',
);

/**
 * The schema of a markup rule in requests and commands (contract §6). `markets` may hold ids and
 * aliases; the rule keeps unique ids. Without `markets` it covers all markets; without `active` it
 * is active.
 */
export function markupRuleSchema(markets: Markets) {
  const marketId = z.string().transform((name, context): string => {
    const market = markets.find(name);
    if (market !== undefined) return market.id;
    context.addIssue(refused(UNKNOWN_MARKET));
    return z.NEVER;
  });
  return z
    .strictObject({
      tag: z.string().refine((text) => MARKUP_TAG.test(text), refused(WRONG_TAG)),
      kind: z.enum(MARKUP_KINDS),
      value: markupValue,
      markets: z.array(marketId).max(MAX_RULE_MARKETS).default([]),
      active: z.boolean().default(true),
    })
    .superRefine(({ kind, value }, context) => {
      const problem = outOfRange(kind, value);
      if (problem !== undefined) {
        context.addIssue({ ...refused(problem), path: ['value'] });
      }
    })
    .transform((rule): MarkupRule => ({ ...rule, markets: [...new Set(rule.markets)] }));
}

function outOfRange(kind: MarkupRule['kind'], value: number): ValueFault | undefined {
  if (isInRange(kind, value)) return undefined;
  switch (kind) {
    case 'percent':
      return fault(
        'out_of_range',
        `must be ${MIN_PERCENT} to ${MAX_PERCENT} percent`,
        `debe ser de ${MIN_PERCENT} a ${MAX_PERCENT} por ciento`,
      );
    case 'fixed':
      return fault(
        'out_of_range',
        `must be at most ${FIXED_LIMIT.en}, positive or negative`,
        `debe ser como máximo ${FIXED_LIMIT.es}, positivo o negativo`,
      );
    default:
      return kind satisfies never;
  }
}

/** The limit of markup rules, for `beyondPlan`. */
export const MARKUP_LIMIT = {
  feature: 'markup',
  limitOf: ({ markupsMax }: Plan) => markupsMax,
} as const;

export function tooManyRules({ name, markupsMax: max }: Plan): Sentence {
  return sentence(
    `${name} has at most ${max} markup ${max === 1 ? 'rule' : 'rules'}: remove one first.`,
    `El plan ${name} tiene como máximo ${max} ${max === 1 ? 'margen' : 'márgenes'}: borre uno primero.`,
  );
}
