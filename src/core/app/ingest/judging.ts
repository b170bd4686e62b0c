import type { CatalogueRules } from '../../domain/judgement.ts';
import type { Redenominations } from '../../domain/redenomination.ts';
import { caracasDayOf, instantAfter } from '../../domain/time.ts';
import { boundedCache } from '../bounded-cache.ts';
import type { Clock } from '../ports/clock.ts';
import type { HeldRecord } from '../ports/held.ts';
import type { IngestStore } from '../ports/ingest-store.ts';
import type { IngestOptions, Judges } from './batch.ts';
import type { BatchContext, Origins } from './batch-context.ts';
import type { HeldReading } from './publications/changes.ts';
import { JudgedPublications } from './publications/judged-publications.ts';
import { JudgedQuotes } from './quotes/judged-quotes.ts';
import { ReadingOrder } from './quotes/reading-order.ts';
import type { HeldCandidate } from './quotes/stored-quotes.ts';
import { orRefusal, Refused } from './record.ts';
import { type Candidate, toCandidate } from './record-entry.ts';

/** Most parsed held records kept in memory. More come from a feed that is entirely wrong. */
// limit: Parsed held records kept | 5,000 | parsed again
const MAX_KEPT_CANDIDATES = 5_000;

export interface JudgingParts extends CatalogueRules {
  readonly redenominations: Redenominations;
  readonly store: IngestStore;
  readonly originOf: Origins;
  readonly clock: Clock;
}

/** Reads what records are judged by. */
export class Judging {
  readonly parts: JudgingParts;
  /** Parsed held records by id, because every reading needs all of them. */
  readonly #candidates = boundedCache<Candidate>(MAX_KEPT_CANDIDATES);

  constructor(parts: JudgingParts) {
    this.parts = parts;
  }

  /** The current records are read first: what is stored after that makes the judgement outdated. */
  async begin(
    options: IngestOptions,
    store: IngestStore = this.parts.store,
  ): Promise<BatchContext> {
    const { clock, redenominations: reforms, ...parts } = this.parts;
    const now = clock.now();
    const current = await store.currentRecords(caracasDayOf(now));
    const order = new ReadingOrder(now, current.quotes);
    const context: BatchContext = {
      ...{ ...parts, redenominations: reforms.stored, reforms, store },
      ...{ now, current, order, isSetBack: order.isSetBack },
      receivedAt: instantAfter(current.fetchedAt, now),
      isPage: options.isPage === true,
      isArchive: options.onlyNewValueDates === true,
      between: options.between,
      candidateOf: (held) => this.#candidateOf(held, context),
    };
    return context;
  }

  async judges(context: BatchContext, source: string): Promise<Judges> {
    const held = await this.held(context);
    const publications = new JudgedPublications(context, source, held.publications);
    return { publications, quotes: new JudgedQuotes(context, source, held.quotes, publications) };
  }

  /** The held records that still count. */
  async held(context: BatchContext) {
    const quotes: HeldCandidate[] = [];
    const publications: HeldReading[] = [];
    for (const held of await context.store.countingHeld()) {
      // One that was read before the clock was set back is no measure of time.
      const candidate = held.capturedAt > context.now ? undefined : context.candidateOf(held);
      if (candidate === undefined) continue;
      if (candidate.observation.kind === 'quote') {
        quotes.push({ held, candidate });
        continue;
      }
      const origin = this.parts.originOf(held.source, held.subject);
      const { reason, message, reasons = [reason] } = held;
      const doubts = [{ reason, message }];
      publications.push({ ...candidate, origin, doubts, reasons, held });
    }
    return { quotes, publications };
  }

  /** A record whose market has left the catalogue is none: it waits for the operator. */
  #candidateOf(held: HeldRecord, context: BatchContext): Candidate | undefined {
    const known = this.#candidates.get(held.id);
    if (known !== undefined) return known;
    const candidate = orRefusal(() => toCandidate(held.record, context));
    if (candidate instanceof Refused) return undefined;
    this.#candidates.set(held.id, candidate);
    return candidate;
  }
}
