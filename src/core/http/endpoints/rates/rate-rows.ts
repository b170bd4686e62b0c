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
import type { Call } from '../../pipeline/call.ts';

/** A snapshot's rows, with the caller's markup rule or without. Their schemas are in `forms.ts`. */

/** @throws ApiError `markup_not_found` for no active rule, or one beyond the plan's limit. */
export function markupRule({ markups, plan }: Caller, tag: string): MarkupRule {
  const rule = markups.find((one) => one.tag === tag && one.active);
  if (rule === undefined) throw noRule();
  if (rulesInPlan(markups, plan.markupsMax).includes(rule)) return rule;
  throw noRule(
    sentence(
      `${tag} does not apply: ${plan.name} has ${plan.markupsMax} markup rules, and the oldest count first.`,
      `El margen ${tag} no se aplica: el plan ${plan.name} tiene ${plan.markupsMax} márgenes, y cuentan primero los más antiguos.`,
    ),
  );
}

/** The error for a market without a current quote. `field` is the parameter that chose it. */
export function noQuote({ id }: Market, field: string | undefined): ApiError {
  const message = sentence(
    `${id} has no quote now.`,
    `El mercado ${id} no tiene cotización ahora.`,
  );
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
