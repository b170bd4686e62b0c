import type { QuoteChange, QuoteRules } from '../../../domain/judgement/quote-body.ts';
import { step } from '../../../domain/judgement/quote-fold.ts';
import {
  type HeldQuote,
  type MarketMemory,
  nothingOf,
  type QuoteReading,
  type QuotesState,
  REMEMBERED_MS,
} from '../../../domain/judgement/quote-memory.ts';
import { memoryInUnit } from '../../../domain/judgement/quote-units.ts';
import { asShown, contentTime } from '../../../domain/judgement/quote-voices.ts';
import { isOfficial } from '../../../domain/markets.ts';
import { caracasDayOf, type Instant } from '../../../domain/time.ts';
import type { HeldRecord } from '../../ports/held.ts';
import type { QuoteCapture, StoredQuote } from '../../ports/quotes.ts';
import type { BatchContext } from '../batch-context.ts';
import { type Candidate, quoteReading } from '../record-entry.ts';
import type { Officials } from './officials.ts';
import { bodiesOf } from './quote-bodies.ts';
import type { Moment, RecentQuotes, StoredReading } from './recent-quotes.ts';

/** Most stored readings that are judged again because others arrive late. */
const MAX_READ_AGAIN = 100_000;

export interface HeldCandidate {
  readonly held: HeldRecord;
  readonly candidate: Candidate;
}

/** Parses a held record; undefined when its market is gone. */
export type CandidateOf = (held: HeldRecord) => Candidate | undefined;

/** What is known of stored quotes, besides the store. */
export interface KnownBesides {
  /** Held quotes that still count, oldest first. */
  readonly held: readonly HeldCandidate[];
  readonly candidateOf: CandidateOf;
  readonly recent: RecentQuotes;
}

/** Some readings in any order, and what was known before the first of them. */
export interface Window {
  readonly before: QuotesState;
  readonly readings: readonly QuoteReading[];
  /** False when there are too many of them, and none is here. */
  readonly isWhole: boolean;
}

/** What became of some readings, moment by moment, and what is known after them. */
export interface Folded {
  readonly state: QuotesState;
  readonly changes: ReadonlyMap<QuoteReading, QuoteChange>;
  readonly moments: readonly Moment[];
}

/** Judges readings in the order of their times. */
export function fold(
  before: QuotesState,
  readings: readonly QuoteReading[],
  rules: QuoteRules,
): Folded {
  const changes = new Map(pendingIn(before));
  const moments: Moment[] = [];
  let state = before;
  const bodies = bodiesOf(readings);
  // Without any, an official rate may still release what waits for one.
  for (const body of bodies.length === 0 ? [{ at: state.at, readings: [] }] : bodies) {
    moments.push({ at: body.at, before: state, readings: body.readings });
    const made = step(state, body, rules);
    state = made.state;
    for (const change of made.changes) {
      changes.set(change.reading, { ...changes.get(change.reading), ...change });
    }
  }
  return { state, changes, moments };
}

/** What the held readings of a state are, as long as nothing becomes of them. */
export function pendingIn({ markets }: QuotesState): ReadonlyMap<QuoteReading, QuoteChange> {
  const pending = [...markets.values()].flatMap(({ held }) => held);
  return new Map(
    pending.map(({ reading, updatedAt, doubts }) => [
      reading,
      { reading, status: 'held', updatedAt, doubts },
    ]),
  );
}

/** The stored readings of markets without value dates, and what is remembered of them. */
export class StoredQuotes {
  readonly #context: BatchContext;
  readonly #officials: Officials;
  /** Held quotes that still count, oldest first. */
  readonly #held: readonly HeldCandidate[];
  readonly #candidateOf: CandidateOf;
  readonly #recent: RecentQuotes;

  constructor(
    context: BatchContext,
    officials: Officials,
    { held, candidateOf, recent }: KnownBesides,
  ) {
    this.#context = context;
    this.#officials = officials;
    this.#held = held;
    this.#candidateOf = candidateOf;
    this.#recent = recent;
  }

