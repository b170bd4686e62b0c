import { isDeepStrictEqual } from 'node:util';
import {
  type MarketMemory,
  nothingOf,
  type QuotesState,
  REMEMBERED_MS,
} from '../../../domain/judgement/quote-memory.ts';
import type { Instant } from '../../../domain/time.ts';

/**
 * Whether every later reading is judged alike after two states of one instant.
 * @param options Whether they are so old that only what becomes of readings matters, and no longer
 *   how far the figures moved.
 */
export function areAlike(
  one: QuotesState,
  other: QuotesState,
  { areOld }: { readonly areOld: boolean },
): boolean {
  const at = Math.max(one.at, other.at);
  const ids = new Set([...one.markets.keys(), ...other.markets.keys()]);
  return [...ids].every((id) => {
    const [a, b] = [one.markets.get(id), other.markets.get(id)];
    const { market } = a ?? b ?? {};
    if (market === undefined) return true;
    const tellingOf = (memory = nothingOf(market)) => [
      figuresIn(memory, at),
      areOld || movesIn(memory, at),
    ];
    return isDeepStrictEqual(tellingOf(a), tellingOf(b));
  });
}

/** By which later readings are published or held. */
function figuresIn(memory: MarketMemory, at: Instant) {
  const { published, replaced, replacedAt = 0, shown, held, unchangedSince } = memory;
  const isReturn = at - replacedAt <= REMEMBERED_MS;
  return {
    ...{ published, shown, unchangedSince },
    ...(isReturn && { replaced, replacedAt }),
    held: new Set(held.map(({ reading }) => reading)),
    reasons: held.map(({ doubts }) => doubts.map(({ reason }) => reason)),
  };
}

/** By which they are in doubt. */
function movesIn(memory: MarketMemory, at: Instant) {
  const { past, supported, driftedAt, step, insisted, checkedAt } = memory;
  const isRecent = (since: Instant | undefined) =>
    since !== undefined && since > at - REMEMBERED_MS;
  return {
    past: past.filter((figure) => isRecent(figure.at)),
    supported: isRecent(supported?.at) ? supported : undefined,
    driftedAt: isRecent(driftedAt) ? driftedAt : undefined,
    checkedAt: isRecent(checkedAt) ? checkedAt : undefined,
    step: isRecent(step?.since) || isRecent(step?.confirmedAt) ? step : undefined,
    insisted: insisted.filter((figure) => isRecent(figure.at)),
  };
}
