import type { BoardRate } from '../../client/types.ts';
import { hasValueDates, OFFICIAL_USD, PARALLEL_MARKET } from '../../domain/markets.ts';
import {
  addCaracasDays,
  caracasDayOf,
  type Instant,
  isoInstant,
  isWeekend,
  SECOND_MS,
  startOfCaracasDay,
} from '../../domain/time.ts';
import type { BoardFigures, ConvertibleRate } from './board-figures.ts';

/** When the board's figures become stale. The script applies it while the page is open. */

/** The first instant at which the rate is stale. */
export function rateStaleFrom({
  updated_at,
  stale_after_sec,
}: Pick<BoardRate, 'updated_at' | 'stale_after_sec'>): Instant {
  return Date.parse(updated_at) + (stale_after_sec + 1) * SECOND_MS;
}

/**
 * When a publication that is missing, or that a page without a connection has not read, may have
 * replaced the rate of an official market. A publication of an evening takes effect on the next
 * business day, never on a weekend. Holidays are not known here.
 * @returns undefined for other markets, and while no publication is missing.
 */
export function newerRateFrom(
  market: string,
  { state, official, unknown_from }: Pick<BoardFigures, 'state' | 'official' | 'unknown_from'>,
): Instant | undefined {
  const overdue = state.reasons.find(({ name }) => name === 'publications_missed');
  const isNextKnown = official['USD']?.next !== undefined;
  if (!hasValueDates(market)) return undefined;
  if (overdue?.since === undefined || isNextKnown) return unknown_from;
  let day = addCaracasDays(caracasDayOf(Date.parse(overdue.since)), 1);
  while (isWeekend(day)) day = addCaracasDays(day, 1);
  return startOfCaracasDay(day);
}

/** The rates with `newer_from`, from which the page marks an official rate as possibly replaced. */
export function datedRates(
  figures: BoardFigures,
): readonly (BoardRate & Pick<ConvertibleRate, 'newer_from'>)[] {
  return figures.rates.map((rate) => {
    const from = newerRateFrom(rate.market, figures);
    return from === undefined ? rate : { ...rate, newer_from: isoInstant(from) };
  });
}

/** When a premium becomes stale: with the older of its two rates. */
export function premiumStaleFrom(compared: BoardRate, rates: readonly BoardRate[]): Instant {
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
export function indexStaleFrom({ index, rates }: BoardFigures): Instant | undefined {
  if (index === undefined) return undefined;
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

function staleFromOf(id: string, rates: readonly BoardRate[]): Instant {
  const rate = rates.find(({ market }) => market === id);
  return rate === undefined ? Number.POSITIVE_INFINITY : rateStaleFrom(rate);
}
