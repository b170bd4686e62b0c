import { isDeepStrictEqual } from 'node:util';
import {
  type MarketMemory,
  nothingOf,
  type QuotesState,
  REMEMBERED_MS,
} from '../../../domain/judgement/quote-memory.ts';
import type { Thresholds } from '../../../domain/judgement.ts';
import { type Instant, SECOND_MS } from '../../../domain/time.ts';

/** Whether every later reading is judged alike after two states of one instant. */
export function areAlike(one: QuotesState, other: QuotesState, thresholds: Thresholds): boolean {
  const at = Math.max(one.at, other.at);
  const ids = new Set([...one.markets.keys(), ...other.markets.keys()]);
  return [...ids].every((id) => {
    const [a, b] = [one.markets.get(id), other.markets.get(id)];
    const { market } = a ?? b ?? {};
    if (market === undefined) return true;
    const tellingOf = (memory = nothingOf(market)) => telling(memory, at, thresholds);
    return isDeepStrictEqual(tellingOf(a), tellingOf(b));
  });
}

/** What still matters of a market. */
function telling(memory: MarketMemory, at: Instant, { restoreWithinSec }: Thresholds) {
  const { published, replaced, past, held, supported, driftedAt, step, insisted } = memory;
  const isRecent = (since: Instant | undefined) =>
    since !== undefined && since > at - REMEMBERED_MS;
  const isSoon = at - (published?.at ?? 0) <= restoreWithinSec * SECOND_MS;
  return {
    published,
    shown: memory.shown,
    unchangedSince: memory.unchangedSince,
    replaced: isSoon ? replaced : undefined,
    past: past.filter((figure) => isRecent(figure.at)),
    held: new Set(held.map(({ reading }) => reading)),
    reasons: held.map(({ doubts }) => doubts.map(({ reason }) => reason)),
    supported: isRecent(supported?.at) ? supported : undefined,
    driftedAt: isRecent(driftedAt) ? driftedAt : undefined,
    step: isRecent(step?.since) || isRecent(step?.confirmedAt) ? step : undefined,
    insisted: insisted.filter((figure) => isRecent(figure.at)),
  };
}