  /** What a reading is in the store; undefined for one of the batch. */
  of(reading: QuoteReading): StoredReading | undefined {
    return this.#recent.stored.get(reading);
  }

  /**
   * What is known now. It is remembered with the current quotes; when these are others, as after a
   * restored backup, it is made again from the readings of the last day.
   */
  async current(): Promise<QuotesState> {
    const context = this.#context;
    const quotes = context.current.quotes.flatMap((quote) => {
      const market = context.markets.find(quote.market);
      return market === undefined || isOfficial(market) ? [] : [{ market, quote }];
    });
    const recent = this.#recent.stateOf(
      quotes.map(({ quote }) => quote),
      this.#held.map((one) => one.held),
    );
    if (recent !== undefined && !context.order.isSetBack) return recent;
    this.#recent.forget();
    const held = this.#heldQuotes(this.#held);
    const newest = quotes.map(({ quote }) => context.order.asKnown(quote).capturedAt);
    const at = Math.max(0, ...newest, ...held.map((one) => one.at));
    const remembered = new Map(context.current.memories.map((one) => [one.market, one]));
    const isKnown = quotes.every(({ market, quote }) => {
      const { published, at: unitAt = 0 } = remembered.get(market.id) ?? {};
      // After the clock was set back, a quote is stored as read later than it was.
      const isItsTime = published?.at === quote.capturedAt || context.order.isSetBack;
      const days = { from: caracasDayOf(quote.capturedAt), to: caracasDayOf(unitAt) };
      return isItsTime && published?.mid === context.redenominations.rebased(quote.mid, days);
    });
    const made = isKnown ? undefined : (await this.around({ from: at + 1, to: at })).before;
    const markets = new Map<string, MarketMemory>();
    for (const { market, quote } of quotes) {
      const known = remembered.get(market.id);
      const memory = made?.markets.get(market.id) ?? { ...nothingOf(market), ...known, market };
      const { published, ...more } = this.#inUnit(memory, made?.at ?? known?.at ?? at, at);
      const { capturedAt, updatedAt } = context.order.asKnown(quote);
      markets.set(market.id, {
        ...more,
        unchangedSince: known?.unchangedSince ?? memory.unchangedSince,
        published: published && { ...published, at: capturedAt, updatedAt },
        held: [],
        shown: undefined,
      });
    }
    for (const one of held.map((other) => this.#heldInUnit(other, at))) {
      const { market, datedAt } = one.reading;
      const memory = markets.get(market.id) ?? nothingOf(market);
      const timed = { ...one, updatedAt: datedAt ?? contentTime(one.reading, memory) };
      const isNewest = one.at > (memory.published?.at ?? 0);
      const shown = isNewest ? asShown(timed) : memory.shown;
      markets.set(market.id, { ...memory, held: [...memory.held, timed], shown });
    }
    return { at, markets };
  }

  /**
   * The stored readings from `from` up to `to`, and the state before `from`. Among too many of them
   * there are none: the readings of the batch are then judged by each other.
   */
  async around(span: { readonly from: Instant; readonly to: Instant }): Promise<Window> {
    const context = this.#context;
    const recent = this.#recent.since(span.from);
    if (recent !== undefined) return { ...recent, isWhole: true };
    const start = span.from - REMEMBERED_MS;
    const read = { from: start, to: span.to };
    const { captures, held } = await context.store.quotesRead(read, MAX_READ_AGAIN);
    if (captures.length + held.length >= MAX_READ_AGAIN) {
      return { before: await this.#stateAt(span.from), readings: [], isWhole: false };
    }
    const before = await this.#stateAt(start);
    const { rules } = this.#officials;
    const others = held.flatMap((one) => {
      const candidate = this.#candidateOf(one);
      return candidate === undefined ? [] : [{ held: one, candidate }];
    });
    let readings = [
      ...this.#readingsOf(captures),
      ...this.#heldQuotes(others).map(({ reading }) => reading),
    ];
    await this.#officials.expect(readings);
    // What was published stays so, whatever the rules of today say about it alone.
    const { changes } = fold(before, readings, rules);
    readings = readings.map((reading) => {
      const isFact =
        this.of(reading)?.quote !== undefined && changes.get(reading)?.status === 'held';
      return isFact ? this.#trusted(reading) : reading;
    });
    const earlier = readings.filter(({ at }) => at < span.from);
    return {
      before: fold(before, earlier, rules).state,
      readings: readings.filter(({ at }) => at >= span.from),
      isWhole: true,
    };
  }

  #inUnit(memory: MarketMemory, from: Instant, to: Instant): MarketMemory {
    const days = { from: caracasDayOf(from), to: caracasDayOf(to) };
    const { rebased } = this.#context.redenominations;
    return memoryInUnit(memory, (figure) => rebased(figure, days));
  }

