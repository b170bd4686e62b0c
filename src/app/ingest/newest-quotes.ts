import type { Instant } from '../../domain/time.ts';
import type { StoredQuote } from '../ports/records.ts';
import type { Candidate } from './record-entry.ts';

/** The newest accepted quote of each market, and the newest one held since. */
export class NewestQuotes {
  readonly #accepted: Map<string, StoredQuote>;
  readonly #held = new Map<string, StoredQuote>();

  constructor(current: readonly StoredQuote[]) {
    this.#accepted = new Map(current.map((quote) => [quote.market, quote]));
  }

  /** The accepted quote, and the held one if it is newer. */
  of(market: string): readonly StoredQuote[] {
    const [accepted, held] = [this.#accepted.get(market), this.#held.get(market)];
    const isSince = timeOf(held) > timeOf(accepted);
    return [accepted, isSince ? held : undefined].filter((one) => one !== undefined);
  }

  accept(candidate: Candidate): void {
    keepNewest(this.#accepted, candidate);
  }

  hold(candidate: Candidate): void {
    keepNewest(this.#held, candidate);
  }
}

function keepNewest(newest: Map<string, StoredQuote>, { entry }: Candidate): void {
  for (const capture of entry.captures) {
    const known = newest.get(capture.market);
    const later = capture.capturedAt - timeOf(known) || capture.updatedAt - (known?.updatedAt ?? 0);
    if (later >= 0) newest.set(capture.market, capture);
  }
}

function timeOf(quote: StoredQuote | undefined): Instant {
  return quote?.capturedAt ?? 0;
}
