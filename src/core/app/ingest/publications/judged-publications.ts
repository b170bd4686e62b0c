import {
  publicationsFor,
  rateAround,
  type SupersededPublication,
  withPublished,
} from '../../../domain/judgement/value-dates.ts';
import { type CaracasDay, caracasDayOf, type Instant, isoInstant } from '../../../domain/time.ts';
import type { SettledRecord, Settlement } from '../../ports/held.ts';
import type { SourceRecord } from '../../ports/sources.ts';
import type { BatchContext } from '../batch-context.ts';
import { heldIdOf } from '../held-id.ts';
import { whyOf } from '../quotes/quote-changes.ts';
import { Refused } from '../record.ts';
import type { Candidate } from '../record-entry.ts';
import {
  type HeldReading,
  isPublished,
  type OfficialChange,
  type OfficialState,
  type PublishedChange,
  withAll,
} from './changes.ts';
import { ratesAround, valueDatesOf } from './load.ts';
import { hear, officialStep } from './step.ts';

/** Most held records of one batch. More mean that the whole feed or file is wrong. */
// limit: Held records of a batch | 1,000 | batch refused
export const MAX_HELD_PER_BATCH = 1_000;
export const TOO_MANY_HELD = `it would be one more than the ${MAX_HELD_PER_BATCH} records of a batch that can be held`;

const NOTHING = { rates: new Map(), publications: [], witnessed: new Map(), bankTables: [] };

/** The publications and bank tables that a batch brings, judged in their order. */
export class JudgedPublications {
  readonly #context: BatchContext;
  readonly #source: string;
  #state: OfficialState;
  readonly #published: PublishedChange[] = [];
  /** What became of the held readings, of this batch and of earlier ones. */
  readonly #became = new Map<HeldReading, OfficialChange['status']>();

  /** @param held The held readings of earlier batches that still count, oldest first. */
  constructor(context: BatchContext, source: string, held: readonly HeldReading[]) {
    this.#context = context;
    this.#source = source;
    this.#state = { dates: NOTHING, held, changes: [] };
  }

  /** Reads what some records are compared with, before the first of them is judged. */
  async load(candidates: readonly Candidate[]) {
    const dates = await valueDatesOf(candidates, this.#context);
    this.#state = { ...this.#state, dates: withAll(dates, this.#published) };
    return this.#state.dates;
  }

  /**
   * Judges one record.
   * @param isTrusted Accept it without doubts, because the operator has checked it.
   * @throws Refused when too many records of the batch are doubtful.
   */
  judge(candidate: Candidate, isTrusted: boolean): readonly OfficialChange[] {
    const { observation, subject } = candidate;
    const { isArchive, receivedAt, originOf } = this.#context;
    const isOfArchive =
      isArchive &&
      observation.kind === 'publication' &&
      observation.valueDate <= caracasDayOf(receivedAt);
    const origin = originOf(this.#source, subject);
    const reading = { ...candidate, origin, isOfArchive, isTrusted };
    const changes = this.#take(officialStep(this.#state, reading, this.#context));
    if (this.inDoubt > MAX_HELD_PER_BATCH) {
      const held = changes.find((change) => change.status === 'held');
      throw new Refused(`${held?.reading.doubts[0]?.message}; ${TOO_MANY_HELD}`);
    }
    return changes;
  }

  /** Releases the held publications with which a witness that was read at `at` agrees. */
  hear(at: Instant): void {
    this.#take(hear(this.#state, at, this.#context));
  }

  /** The official rate around a day for the quotes of the batch, its own publications included. */
  async rateAround(market: string, day: CaracasDay): Promise<number | undefined> {
    const rates = await ratesAround([market], [day], this.#context);
    const entries = this.#published.map(({ candidate }) => candidate.entry);
    const dates = withPublished({ ...NOTHING, rates }, entries);
    return rateAround(dates, market, day, this.#context);
  }

  /** How many records of this batch are in doubt. */
  get inDoubt(): number {
    return this.#suspects.length;
  }

  /** Ids of held records of earlier batches that this one releases. */
  get released(): readonly string[] {
    return [...this.#became].flatMap(([{ held }, status]) =>
      held !== undefined && status === 'released' ? [held.id] : [],
    );
  }

  /** What the batch changes besides storing its entries. */
  get settlement(): Settlement {
    const settle = [...this.#became].flatMap(([reading, status]): readonly SettledRecord[] => {
      const id = reading.held?.id;
      if (status === 'ended') return id === undefined ? [] : [{ id }];
      if (status === 'repeated') return id === undefined ? [] : [{ id, status: 'released' }];
      if (status !== 'withdrawn') return [];
      return [{ id: id ?? heldIdOf(this.#source, recordOf(reading)), status }];
    });
    const hold = this.#suspects.map(([reading, status]) => {
      const { subject, capturedAt, doubts } = reading;
      const counts = status === 'held';
      return { subject, record: recordOf(reading), capturedAt, ...whyOf(doubts), counts };
    });
    return { hold, settle, supersede: this.#supersede() };
  }

  #take({ changes, ...state }: OfficialState): readonly OfficialChange[] {
    this.#state = { ...state, changes: [] };
    for (const change of changes) {
      if ('reading' in change) this.#became.set(change.reading, change.status);
    }
    this.#published.push(...changes.filter(isPublished));
    return changes;
  }

  /** All of them are stored after all entries: what replaced others may be replaced itself by then. */
  #supersede(): readonly SupersededPublication[] {
    const superseded = this.#published.flatMap((change) => change.superseded);
    const { withdrawn = [], replaced = [] } = Object.groupBy(superseded, (one) => one.state);
    const last = replaced.map((one) => {
      const sameDate = publicationsFor(this.#state.dates, one.valueDate);
      const { rates } = sameDate.findLast(({ state }) => state === 'published') ?? one;
      return { ...one, rates };
    });
    return [...withdrawn, ...last];
  }

  get #suspects() {
    return [...this.#became].filter(
      ([{ held }, status]) => held === undefined && status !== 'released' && status !== 'repeated',
    );
  }
}

/** The record as it is held. It may have named its market by an alias. */
function recordOf({ record, market, capturedAt }: HeldReading): SourceRecord {
  const named = market === undefined ? {} : { market: market.id };
  return { ...record, ...named, captured_at: isoInstant(capturedAt) };
}
