import type { BoardRate } from '../../../client/types.ts';
import { hasValueDates, OFFICIAL_USD, PARALLEL_MARKET } from '../../../core/domain/markets.ts';
import {
  caracasDayOf,
  type Instant,
  isoInstant,
  SECOND_MS,
  startOfCaracasDay,
} from '../../../core/domain/time.ts';
import { nextBankingDay } from './banking-days.ts';
import type { BoardDays, BoardFigures, ConvertibleRate } from './board-figures.ts';

/** When the board's figures become stale. The script applies it while the page is open. */

export type MarkedRate = Pick<BoardRate, 'updated_at' | 'stale_after_sec'> &
  Pick<ConvertibleRate, 'newer_from' | 'late_from' | 'as_of'>;

const NEVER = Number.POSITIVE_INFINITY;

const instantOf = (time: string | undefined): Instant => (time ? Date.parse(time) : NEVER);

/** The first instant at which the rate is stale: by its age, or because its successor is missing. */
export function rateStaleFrom({ updated_at, stale_after_sec, late_from }: MarkedRate): Instant {
  const byAge = Date.parse(updated_at) + (stale_after_sec + 1) * SECOND_MS;
  return Math.min(byAge, instantOf(late_from));
}

/** Why a current rate must not be used unchecked: it is out of date, or nobody knows whether it is. */
export type RateDoubt = 'stale' | 'maybeNewer';

/** @returns false for a rate that can be used, and for one of a past or coming day whose own rate is known. */
export function doubtOf(rate: MarkedRate, now: Instant): RateDoubt | false {
  if (rate.as_of !== undefined) return now >= instantOf(rate.late_from) && 'stale';
  if (now >= rateStaleFrom(rate)) return 'stale';
  return now >= instantOf(rate.newer_from) && 'maybeNewer';
}

/**
 * The figures with the instant from which a missing publication would have replaced the official rates:
 * a publication of an evening takes effect on the next banking day.
 */
export function withLateOfficial(
  figures: BoardFigures,
  days: Pick<BoardDays, 'closed'>,
): BoardFigures {
  const { state, official } = figures;
  const overdue = state.reasons.find(({ name }) => name === 'publications_missed');
  if (overdue?.since === undefined || official['USD']?.next !== undefined) return figures;
  const day = nextBankingDay(caracasDayOf(Date.parse(overdue.since)), days);
  return { ...figures, late_from: startOfCaracasDay(day) };
}

type DatedRow = BoardRate & Pick<ConvertibleRate, 'newer_from' | 'late_from'>;

/** The rates, the official ones with the instants from which another one replaces them. */
export function datedRates(figures: BoardFigures): readonly DatedRow[] {
  const { unknown_from: unknown, late_from: late } = figures;
  const dates = {
    ...(unknown !== undefined && { newer_from: isoInstant(unknown) }),
    ...(late !== undefined && { late_from: isoInstant(late) }),
  };
  return figures.rates.map((rate) => (hasValueDates(rate.market) ? { ...rate, ...dates } : rate));
}

/** The rates of a past day: an official one whose successor is missing is not that of the day. */
export function datedPast(
  past: readonly ConvertibleRate[],
  { late_from: late }: BoardFigures,
): readonly ConvertibleRate[] {
  if (late === undefined) return past;
  const from = caracasDayOf(late);
  return past.map((rate) => {
    const isMissing = hasValueDates(rate.market) && (rate.as_of?.date ?? '') >= from;
    return isMissing ? { ...rate, late_from: isoInstant(late) } : rate;
  });
}

/** The official dollar, if there is one, with what `datedRates` says of it. */
export function officialDollar(figures: BoardFigures): DatedRow | undefined {
  return datedRates(figures).find(({ market }) => market === OFFICIAL_USD);
}

/** When a premium becomes stale: with the older of its two rates. */
export function premiumStaleFrom(compared: DatedRow, rates: readonly DatedRow[]): Instant {
  return Math.min(rateStaleFrom(compared), staleFromOf(OFFICIAL_USD, rates));
}

/**
 * The figures with the P2P quotes that are stale at `now`, whether the service answers or not. The
 * service may use quotes of which the board has no row: their number stays as it was.
 */
export function withStaleP2p(figures: BoardFigures, now: Instant): BoardFigures {
  const { p2p, rates, index, version } = figures;
  if (p2p === undefined) return figures;
  const outliers = index?.flags.outliers_excluded ?? [];
  const used = p2pRates(rates).filter(({ market }) => !outliers.includes(market));
  const stale = used.filter((rate) => rateStaleFrom(rate) <= now).length;
  if (stale <= p2p.stale_count) return figures;
  return { ...figures, version: `${version}-${stale}`, p2p: { ...p2p, stale_count: stale } };
}

const p2pRates = (rates: readonly BoardRate[]) =>
  rates.filter(({ type, base }) => type === 'p2p' && base === 'USD');

/** When the last P2P rate becomes stale. Until then the median has a fresh rate. */
export function p2pStaleFrom(rates: readonly BoardRate[]): Instant {
  const ends = p2pRates(rates).map(rateStaleFrom);
  return ends.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...ends);
}

/** When an index becomes stale: with the first of its components. */
export function indexStaleFrom(figures: BoardFigures): Instant | undefined {
  const { index } = figures;
  if (index === undefined) return undefined;
  const rates = datedRates(figures);
  const parts = {
    bcv: staleFromOf(OFFICIAL_USD, rates),
    paralelo: staleFromOf(PARALLEL_MARKET, rates),
    p2p: p2pStaleFrom(rates),
  };
  return Math.min(...weighed(index, parts));
}

/** The time of the oldest market rate in the index, which determines its age. */
export function indexDatedAt({ index, rates, p2p }: BoardFigures): string | undefined {
  const parallel = rates.find(({ market }) => market === PARALLEL_MARKET);
  const times = { paralelo: parallel?.updated_at, p2p: p2p?.updated_at };
  return weighed(index, times)
    .flatMap((time) => time ?? [])
    .sort()
    .at(0);
}

/** What belongs to the components that count in the index. */
function weighed<Part>(index: BoardFigures['index'], parts: Readonly<Record<string, Part>>) {
  const weights: Readonly<Record<string, number>> = index?.weights ?? {};
  return Object.entries(parts).flatMap(([name, part]) => ((weights[name] ?? 0) > 0 ? [part] : []));
}

function staleFromOf(id: string, rates: readonly DatedRow[]): Instant {
  const rate = rates.find(({ market }) => market === id);
  return rate === undefined ? Number.POSITIVE_INFINITY : rateStaleFrom(rate);
}
