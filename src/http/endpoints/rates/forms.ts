import { z } from 'zod';
import type { Caller } from '../../../app/access/access.ts';
import { ApiError } from '../../../domain/errors.ts';
import { applyMarkup, MARKUP_KINDS, type MarkupRule, rulesInPlan } from '../../../domain/markup.ts';
import type { Quote } from '../../../domain/quotes.ts';
import { isoInstant } from '../../../domain/time.ts';
import { rateView } from '../../encoding/views.ts';
import type { Call } from '../../routing/endpoint.ts';
import {
  base,
  day,
  marketId,
  marketType,
  rateNumber,
  seconds,
  timestamp,
} from '../../routing/schemas.ts';
import { indexSchema } from '../reference-index.ts';
import { asOfDaySchema, asOfSchema } from './past-date.ts';

/** The forms of a rate and of a snapshot: current or past, with a markup or without. */

/** Country of the snapshot (§2.3). */
const COUNTRY = 'VE';

// Strict, so that a rate of a past day is none of these.
export const rateSchema = z
  .strictObject({
    market: marketId,
    type: marketType,
    base,
    mid: rateNumber,
    ask: rateNumber.optional(),
    bid: rateNumber.optional(),
    updated_at: timestamp,
    effective_date: day.optional(),
    stale_after_sec: seconds,
  })
  .meta({ title: 'Rate' });

const markupApplied = { kind: z.enum(MARKUP_KINDS), value: z.number() };

const markedRateSchema = rateSchema
  .omit({ base: true, effective_date: true, stale_after_sec: true })
  .extend({
    mid_with_markup: z.number().positive().optional(),
    markup_applied: z.object(markupApplied).optional(),
  })
  .meta({ title: 'Rate with markup' });

const envelope = {
  country: z.string(),
  currency: z.literal('VES'),
  base: z.literal('USD'),
  index: indexSchema.optional(),
  fetched_at: timestamp,
};

const appliedRule = z.object({ tag: z.string(), ...markupApplied });

/** With `details=true`: how far the rate can be relied on. */
export const detailedRateSchema = rateSchema
  .extend({
    source: z
      .string()
      .meta({ description: 'Name of the source that brought the rate.' })
      .optional(),
    sources: z
      .int()
      .positive()
      .meta({ description: 'How many independent sources agree within 2 %, its own counted.' }),
    observed_at: timestamp.meta({ description: 'When the service read the rate.' }),
    held: z
      .object({
        captured_at: timestamp.meta({ description: 'When the held reading was made.' }),
        reason: z.string().meta({ description: 'Why it is held, in one word.' }),
        message: z.string().meta({ description: 'Why it is held, in a sentence.' }),
      })
      .nullable()
      .meta({
        description: 'A newer reading that is held and not published; null when there is none.',
      }),
    evidence: z.string().meta({ description: 'Id of the figure, as `vesfx evidence` takes it.' }),
  })
  .meta({ title: 'Rate with details' });

export const pastRateSchema = rateSchema.extend({ as_of: asOfSchema }).meta({ title: 'Past rate' });

const { index: _index, ...pastHead } = envelope;
const pastEnvelope = { ...pastHead, as_of: asOfDaySchema };

export const ratesSchema = z.union([
  z.object({ ...envelope, rates: z.array(rateSchema) }).meta({ title: 'Rates' }),
  z
    .object({ ...envelope, rates: z.array(markedRateSchema), markup_applied: appliedRule })
    .meta({ title: 'Rates with markup' }),
  z.object({ ...pastEnvelope, rates: z.array(pastRateSchema) }).meta({ title: 'Past rates' }),
  z
    .object({
      ...pastEnvelope,
      rates: z.array(
        markedRateSchema.extend({ as_of: asOfSchema }).meta({ title: 'Past rate with markup' }),
      ),
      markup_applied: appliedRule,
    })
    .meta({ title: 'Past rates with markup' }),
]);

/**
 * @throws ApiError `markup_not_found` when the account has no active rule of that tag, or it is beyond
 *   the number of the plan.
 */
export function markupRule({ markups, plan }: Caller, tag: string): MarkupRule {
  const rule = markups.find((one) => one.tag === tag && one.active);
  if (rule === undefined) throw new ApiError('markup_not_found', { field: 'markup' });
  if (rulesInPlan(markups, plan.markupsMax).includes(rule)) return rule;
  throw new ApiError('markup_not_found', {
    field: 'markup',
    message: `${tag} does not apply: ${plan.name} has ${plan.markupsMax} markup rules, and the oldest count first.`,
  });
}

/** A rate with a markup rule applied, where the rule covers it (§2.12). */
export function markedRateView(quote: Quote, rule: MarkupRule) {
  const { base: _, effective_date: __, stale_after_sec: ___, ...rate } = rateView(quote);
  const marked = applyMarkup(rule, rate);
  if (marked === undefined) return rate;
  return {
    ...rate,
    mid_with_markup: marked,
    markup_applied: { kind: rule.kind, value: rule.value },
  };
}

/** The fields of a snapshot that are the same in each of its forms. */
export function headView({ snapshot }: Pick<Call, 'snapshot'>) {
  return {
    country: COUNTRY,
    currency: 'VES' as const,
    base: 'USD' as const,
    fetched_at: isoInstant(snapshot.fetchedAt),
  };
}
