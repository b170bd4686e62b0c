import type { Publication } from '../../domain/bcv.ts';
import { returnDoubt } from '../../domain/judgement/page-judgement.ts';
import { publicationDoubts } from '../../domain/judgement/publication-judgement.ts';
import type { Doubt } from '../../domain/judgement.ts';
import { startOfCaracasDay } from '../../domain/time.ts';
import type { StoredQuote } from '../ports/quotes.ts';
import type { BatchContext } from './batch-context.ts';
import { KnownBankTables } from './known-bank-tables.ts';
import { KnownPublications } from './known-publications.ts';
import { unitDoubtAbout } from './record.ts';
import type { Candidate, Surroundings } from './record-entry.ts';

/** The publications and bank tables that a new one is judged by: those stored and those of its batch. */
export class KnownRecords {
  readonly context: BatchContext;
  /** What a new record is read with. */
  readonly around: Surroundings;
  readonly publications: KnownPublications;
  readonly bankTables: KnownBankTables;

  constructor(context: BatchContext) {
    this.context = context;
    this.publications = new KnownPublications(context);
    this.around = { ...context, isSetBack: context.order.isSetBack };
    this.bankTables = new KnownBankTables(context, this.publications);
  }

  async doubtsAbout(candidate: Candidate): Promise<readonly Doubt[]> {
    const { observation, capturedAt } = candidate;
    const { thresholds } = this.context;
    const ofUnit = unitDoubtAbout(candidate);
    if (ofUnit !== undefined) return [ofUnit];
    switch (observation.kind) {
      case 'quote':
        throw new Error('Quotes of markets without value dates are judged together.');
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
    const { bankTable } = candidate.entry;
    if (bankTable !== undefined) this.bankTables.accept(bankTable);
    else this.publications.accept(candidate);
  }

  /** Returns a record with the effective times of its captures. */
  async withEffectiveTimes(candidate: Candidate): Promise<Candidate> {
    const { publication } = candidate.entry;
    const returned = publication && (await this.publications.stored.returnOf(publication));
    const captures: StoredQuote[] = [];
    for (const capture of candidate.entry.captures) {
      const timed = await this.publications.withEffectiveTime(capture);
      // It counts as if it had not been replaced.
      captures.push(returned === undefined ? timed : countedFrom(returned.first, timed));
    }
    const why = returned === undefined ? undefined : 'page_returned';
    return { ...candidate, entry: { why, ...candidate.entry, captures } };
  }
}

function countedFrom({ valueDate, capturedAt }: Publication, capture: StoredQuote): StoredQuote {
  return { ...capture, capturedAt: Math.max(capturedAt, startOfCaracasDay(valueDate)) };
}
