import {
  type HeldQuote,
  type MarketMemory,
  nothingOf,
  type QuoteChange,
  type QuoteReading,
  type QuotesState,
  REMEMBERED_MS,
} from '../../../domain/judgement/quote-memory.ts';
import { asShown, contentTime } from '../../../domain/judgement/quote-others.ts';
import { memoryInUnit } from '../../../domain/judgement/quote-units.ts';
import { isOfficial } from '../../../domain/markets.ts';
import { caracasDayOf, type Instant } from '../../../domain/time.ts';
import type { HeldRecord } from '../../ports/held.ts';
import type { QuoteCapture, StoredQuote } from '../../ports/quotes.ts';
import type { BatchContext } from '../batch-context.ts';
import { quoteReading } from '../record-entry.ts';
import { type AsStored, fold, pendingIn, type Span, type Window } from './folded.ts';
import type { Officials } from './officials.ts';
import { doubtsOf } from './quote-changes.ts';
import type { HeldCandidate, RecentQuotes, StoredReading } from './recent-quotes.ts';
import { endedSince, lastReadBefore, windowStart } from './window-start.ts';

/** Most stored readings that are judged again because others arrive late. */
// limit: Stored readings judged again | 100,000 | the new ones by each other
export const MAX_READ_AGAIN = 100_000;

/** Rounds in which a reading that stays what it is in the store may make others stay so. */
// limit: Rounds of stored readings | 3 | the last counts
const MAX_ROUNDS = 3;

/** The stored readings of markets without value dates, and what is remembered of them. */
export class StoredQuotes {
  readonly #context: BatchContext;
  readonly #officials: Officials;
  readonly #held: readonly HeldCandidate[];
  readonly #recent: RecentQuotes;
  /** Whether what is known now was made from readings. */
  isMade = false;

  /** @param held Held quotes that still count, oldest first. */
  constructor(context: BatchContext, officials: Officials, held: readonly HeldCandidate[]) {
    this.#context = context;
    this.#officials = officials;
    this.#held = held;
    this.#recent = context.recent;
  }

