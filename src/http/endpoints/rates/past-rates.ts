import { marketInPlan } from '../../../app/access/access.ts';
import { type PastRate, pastRate, pastRates } from '../../../app/past-rates.ts';
import {
  depthOf,
  nothingStoredYet,
  type PastAsk,
  reachesDay,
  requireDayInDepth,
} from '../../../domain/history/past-dates.ts';
import { rateView } from '../../encoding/views.ts';
import type { Call } from '../../routing/endpoint.ts';
import { headView, markedRateView, markupRule } from './forms.ts';
import { asOfView } from './past-date.ts';

/**
 * The rates of a past day, for the markets whose history in the plan includes the day.
 * @throws ApiError `history_out_of_retention` when there is no such market, `rate_not_published`,
 *   or `resource_not_found` when nothing is stored that early.
 */
export async function pastSnapshot(
  call: Call<{ readonly markup?: string | undefined }>,
  ask: PastAsk,
) {
  const { input, caller, services, now } = call;
  const included = services.markets.list.filter((market) =>
    marketInPlan(services.plans, caller.plan, market),
  );
  const reached = included.filter((market) =>
    reachesDay(depthOf(caller.plan, market), ask.date, now),
  );
  if (reached.length === 0) {
    const depths = included.map((market) => depthOf(caller.plan, market) ?? 0);
    requireDayInDepth(Math.max(0, ...depths), ask.date, now);
  }
  const rule = input.markup === undefined ? undefined : markupRule(caller, input.markup);
  const found = await pastRates(reached, ask, { ...services, now });
  if (found.length === 0) throw nothingStoredYet();
  const { fetched_at, ...head } = headView(call);
  const { date } = ask;
  const as_of = { ...ask, business_day: services.calendar.isBusinessDay(date) };
  if (rule === undefined) {
    return { ...head, rates: found.map(pastRateView), as_of, fetched_at };
  }
  return {
    ...head,
    rates: found.map(({ quote, asOf }) => ({
      ...markedRateView(quote, rule),
      as_of: asOfView(asOf),
    })),
    markup_applied: { tag: rule.tag, kind: rule.kind, value: rule.value },
    as_of,
    fetched_at,
  };
}

/** A rate of a past day with its `as_of`. */
export function pastRateView({ quote, asOf }: PastRate) {
  return { ...rateView(quote), as_of: asOfView(asOf) };
}

/**
 * The rate of the request's market on a past day.
 * @throws ApiError `history_out_of_retention`, `rate_not_published` or `resource_not_found`
 *   (decisions §9).
 */
export async function requirePastRate(
  { market, caller, services, now }: Pick<Call, 'market' | 'caller' | 'services' | 'now'>,
  ask: PastAsk,
): Promise<PastRate> {
  requireDayInDepth(depthOf(caller.plan, market), ask.date, now);
  return pastRate(market, ask, { ...services, now });
}
