import { isAway, isRatioOver } from '../calculations/ratio.ts';
import { isNear, type Thresholds } from '../judgement.ts';
import type { Market, MarketType } from '../markets.ts';
import { isStale, type Quote, staleFrom } from '../quotes.ts';
import { DAY_MS, type Instant, SECOND_MS } from '../time.ts';
import type { PastFigure, Step } from './quote-memory.ts';
import { secondSourceOf } from './quote-others.ts';

/** What is remembered of a market, as far as it makes its quote doubtful. */
export interface DoubtfulState {
  readonly market: string;
  readonly driftedAt?: Instant | undefined;
  readonly apartSince?: Instant | undefined;
  readonly step?: Pick<Step, 'since' | 'confirmedAt'> | undefined;
  readonly insisted: readonly PastFigure[];
  /** When the operator or an independent source last showed its figure. */
  readonly checkedAt?: Instant | undefined;
}

/** What a market published on a UTC day. */
export interface DayFigures {
  readonly market: string;
  readonly start: Instant;
  readonly low: number;
  readonly high: number;
  readonly close: number;
}

/** What quotes are compared with. Figures are in their unit. */
export interface KnownOfQuotes {
  readonly states: readonly DoubtfulState[];
  /** Of the days before theirs; older ones count for nothing. */
  readonly days: readonly DayFigures[];
}

/** How many UTC days before its own a quote is compared with. */
export const DRIFT_DAYS = 7;

/**
 * The quotes in doubt (contract §8): released by repeated readings alone after a jump and still near
 * them, or drifted too far, and in either case supported by no fresh second source; or drifted away
 * from it over days; or far from it for a time; or moved with all quotes of their origin while no
 * other origin followed.
 * @returns them, `until`, the first instant at which a doubt may end by the passage of time, and
 *   `changedAt`, the last one at which one may have begun or ended so.
 */
export function quotesInDoubt(
  quotes: readonly Quote[],
  { states, days }: KnownOfQuotes,
  thresholds: Thresholds,
  now: Instant,
): { readonly quotes: readonly Quote[]; readonly until: Instant; readonly changedAt: Instant } {
  const { inDoubtSec = 0, quoteRatio, confirmingSpanSec } = thresholds;
  const apartFrom = (since: Instant) => since + confirmingSpanSec * SECOND_MS;
  const endOf = (since: Instant) => since + inDoubtSec * SECOND_MS;
  const isOpen = (since: Instant | undefined) => since !== undefined && now < endOf(since);
  const byMarket = new Map(states.map((state) => [state.market, state]));
  const far = quotes.flatMap((quote) => {
    const { checkedAt = 0 } = byMarket.get(quote.market.id) ?? {};
    const own = farDays(quote, days, thresholds).filter(({ start }) => start + DAY_MS > checkedAt);
    return own.length > 0 ? [{ quote, days: own }] : [];
  });
  const drifted = far.filter((one) =>
    one.days.some((day) => !hasMovedToo(one.quote, day, { quotes, days, thresholds, now })),
  );
  const inDoubt = quotes.filter((quote) => {
    const { insisted = [], driftedAt, step, apartSince } = byMarket.get(quote.market.id) ?? {};
    if (apartSince !== undefined && apartFrom(apartSince) <= now) return true;
    if (step !== undefined && isOpen(beginOf(step))) return true;
    const isRepeated = insisted.some(
      ({ mid, at }) => isOpen(at) && !isRatioOver(quote.mid, mid, quoteRatio),
    );
    if (isRepeated) return true;
    if (isOpen(driftedAt) && !hasSupport(quote, quotes, thresholds, now)) return true;
    return drifted.some((one) => one.quote === quote);
  });
  const begins = states.flatMap(({ insisted, driftedAt, step }) => [
    ...insisted.map(({ at }) => at),
    driftedAt ?? [],
    (step && beginOf(step)) ?? [],
  ]);
  const isCompared = far.length > 0 || states.some((state) => state.driftedAt !== undefined);
  // Quotes may be in doubt once their second source is no longer fresh.
  const others = isCompared ? quotes.filter(isSecondSource) : [];
  const apart = states.flatMap(({ apartSince }) => apartSince ?? []);
  const ends = [...begins.flat().map(endOf), ...apart.map(apartFrom)];
  const past = [...ends, ...others.map(staleFrom)].filter((at) => at <= now);
  const until = Math.min(...ends.filter((at) => now < at));
  return { quotes: inDoubt, until, changedAt: Math.max(0, ...past) };
}

