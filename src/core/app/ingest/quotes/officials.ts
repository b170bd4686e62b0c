import type { QuoteReading, QuoteRules } from '../../../domain/judgement/quote-memory.ts';
import { OFFICIAL_RATES } from '../../../domain/markets.ts';
import { type CaracasDay, caracasDayOf } from '../../../domain/time.ts';
import type { BatchContext } from '../batch-context.ts';
import type { JudgedPublications } from '../publications/judged-publications.ts';

/** The official rates that quotes are judged by, read before the first of them is judged. */
export class Officials {
  readonly #publications: JudgedPublications;
  readonly #rates = new Map<string, number | undefined>();
  readonly rules: QuoteRules;

  constructor({ thresholds, redenominations }: BatchContext, publications: JudgedPublications) {
    this.#publications = publications;
    const { after, rebased } = redenominations;
    const officialOn: QuoteRules['officialOn'] = ({ base }, day) =>
      this.#rates.get(`${base} ${day}`);
    this.rules = { thresholds, after, rebased, officialOn };
  }

  /** Reads the rates of the days of these readings, and of the days that their sources give them. */
  async expect(readings: Iterable<QuoteReading>): Promise<void> {
    for (const { market, at, datedAt = at } of readings) {
      for (const day of new Set([caracasDayOf(at), caracasDayOf(Math.min(at, datedAt))])) {
        await this.#expectOn(market.base, day);
      }
    }
  }

  async #expectOn(base: keyof typeof OFFICIAL_RATES, day: CaracasDay): Promise<void> {
    const key = `${base} ${day}`;
    if (this.#rates.has(key)) return;
    this.#rates.set(key, await this.#publications.rateAround(OFFICIAL_RATES[base], day));
  }
}
