import { isDeepStrictEqual } from 'node:util';
import {
  type MarketMemory,
  type QuoteChange,
  type QuoteReading,
  type QuotesState,
  REMEMBERED_MS,
} from '../../../domain/judgement/quote-memory.ts';
import { HOUR_MS, type Instant } from '../../../domain/time.ts';
import { fold, type Window } from './folded.ts';
import type { Officials } from './officials.ts';
import { changedFrom } from './quote-changes.ts';
import { sentAgain } from './sent-again.ts';
import { MAX_READ_AGAIN, type StoredQuotes } from './stored-quotes.ts';

/** How long after late readings stored ones are judged again at first: most change nothing later. */
export const AFTER_MS = 2 * HOUR_MS;

/** What readings change that are judged among stored ones. */
export interface Among {
  /** The stored readings that new ones repeat, by the new ones. They change nothing. */
  readonly again: ReadonlyMap<QuoteReading, QuoteReading>;
  readonly changes: ReadonlyMap<QuoteReading, QuoteChange>;
  /** What is known between and after the moments of the readings; none when there are too many. */
  readonly states: readonly QuotesState[];
  /** Up to when they change anything; undefined if up to now. */
  readonly to: Instant | undefined;
}

/**
 * What the readings of a time become with and without new ones differs in what these change. Later
 * readings are judged again for as long as that makes a difference to them: after a silence of days
 * the next reading is still compared with the last one before it.
 */
export async function foldAmong(
  news: readonly QuoteReading[],
  { before, readings, folded: without, to: end }: Window,
  stored: StoredQuotes,
  officials: Officials,
): Promise<Among> {
  const again = sentAgain(news, readings);
  const added = news.filter((reading) => !again.has(reading));
  const first = await fold(before, [...readings, ...added], officials);
  const changes = new Map(changedFrom(first.changes, without.changes));
  if (end === undefined) return { again, changes, states: [], to: undefined };
  const states = [...first.states];
  let [to, size, left, state] = [
    end,
    REMEMBERED_MS,
    MAX_READ_AGAIN - readings.length,
    without.state,
  ];
  while (to < stored.newest) {
    const later = await stored.since(state, to + size, left);
    if (later === undefined) return { again, changes, states: [], to: undefined };
    const among = await fold(states.at(-1) ?? before, later.readings, officials);
    const changed = changedFrom(among.changes, later.folded.changes);
    for (const [reading, change] of changed) {
      changes.set(reading, { ...changes.get(reading), ...change });
    }
    states.push(...among.states.slice(1));
    state = later.folded.state;
    left -= later.readings.length;
    to += size;
    size *= 2;
    // What is remembered of before the last readings no longer matters.
    if (changed.size === 0 && areAlike(among.state, state)) return { again, changes, states, to };
  }
  return { again, changes, states, to: undefined };
}

/** Whether later readings are judged alike after two states, if nothing moved in the last day. */
function areAlike(one: QuotesState, other: QuotesState): boolean {
  const tellingOf = ({ markets }: QuotesState) =>
    new Map([...markets].map(([id, memory]) => [id, figuresIn(memory)]));
  return isDeepStrictEqual(tellingOf(one), tellingOf(other));
}

function figuresIn({ published, shown, unchangedSince, checkedAt, held }: MarketMemory) {
  const waiting = held.map(({ reading, doubts }) => [
    reading,
    ...doubts.map(({ reason }) => reason),
  ]);
  // Days of before the last check count for nothing in a drift over days.
  return { published, shown, unchangedSince, checkedAt, waiting };
}