/** Since when a step is open; undefined once another origin has moved too. */
function beginOf({ since, confirmedAt }: NonNullable<DoubtfulState['step']>): Instant | undefined {
  return confirmedAt === undefined ? since : undefined;
}

/** The days of its last week on which a market published only figures that are over `driftRatio` from its quote. */
function farDays(
  { market, mid, updatedAt }: Quote,
  days: readonly DayFigures[],
  { driftRatio }: Thresholds,
): readonly (DayFigures & { readonly nearest: number })[] {
  if (driftRatio === undefined || !isSecondSource({ market })) return [];
  const today = updatedAt - (updatedAt % DAY_MS);
  return days.flatMap((day) => {
    const isOwn = day.market === market.id && day.start < today;
    if (!isOwn || day.start < today - DRIFT_DAYS * DAY_MS) return [];
    const nearest = Math.min(Math.max(mid, day.low), day.high);
    return isRatioOver(mid, nearest, driftRatio) ? [{ ...day, nearest }] : [];
  });
}

/** Whether the second source of a quote agrees with it, or moved since a day nearly as far as it. */
function hasMovedToo(
  { market, mid }: Quote,
  { start, nearest }: DayFigures & { readonly nearest: number },
  { quotes, days, thresholds, now }: Pick<KnownOfQuotes, 'days'> & Parts,
): boolean {
  const { agreementPercent, driftRatio = 1 } = thresholds;
  const other = otherOf(market, quotes, thresholds, now);
  if (other === undefined) return false;
  if (isNear(mid, other, agreementPercent)) return true;
  const closes = days.filter((day) => day.start === start);
  const ofDay = quotes.flatMap((quote) => {
    const close = closes.find((day) => day.market === quote.market.id)?.close;
    return close === undefined ? [] : [{ ...quote, mid: close }];
  });
  const before = otherOf(market, ofDay, thresholds, now);
  if (before === undefined) return hasSupport({ market, mid }, quotes, thresholds, now);
  const rest = (mid / nearest) * (before / other);
  return mid > nearest !== rest > 1 || !isRatioOver(rest, 1, driftRatio);
}

interface Parts {
  readonly quotes: readonly Quote[];
  readonly thresholds: Thresholds;
  readonly now: Instant;
}

/** Whether the other kind of market publishes about the same: the parallel for a venue, venues for it. */
export function hasSupport(
  { market, mid }: Pick<Quote, 'market' | 'mid'>,
  quotes: readonly Quote[],
  thresholds: Thresholds,
  now: Instant,
): boolean {
  const { parallelPercent } = thresholds;
  const other = otherOf(market, quotes, thresholds, now);
  if (other === undefined || parallelPercent === undefined) return false;
  return !areAway(market, mid, other, parallelPercent);
}

/** Whether the other kind of market publishes something else: real sides were 15.8 % apart at most. */
export function isApart(
  { market, mid }: Pick<Quote, 'market' | 'mid'>,
  quotes: readonly Quote[],
  thresholds: Thresholds,
  now: Instant,
): boolean {
  const other = otherOf(market, quotes, thresholds, now);
  return other !== undefined && areAway(market, mid, other, thresholds.venuePercent);
}

/** Whether a quote and its second source differ by more than a share of the parallel's figure. */
function areAway({ type }: Market, mid: number, other: number, percent: number): boolean {
  return type === 'p2p' ? isAway(mid, other, percent) : isAway(other, mid, percent);
}

/** What the fresh quotes of the other kind of market show. */
function otherOf(
  market: Market,
  quotes: readonly Quote[],
  thresholds: Thresholds,
  now: Instant,
): number | undefined {
  const freshOf = (type: MarketType) =>
    quotes
      .filter((quote) => quote.market.type === type && quote.market.base === market.base)
      .filter((quote) => !isStale(quote, now))
      .map((quote) => ({ published: quote.mid, newest: quote.mid }));
  return secondSourceOf(market, freshOf, thresholds);
}

/** Whether a quote is of a market that may have a second source, and be one. */
export function isSecondSource({ market: { type } }: Pick<Quote, 'market'>): boolean {
  return type === 'p2p' || type === 'parallel';
}
