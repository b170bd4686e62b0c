import { z } from 'zod';
import { requireMarket } from '../../../core/app/access/access.ts';
import { dayCandlesIn } from '../../../core/app/history/day-candles.ts';
import { nextBankingView } from '../../../core/app/past-rates.ts';
import { sentence } from '../../../core/domain/errors/sentence.ts';
import { fault } from '../../../core/domain/errors/value-rules.ts';
import { invalidFormat } from '../../../core/domain/errors.ts';
import type { DayCandle } from '../../../core/domain/history/candles.ts';
import {
  type Capture,
  firstDayInRetention,
  requireInRetention,
} from '../../../core/domain/history/history.ts';
import { officialDays, valueDatesFor } from '../../../core/domain/history/official-days.ts';
import { isOfficial, type Market, OFFICIAL_USD } from '../../../core/domain/markets.ts';
import { shownTime } from '../../../core/domain/quotes.ts';
import { captureUnit, unitAt, unitOfDay } from '../../../core/domain/redenomination.ts';
import {
  caracasDayOf,
  DAY_MS,
  type Instant,
  isoInstant,
  startOfCaracasDay,
  startOfUtcDay,
  type UtcDay,
  utcDayOf,
} from '../../../core/domain/time.ts';
import { LANGUAGES } from '../../../core/domain/words/language.ts';
import { oneOf, text } from '../../../core/http/endpoints/fields.ts';
import { openPlan } from '../../../core/http/endpoints/open-plan.ts';
import { unitChanges, unitsOf } from '../../../core/http/endpoints/rates/units.ts';
import { madeOnce } from '../../../core/http/framework/encoding/made-once.ts';
import { unknownMarket } from '../../../core/http/pipeline/field-rules.ts';
import { said } from '../../../core/http/pipeline/said.ts';
import { parsed } from '../../../core/http/pipeline/schemas.ts';
import type { Services } from '../../../core/http/pipeline/services.ts';
import {
  type BoardHistory,
  type BoardPoint,
  type BoardSeries,
  MAX_BOARD_SERIES,
} from '../board/board-figures.ts';
import { premiumPercent } from './board-figures.ts';

const DEFAULT_DAYS = 30;

export const historyQuery = z.object({
  locale: oneOf(
    LANGUAGES,
    '`es` gives files with Spanish headers and decimal commas.',
    '`es` da archivos con encabezados en español y coma decimal.',
  ).optional(),
  candles: oneOf(
    ['true', 'false'],
    '`true` adds the first, highest and lowest rate of each day.',
    '`true` agrega la primera tasa, la más alta y la más baja de cada día.',
  ).optional(),
  market: text(
    'Ids or aliases of markets, separated by commas.',
    'Ids o alias de mercados, separados por comas.',
  ),
  days: parsed(
    (digits) => (/^[1-9]\d{0,3}$/.test(digits) ? Number(digits) : undefined),
    (text) =>
      fault(
        /^\d+$/.test(text) ? 'out_of_range' : 'not_a_number',
        'must be a whole number of days, 1 at least',
        'debe ser un número entero de días, 1 como mínimo',
      ),
    { ...said('Days back from today.', 'Días hacia atrás desde hoy.'), example: '30' },
  ).optional(),
});

/**
 * The request with its markets in the order of the catalogue. `locale` is undefined for programs.
 * @throws ApiError `400` for too many markets, `404` and `402` for a market that is not on the
 *   board, `403 history_out_of_retention` for more days than the operator allows.
 */
export function checkedHistoryRequest(
  { market, locale, candles, days: daysAsked }: z.output<typeof historyQuery>,
  board: { readonly services: Services; readonly historyDays: number; readonly now: Instant },
) {
  const { services, historyDays, now } = board;
  const days = daysAsked ?? Math.min(DEFAULT_DAYS, historyDays);
  const names = [...new Set(market.split(','))];
  if (names.length > MAX_BOARD_SERIES) {
    throw invalidFormat(
      'market',
      'too_many',
      sentence(
        `At most ${MAX_BOARD_SERIES} markets at once.`,
        `Como máximo ${MAX_BOARD_SERIES} mercados a la vez.`,
      ),
      { max: MAX_BOARD_SERIES, got: names.length },
    );
  }
  const asked = new Set(names.map((name) => boardMarket(name, services)));
  const markets = services.markets.list.filter((market) => asked.has(market));
  const to = utcDayOf(now);
  const from = firstDayInRetention(to, days);
  const message = sentence(
    `The board reaches back ${historyDays} days.`,
    `El tablero llega ${historyDays} días atrás.`,
  );
  requireInRetention(
    { field: 'days', day: from },
    now,
    { days: historyDays, ofPlans: [] },
    message,
  );
  const marks = unitChanges(unitsOf({ from }, now), { services, input: {} });
  return { markets, from, to, days, marks, candles: candles === 'true', locale };
}

function boardMarket(name: string, services: Services): Market {
  const market = services.markets.find(name);
  if (market === undefined) throw unknownMarket(services.markets, name, 'market');
  requireMarket(services.plans, openPlan(services), market);
  return market;
}

/**
 * The last rate of each UTC day from today minus `days` to today, as in `/v1/fx` (§4.3), for one
 * snapshot. All rates are in the unit of today, which a snapshot never outlasts. Each market is read once, as far back as the operator allows; requests show parts of it.
 */
