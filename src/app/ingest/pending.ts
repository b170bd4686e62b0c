import type { Reading } from '../../domain/judgement.ts';
import type { HeldRecord } from '../ports/held.ts';
import type { Candidate } from './record-entry.ts';

/** Most held readings of a subject that are compared with a new one. Older ones no longer count. */
export const MAX_FOLLOWED_READINGS = 200;

/** A held record that still counts, with what it says. */
export interface Followed {
  readonly held: HeldRecord;
  readonly origin: string;
  readonly candidate: Candidate;
}

/** A held reading that still counts. `held` is set when it comes from an earlier batch. */
export interface Pending {
  readonly reading: Reading;
  readonly reason: string;
  readonly candidate: Candidate;
  readonly held?: HeldRecord;
}

/** The held readings that still count, by subject, oldest first. */
export class PendingReadings {
  readonly #bySubject = new Map<string, Pending[]>();

  of(subject: string): readonly Pending[] {
    return this.#bySubject.get(subject) ?? [];
  }

  all(): readonly Pending[] {
    return [...this.#bySubject.values()].flat();
  }

  /**
   * Adds a reading.
   * @returns the oldest one when there are too many; it no longer counts.
   */
  add(one: Pending): Pending | undefined {
    const { subject } = one.candidate;
    const pending = this.#bySubject.get(subject) ?? [];
    if (pending.length === 0) this.#bySubject.set(subject, pending);
    pending.push(one);
    return pending.length > MAX_FOLLOWED_READINGS ? pending.shift() : undefined;
  }

  remove(gone: readonly Pending[]): void {
    for (const subject of new Set(gone.map(({ candidate }) => candidate.subject))) {
      const left = this.of(subject).filter((one) => !gone.includes(one));
      this.#bySubject.set(subject, left);
    }
  }
}
