import { z } from 'zod';
import type { Caller } from '../../../app/access/access.ts';
import { unitOfPast } from '../../../app/past-rates.ts';
import { rateView } from '../../../app/views.ts';
import { type Sentence, sentence } from '../../../domain/errors/sentence.ts';
import { ApiError, notFound } from '../../../domain/errors.ts';
import type { PastDate } from '../../../domain/history/past-dates.ts';
import type { Market } from '../../../domain/markets.ts';
import {
  applyMarkup,
  type MarkupRule,
  markupInUnits,
  rulesInPlan,
} from '../../../domain/markup.ts';
import type { Quote } from '../../../domain/quotes.ts';
import { unitAt, unitOfDay } from '../../../domain/redenomination.ts';
import { isoInstant } from '../../../domain/time.ts';
import type { Call } from '../../routing/call.ts';
import * as shared from '../../routing/schemas.ts';
import { markupAmount, markupKind, markupTag } from '../account/markups.ts';
import { fieldGroup, listOf, optional, present, text, titled } from '../fields.ts';
import { indexSchema } from '../reference-index.ts';
import { asOf, asOfDaySchema } from './past-date.ts';

/** The schemas of a rate and of a snapshot: current or past, with or without a markup. */

export const inDoubt = present(
  'Present when the rate moved far and no second source confirms it, or a witness contradicts an official one.',
);

export const unchangedSince = optional(
  shared.timestamp,
  'When the current figures were first read; absent when it is not known.',
);
export const frozen = z
  .boolean()
  .describe(
    'Whether the figures have been the same for longer than a market of its type stands still: 24 hours of the parallel market, 6 hours of P2P, never for official rates.',
  );

// Strict, so that a rate of a past day does not match it.
export const rateSchema = z
  .strictObject({
    market: shared.marketId,
    type: shared.marketType,
    base: shared.base,
    mid: shared.ves.describe('Rate of the market: VES per unit of the base currency.'),
    ask: optional(
      shared.ves,
      'What buying one unit of the base currency costs, in VES; absent when the market does not say.',
    ),
    bid: optional(
      shared.ves,
      'What selling one unit of the base currency yields, in VES; absent when the market does not say.',
    ),
    updated_at: shared.updatedAt,
    effective_date: shared.valueDate.optional(),
    stale_after_sec: shared.staleAfterSec,
  })
  .meta({ title: 'Rate' });

const markupApplied = { kind: markupKind, value: markupAmount };

const markedRateSchema = rateSchema
  .omit({ base: true, effective_date: true, stale_after_sec: true })
  .extend({
    mid_with_markup: optional(
      z.number().positive(),
      '`mid` with the markup, in VES with 4 decimals; absent in a row that the rule does not cover.',
    ),
    markup_applied: fieldGroup(
      'The rule that was applied; absent in a row that it does not cover.',
      markupApplied,
    ).optional(),
  })
  .meta({ title: 'Rate with markup' });

const envelope = {
  country: text('Country of the quotes: always VE.'),
  currency: z.literal('VES').describe('Three-letter code of the currency.'),
  base: z.literal('USD').describe('Always USD. A row may quote another currency: see its `base`.'),
  index: indexSchema
    .optional()
    .describe('The weighted index; absent when it cannot be calculated.'),
  fetched_at: shared.fetchedAt,
};

const appliedRule = fieldGroup(
  'The rule that was applied; absent in a row that it does not cover.',
  { tag: markupTag, ...markupApplied },
);

function rows<Row extends z.ZodType>(row: Row) {
  return listOf('A row for each market that has a quote.', row);
}

/** A rate with `details=true`: its age and the evidence for it. */
export const detailedRateSchema = rateSchema
  .extend({
    stale_at: shared.timestamp.describe(
      'Until when the rate is not stale: its time plus the threshold.',
    ),
    stale: shared.stale,
    in_doubt: inDoubt,
    unchanged_since: unchangedSince,
    frozen,
    source: text('Name of the source of the rate; absent when it is not known.').optional(),
    sources: z
      .int()
      .positive()
      .describe('How many independent sources agree within 2%, including its own.'),
    observed_at: shared.timestamp.describe('When the service read the rate.'),
    held: z
      .object({
        captured_at: shared.timestamp.describe('When the held reading was taken.'),
        reason: text('Why it is held, in one word.'),
        message: text('Why it is held, in a sentence.'),
      })
      .nullable()
      .describe('A newer reading that is held and not published; `null` when there is none.'),
    evidence: text('Id of the figure, for the command `vesfx evidence`.'),
  })
  .meta({ title: 'Rate with details' });

export const pastRateSchema = rateSchema.extend({ as_of: asOf }).meta({ title: 'Past rate' });

const { index: _index, ...pastHead } = envelope;
const pastEnvelope = {
  ...pastHead,
  as_of: asOfDaySchema.describe('How the requested day was answered; only with `date`.'),
};

export const ratesSchema = z.union([
  titled('Rates', { ...envelope, rates: rows(rateSchema) }),
  titled('Rates with markup', {
    ...envelope,
    rates: rows(markedRateSchema),
    markup_applied: appliedRule,
  }),
  titled('Past rates', { ...pastEnvelope, rates: rows(pastRateSchema) }),
  titled('Past rates with markup', {
    ...pastEnvelope,
    rates: rows(markedRateSchema.extend({ as_of: asOf }).meta({ title: 'Past rate with markup' })),
    markup_applied: appliedRule,
  }),
]);

/** @throws ApiError `markup_not_found` for no active rule, or one beyond the plan's limit. */
export function markupRule({ markups, plan }: Caller, tag: string): MarkupRule {
  const rule = markups.find((one) => one.tag === tag && one.active);
  if (rule === undefined) throw noRule();
  if (rulesInPlan(markups, plan.markupsMax).includes(rule)) return rule;
  throw noRule(
    sentence(
      `${tag} does not apply: ${plan.name} has ${plan.markupsMax} markup rules, and the oldest count first.`,
      `${tag} no se aplica: el plan ${plan.name} tiene ${plan.markupsMax} márgenes, y cuentan primero los más antiguos.`,
    ),
  );
}

/** The error for a market without a current quote. `field` is the parameter that chose it. */
export function noQuote({ id }: Market, field: string | undefined): ApiError {
  const message = sentence(`${id} has no quote now.`, `${id} no tiene cotización ahora.`);
  return notFound('no_quote', { field, message });
}

function noRule(message?: Sentence): ApiError {
  return new ApiError('markup_not_found', {
    field: 'markup',
    details: { reason: 'unknown_id' },
    message,
  });
}

/** A rate with a markup rule applied, if the rule covers its market (§2.12). */
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

/** The same for a rate of a past day, in the bolívar of that day. */
export function markedPastView(
  rule: MarkupRule,
  pastDate: PastDate,
  { now, services: { redenominations } }: Pick<Call, 'now' | 'services'>,
) {
  const to = unitOfDay(unitOfPast(pastDate, { now, redenominations }).day);
  const ofDay = markupInUnits(rule, { from: unitAt(now), to }, redenominations);
  return (quote: Quote) => markedRateView(quote, ofDay);
}

/** The rule that was applied to a whole snapshot. */
export function appliedView({ tag, kind, value }: MarkupRule) {
  return { markup_applied: { tag, kind, value } };
}

export function ratesView<Row, More extends object>(
  { snapshot }: Pick<Call, 'snapshot'>,
  rates: Row[],
  more: More,
) {
  return {
    country: 'VE',
    currency: 'VES' as const,
    base: 'USD' as const,
    rates,
    ...more,
    fetched_at: isoInstant(snapshot.fetchedAt),
  };
}
