import type { Reading } from '../judgement.ts';
import { type Instant, SECOND_MS } from '../time.ts';
import { isAboutOthers } from './confirmation.ts';
import type { HeldQuote } from './quote-memory.ts';

/** Readings before and after one that its values are compared with. */
const NEIGHBOURS = 2;

/**
 * The held reading of an origin that can be dropped: its values lie between those of its neighbours,
 * which are the nearest in time; the first of all if there is none. The run keeps its beginning and
 * its extremes, so readings of every second repeat a value as well as those of every minute.
 */
export function leastNeeded(held: readonly HeldQuote[], origin: string): HeldQuote | undefined {
  const own = held.filter(({ reading }) => reading.origin === origin);
  let found: HeldQuote | undefined;
  let least = Number.POSITIVE_INFINITY;
  own.forEach((one, place) => {
    const before = own.slice(Math.max(0, place - NEIGHBOURS), place);
    const after = own.slice(place + 1, place + 1 + NEIGHBOURS);
    const gap = (after[0]?.at ?? Number.NaN) - (before.at(-1)?.at ?? Number.NaN);
    if (!(gap < least) || !isAmong(one, [...before, ...after])) return;
    [found, least] = [one, gap];
  });
  return found ?? held[0];
}

const VALUES = ['mid', 'ask', 'bid'] as const;

function isAmong(one: HeldQuote, around: readonly HeldQuote[]): boolean {
  return VALUES.every((name) => {
    const value = one[name];
    const others = around.flatMap((other) => other[name] ?? []);
    if (value === undefined) return others.length === 0;
    return (
      others.length === around.length &&
      Math.min(...others) <= value &&
      value <= Math.max(...others)
    );
  });
}

/**
 * Whether a held reading waits for others: a first quote always, the rest only while it is fresh,
 * because an old one cannot agree with current ones.
 */
export function isWaiting({ doubts: [doubt], reading, at }: HeldQuote, now: Instant): boolean {
  const age = reading.market.staleAfterSec * SECOND_MS;
  const reason = doubt?.reason ?? '';
  return reason === 'first_quote' || (isAboutOthers(reason) && at >= now - age);
}

/** A held reading in the terms of the rules of all records. */
export interface Pending extends Reading {
  readonly held: HeldQuote;
}

export function asReading(held: HeldQuote): Pending {
  const { mid, ask, bid, at, doubts, reading } = held;
  const reasons = doubts.map(({ reason }) => reason);
  const observation = { kind: 'quote' as const, mid, ask, bid };
  return { origin: reading.origin, capturedAt: at, observation, reasons, held };
}
