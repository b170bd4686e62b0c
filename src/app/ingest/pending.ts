import { haveSameFigures } from '../../domain/judgement/publication-judgement.ts';
import type { Reading } from '../../domain/judgement.ts';
import { type Instant, SECOND_MS } from '../../domain/time.ts';
import type { HeldRecord } from '../ports/held.ts';
import type { Candidate } from './record-entry.ts';

/** Most held readings of a subject that are compared with a new one; of more some no longer count. */
const MAX_FOLLOWED_READINGS = 200;

/** A held record that still counts, with its content. */
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
   * @returns one that no longer counts, when there are too many.
   */
  add(one: Pending): Pending | undefined {
    const { subject } = one.candidate;
    const pending = this.#bySubject.get(subject) ?? [];
    if (pending.length === 0) this.#bySubject.set(subject, pending);
    pending.push(one);
    if (pending.length <= MAX_FOLLOWED_READINGS) return undefined;
    const gone = leastTelling(pending, one.reading.origin);
    if (gone === undefined) return pending.shift();
    pending.splice(pending.indexOf(gone), 1);
    return gone;
  }

  remove(gone: readonly Pending[]): void {
    for (const subject of new Set(gone.map(({ candidate }) => candidate.subject))) {
      const left = this.of(subject).filter((one) => !gone.includes(one));
      this.#bySubject.set(subject, left);
    }
  }
}

/** Readings before and after one that its values are compared with. */
const NEIGHBOURS = 2;

/**
 * Finds a reading of the origin that can be dropped: its values lie between those of its neighbours,
 * which are the nearest in time. Without it the run keeps its beginning and its extremes, so a feed
 * that is read every second insists like one that is read every minute.
 */
function leastTelling(pending: readonly Pending[], origin: string): Pending | undefined {
  const own = pending.filter(({ reading }) => reading.origin === origin);
  let found: Pending | undefined;
  let least = Number.POSITIVE_INFINITY;
  own.forEach((one, place) => {
    const before = own.slice(Math.max(0, place - NEIGHBOURS), place);
    const after = own.slice(place + 1, place + 1 + NEIGHBOURS);
    const gap = timeOf(after[0]) - timeOf(before.at(-1));
    if (!(gap < least) || !isAmong(one, [...before, ...after])) return;
    [found, least] = [one, gap];
  });
  return found;
}

function timeOf(one: Pending | undefined): number {
  return one?.reading.capturedAt ?? Number.NaN;
}

const VALUES = ['mid', 'ask', 'bid'] as const;

function isAmong({ reading: { observation } }: Pending, around: readonly Pending[]): boolean {
  if (observation.kind !== 'quote') return false;
  return VALUES.every((name) => {
    const value = observation[name];
    const others = around.map(({ reading: { observation: other } }) =>
      other.kind === 'quote' ? other[name] : undefined,
    );
    const known = others.filter((other) => other !== undefined);
    if (value === undefined) return known.length === 0;
    return (
      known.length === others.length && Math.min(...known) <= value && value <= Math.max(...known)
    );
  });
}

/**
 * Whether a confirmed reading may be published. A publication must have the same figures, except in
 * an archive, where each is the only one of its value date.
 */
export function isPublishable(
  { reading: { observation: held, isOfArchive } }: Pending,
  { observation }: Reading,
): boolean {
  if (isOfArchive === true) return true;
  if (held.kind !== 'publication' || observation.kind !== 'publication') return true;
  return haveSameFigures(held.rates, observation.rates);
}

/** Reasons that may end when other records are published: an official rate, or other venues. */
const CONTEXTUAL: readonly string[] = ['first_quote', 'venues_differ'];

/**
 * Whether a held record waits for others: a first quote always, a venue only while its reading is
 * fresh at `latest`, because an old one cannot agree with current ones.
 */
export function isWaiting({ reason, candidate, reading }: Pending, latest: Instant): boolean {
  if (!CONTEXTUAL.includes(reason)) return false;
  const age = (candidate.market?.staleAfterSec ?? 0) * SECOND_MS;
  return reason === 'first_quote' || reading.capturedAt >= latest - age;
}
