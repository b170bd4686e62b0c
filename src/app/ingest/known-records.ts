import type { Publication } from '../../domain/bcv.ts';
import { returnDoubt } from '../../domain/judgement/page-judgement.ts';
import { publicationDoubts } from '../../domain/judgement/publication-judgement.ts';
import { quoteDoubts } from '../../domain/judgement/quote-judgement.ts';
import type { Doubt } from '../../domain/judgement.ts';
import { isOfficial } from '../../domain/markets.ts';
import { type Instant, startOfCaracasDay } from '../../domain/time.ts';
import type { Entry, StoredQuote } from '../ports/records.ts';
import type { BatchContext } from './batch-context.ts';
import { KnownBankTables } from './known-bank-tables.ts';
import { KnownPublications } from './known-publications.ts';
import { KnownQuotes } from './known-quotes.ts';
import { unitDoubtAbout } from './record.ts';
import type { Candidate, Surroundings } from './record-entry.ts';

/** All records that a new one is judged by: those stored and those of its batch. */
export class KnownRecords {
  readonly context: BatchContext;
  /** What a new record is read with. */
  readonly around: Surroundings;
  readonly publications: KnownPublications;
  readonly quotes: KnownQuotes;
  readonly bankTables: KnownBankTables;

  constructor(context: BatchContext) {
    this.context = context;
    this.publications = new KnownPublications(context);
    this.quotes = new KnownQuotes(context, this.publications);
    this.around = {
      ...context,
      isSetBack: this.quotes.order.isSetBack,
      lastQuotes: (market) => this.quotes.lastOf(market),
    };
    this.bankTables = new KnownBankTables(context, this.publications);
  }

  /** @param asOf The instant for the quotes of other venues; by default the time of the reading. */
  async doubtsAbout(candidate: Candidate, asOf?: Instant): Promise<readonly Doubt[]> {
    const { observation, capturedAt } = candidate;
    const { thresholds } = this.context;
    const ofUnit = unitDoubtAbout(candidate);
    if (ofUnit !== undefined) return [ofUnit];
    switch (observation.kind) {
      case 'quote': {
        const context = await this.quotes.contextOf(candidate, asOf);
        return quoteDoubts(observation, context, thresholds);
      }
      case 'publication': {
        const { publication } = candidate.entry;
        const returned = publication && (await this.publications.stored.returnOf(publication));
        if (returned !== undefined) return [returnDoubt(observation, returned.wrong.rates)];
        const context = await this.publications.contextOf(observation, capturedAt);
        return publicationDoubts(observation, context, thresholds);
      }
      case 'bank_table':
        return this.bankTables.doubtsAbout(observation, capturedAt);
      default:
        return observation satisfies never;
    }
  }

  accept(candidate: Candidate): void {
    const { entry, market } = candidate;
    if (entry.bankTable !== undefined) this.bankTables.accept(entry.bankTable);
    else if (market === undefined || isOfficial(market)) this.publications.accept(candidate);
    else this.quotes.accept(candidate);
  }

  /** The entry as it is stored. */
  placed(entry: Entry): Entry {
    return { ...entry, captures: entry.captures.map((capture) => this.quotes.placed(capture)) };
  }

  /**
   * Returns a record with the effective times of its captures. A quote that its source dates before
   * the current one counts at its own time, and does not replace the current quote.
   */
  async withEffectiveTimes(candidate: Candidate): Promise<Candidate> {
    const isLateReport = this.quotes.isLateReport(candidate);
    const { publication } = candidate.entry;
    const returned = publication && (await this.publications.stored.returnOf(publication));
    const restoredFrom = await this.quotes.restoredFrom(candidate);
    const captures: StoredQuote[] = [];
    for (const capture of candidate.entry.captures) {
      const placed = isLateReport
        ? { ...capture, capturedAt: this.quotes.timeOfLateReport(capture) }
        : capture;
      const timed = await this.publications.withEffectiveTime(placed);
      // It counts as if it had not been replaced.
      captures.push(returned === undefined ? timed : countedFrom(returned.first, timed));
    }
    const why = returned === undefined ? undefined : 'page_returned';
    return { ...candidate, entry: { why, ...candidate.entry, captures, restoredFrom } };
  }
}

function countedFrom({ valueDate, capturedAt }: Publication, capture: StoredQuote): StoredQuote {
  return { ...capture, capturedAt: Math.max(capturedAt, startOfCaracasDay(valueDate)) };
}
