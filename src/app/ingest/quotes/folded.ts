import type { QuoteChange, QuoteRules } from '../../../domain/judgement/quote-body.ts';
import { step } from '../../../domain/judgement/quote-fold.ts';
import type { QuoteReading, QuotesState } from '../../../domain/judgement/quote-memory.ts';
import { bodiesOf } from './quote-bodies.ts';
import type { Moment } from './recent-quotes.ts';

/** What became of some readings, moment by moment, and what is known after them. */
export interface Folded {
  readonly state: QuotesState;
  readonly changes: ReadonlyMap<QuoteReading, QuoteChange>;
  readonly moments: readonly Moment[];
}

/** Judges readings in the order of their times. */
export function fold(
  before: QuotesState,
  readings: readonly QuoteReading[],
  rules: QuoteRules,
): Folded {
  const changes = new Map(pendingIn(before));
  const moments: Moment[] = [];
  let state = before;
  const bodies = bodiesOf(readings);
  // Without any, an official rate may still release what waits for one.
  for (const body of bodies.length === 0 ? [{ at: state.at, readings: [] }] : bodies) {
    moments.push({ at: body.at, before: state, readings: body.readings });
    const made = step(state, body, rules);
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