export class BoardHistories {
  readonly #historyDays: number;
  /** By market and the first instant: a UTC day may end while the snapshot is valid. */
  readonly #captures = new Map<string, Promise<Captures>>();
  readonly #series = new Map<string, Promise<BoardSeries>>();

  constructor(historyDays: number) {
    this.#historyDays = historyDays;
  }

  async of(
    { markets, from, to, days, marks, candles }: ReturnType<typeof checkedHistoryRequest>,
    at: ReadAt,
    /** Whether an official rate has a point on each day, its value date and both rules. */
    everyDay: boolean,
  ): Promise<BoardHistory> {
    const series: BoardSeries[] = [];
    for (const market of markets) {
      const whole =
        everyDay && isOfficial(market)
          ? { ...named(market), points: await officialPoints(market, from, at) }
          : await this.#seriesOf(market, at);
      series.push(seriesSince(from, whole, { market, candles }));
    }
    return { from, to, days, ...marks, series };
  }

  #seriesOf(market: Market, at: ReadAt): Promise<BoardSeries> {
    const { now, markets } = at;
    const start = startOfUtcDay(firstDayInRetention(utcDayOf(now), this.#historyDays));
    return madeOnce(this.#series, `${market.id} ${start}`, async () => {
      const { previous, daily } = await this.#capturesOf(market, start, at);
      const span = { start, end: now + 1 };
      const candles = await dayCandlesIn(market, span, () => unitAt(now), at);
      const official = markets.find(OFFICIAL_USD);
      const isCompared = !isOfficial(market) && market.base === 'USD';
      const references =
        official !== undefined && isCompared
          ? await this.#capturesOf(official, start, at)
          : undefined;
      const compared = references === undefined ? [] : [references.previous, ...references.daily];
      return {
        ...named(market),
        opening: previous?.mid,
        points: withCandles(pointsOf(daily, { market, references: compared, now }), candles),
      };
    });
  }

  #capturesOf(market: Market, start: Instant, at: ReadAt): Promise<Captures> {
    const { now, store, redenominations } = at;
    const inUnitOfToday = (capture: Capture) =>
      redenominations.rebasedSides(capture, {
        from: captureUnit(capture, market),
        to: unitAt(now),
      });
    return madeOnce(this.#captures, `${market.id} ${start}`, async () => {
      const previous = isOfficial(market)
        ? await store.lastCaptureBefore(market.id, start)
        : undefined;
      // A capture for a later instant (a future rate) is not history yet.
      const daily = await store.lastCaptureOfEachDay(market.id, start, now + 1);
      return { previous: previous && inUnitOfToday(previous), daily: daily.map(inUnitOfToday) };
    });
  }
}

type ReadAt = Pick<Services, 'store' | 'markets' | 'calendar' | 'redenominations'> & {
  readonly now: Instant;
};

const named = ({ id: market, name, nameEn, base }: Market) => ({
  ...{ market, name, name_en: nameEn, base },
});

/** The official rate of each day, which weekends carry on: its candle is one figure (contract §21). */
async function officialPoints(
  market: Market,
  first: UtcDay,
  { now, store, redenominations, ...rules }: ReadAt,
): Promise<readonly BoardPoint[]> {
  const today = caracasDayOf(now);
  // A UTC day closes at 20:00 of the same day in Caracas.
  const range = { from: caracasDayOf(startOfUtcDay(first) + DAY_MS / 2), to: today };
  const stored = await store.officialSeries(market.id, valueDatesFor(range, rules.calendar));
  const { rows } = officialDays(stored, range, 'all', { ...rules, redenominations });
  return rows.map(({ date, valueDate, readAt, ...row }) => {
    const units = { from: unitOfDay(date), to: unitOfDay(today) };
    const rate = redenominations.rebased(row.rate, units);
    const nextBanking = row.nextBanking && {
      ...row.nextBanking,
      rate: redenominations.rebased(row.nextBanking.rate, units),
    };
    return {
      ...{ date, value_date: valueDate, rate, open: rate, high: rate, low: rate },
      updated_at: isoInstant(startOfCaracasDay(valueDate)),
      captured_at: isoInstant(Math.min(readAt, now)),
      ...nextBankingView({ nextBanking }),
    };
  });
}

/** The last capture of each day, and for an official market the one before them. */
interface Captures {
  readonly previous: Capture | undefined;
  readonly daily: readonly Capture[];
}

function seriesSince(
  from: UtcDay,
  { opening, points, ...named }: BoardSeries,
  { market, candles }: { readonly market: Market; readonly candles: boolean },
): BoardSeries {
  const shown = points.filter(({ date }) => date >= from);
  const previousRate = points[points.length - shown.length - 1]?.rate ?? opening;
  return {
    ...named,
    opening: isOfficial(market) ? previousRate : undefined,
    points: candles ? shown : shown.map(({ open, high, low, ...point }) => point),
  };
}

/** Merges both series, ordered by time. The official rate of a day is the last one up to it. */
function pointsOf(
  captures: readonly Capture[],
  {
    market,
    references,
    now,
  }: {
    readonly market: Market;
    readonly references: readonly (Capture | undefined)[];
    readonly now: Instant;
  },
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
    const { mid: rate, capturedAt } = capture;
    return {
      date: day,
      rate,
      updated_at: isoInstant(shownTime(capture.updatedAt, { readAt: capturedAt, now })),
      captured_at: isoInstant(capturedAt),
      gap_percent: premiumPercent({ market, mid: rate }, reference?.mid),
    };
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
