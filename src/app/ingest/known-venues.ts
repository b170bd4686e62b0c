import type { OtherVenues } from '../../domain/judgement/quote-judgement.ts';
import {
  type FreshFigures,
  voiceOfParallel,
  voiceOfVenues,
} from '../../domain/judgement/second-voice.ts';
import { isOfficial, type Market, type MarketType } from '../../domain/markets.ts';
import { ageSec, caracasDayOf, type Instant, SECOND_MS } from '../../domain/time.ts';
import type { StoredQuote } from '../ports/records.ts';
import type { BatchContext } from './batch-context.ts';
import type { Candidate } from './record-entry.ts';

/** A reading of a market, accepted or not. */
export interface SeenReading {
  readonly market: Market;
  readonly mid: number;
  readonly capturedAt: Instant;
  /** The time that the source gives its figures; the time of the reading if it gives none. */
  readonly figuresAt: Instant;
}

/** A quote of a market without value dates; undefined for every other record. */
export function readingOf({ market, entry, isDated }: Candidate): SeenReading | undefined {
  const [capture] = entry.captures;
  if (market === undefined || capture === undefined || isOfficial(market)) return undefined;
  const { mid, capturedAt, updatedAt } = capture;
  return { market, mid, capturedAt, figuresAt: isDated ? updatedAt : capturedAt };
}

/** The last published quotes and readings of P2P venues and the parallel market, to compare them. */
export class KnownVenues {
  readonly #context: BatchContext;
  readonly #newestOf: (market: string) => StoredQuote | undefined;
  /** The newest reading of each market, including held ones. */
  readonly #seen = new Map<string, SeenReading>();
  /** Readings of the current body that are likely to be published and not yet judged, by market. */
  readonly #expected = new Map<string, SeenReading>();
  /** Whether the source of a market's newest quote gave its time. */
  readonly #isDated = new Map<string, boolean>();

  /** @param newestOf Returns the newest accepted quote of a market, stored or of this batch. */
  constructor(context: BatchContext, newestOf: (market: string) => StoredQuote | undefined) {
    this.#context = context;
    this.#newestOf = newestOf;
  }

  see(reading: SeenReading): void {
    const { market, capturedAt } = reading;
    if (capturedAt >= (this.#seen.get(market.id)?.capturedAt ?? 0)) {
      this.#seen.set(market.id, reading);
    }
  }

  shownBy(market: string): { readonly mid: number; readonly at: Instant } | undefined {
    const reading = this.#seen.get(market);
    return reading && { mid: reading.mid, at: reading.capturedAt };
  }

  expect(readings: readonly SeenReading[]): void {
    this.#expected.clear();
    for (const reading of readings) this.#expected.set(reading.market.id, reading);
  }

  judged(market: string): void {
    this.#expected.delete(market);
  }

  /** @param isDated Whether the source of the market's newest quote gave its time. */
  accept(market: string, isDated: boolean): void {
    this.#isDated.set(market, isDated);
  }

  /** The other venues of a market at an instant; undefined when it is not a P2P venue. */
  async others(market: Market, instant: Instant): Promise<OtherVenues | undefined> {
    if (market.type !== 'p2p') return undefined;
    const published: number[] = [];
    const newest: number[] = [];
    const expected: number[] = [];
    for (const other of this.#ofType('p2p', market)) {
      const figures = await this.#freshFigures(other, instant);
      if (figures.published !== undefined) published.push(figures.published);
      if (figures.newest !== undefined) newest.push(figures.newest);
      const next = this.#expected.get(other.id);
      const likely = next === undefined ? figures.published : this.#freshMid(next, instant);
      if (likely !== undefined) expected.push(likely);
    }
    const parallel = await this.#parallelBeside(market, instant);
    return { published, newest, expected, parallel: parallel?.newest };
  }

  /** What the other kind of market says at an instant: the parallel for a venue, venues for it. */
  async secondVoice(market: Market, instant: Instant): Promise<number | undefined> {
    const { thresholds } = this.#context;
    if (market.type === 'p2p') {
      const parallel = await this.#parallelBeside(market, instant);
      return parallel && voiceOfParallel(parallel, thresholds);
    }
    if (market.type !== 'parallel') return undefined;
    const venues: FreshFigures[] = [];
    for (const venue of this.#ofType('p2p', market)) {
      venues.push(await this.#freshFigures(venue, instant));
    }
    return voiceOfVenues(venues, thresholds);
  }

  async #parallelBeside(market: Market, instant: Instant): Promise<FreshFigures | undefined> {
    const [parallel] = this.#ofType('parallel', market);
    return parallel && this.#freshFigures(parallel, instant);
  }

  /** The other markets of a type with the same base currency. */
  #ofType(type: MarketType, { id, base }: Market): readonly Market[] {
    return this.#context.markets.list.filter(
      (other) => other.type === type && other.id !== id && other.base === base,
    );
  }

  async #freshFigures(market: Market, instant: Instant): Promise<FreshFigures> {
    const quote = await this.#publishedBy(market, instant);
    const reading = this.#seen.get(market.id);
    const isNewer = reading !== undefined && reading.capturedAt > (quote?.capturedAt ?? 0);
    const published = quote && this.#freshMid(quote, instant);
    return { published, newest: isNewer ? this.#freshMid(reading, instant) : published };
  }

  /**
   * The newest published quote of a market as a reading.
   * @param instant When it must be fresh.
   */
  async #publishedBy(market: Market, instant: Instant): Promise<SeenReading | undefined> {
    const quote = this.#newestOf(market.id);
    if (quote === undefined) return undefined;
    const { mid, capturedAt, updatedAt } = quote;
    const reading = { market, mid, capturedAt, figuresAt: capturedAt };
    const isDated = isFresh(reading, instant) && (await this.#givesTime(quote));
    return isDated ? { ...reading, figuresAt: updatedAt } : reading;
  }

  /**
   * Whether the source of a newest quote gives its time. Otherwise the quote has the time of the
   * first capture with its figures, and the last reading confirms that they are still current.
   */
  async #givesTime({ market, mid, updatedAt, capturedAt }: StoredQuote): Promise<boolean> {
    if (updatedAt === capturedAt) return false;
    const wasDated = this.#isDated.get(market);
    if (wasDated !== undefined) return wasDated;
    const first = await this.#context.store.lastCaptureBefore(market, updatedAt + 1);
    const isDated = first?.capturedAt !== updatedAt || first.mid !== mid;
    this.#isDated.set(market, isDated);
    return isDated;
  }

  /** In the unit of that instant. */
  #freshMid(reading: SeenReading, at: Instant): number | undefined {
    const units = { from: caracasDayOf(reading.capturedAt), to: caracasDayOf(at) };
    const { rebased } = this.#context.redenominations;
    return isFresh(reading, at) ? rebased(reading.mid, units) : undefined;
  }
}

/**
 * Whether the figures of a reading are at most `staleAfterSec` old at that instant. One read up to
 * that long after it also counts, because records of several readers arrive in any order.
 */
function isFresh(
  { market: { staleAfterSec }, capturedAt, figuresAt }: SeenReading,
  at: Instant,
): boolean {
  return (
    capturedAt - at <= staleAfterSec * SECOND_MS &&
    ageSec({ since: figuresAt, now: at }) <= staleAfterSec
  );
}
