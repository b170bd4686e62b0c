import type { z } from 'zod';
import { type PastRate, pastRate } from '../../../app/past-rates.ts';
import type { Snapshot } from '../../../app/snapshot.ts';
import { asOfView } from '../../../app/views.ts';
import { notApplicable } from '../../../domain/errors.ts';
import {
  DATE_RULES,
  type PastDate,
  pastDepth,
  requireDayInDepth,
  requireKnownDay,
} from '../../../domain/history/past-dates.ts';
import { isOfficial, type Market, OFFICIAL_EUR, OFFICIAL_USD } from '../../../domain/markets.ts';
import type { Quote } from '../../../domain/quotes.ts';
import { unitAt, unitOfDay } from '../../../domain/redenomination.ts';
import { type CaracasDay, caracasDayOf, type Instant } from '../../../domain/time.ts';
import type { Call } from '../../pipeline/call.ts';
import { field } from '../../pipeline/said.ts';
import { caracasDayText, day, timestamp } from '../../pipeline/schemas.ts';
import type { Services } from '../../pipeline/services.ts';
import { flag, natural, oneOf, optional, titled } from '../fields.ts';
import { noQuote } from './rate-rows.ts';
import { adjustedField, unitChanges, unitChangesHeader, unitsSinceField } from './units.ts';

/** Shared parts of the endpoints with a past day (contract §9), and the quote of a market, now or then. */

/** Longest time that a cache may keep an answer. A past day changes only with a correction. */
const PAST_MAX_AGE_SEC = 60;

/** Parameters or body fields. */
export const pastFields = {
  date: caracasDayText(
    'A day in Caracas, `YYYY-MM-DD`: the answer has the rates of that day. Official rates up to the newest value date, which may be a day to come; others up to today. By default, the current rates.',
    'Un día en Caracas, `AAAA-MM-DD`: la respuesta tiene las tasas de ese día. Las oficiales, hasta la fecha valor más reciente, que puede ser un día por venir; las demás, hasta hoy. Por defecto, las tasas actuales.',
  ).optional(),
  rule: oneOf(
    DATE_RULES,
    'With `date`, for official markets on a day without banks: `value_date` (the default) takes the rate in force, `next_banking_day` the rate of the next business day.',
    'Con `date`, para los mercados oficiales en un día sin bancos: `value_date` (valor por defecto) toma la tasa que rige ese día; `next_banking_day`, la del próximo día hábil bancario.',
  ).optional(),
  ...adjustedField,
};

type PastInput = z.output<z.ZodObject<typeof pastFields>>;

const asOfSchema = titled('As of', {
  date: field(
    day,
    'The requested day, in Caracas.',
    'El día consultado, en Caracas.',
    'Día consultado',
  ),
  rule: oneOf(
    DATE_RULES,
    'How a day without banks was answered; only for official markets.',
    'Cómo se respondió un día sin bancos; solo en los mercados oficiales.',
    'Regla',
  ).optional(),
  business_day: flag(
    'Whether the banks worked on that day.',
    'Si los bancos trabajaron ese día.',
    'Día hábil bancario',
  ),
  value_date: optional(
    day,
    'Value date of the official rate; only for official markets.',
    'Fecha valor de la tasa oficial; solo en los mercados oficiales.',
    'Fecha valor de la tasa',
  ),
  captured_at: field(
    timestamp,
    'When the service read the rate; for an official rate, not before it took effect.',
    'Cuándo leyó la tasa el servicio; en una tasa oficial, no antes de que empezara a regir.',
    'Tasa capturada (UTC)',
  ),
  carried_days: natural(
    'How many days older the official rate is than the requested day; only for official markets.',
    'Cuántos días más antigua es la tasa oficial que el día consultado; solo en los mercados oficiales.',
    'Días de antigüedad de la tasa',
  ).optional(),
  unit_changes: unitsSinceField,
});

/** The `as_of` field of a rate of a past day. */
export const asOf = field(
  asOfSchema,
  'Where the rate of the requested day comes from; only with `date`.',
  'De dónde sale la tasa del día consultado; solo con `date`.',
);

/** The `as_of` of a whole snapshot; each row has its own details. */
export const asOfDaySchema = asOfSchema
  .pick({ date: true, rule: true, business_day: true, unit_changes: true })
  .required({ rule: true })
  .meta({ title: 'As of day' });

/** The requested past day; undefined when there is none. */
export function pastDateOf({
  date,
  rule = 'value_date',
  adjusted,
}: PastInput): PastDate | undefined {
  return date === undefined ? undefined : { date, rule, isAdjusted: adjusted === 'true' };
}

