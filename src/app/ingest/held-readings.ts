import { haveSameFigures } from '../../domain/judgement/publication-judgement.ts';
import { type Doubt, inOrder, type Reading } from '../../domain/judgement.ts';
import { isOfficial } from '../../domain/markets.ts';
import { isoInstant } from '../../domain/time.ts';
import type { HeldRecord, Settlement, Suspect } from '../ports/held.ts';
import { orRefusal, Refused } from './record.ts';
import { type Candidate, type Surroundings, toCandidate } from './record-entry.ts';

/** Most held records of one batch. More mean that the whole feed or file is wrong. */
// limit: Records of one batch that are held | 1,000 | the batch is refused
export const MAX_HELD_PER_BATCH = 1_000;
export const TOO_MANY_HELD = `it would be one more than the ${MAX_HELD_PER_BATCH} records of a batch that can be held`;

/** Most held readings of a subject that are compared with a new one; of more some no longer count. */
// limit: Held publications or tables that a new one is compared with | 200 | the oldest no longer counts
const MAX_FOLLOWED_READINGS = 200;

/** A held reading that still counts. `held` is set when it comes from an earlier batch. */
export interface HeldReading extends Reading {
  readonly reason: string;
  readonly candidate: Candidate;
  readonly held?: HeldRecord;
}

/** A doubtful record of the current batch. */
interface InDoubt {
  readonly candidate: Candidate;
  readonly doubt: Doubt;
  readonly reasons: readonly string[];
  /** Whether it still counts towards a confirmation; stored as `HeldRecord.counts`. */
  counts: boolean;
}

/** The readings that are in doubt while a batch is judged, and what becomes of them. */
export class HeldReadings {
  /** Those that still count, by subject, oldest first. */
  readonly #bySubject = new Map<string, HeldReading[]>();
  readonly #inDoubt = new Map<Candidate, InDoubt>();
  readonly #released: HeldRecord[] = [];
  /** Ids of held records that no longer count as readings. */
  readonly #discounted: string[] = [];
  /** Ids of held publications whose date a later one corrected. */
  readonly #withdrawn: string[] = [];

  of(subject: string): readonly HeldReading[] {
    return this.#bySubject.get(subject) ?? [];
  }

  all(): readonly HeldReading[] {
    return [...this.#bySubject.values()].flat();
  }

  /** Held records of earlier batches that this one releases. */
  get released(): readonly HeldRecord[] {
    return this.#released;
  }

  /** How many records of this batch are in doubt. */
  get inDoubt(): number {
    return this.#inDoubt.size;
  }

  get settlement(): Pick<Settlement, 'hold' | 'discount' | 'withdraw'> {
    return {
      hold: [...this.#inDoubt.values()].map(suspectOf),
      discount: this.#discounted,
      withdraw: this.#withdrawn,
    };
  }

  /** Adds a reading. Of too many, one no longer counts. */
  follow(followed: HeldReading): void {
    const { subject } = followed.candidate;
    const readings = this.#bySubject.get(subject) ?? [];
    if (readings.length === 0) this.#bySubject.set(subject, readings);
    readings.push(followed);
    if (readings.length <= MAX_FOLLOWED_READINGS) return;
    for (const dropped of readings.splice(0, 1)) this.#discount(dropped);
  }

  /** @throws Refused when too many records of the batch are in doubt. */
  hold(
    candidate: Candidate,
    doubt: Doubt,
    reading: Reading,
    doubts: readonly Doubt[] = [doubt],
  ): void {
    if (this.#inDoubt.size === MAX_HELD_PER_BATCH) {
      throw new Refused(`${doubt.message}; ${TOO_MANY_HELD}`);
    }
    const reasons = inOrder(doubts).map(({ reason }) => reason);
    this.#inDoubt.set(candidate, { candidate, doubt, reasons, counts: true });
    this.follow({ ...reading, reason: doubt.reason, reasons, candidate });
  }

  release(readings: readonly HeldReading[]): void {
    this.#remove(readings);
    for (const { held, candidate } of readings) {
      if (held === undefined) this.#inDoubt.delete(candidate);
      else this.#released.push(held);
    }
  }

  withdraw(readings: readonly HeldReading[]): void {
    this.#remove(readings);
    for (const reading of readings) {
      if (reading.held === undefined) this.#discount(reading);
      else this.#withdrawn.push(reading.held.id);
    }
  }

  /** An accepted reading ends earlier pending ones of its origin. Held rows wait for a table. */
  endRun(subject: string, { origin }: Reading): void {
    const ended = this.of(subject).filter(
      (held) => held.origin === origin && held.reason !== 'row_apart',
    );
    this.#remove(ended);
    for (const reading of ended) this.#discount(reading);
  }

  #remove(gone: readonly HeldReading[]): void {
    const candidates = new Set(gone.map(({ candidate }) => candidate));
    for (const subject of new Set([...candidates].map((candidate) => candidate.subject))) {
      const left = this.of(subject).filter(({ candidate }) => !candidates.has(candidate));
      this.#bySubject.set(subject, left);
    }
  }

  #discount({ held, candidate }: HeldReading): void {
    if (held !== undefined) this.#discounted.push(held.id);
    const inDoubt = this.#inDoubt.get(candidate);
    if (inDoubt !== undefined) inDoubt.counts = false;
  }
}

