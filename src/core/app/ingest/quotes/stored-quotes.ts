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
import { type Candidate, quoteReading } from '../record-entry.ts';
import { stateOf } from './checkpoints.ts';
import { after, fold, pendingIn, type Span, type Window } from './folded.ts';
import type { Officials } from './officials.ts';
import { doubtsOf } from './quote-changes.ts';
import { sentAgain } from './sent-again.ts';

/** Most stored readings that are judged again because others arrive late. */
// limit: Stored readings judged again | 100,000 | the new ones by each other
export const MAX_READ_AGAIN = 100_000;

/** A held record, with what it says. */
export interface HeldCandidate {
  readonly held: HeldRecord;
  readonly candidate: Candidate;
}

/** What a reading is in the store. */
type StoredReading =
  | { readonly quote: StoredQuote; readonly held?: undefined }
  | (HeldCandidate & { readonly quote?: undefined });

/** The stored readings of markets without value dates, and what is remembered of them. */
export class StoredQuotes {
  readonly #context: BatchContext;
  readonly #officials: Officials;
  readonly #held: readonly HeldCandidate[];
  readonly #stored = new Map<QuoteReading, StoredReading>();

  /** @param held Held quotes that still count, oldest first. */
  constructor(context: BatchContext, officials: Officials, held: readonly HeldCandidate[]) {
    this.#context = context;
    this.#officials = officials;
    this.#held = held;
  }

  /** When the newest of them was read. */
  get newest(): Instant {
    const times = this.#quotes.map(({ quote }) => this.#context.order.asKnown(quote).capturedAt);
    return Math.max(0, ...times, ...this.#held.map(({ held }) => held.capturedAt));
  }

  /** The current ones, with their markets. */
  get #quotes() {
    const { current, markets } = this.#context;
    return current.quotes.flatMap((quote) => {
      const market = markets.find(quote.market);
      return market === undefined || isOfficial(market) ? [] : [{ market, quote }];
    });
  }

  /** What a reading is in the store; undefined for one of the batch. */
  of(reading: QuoteReading): StoredReading | undefined {
    return this.#stored.get(reading);
  }

  /** Finds in the store those of some readings that had waited before those that were read. */
  async find(readings: Iterable<QuoteReading>): Promise<void> {
    const unknown = [...readings].filter((reading) => !this.#stored.has(reading));
    for (const [at, together] of Map.groupBy(unknown, (reading) => reading.at)) {
      const found = await this.#read({ from: at, to: at }, MAX_READ_AGAIN);
      for (const [reading, same] of sentAgain(together, found ?? [])) {
        const stored = this.of(same);
        if (stored !== undefined) this.#stored.set(reading, stored);
      }
    }
  }

  /**
   * What is known now, and whether the store remembers it. It is remembered with the current quotes;
   * when these are others, as after a restored backup, it is made again from the readings of the
   * last day.
   */
  async current(): Promise<{ readonly known: QuotesState; readonly isRemembered: boolean }> {
    const context = this.#context;
    const at = this.newest;
    const remembered = new Map(context.current.memories.map((one) => [one.market, one]));
    const isRemembered = this.#quotes.every(({ market, quote }) => {
      const { published, at: unitAt = 0 } = remembered.get(market.id) ?? {};
      // After the clock was set back, a quote is stored as read later than it was.
      const isItsTime = published?.at === quote.capturedAt || context.order.isSetBack;
      const days = { from: caracasDayOf(quote.capturedAt), to: caracasDayOf(unitAt) };
      return isItsTime && published?.mid === context.redenominations.rebased(quote.mid, days);
    });
    const made = isRemembered ? undefined : (await this.around({ from: at + 1, to: at })).before;
    const markets = new Map<string, MarketMemory>();
    for (const { market, quote } of this.#quotes) {
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
    this.#addHeld(markets, this.#heldQuotes(this.#held), at);
    return { known: { at, markets }, isRemembered };
  }

