import { isRatioOver } from '../../domain/calculations/ratio.ts';
import {
  isLikely,
  isRestored,
  type QuoteContext,
  quoteDoubts,
} from '../../domain/judgement/quote-judgement.ts';
import type { QuoteObservation } from '../../domain/judgement.ts';
import { isOfficial, type Market, OFFICIAL_RATES } from '../../domain/markets.ts';
import { caracasDayOf, type Instant } from '../../domain/time.ts';
import type { StoredQuote } from '../ports/records.ts';
import type { BatchContext } from './batch-context.ts';
import type { KnownPublications } from './known-publications.ts';
import { KnownVenues, readingOf, type SeenReading } from './known-venues.ts';
import { keepLast, ReadingOrder } from './reading-order.ts';
import type { Candidate } from './record-entry.ts';
import { replacedBy } from './replaced-quote.ts';

/** Most accepted quotes of a market and batch among which the replaced one is looked for. */
const MAX_RECENT_QUOTES = 2_000;

/** The quotes of markets without value dates that a new one is compared with. */
export class KnownQuotes {
  readonly #context: BatchContext;
  readonly #publications: KnownPublications;
  /** The newest accepted quote of each market, stored or of this batch. */
  readonly #newest = new Map<string, StoredQuote>();
  /** The same in the order of the store: of two captures at one instant, the one with a later time. */
  readonly #last = new Map<string, StoredQuote>();
  /** The newest held quote of each market, in that order. */
  readonly #held = new Map<string, StoredQuote>();
  /** The newest quotes accepted in this batch, oldest first. */
  readonly #recent = new Map<string, StoredQuote[]>();
  /** Those of them that were the current quote. The others were read before it. */
  readonly #wereNewest = new WeakSet<StoredQuote>();
  /** Every reading of this batch by its time. */
  readonly #bodies = new Map<Instant, SeenReading[]>();
  /**
   * What each quote of the current body is compared with. Fixed before the body is judged, so that
   * its quotes do not influence each other.
   */
  readonly #compared = new Map<Candidate, ComparedWith>();
  readonly #venues: KnownVenues;
  readonly order: ReadingOrder;

  constructor(context: BatchContext, publications: KnownPublications) {
    this.#context = context;
    this.#publications = publications;
    this.order = new ReadingOrder(context.now, context.current.quotes);
    this.#venues = new KnownVenues(context, (market) => this.#newest.get(market));
    for (const stored of context.current.quotes) {
      const quote = this.order.asKnown(stored);
      if (quote.effectiveDate === undefined) this.#newest.set(quote.market, quote);
      this.#last.set(quote.market, quote);
    }
  }