  #heldInUnit(held: HeldQuote, to: Instant): HeldQuote {
    const days = { from: caracasDayOf(held.at), to: caracasDayOf(to) };
    return this.#context.redenominations.rebasedSides(held, days);
  }

  #trusted(reading: QuoteReading): QuoteReading {
    const trusted = { ...reading, isTrusted: true };
    const stored = this.of(reading);
    if (stored !== undefined) this.#recent.stored.set(trusted, stored);
    return trusted;
  }

  /** The last quotes before an instant, with nothing else remembered of their markets. */
  async #stateAt(before: Instant): Promise<QuotesState> {
    const { markets, store } = this.#context;
    const ids = markets.list.filter((market) => !isOfficial(market)).map(({ id }) => id);
    const last = ids.length === 0 ? [] : await store.lastQuotesBefore(ids, before);
    const memories = last.flatMap((quote) => {
      const market = markets.find(quote.market);
      if (market === undefined) return [];
      const { mid, ask, bid, capturedAt: at, updatedAt, source = '' } = quote;
      const origin = this.#context.originOf(source, market.id);
      const figures = { mid, ask, bid, at, updatedAt, source, origin };
      const published = { ...figures, isDated: isDated(quote) };
      const past = [{ mid, at }];
      return [[market.id, { ...nothingOf(market), published, past }] as const];
    });
    return { at: before, markets: new Map(memories) };
  }

  #readingsOf(captures: readonly QuoteCapture[]): readonly QuoteReading[] {
    const { markets, originOf } = this.#context;
    return captures.flatMap(({ quote, source, isTrusted }) => {
      const market = markets.find(quote.market);
      if (market === undefined || market.id !== quote.market) return [];
      const { mid, ask, bid, capturedAt, observedAt: at = capturedAt, updatedAt } = quote;
      const reading: QuoteReading = {
        ...{ market, mid, ask, bid, at, source, isTrusted },
        datedAt: isDated(quote) ? updatedAt : undefined,
        origin: originOf(source, market.id),
      };
      this.#recent.stored.set(reading, { quote });
      return [reading];
    });
  }

  #heldQuotes(held: readonly HeldCandidate[]): readonly HeldQuote[] {
    return held.flatMap(({ held: record, candidate }) => {
      const { source, subject, reason: gravest, message, reasons = [gravest] } = record;
      const origin = this.#context.originOf(source, subject);
      const reading = quoteReading(candidate, { source, origin, isTrusted: false });
      if (reading === undefined) return [];
      this.#recent.stored.set(reading, { held: record, candidate });
      const { mid, ask, bid, at, datedAt = at } = reading;
      const doubts = reasons.map((reason) => ({
        reason,
        message: reason === gravest ? message : reason,
      }));
      return [{ reading, mid, ask, bid, at, updatedAt: datedAt, doubts }];
    });
  }
}

/** Whether its source gave the time of a quote. */
function isDated({ observedAt, capturedAt }: StoredQuote): boolean {
  return observedAt !== capturedAt;
}
