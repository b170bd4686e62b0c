import type { Decimal } from '../decimal.ts';
import { sentence } from '../errors/sentence.ts';
import { ApiError } from '../errors.ts';
import { isExecutable, type Market, onlyToVes } from '../markets.ts';
import { type Quote, stalenessSec } from '../quotes.ts';
import type { Instant } from '../time.ts';
import { convertAmount, type Direction } from './convert.ts';

/** Why a market is left out, in the order of the checks (§2.6). */
type SkipReason =
  | 'currency_mismatch'
  | 'not_executable'
  | 'feature_not_in_plan'
  | 'one_way_market'
  | 'no_quote'
  | 'stale';

/** A candidate market with the amount that it yields, 2 decimals. */
export interface RouteEntry {
  readonly quote: Quote;
  readonly amount: Decimal;
  readonly stalenessSec: number;
}

/** The candidates from best to worst, and the markets left out. */
export interface RankedRoute {
  readonly best: RouteEntry;
  readonly alternatives: readonly RouteEntry[];
  readonly skipped: readonly { readonly market: string; readonly reason: SkipReason }[];
}

/** A route request, and the data that it needs. */
export interface RouteQuestion {
  readonly direction: Direction;
  readonly amount: Decimal;
  /** Seconds; 0 means no age filter. */
  readonly maxStalenessSec: number;
  readonly now: Instant;
  readonly quoteOf: (market: Market) => Quote | undefined;
  readonly inPlan: (market: Market) => boolean;
}

/**
 * Ranks the markets by `mid`, because rounded amounts can tie where rates differ. The highest comes
 * first from USD to VES, the lowest first from VES to USD. Equal rates are ordered by the newer
 * quote, then by catalogue order (§4.7, contract §2).
 * @throws ApiError `no_route` (422) when the age filter removed every candidate,
 *   `service_unavailable` (503) when there was none to filter.
 */
export function rankRoute(markets: readonly Market[], question: RouteQuestion): RankedRoute {
  const { direction, amount, maxStalenessSec, now } = question;
  const entries: RouteEntry[] = [];
  const skipped: { market: string; reason: SkipReason }[] = [];
  for (const market of markets) {
    const quote = question.quoteOf(market);
    const reason = skipReason(market, quote, question);
    if (reason !== undefined || quote === undefined) {
      skipped.push({ market: market.id, reason: reason ?? 'no_quote' });
      continue;
    }
    entries.push({
      quote,
      amount: convertAmount(amount, quote.mid, direction.toVes),
      stalenessSec: stalenessSec(quote, now),
    });
  }
  // The sort is stable: equal entries stay in catalogue order.
  const sign = direction.toVes ? -1 : 1;
  entries.sort(({ quote: a }, { quote: b }) => sign * (a.mid - b.mid) || b.updatedAt - a.updatedAt);
  const [best, ...alternatives] = entries;
  if (best !== undefined) return { best, alternatives, skipped };
  if (skipped.some(({ reason }) => reason === 'stale')) {
    throw new ApiError('no_route', {
      field: 'max_staleness',
      message: sentence(
        `Every candidate quote is older than ${maxStalenessSec} seconds.`,
        `Todas las cotizaciones posibles tienen más de ${maxStalenessSec} segundos.`,
      ),
    });
  }
  throw new ApiError('service_unavailable', {
    message: sentence(
      'No market can serve this route now.',
      'Ningún mercado sirve ahora para esta ruta.',
    ),
  });
}

function skipReason(
  market: Market,
  quote: Quote | undefined,
  { direction, maxStalenessSec, now, inPlan }: RouteQuestion,
): SkipReason | undefined {
  if (market.base !== direction.foreign) return 'currency_mismatch';
  if (!isExecutable(market)) return 'not_executable';
  if (!inPlan(market)) return 'feature_not_in_plan';
  if (!direction.toVes && onlyToVes(market)) return 'one_way_market';
  if (quote === undefined) return 'no_quote';
  if (maxStalenessSec > 0 && stalenessSec(quote, now) > maxStalenessSec) return 'stale';
  return undefined;
}
