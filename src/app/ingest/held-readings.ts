import type { Reading } from '../../domain/judgement.ts';
import type { HeldRecord, Settlement } from '../ports/held.ts';
import { type InDoubt, suspectOf } from './held-records.ts';
import { type Pending, PendingReadings } from './pending.ts';
import { Refused } from './record.ts';
import type { Candidate } from './record-entry.ts';

/** Most held records of one batch. More mean that the whole feed or file is wrong. */
export const MAX_HELD_PER_BATCH = 1_000;

/** The readings that are in doubt while a batch is judged, and what becomes of them. */
export class HeldReadings {
  readonly #pending = new PendingReadings();
  readonly #inDoubt = new Map<Candidate, InDoubt>();
  readonly #released: HeldRecord[] = [];
  /** Ids of held records that no longer count as readings. */
  readonly #discounted: string[] = [];
  /** Ids of held publications whose date a later one corrected. */
  readonly #withdrawn: string[] = [];

  of(subject: string): readonly Pending[] {
    return this.#pending.of(subject);
  }

  all(): readonly Pending[] {
    return this.#pending.all();
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
  follow(one: Pending): void {
    const gone = this.#pending.add(one);
    if (gone !== undefined) this.#discount(gone);
  }

  /** @throws Refused when too many records of the batch are in doubt. */
  hold(inDoubt: InDoubt, reading: Reading): void {
    const { candidate, doubt } = inDoubt;
    if (this.#inDoubt.size === MAX_HELD_PER_BATCH) {
      throw new Refused(
        `${doubt.message}; it would be one more than the ${MAX_HELD_PER_BATCH} records of a batch that can be held`,
      );
    }
    this.#inDoubt.set(candidate, inDoubt);
    this.follow({ reading, reason: doubt.reason, candidate });
  }

  release(readings: readonly Pending[]): void {
    this.#pending.remove(readings);
    for (const { held, candidate } of readings) {
      if (held === undefined) this.#inDoubt.delete(candidate);
      else this.#released.push(held);
    }
  }

  withdraw(readings: readonly Pending[]): void {
    this.#pending.remove(readings);
    for (const one of readings) {
      if (one.held === undefined) this.#discount(one);
      else this.#withdrawn.push(one.held.id);
    }
  }

  /** An accepted reading ends earlier pending ones of its origin. Held rows wait for a table. */
  endRun(subject: string, { origin }: Reading): void {
    const ended = this.#pending
      .of(subject)
      .filter((one) => one.reading.origin === origin && one.reason !== 'row_apart');
    this.#pending.remove(ended);
    for (const one of ended) this.#discount(one);
  }

  #discount({ held, candidate }: Pending): void {
    if (held !== undefined) {
      this.#discounted.push(held.id);
      return;
    }
    const inDoubt = this.#inDoubt.get(candidate);
    if (inDoubt !== undefined) this.#inDoubt.set(candidate, { ...inDoubt, counts: false });
  }
}
