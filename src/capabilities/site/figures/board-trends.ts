import { quoteFrom, type Snapshot } from '../../../core/app/snapshot.ts';
import { premiumOf } from '../../../core/domain/calculations/premium.ts';
import {
  INDEX_COMPONENTS,
  referenceIndex,
} from '../../../core/domain/calculations/reference-index.ts';
import { round, subtract, toNumber } from '../../../core/domain/decimal.ts';
import { PERIOD_DAYS } from '../../../core/domain/history/changes.ts';
import { type Capture, firstDayInRetention } from '../../../core/domain/history/history.ts';
import {
  isOfficial,
  type Market,
  OFFICIAL_USD,
  PARALLEL_MARKET,
} from '../../../core/domain/markets.ts';
import { changeOf } from '../../../core/domain/official.ts';
import { dropsAt, type Quote } from '../../../core/domain/quotes.ts';
import { captureUnit, unitAt } from '../../../core/domain/redenomination.ts';
import {
  addUtcDays,
  caracasDayOf,
  DAY_MS,
  endOfUtcDay,
  type Instant,
  startOfUtcDay,
  type UtcDay,
  utcDayOf,
} from '../../../core/domain/time.ts';
import type { Services } from '../../../core/http/pipeline/services.ts';
import type { BoardFigures } from '../board/board-figures.ts';

/** Days of the curves on the cards, if the operator's history is that long. */
const CURVE_DAYS = 30;
/** Decimals of a difference between two premiums, in percentage points. */
const POINT_DECIMALS = 2;

type Card = 'parallel' | 'p2p' | 'index' | 'gap';

type CardFigures = Readonly<Partial<Record<Card, number>>> & {
  /** The components that the index weighs. Indexes of different components are not compared. */
  readonly indexOf?: string;
};

/** The figures of the cards in the past: a day ago, and at the close of each UTC day. */
export interface PastFigures {
  readonly dayAgo: CardFigures;
  /** Oldest first, without today. */
  readonly closes: readonly CardFigures[];
}

export const NO_PAST: PastFigures = { dayAgo: {}, closes: [] };

/** Calculates past figures by the current rules, including the exclusions of the index. */
function cardFigures(quotes: readonly Quote[], at: Instant): CardFigures {
  const midOf = (id: string) => quotes.find(({ market }) => market.id === id)?.mid;
  const [official, parallel] = [midOf(OFFICIAL_USD), midOf(PARALLEL_MARKET)];
  const index = referenceIndex(quotes, at);
  return {
    parallel,
    p2p: index?.p2pMedian,
    index: index?.value,
    indexOf: index && INDEX_COMPONENTS.filter((name) => index.weights[name] > 0).join(),
    gap: official && parallel && premiumOf({ reference: official, compared: parallel }).percentage,
  };
}

/** Reads the history of the markets on the cards. With `historyDays` 0 there are no curves. */
export async function pastFigures(
  now: Instant,
  { services, historyDays }: { readonly services: Services; readonly historyDays: number },
): Promise<PastFigures> {
  if (historyDays < PERIOD_DAYS['1d']) return NO_PAST;
  const { store, redenominations } = services;
  const markets = services.markets.list.filter(
    ({ id, type, base }) =>
      id === OFFICIAL_USD || id === PARALLEL_MARKET || (type === 'p2p' && base === 'USD'),
  );
  const dayAgo = now - DAY_MS;
  const ids = markets.map(({ id }) => id);
  const stored = ids.length === 0 ? [] : await store.lastQuotesBefore(ids, dayAgo + 1);
  const quotes = markets.flatMap((market) => {
    const capture = stored.find(({ market: id }) => id === market.id);
    return capture === undefined
      ? []
      : [quoteFrom(capture, market, { now: dayAgo, day: caracasDayOf(now), redenominations })];
  });
  const inForce = quotes.filter((quote) => dayAgo < dropsAt(quote));
  return {
    dayAgo: cardFigures(inForce, dayAgo),
    closes: await closes(markets, now, historyDays, services),
  };
}

async function closes(
  markets: readonly Market[],
  now: Instant,
  historyDays: number,
  { store, redenominations }: Services,
): Promise<readonly CardFigures[]> {
  const today = utcDayOf(now);
  const first = firstDayInRetention(today, Math.min(CURVE_DAYS, historyDays));
  const start = startOfUtcDay(first);
  const captures = new Map<Market, ReadonlyMap<UtcDay, Capture>>();
  const carried = new Map<Market, Capture>();
  for (const market of markets) {
    const daily = await store.lastCaptureOfEachDay(market.id, start, startOfUtcDay(today));
    captures.set(market, new Map(daily.map((capture) => [utcDayOf(capture.capturedAt), capture])));
    const previous = isOfficial(market)
      ? await store.lastCaptureBefore(market.id, start)
      : undefined;
    if (previous !== undefined) carried.set(market, previous);
  }
  const days: CardFigures[] = [];
  for (let day = first; day < today; day = addUtcDays(day, 1)) {
    const quotes: Quote[] = [];
    for (const market of markets) {
      const capture = captures.get(market)?.get(day);
      // An official rate applies until the next one; other quotes count only for their own day.
      if (capture !== undefined && isOfficial(market)) carried.set(market, capture);
      const latest = capture ?? carried.get(market);
      if (latest !== undefined) {
        const units = { from: captureUnit(latest, market), to: unitAt(now) };
        const { mid } = redenominations.rebasedSides(latest, units);
        quotes.push({ market, mid, updatedAt: latest.updatedAt });
      }
    }
    days.push(cardFigures(quotes, endOfUtcDay(day)));
  }
  return days;
}

/**
 * Compares the current figures with the past ones. A figure has a change only if the quotes
 * of the last day and the official rates alone give it: otherwise it rests on older quotes.
 */
export function trendsOf(
  { quotes }: Snapshot,
  now: Instant,
  past: PastFigures,
): BoardFigures['trends'] {
  const current = cardFigures(quotes, now);
  const ofLastDay = quotes.filter(
    ({ market, updatedAt }) => isOfficial(market) || updatedAt > now - DAY_MS,
  );
  const recent = cardFigures(ofLastDay, now);
  const comparable = (card: Card, figures: CardFigures) =>
    card === 'index' && figures.indexOf !== current.indexOf ? undefined : figures[card];
  function trendOf<Change>(card: Card, changeFrom: (from: number, value: number) => Change) {
    const value = current[card];
    if (value === undefined) return undefined;
    const dayAgo = recent[card] === value ? comparable(card, past.dayAgo) : undefined;
    return {
      change: dayAgo === undefined ? undefined : changeFrom(dayAgo, value),
      closes: [...past.closes.flatMap((close) => comparable(card, close) ?? []), value],
    };
  }
  const inVes = (from: number, value: number) => ({ ...changeOf(value, { from }) });
  return {
    parallel: trendOf('parallel', inVes),
    p2p: trendOf('p2p', inVes),
    index: trendOf('index', inVes),
    gap: trendOf('gap', (from, value) => ({
      amount: toNumber(round(subtract(value, from), POINT_DECIMALS)),
    })),
  };
}