function suspectOf({ candidate, doubt, reasons, counts }: InDoubt): Suspect {
  const { subject, capturedAt, market } = candidate;
  const { reason, message } = doubt;
  // The record may have named its market by an alias.
  const named = market === undefined ? {} : { market: market.id };
  const record = { ...candidate.record, ...named, captured_at: isoInstant(capturedAt) };
  return { subject, record, capturedAt, reason, message, reasons, counts };
}

/**
 * Whether a confirmed reading may be published. A publication must have the same figures, except in
 * an archive, where each is the only one of its value date.
 */
export function isPublishable(
  { observation: held, isOfArchive }: HeldReading,
  { observation }: Reading,
): boolean {
  if (isOfArchive === true) return true;
  if (held.kind !== 'publication' || observation.kind !== 'publication') return true;
  return haveSameFigures(held.rates, observation.rates);
}

/** Finds the held records that a batch repeats in full, whatever their reading time (decisions §7). */
export class RepeatedHeld {
  readonly #idsOf = new Map<string, string[]>();
  /** Number of texts of each record that the batch has not contained yet. */
  readonly #missing = new Map<string, number>();
  /** Ids of the records whose texts the batch contains. */
  readonly ids: string[] = [];

  constructor(records: readonly HeldRecord[], around: Surroundings) {
    for (const held of records) {
      const candidate = orRefusal(() => toCandidate(held.record, around));
      if (candidate instanceof Refused) continue;
      const keys = contentKeys(candidate);
      this.#missing.set(held.id, keys.length);
      for (const key of keys) this.#idsOf.set(key, [...(this.#idsOf.get(key) ?? []), held.id]);
    }
  }

  /** Registers an accepted record of the batch. */
  add(candidate: Candidate): void {
    for (const key of contentKeys(candidate)) {
      const ids = this.#idsOf.get(key) ?? [];
      this.#idsOf.delete(key);
      for (const id of ids) {
        const missing = (this.#missing.get(id) ?? 0) - 1;
        this.#missing.set(id, missing);
        if (missing === 0) this.ids.push(id);
      }
    }
  }
}

/**
 * The content of a record without its reading time: one text, or one for each row of a bank table.
 * Records with a common text have the same content.
 */
function contentKeys({ entry, market, subject }: Candidate): readonly string[] {
  const { publication, bankTable, captures } = entry;
  if (publication !== undefined) {
    const rates = Object.entries(publication.rates).sort(([a], [b]) => (a < b ? -1 : 1));
    return [JSON.stringify([subject, publication.valueDate, rates])];
  }
  if (bankTable !== undefined) {
    return bankTable.rows.map(({ bank, buy, sell, date }) =>
      JSON.stringify([subject, bankTable.indicatorDate, bank, buy, sell, date]),
    );
  }
  const [capture] = captures;
  if (capture === undefined || market === undefined) return [];
  const { mid, ask, bid, effectiveDate } = capture;
  return [JSON.stringify([market.id, mid, ask, bid, isOfficial(market) ? effectiveDate : ''])];
}
