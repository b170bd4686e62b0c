import { z } from 'zod';
import { pastRates } from '../../../app/past-rates.ts';
import { asOfView, rateView } from '../../../app/views.ts';
import {
  DATE_RULES,
  nothingStoredYet,
  type PastDate,
  requireBegunDay,
  requireDayInDepth,
} from '../../../domain/history/past-dates.ts';
import type { Instant } from '../../../domain/time.ts';
import type { BoardPast } from '../../../web/board/board-figures.ts';
import { caracasDayText } from '../../routing/schemas.ts';
import type { Services } from '../../routing/services.ts';
import { isOnBoard, sourceOf } from './board-figures.ts';

export const pastQuery = z.object({
  date: caracasDayText('A day in Caracas.'),
  rule: z.enum(DATE_RULES).optional(),
});

/**
 * Validates the parameters.
 * @throws ApiError `400` for a future day, `403 history_out_of_retention` for a day before the
 *   operator's limit.
 */
export function boardPastDate(
  { date, rule = 'value_date' }: z.output<typeof pastQuery>,
  { historyDays, now }: { readonly historyDays: number; readonly now: Instant },
): PastDate {
  requireBegunDay(date, now);
  requireDayInDepth({ days: historyDays, ofPlans: [] }, date, now);
  return { date, rule };
}

/**
 * The rates of the board's markets on a past day; official ones by `rule` (decisions §9).
 * @throws ApiError `rate_not_published`, or `resource_not_found` when nothing is stored that early.
 */
export async function boardPast(
  pastDate: PastDate,
  now: Instant,
  services: Pick<Services, 'store' | 'markets' | 'plans' | 'calendar' | 'watch'>,
): Promise<BoardPast> {
  const markets = services.markets.list.filter((market) => isOnBoard(services, market));
  const pastQuotes = await pastRates(markets, pastDate, { ...services, now });
  if (pastQuotes.length === 0) throw nothingStoredYet();
  const rates = pastQuotes.map(({ quote, asOf }) => ({
    ...rateView(quote),
    name: quote.market.name,
    name_en: quote.market.nameEn,
    source: sourceOf(quote, services),
    as_of: asOfView(asOf),
  }));
  return { date: pastDate.date, rates };
}
