import {
  publicationsFor,
  rateAround,
  type SupersededPublication,
  withPublished,
} from '../../../domain/judgement/value-dates.ts';
import { type CaracasDay, caracasDayOf, type Instant, isoInstant } from '../../../domain/time.ts';
import type { Settlement, Suspect } from '../../ports/held.ts';
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
    return this.#ofEarlier.flatMap(({ id, status }) => (status === 'released' ? [id] : []));
  }

  /** What the batch changes besides storing its entries. */
  get settlement(): Settlement {
    const suspects = this.#suspects.map(([reading, status]) => {
      return { status, suspect: suspectOf(reading, status === 'held') };
    });
    const ofBatch = suspects.flatMap(({ suspect: { record }, status }) =>
      status === 'withdrawn' ? [{ id: heldIdOf(this.#source, record), status }] : [],
    );
    const ofEarlier = this.#ofEarlier.flatMap(({ id, status }) => {
      if (status === 'ended') return [{ id }];
      return status === 'withdrawn' ? [{ id, status }] : [];
    });
    return {
      hold: suspects.map(({ suspect }) => suspect),
      settle: [...ofEarlier, ...ofBatch],
      supersede: this.#supersede(),
    };
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
      ([{ held }, status]) => held === undefined && status !== 'released',
    );
  }

  /** The held records of earlier batches that are so no longer. */
  get #ofEarlier() {
    return [...this.#became].flatMap(([{ held }, status]) =>
      held === undefined ? [] : [{ id: held.id, status }],
    );
  }
}

function suspectOf(reading: HeldReading, counts: boolean): Suspect {
  const { subject, capturedAt, market, doubts } = reading;
  // The record may have named its market by an alias.
  const named = market === undefined ? {} : { market: market.id };
  const record = { ...reading.record, ...named, captured_at: isoInstant(capturedAt) };
  return { subject, record, capturedAt, ...whyOf(doubts), counts };
}
