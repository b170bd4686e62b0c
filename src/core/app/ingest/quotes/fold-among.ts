import {
  type QuoteChange,
  type QuoteReading,
  type QuotesState,
  REMEMBERED_MS,
} from '../../../domain/judgement/quote-memory.ts';
import { HOUR_MS, type Instant } from '../../../domain/time.ts';
import { areAlike } from './alike.ts';
import { fold, type Window } from './folded.ts';
import type { Officials } from './officials.ts';
import { changedFrom } from './quote-changes.ts';
import type { Moment } from './recent-quotes.ts';
import { sentAgain } from './sent-again.ts';
import { MAX_READ_AGAIN, type StoredQuotes } from './stored-quotes.ts';

/** How long after late readings stored ones are judged again at first: most change nothing later. */
export const AFTER_MS = 3 * HOUR_MS;

/** What readings change that are judged among stored ones. */
export interface Among {
  /** The stored readings that new ones repeat, by the new ones. They change nothing. */
  readonly again: ReadonlyMap<QuoteReading, QuoteReading>;
  readonly changes: ReadonlyMap<QuoteReading, QuoteChange>;
  /** What is known after the last stored reading; undefined when they do not change it. */
  readonly state: QuotesState | undefined;
  readonly moments: readonly Moment[];
}

/**
 * What the readings of a time become with and without new ones differs in what these change. Later
 * readings are judged again for as long as that makes a difference to them: after a silence of days
 * the next reading is still compared with the last one before it.
 * @param now The time of the last stored reading.
 */
export async function foldAmong(
  news: readonly QuoteReading[],
  { before, readings, folded, isWhole, to: end }: Window,
  stored: StoredQuotes,
  officials: Officials,
  now: Instant,
): Promise<Among> {
  let without = folded;
  const again = sentAgain(news, readings);
  const added = news.filter((reading) => !again.has(reading));
  let among = await fold(before, [...readings, ...added], officials);
  const { moments } = among;
  const changes = new Map(changedFrom(among.changes, without.changes));
  let [to, size, left] = [end, AFTER_MS, MAX_READ_AGAIN - readings.length];
  const isOver = () => {
    // What is remembered of before that no longer matters now.
    const areOld = now - to > REMEMBERED_MS;
    return areAlike(among.state, without.state, { areOld });
  };
  while (isWhole && to < now && !isOver()) {
    size *= 2;
    const next = { from: to + 1, to: to + size, isOpen: to + size < now };
    const later = await stored.after(without.state, next, left);
    if (later === undefined) return { again, changes, state: undefined, moments: [] };
    without = later.folded;
    among = await fold(among.state, later.readings, officials);
    for (const [reading, change] of changedFrom(among.changes, without.changes)) {
      changes.set(reading, { ...changes.get(reading), ...change });
    }
    to += size;
    left -= later.readings.length;
  }
  // The current quotes may be of a time to which these readings matter no longer.
  const isNow = isWhole && to >= now;
  const isNear = isNow && to === end;
  const state = isNow ? among.state : undefined;
  return { again, changes, state, moments: isNear ? moments : [] };
}
