import { type Instant, MAX_CLOCK_STEP_MS } from '../../../domain/time.ts';
import type { StoredQuote } from '../../ports/quotes.ts';

/**
 * Keeps the quotes of markets without value dates in the order in which they were read, also after
 * the clock was set back: a reading of now then stands after those that were read "later".
 */
export class ReadingOrder {
  readonly #now: Instant;
  /** When the last stored quote of a market was read, where that is after now. */
  readonly #readAfterNow = new Map<string, Instant>();

  constructor(now: Instant, quotes: readonly StoredQuote[]) {
    this.#now = now;
    for (const { market, capturedAt, effectiveDate } of quotes) {
      if (effectiveDate === undefined && capturedAt > now)
        this.#readAfterNow.set(market, capturedAt);
    }
  }

  /** Whether stored quotes were read after now. */
  get isSetBack(): boolean {
    return this.#readAfterNow.size > 0;
  }

  /**
   * A stored quote as new ones are compared with it. One that was read or is dated after now counts
   * as one of some minutes ago, so that it keeps no reading of now out.
   */
  asKnown(quote: StoredQuote): StoredQuote {
    const { capturedAt, updatedAt, effectiveDate } = quote;
    if (effectiveDate !== undefined || Math.max(capturedAt, updatedAt) <= this.#now) return quote;
    const before = (time: Instant) => (time > this.#now ? this.#some : time);
    return { ...quote, capturedAt: before(capturedAt), updatedAt: before(updatedAt) };
  }

  /** The capture as it is stored. */
  placed(capture: StoredQuote, newest: Pick<StoredQuote, 'updatedAt'> | undefined): StoredQuote {
    const last = this.#readAfterNow.get(capture.market);
    if (last === undefined || capture.capturedAt <= this.#some) return capture;
    if (capture.updatedAt < (newest?.updatedAt ?? 0)) return capture;
    const capturedAt = Math.max(capture.capturedAt, last + 1);
    this.#readAfterNow.set(capture.market, capturedAt);
    return { ...capture, capturedAt };
  }

  /** Some minutes ago: what was read since then counts as read now. */
  get #some(): Instant {
    return this.#now - MAX_CLOCK_STEP_MS;
  }
}
