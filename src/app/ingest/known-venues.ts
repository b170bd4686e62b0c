import type { OtherVenues } from '../../domain/judgement/quote-judgement.ts';
import { isOfficial, type Market, type Markets } from '../../domain/markets.ts';
import { ageSec, type Instant, SECOND_MS } from '../../domain/time.ts';
import type { StoredQuote } from '../ports/records.ts';
import type { IngestStore } from './ingest-store.ts';
import type { Candidate } from './record-entry.ts';

/** A reading of a market, accepted or not. */
export interface SeenReading {
  readonly market: Market;
  readonly mid: number;
  readonly capturedAt: Instant;
  /** The time that its figures are of: the source's, or that of the reading where it gives none. */
  readonly heardAt: Instant;
}

/** A quote of a market without value dates; undefined for every other record. */
export function readingOf({ market, entry, isDated }: Candidate): SeenReading | undefined {
  const [capture] = entry.captures;
  if (market === undefined || capture === undefined || isOfficial(market)) return undefined;
  const { mid, capturedAt, updatedAt } = capture;
  return { market, mid, capturedAt, heardAt: isDated ? updatedAt : capturedAt };
}

interface KnownVenuesParts {
  readonly store: Pick<IngestStore, 'lastCaptureBefore'>;
  readonly markets: Markets;
  /** The newest accepted quote of a market, stored or of this batch. */
  readonly newestOf: (market: string) => StoredQuote | undefined;
}

/** What P2P venues published and said last, for the others to be compared with. */
export class KnownVenues {
  readonly #parts: KnownVenuesParts;
  /** The newest reading of each market, held ones too. */
  readonly #seen = new Map<string, SeenReading>();
  /** Readings of the current body that are not judged yet and will probably be published, by market. */
  readonly #expected = new Map<string, SeenReading>();
  /** Whether the time of a market's newest quote is that of a reading, not the source's own. */
  readonly #isUndated = new Map<string, boolean>();

  constructor(parts: KnownVenuesParts) {
    this.#parts = parts;
  }

  see(reading: SeenReading): void {
    const { market, capturedAt } = reading;
    if (capturedAt >= (this.#seen.get(market.id)?.capturedAt ?? 0)) {
      this.#seen.set(market.id, reading);
    }
  }

  /** Expects these to be published, and no others. */
  expect(readings: readonly SeenReading[]): void {
    this.#expected.clear();
    for (const reading of readings) this.#expected.set(reading.market.id, reading);
  }

  judged(market: string): void {
    this.#expected.delete(market);
  }

  /** `isDated`: whether the source of the market's newest quote gave its time. */
  accept(market: string, isDated: boolean): void {
    this.#isUndated.set(market, !isDated);
  }

  /** The venues beside a market at that instant; undefined when it is no P2P venue. */
  async others(market: Market, instant: Instant): Promise<OtherVenues | undefined> {
    if (market.type !== 'p2p') return undefined;
    const published: number[] = [];
    const newest: number[] = [];
    const expected: number[] = [];
    for (const other of this.#parts.markets.list) {
      if (other.type !== 'p2p' || other.id === market.id || other.base !== market.base) continue;
      const quote = await this.#publishedBy(other, instant);
      if (quote !== undefined && isFresh(quote, instant)) published.push(quote.mid);
      const next = this.#expected.get(other.id) ?? quote;
      if (next !== undefined && isFresh(next, instant)) expected.push(next.mid);
      const reading = this.#seen.get(other.id);
      const isNewer = reading !== undefined && reading.capturedAt > (quote?.capturedAt ?? 0);
      const said = isNewer ? reading : quote;
      if (said !== undefined && isFresh(said, instant)) newest.push(said.mid);
    }
    return { published, newest, expected };
  }

  /** The newest published quote of a market as a reading; `instant`: when it must be fresh. */
  async #publishedBy(market: Market, instant: Instant): Promise<SeenReading | undefined> {
    const quote = this.#parts.newestOf(market.id);
    if (quote === undefined) return undefined;
    const { mid, capturedAt, updatedAt } = quote;
    const reading = { market, mid, capturedAt, heardAt: capturedAt };
    const isUndated = !isFresh(reading, instant) || (await this.#hasNoTime(quote));
    return isUndated ? reading : { ...reading, heardAt: updatedAt };
  }

  /**
   * Whether the source of a newest quote gives no time. Then the quote has the time at which its
   * figures were read first, which is that of a capture; that they still stand is as new as the last
   * reading.
   */
  async #hasNoTime({ market, mid, updatedAt, capturedAt }: StoredQuote): Promise<boolean> {
    if (updatedAt === capturedAt) return true;
    const known = this.#isUndated.get(market);
    if (known !== undefined) return known;
    const first = await this.#parts.store.lastCaptureBefore(market, updatedAt + 1);
    const isUndated = first?.capturedAt === updatedAt && first.mid === mid;
    this.#isUndated.set(market, isUndated);
    return isUndated;
  }
}

/**
 * Whether a reading says something of that instant. One that was read a little after it does: records
 * of several readers arrive in any order.
 */
function isFresh(
  { market: { staleAfterSec }, capturedAt, heardAt }: SeenReading,
  at: Instant,
): boolean {
  return (
    capturedAt - at <= staleAfterSec * SECOND_MS &&
    ageSec({ since: heardAt, now: at }) <= staleAfterSec
  );
}
