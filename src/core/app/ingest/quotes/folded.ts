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

/** What became of some readings, and what was known before, between and after their moments. */
export interface Folded {
  readonly changes: ReadonlyMap<QuoteReading, QuoteChange>;
  readonly states: readonly QuotesState[];
  /** The last of them. */
  readonly state: QuotesState;
}

/** A time whose readings are judged again, both ends inclusive. */
export interface Span {
  readonly from: Instant;
  readonly to: Instant;
}

/** Stored readings in any order, and what they are without others. */
export interface Window {
  /** What was known before the first of them. */
  readonly before: QuotesState;
  readonly readings: readonly QuoteReading[];
  readonly folded: Pick<Folded, 'changes' | 'state'>;
  /** Up to when the readings are here; undefined when there are too many of them, and none is here. */
  readonly to: Instant | undefined;
}

/** What is to come after a state, without anything stored. */
export function after(before: QuotesState): Window {
  const folded = { state: before, changes: pendingIn(before) };
  return { before, readings: [], folded, to: Number.MAX_SAFE_INTEGER };
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
  const states = [before];
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
    const made = step(state, body, officials.rules);
    state = made.state;
    states.push(state);
    for (const change of made.changes) {
      changes.set(change.reading, { ...changes.get(change.reading), ...change });
    }
  }
  return { states, state, changes };
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