/**
 * The newest stored value date of an official market, or of any of them; null without any, and
 * undefined for other markets.
 * @param market Undefined when a request is about all markets.
 */
export function lastValueDateOf(
  market: Market | undefined,
  { newestValueDates }: Pick<Snapshot, 'newestValueDates'>,
): CaracasDay | null | undefined {
  if (market !== undefined && !isOfficial(market)) return undefined;
  const ids = market === undefined ? [OFFICIAL_USD, OFFICIAL_EUR] : [market.id];
  return (
    ids
      .flatMap((id) => newestValueDates.get(id) ?? [])
      .sort()
      .at(-1) ?? null
  );
}

/**
 * Checks `date` and `rule`.
 * @param market The only market of the request, if known.
 * @throws ApiError `invalid_format` for a day that is not known yet, a rule without a day, or a rule
 *   for a market without value dates.
 */
export function checkPast(
  { date, rule }: PastInput,
  {
    now,
    market,
    services,
  }: Pick<Call, 'now' | 'services'> & { readonly market?: Market | undefined },
): void {
  if (date !== undefined) {
    const lastValueDate = lastValueDateOf(market, services.snapshots.at(now));
    requireKnownDay({ field: 'date', day: date }, { now, lastValueDate });
  }
  if (rule === undefined) return;
  if (date === undefined)
    throw notApplicable('rule', 'rule requires date.', 'El parámetro `rule` necesita `date`.');
  if (market !== undefined && !isOfficial(market)) {
    throw notApplicable(
      'rule',
      'rule is only for official markets.',
      'El parámetro `rule` es solo para mercados oficiales.',
    );
  }
}

/**
 * Part of the cache name of an answer within a snapshot: the data of a past day changes only with
 * the snapshot. Undefined for a day that is not over.
 */
export function pastMemo({ date, rule, isAdjusted }: PastDate, now: Instant): string | undefined {
  return date < caracasDayOf(now) ? `${date} ${rule} ${isAdjusted}` : undefined;
}

/** The `as_of` of a whole snapshot. */
export function asOfDayView(
  { date, rule, isAdjusted }: PastDate,
  { services, now }: Pick<Call, 'services' | 'now'>,
) {
  const units = { from: unitOfDay(date), to: unitAt(now) };
  return {
    ...{ date, rule, business_day: services.calendar.isBusinessDay(date) },
    ...unitChanges(units, { services, input: { adjusted: isAdjusted ? 'true' : 'false' } }),
  };
}

/** The header of an answer of a past day that names its `unit_changes`. */
export function pastHeaders(answer: object): readonly string[] {
  const past = 'as_of' in answer ? answer.as_of : undefined;
  return past instanceof Object ? unitChangesHeader(past) : [];
}

/** When the answer of a past day last changed: by its rate, or by a new unit since. */
export function pastModified(
  { as_of: { captured_at: capturedAt } }: { readonly as_of: z.output<typeof asOfSchema> },
  {
    now,
    services,
  }: { readonly now: Instant; readonly services: Pick<Services, 'redenominations'> },
): Instant {
  return Math.max(Date.parse(capturedAt), services.redenominations.newestAt(now));
}

/** How long a cache may keep an answer, for a past day or the current rates. */
export function maxAgeOf(current: number) {
  return ({ date }: { readonly date?: CaracasDay | undefined }) =>
    date === undefined ? current : PAST_MAX_AGE_SEC;
}

/**
 * The current quote of the market, on which the answer then rests.
 * @throws ApiError `resource_not_found` when the market has no quote (contract §2).
 */
export function requireQuote({
  snapshot,
  market,
  marketField: field,
  restsOn,
}: Pick<Call, 'snapshot' | 'market' | 'marketField' | 'restsOn'>): Quote {
  const quote = snapshot.quoteOf(market);
  if (quote !== undefined) {
    restsOn([quote]);
    return quote;
  }
  throw noQuote(market, field);
}

export function withAsOf<View extends object>(view: (quote: Quote) => View) {
  return ({ quote, asOf }: PastRate) => ({ ...view(quote), as_of: asOfView(asOf) });
}

/**
 * A view of the rate of the request's market on a past day.
 * @throws ApiError `history_out_of_retention`, `rate_not_published` or `resource_not_found`
 *   (contract §9).
 */
export async function pastView<View extends object>(
  { market, caller, services, now }: Pick<Call, 'market' | 'caller' | 'services' | 'now'>,
  pastDate: PastDate,
  view: (quote: Quote) => View,
) {
  requireDayInDepth(pastDepth(caller.plan, services.plans, [market]), pastDate.date, now);
  return withAsOf(view)(await pastRate(market, pastDate, { ...services, now }));
}
