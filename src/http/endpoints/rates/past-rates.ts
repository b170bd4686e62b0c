import { marketInPlan } from '../../../app/access/access.ts';
import { type PastRate, pastRate, pastRates } from '../../../app/past-rates.ts';
import { asOfView, rateView } from '../../../app/views.ts';
import {
  depthOf,
  nothingStoredYet,
  type PastDate,
  pastDepth,
  reachesDay,
  requireDayInDepth,
} from '../../../domain/history/past-dates.ts';
import type { Quote } from '../../../domain/quotes.ts';
import type { Call } from '../../routing/call.ts';
import { appliedView, markedRateView, markupRule, ratesView } from './forms.ts';

/**
 * The rates of a past day, for the markets whose history in the plan includes the day.
 * @throws ApiError `history_out_of_retention` when there is no such market, `rate_not_published`,
 *   or `resource_not_found` when nothing is stored that early.
 */
export async function pastSnapshot(
  call: Call<{ readonly markup?: string | undefined }>,
  pastDate: PastDate,
) {
  const { input, caller, services, now } = call;
  const included = services.markets.list.filter((market) =>
    marketInPlan(services.plans, caller.plan, market),
  );
  const reached = included.filter((market) =>
    reachesDay(depthOf(caller.plan, market), pastDate.date, now),
  );
  if (reached.length === 0) {
    requireDayInDepth(pastDepth(caller.plan, services.plans, included), pastDate.date, now);
  }
  const rule = input.markup === undefined ? undefined : markupRule(caller, input.markup);
  const pastQuotes = await pastRates(reached, pastDate, { ...services, now });
  if (pastQuotes.length === 0) throw nothingStoredYet();
  const as_of = { ...pastDate, business_day: services.calendar.isBusinessDay(pastDate.date) };
  if (rule === undefined) return ratesView(call, pastQuotes.map(withAsOf(rateView)), { as_of });
  const marked = withAsOf((quote) => markedRateView(quote, rule));
  return ratesView(call, pastQuotes.map(marked), { ...appliedView(rule), as_of });
}

function withAsOf<View extends object>(view: (quote: Quote) => View) {
  return ({ quote, asOf }: PastRate) => ({ ...view(quote), as_of: asOfView(asOf) });
}

/**
 * A view of the rate of the request's market on a past day.
 * @throws ApiError `history_out_of_retention`, `rate_not_published` or `resource_not_found`
 *   (decisions §9).
 */
export async function pastView<View extends object>(
  { market, caller, services, now }: Pick<Call, 'market' | 'caller' | 'services' | 'now'>,
  pastDate: PastDate,
  view: (quote: Quote) => View,
) {
  requireDayInDepth(pastDepth(caller.plan, services.plans, [market]), pastDate.date, now);
  return withAsOf(view)(await pastRate(market, pastDate, { ...services, now }));
}
