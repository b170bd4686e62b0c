import { z } from 'zod';
import { requireMarket } from '../../../app/access/access.ts';
import { ApiError } from '../../../domain/errors.ts';
import type { DayCandle } from '../../../domain/history/candles.ts';
import type { Capture } from '../../../domain/history/history.ts';
import { firstDayInRetention } from '../../../domain/history/history.ts';
import { isOfficial, type Market, OFFICIAL_USD } from '../../../domain/markets.ts';
import {
  type Instant,
  isoInstant,
  startOfUtcDay,
  type UtcDay,
  utcDayOf,
} from '../../../domain/time.ts';
import {
  type BoardHistory,
  type BoardPoint,
  type BoardSeries,
  MAX_BOARD_SERIES,
} from '../../../web/board/board-figures.ts';
import { LANGUAGES, type Language } from '../../../web/frame/language.ts';
import type { Services } from '../../routing/endpoint.ts';
import { unknownMarket } from '../../routing/market-name.ts';
import { parsed } from '../../routing/schemas.ts';
import { openPlan, premiumPercent } from './board-figures.ts';

const DEFAULT_DAYS = 30;

export const historyQuery = z.object({
  locale: z
    .enum(LANGUAGES)
    .describe('es gives files with Spanish headers and decimal commas.')
    .optional(),
  candles: z
    .enum(['true', 'false'])
    .describe('`true` adds the first, highest and lowest rate of each day.')
    .optional(),
  market: z.string().describe('Ids or aliases of markets, separated by commas.'),
  days: parsed(
    (text) => (/^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined),
    'must be a whole number of days, 1 at least',
    { description: 'Days back from today.', example: '30' },
  ).optional(),
});

/** A validated request for history. */
interface HistoryRequest {
  readonly markets: readonly Market[];
  readonly days: number;
  /** Whether points include the first, highest and lowest rate of their day. */
  readonly candles: boolean;
  /** Language of a file's headers and numbers; undefined for programs. */
  readonly locale: Language | undefined;
}

/**
 * @throws ApiError `400` for too many markets, `404` and `402` for a market that is not on the
 *   board, `403 history_out_of_retention` for more days than the operator allows.
 */
export function checkedHistoryRequest(
  { market, locale, candles, days: daysAsked }: z.output<typeof historyQuery>,
  { services, historyDays }: { readonly services: Services; readonly historyDays: number },
): HistoryRequest {
  const days = daysAsked ?? Math.min(DEFAULT_DAYS, historyDays);
  const names = [...new Set(market.split(','))];
  if (names.length > MAX_BOARD_SERIES) {
    throw new ApiError('invalid_format', {
      field: 'market',
      details: { max: MAX_BOARD_SERIES, got: names.length },
      message: `At most ${MAX_BOARD_SERIES} markets at once.`,
    });
  }
  const markets = names.map((name) => boardMarket(name, services));
  if (days > historyDays) {
    throw new ApiError('history_out_of_retention', {
      field: 'days',
      details: { max_days: historyDays },
      message: `The board reaches back ${historyDays} days.`,
    });
  }
  return { markets: [...new Set(markets)], days, candles: candles === 'true', locale };
}

function boardMarket(name: string, services: Services): Market {
  const market = services.markets.find(name);
  if (market === undefined) throw unknownMarket(services.markets, name, 'market');
  requireMarket(services.plans, openPlan(services), market);
  return market;
}

/** The last rate of each UTC day from today minus `days` to today, as in `/v1/fx` (§4.3). */
export async function boardHistory(
  { markets, days, candles }: Pick<HistoryRequest, 'markets' | 'days' | 'candles'>,
  now: Instant,
  { store, markets: all }: Pick<Services, 'store' | 'markets'>,
): Promise<BoardHistory> {
  const to = utcDayOf(now);
  const from = firstDayInRetention(to, days);
  const start = startOfUtcDay(from);
  // A capture for a later instant (a future rate) is not history yet.
  const seriesOf = ({ id }: Market) => store.lastCaptureOfEachDay(id, start, now + 1);
  const official = all.find(OFFICIAL_USD);
  const compares = markets.some((market) => !isOfficial(market) && market.base === 'USD');
  const references =
    official === undefined || !compares
      ? []
      : [await store.lastCaptureBefore(official.id, start), ...(await seriesOf(official))];
  const series: BoardSeries[] = [];
  for (const market of markets) {
    const captures = await seriesOf(market);
    const drawn = candles ? await store.dayCandles(market.id, start, now + 1) : [];
    const before = isOfficial(market) ? await store.lastCaptureBefore(market.id, start) : undefined;
    series.push({
      market: market.id,
      name: market.name,
      name_en: market.nameEn,
      base: market.base,
      ...(before !== undefined && { opening: before.mid }),
      points: withCandles(pointsOf(captures, market, references), drawn),
    });
  }
  return { from, to, days, series };
}

/** Merges both series, ordered by time. The official rate of a day is the last one up to it. */
function pointsOf(
  captures: readonly Capture[],
  market: Market,
  references: readonly (Capture | undefined)[],
): readonly BoardPoint[] {
  let next = 0;
  let reference: Capture | undefined;
  return captures.map((capture) => {
    const day = utcDayOf(capture.capturedAt);
    for (; next < references.length; next += 1) {
      const candidate = references[next];
      if (candidate !== undefined && utcDayOf(candidate.capturedAt) > day) break;
      reference = candidate ?? reference;
    }
    return pointOf(capture, day, premiumPercent({ market, mid: capture.mid }, reference?.mid));
  });
}

/** Widens the candle for a capture that was stored between the two reads. */
function withCandles(
  points: readonly BoardPoint[],
  candles: readonly DayCandle[],
): readonly BoardPoint[] {
  const byDay = new Map<string, DayCandle>(candles.map((candle) => [candle.day, candle]));
  return points.map((point) => {
    const candle = byDay.get(point.date);
    if (candle === undefined) return point;
    const { open, high, low } = candle;
    const { rate } = point;
    return { ...point, open, high: Math.max(high, rate), low: Math.min(low, rate) };
  });
}

function pointOf(
  { mid: rate, updatedAt, capturedAt }: Capture,
  date: UtcDay,
  premium: number | undefined,
): BoardPoint {
  return {
    date,
    rate,
    updated_at: isoInstant(updatedAt),
    captured_at: isoInstant(capturedAt),
    ...(premium !== undefined && { gap_percent: premium }),
  };
}