  get #ids(): readonly string[] {
    return this.#context.markets.list.filter((market) => !isOfficial(market)).map(({ id }) => id);
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
    const recent = this.#recent.stateOf(context.current.judged);
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
    this.isMade = !isKnown;
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
    this.#addHeld(markets, held, at);
    return { at, markets };
  }

  /**
   * The stored readings from `from` up to `to`, and the state before `from`. Among too many of them
   * there are none: the readings of the batch are then judged by each other.
   */
  async around(span: Span): Promise<Window> {
    const recent = this.#recent.since(span.from);
    if (recent !== undefined) {
      const { before, readings } = recent;
      const folded = await fold(before, readings, this.#officials);
      return { before, readings, folded, isWhole: true, to: Number.POSITIVE_INFINITY };
    }
    const start = await windowStart(this.#ids, span.from - REMEMBERED_MS, this.#context);
    const found = await this.#read({ from: start, to: span.to }, MAX_READ_AGAIN);
    if (found === undefined) {
      const before = await this.#stateAt(span.from);
      const folded = await fold(before, [], this.#officials);
      return { before, readings: [], folded, isWhole: false, to: span.to };
    }
    const { readings, folded } = await this.#asStored(await this.#stateAt(start), found, span);
    return {
      before: folded.moments.find(({ at }) => at >= span.from)?.before ?? folded.state,
      readings: readings.filter(({ at }) => at >= span.from),
      folded,
      isWhole: true,
      to: span.to,
    };
  }

  /**
   * The stored readings from `from` up to `to`, as they are judged after what was known before them;
   * undefined if they are more than `limit`.
   */
  async after(before: QuotesState, span: Span, limit: number): Promise<AsStored | undefined> {
    const found = await this.#read(span, limit);
    return found && this.#asStored(before, found, span);
  }

  /** The stored readings of a time; undefined if they are too many. */
  async #read(span: Span, limit: number): Promise<readonly QuoteReading[] | undefined> {
    const { captures, held } = await this.#context.store.quotesRead(span, limit);
    if (captures.length + held.length >= limit) return undefined;
    return [
      ...this.#readingsOf(captures),
      ...this.#heldQuotes(this.#candidates(held)).map(({ reading }) => reading),
    ];
  }

  #candidates(held: readonly HeldRecord[]): readonly HeldCandidate[] {
    return held.flatMap((one) => {
      const candidate = this.#context.candidateOf(one);
      return candidate === undefined ? [] : { held: one, candidate };
    });
  }

  /** What was published or held stays so, whatever the rules of today say about it alone. */
  async #asStored(
    before: QuotesState,
    given: readonly QuoteReading[],
    { isOpen = false }: Span,
  ): Promise<AsStored> {
    let readings = given;
    let folded = await fold(before, readings, this.#officials);
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const { changes, state } = folded;
      // Readings of after the span may still release these.
      const pending = isOpen ? pendingIn(state) : new Map();
      const facts = readings.map((reading) =>
        pending.has(reading) ? reading : this.#fact(reading, changes.get(reading)),
      );
      if (facts.every((fact, place) => fact === readings[place])) break;
      readings = facts;
      folded = await fold(before, readings, this.#officials);
    }
    return { readings, folded };
  }

  #fact(reading: QuoteReading, change: QuoteChange | undefined): QuoteReading {
    const stored = this.of(reading);
    const copied = (more: Partial<QuoteReading>) => {
      const copy = { ...reading, ...more };
      if (stored !== undefined) this.#recent.stored.set(copy, stored);
      return copy;
    };
    const { quote, held } = stored ?? {};
    if (quote !== undefined && change?.status === 'held') return copied({ isTrusted: true });
    if (held === undefined || change?.status !== 'published') return reading;
    return copied({ heldFor: doubtsOf(held) });
  }

  /** @param at Their figures are in the unit of this instant. */
  #addHeld(markets: Map<string, MarketMemory>, held: readonly HeldQuote[], at: Instant): void {
    for (const one of held.map((other) => this.#heldInUnit(other, at))) {
      const { market, datedAt } = one.reading;
      const memory = markets.get(market.id) ?? nothingOf(market);
      const timed = { ...one, updatedAt: datedAt ?? contentTime(one.reading, memory) };
      const isNewest = one.at > (memory.published?.at ?? 0);
      const shown = isNewest ? asShown(timed) : memory.shown;
      markets.set(market.id, { ...memory, held: [...memory.held, timed], shown });
    }
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

  /**
   * The last quotes before an instant, in its unit, and the readings that are held since before it. Nothing
   * else is remembered of their markets.
   */
  async #stateAt(before: Instant): Promise<QuotesState> {
    const { markets, store, current } = this.#context;
    const last = await lastReadBefore(this.#ids, { store, before });
    const remembered = new Map(current.memories.map((one) => [one.market, one]));
    const memories = new Map<string, MarketMemory>();
    for (const quote of last) {
      const market = markets.find(quote.market);
      if (market === undefined) continue;
      const { mid, ask, bid, capturedAt: at, updatedAt, source = '' } = quote;
      const origin = this.#context.originOf(source, market.id);
      const figures = { mid, ask, bid, at, updatedAt, source, origin };
      const published = { ...figures, isDated: isDated(quote) };
      const { unchangedSince } = remembered.get(market.id) ?? {};
      // The figures of now may have been those of then too.
      const since = unchangedSince !== undefined && unchangedSince <= at && { unchangedSince };
      const memory = { ...nothingOf(market), published, past: [{ mid, at }], ...since };
      memories.set(market.id, this.#inUnit(memory, at, before));
    }
    const ended = await endedSince(before, { store, memories });
    const held = [...this.#held, ...this.#candidates(ended)];
    const waiting = this.#heldQuotes(held).filter(({ at }) => at < before);
    this.#addHeld(
      memories,
      waiting.toSorted((a, b) => a.at - b.at),
      before,
    );
    return { at: before, markets: memories };
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
      const { source, subject } = record;
      const origin = this.#context.originOf(source, subject);
      const reading = quoteReading(candidate, { source, origin, isTrusted: false });
      if (reading === undefined) return [];
      this.#recent.stored.set(reading, { held: record, candidate });
      const { mid, ask, bid, at, datedAt = at } = reading;
      return [{ reading, mid, ask, bid, at, updatedAt: datedAt, doubts: doubtsOf(record) }];
    });
  }
}

/** Whether its source gave the time of a quote. */
function isDated({ observedAt, capturedAt }: StoredQuote): boolean {
  return observedAt !== capturedAt;
}