  /**
   * The stored readings of a time, and the state before it: from the last checkpoint on, or without
   * one from the quotes before the last day. Among too many readings there are none: those of the
   * batch are then judged by each other.
   */
  async around({ from, to }: Span): Promise<Window> {
    const { store, markets } = this.#context;
    const checkpoint = await store.checkpointBefore(from);
    const start = checkpoint && stateOf(checkpoint, markets);
    const found =
      (start && (await this.since(start, to, MAX_READ_AGAIN))) ??
      (await this.since(await this.#stateAt(from - REMEMBERED_MS), to, MAX_READ_AGAIN));
    if (found === undefined) return { ...after(await this.#stateAt(from)), to: undefined };
    const { readings, folded } = found;
    return {
      before: folded.states.findLast(({ at }) => at < from) ?? folded.state,
      readings: readings.filter(({ at }) => at >= from),
      folded,
      to,
    };
  }

  /**
   * The stored readings of after a state, up to an instant, as they are judged after it; undefined if
   * they are more than `limit`. What was published or held stays so, whatever the rules of today say
   * about it alone.
   */
  async since(before: QuotesState, to: Instant, limit: number) {
    const given = await this.#read({ from: before.at + 1, to }, limit);
    if (given === undefined) return undefined;
    const judged = await fold(before, given, this.#officials);
    // Readings of after the span may still release these.
    const pending = to < this.newest ? pendingIn(judged.state) : new Map();
    const readings = given.map((reading) =>
      pending.has(reading) ? reading : this.#fact(reading, judged.changes.get(reading)),
    );
    const isSo = readings.every((reading, place) => reading === given[place]);
    return { readings, folded: isSo ? judged : await fold(before, readings, this.#officials) };
  }

  /** The stored readings of a time; undefined if they are too many. */
  async #read(span: Span, limit: number): Promise<readonly QuoteReading[] | undefined> {
    const { captures, held } = await this.#context.store.quotesRead(span, limit);
    if (captures.length + held.length >= limit) return undefined;
    const candidates = held.flatMap((one) => {
      const candidate = this.#context.candidateOf(one);
      return candidate === undefined ? [] : { held: one, candidate };
    });
    return [
      ...this.#readingsOf(captures),
      ...this.#heldQuotes(candidates).map(({ reading }) => reading),
    ];
  }

  #fact(reading: QuoteReading, change: QuoteChange | undefined): QuoteReading {
    const stored = this.of(reading);
    const copied = (more: Partial<QuoteReading>) => {
      const copy = { ...reading, ...more };
      if (stored !== undefined) this.#stored.set(copy, stored);
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
   * The last quotes before an instant, in its unit, and the readings that are held since before it.
   * Nothing else is remembered of their markets.
   */
  async #stateAt(before: Instant): Promise<QuotesState> {
    const { markets, store, current, originOf } = this.#context;
    const ids = markets.list.filter((market) => !isOfficial(market)).map(({ id }) => id);
    const memories = new Map<string, MarketMemory>();
    for (const quote of await store.lastQuotesBefore(ids, before)) {
      const market = markets.find(quote.market);
      if (market === undefined) continue;
      const { mid, ask, bid, capturedAt: at, updatedAt, source = '' } = quote;
      const figures = { mid, ask, bid, at, updatedAt, source, origin: originOf(source, market.id) };
      const published = { ...figures, isDated: isDated(quote) };
      const { unchangedSince } = current.memories.find((one) => one.market === market.id) ?? {};
      // The figures of now may have been those of then too.
      const since = unchangedSince !== undefined && unchangedSince <= at && { unchangedSince };
      const memory = { ...nothingOf(market), published, past: [{ mid, at }], ...since };
      memories.set(market.id, this.#inUnit(memory, at, before));
    }
    const waiting = this.#heldQuotes(this.#held).filter(({ at }) => at < before);
    this.#addHeld(memories, waiting, before);
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
      this.#stored.set(reading, { quote });
      return [reading];
    });
  }

  #heldQuotes(held: readonly HeldCandidate[]): readonly HeldQuote[] {
    return held.flatMap(({ held: record, candidate }) => {
      const { source, subject } = record;
      const origin = this.#context.originOf(source, subject);
      const reading = quoteReading(candidate, { source, origin, isTrusted: false });
      if (reading === undefined) return [];
      this.#stored.set(reading, { held: record, candidate });
      const { mid, ask, bid, at, datedAt = at } = reading;
      return [{ reading, mid, ask, bid, at, updatedAt: datedAt, doubts: doubtsOf(record) }];
    });
  }
}

/** Whether its source gave the time of a quote. */
function isDated({ observedAt, capturedAt }: StoredQuote): boolean {
  return observedAt !== capturedAt;
}
