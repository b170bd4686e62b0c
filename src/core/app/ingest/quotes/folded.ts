import { step } from '../../../domain/judgement/quote-fold.ts';
import type {
  QuoteChange,
  QuoteReading,
  QuotesState,
} from '../../../domain/judgement/quote-memory.ts';
import type { Instant } from '../../../domain/time.ts';
import { ownTurn } from '../../lower-priority.ts';
import type { Officials } from './officials.ts';
import { bodiesOf } from './quote-bodies.ts';
import type { Moment } from './recent-quotes.ts';

/** What became of some readings, moment by moment, and what is known after them. */
export interface Folded {
  readonly state: QuotesState;
  readonly changes: ReadonlyMap<QuoteReading, QuoteChange>;
  readonly moments: readonly Moment[];
}

/** A time whose readings are judged again, both ends inclusive. */
export interface Span {
  readonly from: Instant;
  readonly to: Instant;
  /** Whether later readings are stored too. */
  readonly isOpen?: boolean;
}

/** Stored readings in any order, and what they are without others. */
export interface AsStored {
  readonly readings: readonly QuoteReading[];
  readonly folded: Folded;
}

/** Stored readings, and what was known before the first of them. */
export interface Window extends AsStored {
  readonly before: QuotesState;
  /** False when there are too many of them, and none is here. */
  readonly isWhole: boolean;
  /** Up to when the readings are here. */
  readonly to: Instant;
}

/** What is to come after a state, without anything stored. */
export function after(before: QuotesState): Window {
  const folded = { state: before, changes: pendingIn(before), moments: [] };
  return { before, readings: [], folded, isWhole: true, to: Number.POSITIVE_INFINITY };
}

/** Readings that are judged in one turn of the event loop: a few milliseconds. */
// limit: Readings judged in one turn | 500 | other calls first
const READINGS_PER_TURN = 500;

/** Judges readings in the order of their times. Among many of them, calls have their turns. */
export async function fold(
  before: QuotesState,
  readings: readonly QuoteReading[],
  officials: Officials,
): Promise<Folded> {
  const changes = new Map(pendingIn(before));
  await officials.expect([...changes.keys(), ...readings]);
  const moments: Moment[] = [];
  let state = before;
  let inTurn = 0;
  const bodies = bodiesOf(readings);
  // Without any, an official rate may still release what waits for one.
  for (const body of bodies.length === 0 ? [{ at: state.at, readings: [] }] : bodies) {
    inTurn += body.readings.length;
    if (inTurn > READINGS_PER_TURN) {
      await ownTurn();
      inTurn = 0;
    }
    moments.push({ at: body.at, before: state, readings: body.readings });
    const made = step(state, body, officials.rules);
    state = made.state;
    for (const change of made.changes) {
      changes.set(change.reading, { ...changes.get(change.reading), ...change });
    }
  }
  return { state, changes, moments };
}

/** What the held readings of a state are, as long as nothing becomes of them. */
export function pendingIn({ markets }: QuotesState): ReadonlyMap<QuoteReading, QuoteChange> {
  const pending = [...markets.values()].flatMap(({ held }) => held);
  return new Map(
    pending.map(({ reading, updatedAt, doubts }) => [
      reading,
      { reading, status: 'held', updatedAt, doubts },
    ]),
  );
}