  /** The newest accepted quote of a market, and the newest one held since. */
  lastOf(market: string): readonly StoredQuote[] {
    const [accepted, held] = [this.#last.get(market), this.#held.get(market)];
    const isSince = (held?.capturedAt ?? 0) > (accepted?.capturedAt ?? 0);
    return [accepted, isSince ? held : undefined].filter((quote) => quote !== undefined);
  }

  /** The current quote of each market, stored or of this batch. */
  get published(): readonly StoredQuote[] {
    return [...this.#newest.values()];
  }

  /** The newest reading of a market, accepted or held. */
  shownBy = (market: string) => this.#venues.shownBy(market);

  /** Whether a current quote is of this batch. */
  isOfBatch = (quote: StoredQuote) => this.#wereNewest.has(quote);

  hold({ entry: { captures } }: Candidate): void {
    for (const capture of captures) keepLast(this.#held, capture);
  }

  /**
   * Registers a reading before it is judged.
   * @param options `ofBatch`: whether it belongs to this batch, not to an earlier one.
   */
  see(candidate: Candidate, { ofBatch }: { readonly ofBatch: boolean }): void {
    const reading = readingOf(candidate);
    if (reading === undefined) return;
    const { capturedAt } = reading;
    if (!this.isLateReport(candidate)) this.#venues.see(reading);
    if (!ofBatch || this.#context.between === undefined) return;
    const body = this.#bodies.get(capturedAt);
    if (body === undefined) this.#bodies.set(capturedAt, [reading]);
    else body.push(reading);
  }

  /**
   * Registers quotes that were read together, before any of them is judged. A market move affects
   * all of them, so each is compared with the current values of the others, not only with their
   * published ones.
   */
  async lookAhead(body: readonly Candidate[]): Promise<void> {
    this.#venues.expect([]);
    this.#compared.clear();
    for (const candidate of body) this.see(candidate, { ofBatch: true });
    const likely: Expected[] = [];
    for (const candidate of body) {
      const { observation } = candidate;
      const reading = readingOf(candidate);
      if (reading?.market.type !== 'p2p' || observation.kind !== 'quote') continue;
      if (this.isLateReport(candidate)) continue;
      const { venues, body: others = [], ...compared } = await this.contextOf(candidate);
      this.#compared.set(candidate, compared);
      const { thresholds } = this.#context;
      const context = { ...compared, body: others };
      if (quoteDoubts(observation, context, thresholds).length > 0) continue;
      if (
        venues === undefined ||
        isLikely(reading.mid, { ...venues, last: compared.last?.mid }, thresholds)
      ) {
        likely.push({ reading, observation, context });
      }
    }
    await this.#expectAgreeing(likely);
  }

  /**
   * Expects the likely quotes that agree: one that will be held must not support others. Removes
   * those that the others contradict, until all agree.
   */
  async #expectAgreeing(likely: readonly Expected[]): Promise<void> {
    let left = likely;
    for (;;) {
      this.#venues.expect(left.map(({ reading }) => reading));
      const agreeing: Expected[] = [];
      for (const expected of left) {
        const { reading, observation, context } = expected;
        const venues = await this.#venues.others(reading.market, reading.capturedAt);
        const doubts = quoteDoubts(observation, { ...context, venues }, this.#context.thresholds);
        if (doubts.length === 0) agreeing.push(expected);
      }
      if (agreeing.length === left.length) return;
      left = agreeing;
    }
  }

  /** Removes a judged quote from the expected ones. */
  judged(candidate: Candidate): void {
    this.#compared.delete(candidate);
    if (candidate.market !== undefined) this.#venues.judged(candidate.market.id);
  }

  accept(candidate: Candidate): void {
    const { market, entry, isDated } = candidate;
    const [capture] = entry.captures;
    if (market === undefined || capture === undefined || isOfficial(market)) return;
    keepLast(this.#last, capture);
    if (this.isLateReport(candidate)) return;
    const newest = this.#newest.get(market.id);
    if (newest === undefined || capture.capturedAt >= newest.capturedAt) {
      this.#newest.set(market.id, capture);
      this.#wereNewest.add(capture);
      this.#venues.accept(market.id, isDated);
    }
    const recent = this.#recent.get(market.id) ?? [];
    if (recent.length === 0) this.#recent.set(market.id, recent);
    recent.push(capture);
    if (recent.length > MAX_RECENT_QUOTES) recent.shift();
  }

  /**
   * Whether its source dates it before the current quote. It is history, and cannot replace that one.
   */
  isLateReport({ market, entry, isDated }: Candidate): boolean {
    const [capture] = entry.captures;
    const newest = market && this.#newest.get(market.id);
    if (capture === undefined || newest === undefined || !isDated) return false;
    return capture.updatedAt < newest.updatedAt;
  }

  /**
   * The time of a late report in history. A report read before the current quote has the time of its
   * reading. One read after it has the source's time, because it is not the figure of a later day.
   * A fast clock may date the current quote ahead. Then the source's time may be later than the
   * reading of the current quote, and the time of that reading counts.
   */
  timeOfLateReport({ market, capturedAt, updatedAt }: StoredQuote): Instant {
    const newest = this.#newest.get(market)?.capturedAt ?? capturedAt;
    return capturedAt < newest ? capturedAt : Math.min(updatedAt, newest);
  }

  /**
   * The current quote, if this one leaves it for the value that it had replaced (decisions §8); in the
   * unit of this one. Undefined for a current quote of this batch, which nobody has seen.
   */
  async restoredFrom(candidate: Candidate): Promise<number | undefined> {
    const { market, observation, capturedAt } = candidate;
    const newest = market && this.#newest.get(market.id);
    if (market === undefined || newest === undefined || observation.kind !== 'quote')
      return undefined;
    if (newest.capturedAt > capturedAt || this.#wereNewest.has(newest)) return undefined;
    if (this.isLateReport(candidate)) return undefined;
    const compared = await this.#comparedWith(market, observation.mid, capturedAt);
    const { thresholds } = this.#context;
    return isRestored(observation.mid, compared, thresholds) ? compared.last?.mid : undefined;
  }

  /** The capture as it is stored. */
  placed(capture: StoredQuote): StoredQuote {
    return this.order.placed(capture, this.#newest.get(capture.market));
  }

  /** @param asOf The instant for the quotes of other venues; by default the time of the reading. */
  async contextOf(candidate: Candidate, asOf = candidate.capturedAt): Promise<QuoteContext> {
    const { market, capturedAt, entry } = candidate;
    const [capture] = entry.captures;
    if (market === undefined || capture === undefined) throw new Error('A quote has a market.');
    const isLateReport = this.isLateReport(candidate);
    const at = isLateReport ? this.timeOfLateReport(capture) : capturedAt;
    const compared =
      this.#compared.get(candidate) ?? (await this.#comparedWith(market, capture.mid, at));
    const body = this.#bodyOf(market, capturedAt);
    if (isLateReport) return { ...compared, body };
    const venues = await this.#venues.others(market, asOf);
    const secondVoice = await this.#venues.secondVoice(market, asOf);
    return { ...compared, venues, secondVoice, body };
  }

  async #comparedWith(market: Market, mid: number, at: Instant): Promise<ComparedWith> {
    const known = await this.#lastUpTo(market, at);
    const day = caracasDayOf(at);
    const { rebasedSides } = this.#context.redenominations;
    const last = known && rebasedSides(known, { from: caracasDayOf(known.capturedAt), to: day });
    const base = OFFICIAL_RATES[market.base];
    const official = await this.#publications.rateAround(base, day);
    // Query this only after a large move: most quotes are near the last one.
    const moved =
      last !== undefined && isRatioOver(mid, last.mid, this.#context.thresholds.quoteRatio);
    const accepted =
      this.#recent.get(market.id)?.filter((quote) => this.#wereNewest.has(quote)) ?? [];
    return {
      last: last && { kind: 'quote', mid: last.mid, ask: last.ask, bid: last.bid },
      replaced: moved
        ? await replacedBy(market.id, this.order.endOf(market.id, at), {
            ...this.#context,
            accepted,
          })
        : undefined,
      official,
    };
  }

  /**
   * The last accepted quote up to that time. If a file is in reverse order and nothing earlier is
   * stored: the last quote accepted from the file.
   */
  async #lastUpTo(market: Market, instant: Instant): Promise<KnownQuote | undefined> {
    const newest = this.#newest.get(market.id);
    if (newest === undefined || newest.capturedAt <= instant) return newest;
    const lastOfBatch = this.#recent.get(market.id)?.at(-1);
    if (lastOfBatch !== undefined && lastOfBatch.capturedAt <= instant) return lastOfBatch;
    const stored = await this.#context.store.lastCaptureBefore(market.id, instant + 1);
    return stored ?? lastOfBatch;
  }

  /** Whether enough other venues publish fresh quotes to confirm or contradict a venue. */
  async hasOtherVenues({ market }: Candidate, asOf: Instant): Promise<boolean> {
    const { published = [] } = (market && (await this.#venues.others(market, asOf))) ?? {};
    return published.length >= this.#context.thresholds.venuesNeeded;
  }

  /** Whether the second voice of its market can be heard. */
  async hasSecondVoice({ market }: Candidate, asOf: Instant): Promise<boolean> {
    return market !== undefined && (await this.#venues.secondVoice(market, asOf)) !== undefined;
  }

  /** The quotes of other markets in its body; undefined when one is outside its `between`. */
  #bodyOf(market: Market, capturedAt: Instant): readonly number[] | undefined {
    const { between } = this.#context;
    const body = this.#bodies.get(capturedAt);
    if (between === undefined || body === undefined) return undefined;
    const isWithin = ({ market: { id }, mid }: SeenReading) => {
      const [low, high] = between(id) ?? [];
      return low !== undefined && high !== undefined && mid >= low && mid <= high;
    };
    if (!body.every(isWithin)) return undefined;
    return body
      .filter((reading) => reading.market.id !== market.id && reading.market.base === market.base)
      .map(({ mid }) => mid);
  }
}

/** A quote of the current body that is likely to be published. */
interface Expected {
  readonly reading: SeenReading;
  readonly observation: QuoteObservation;
  readonly context: QuoteContext;
}

type ComparedWith = Pick<QuoteContext, 'last' | 'replaced' | 'official'>;
type KnownQuote = Pick<StoredQuote, 'mid' | 'ask' | 'bid' | 'capturedAt'>;
