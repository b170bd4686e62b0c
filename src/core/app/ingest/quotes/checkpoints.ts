import type { MarketMemory, QuotesState } from '../../../domain/judgement/quote-memory.ts';
import type { Market, Markets } from '../../../domain/markets.ts';
import { DAY_MS, type Instant, MINUTE_MS } from '../../../domain/time.ts';
import type { QuoteCheckpoint } from '../../ports/quotes.ts';

/* A late reading is judged from the last checkpoint before it (contract §8, "Order"). */

/** A part of the last day of which the last state is a checkpoint. */
// limit: Time between checkpoints of judgement | 10 minutes, after a day a UTC day | more readings are judged again
const CHECKPOINT_MS = 10 * MINUTE_MS;

/** Those of some states, oldest first: all but the last may be one. */
export function checkpointsOf(states: readonly QuotesState[]): readonly QuoteCheckpoint[] {
  const end = states.at(-1)?.at ?? 0;
  const partOf = (at: Instant) => Math.floor(at / (at > end - DAY_MS ? CHECKPOINT_MS : DAY_MS));
  return states.flatMap((state, place) => {
    const next = states[place + 1];
    if (next === undefined || partOf(next.at) === partOf(state.at)) return [];
    return { at: state.at, markets: JSON.stringify([...state.markets.values()], asText) };
  });
}

/** A market is its id. What a reading is held for is judged again. */
function asText(key: string, value: unknown) {
  if (key === 'heldFor') return undefined;
  return key === 'market' ? (value as Market).id : value;
}

/** The state of a checkpoint, without markets that have left the catalogue. */
export function stateOf({ at, markets }: QuoteCheckpoint, catalogue: Markets): QuotesState {
  const found = (key: string, value: unknown) => {
    if (key !== 'market') return value;
    const market = catalogue.find(String(value));
    return market?.id === value ? market : undefined;
  };
  const memories: readonly Partial<MarketMemory>[] = JSON.parse(markets, found);
  const isKnown = (memory: Partial<MarketMemory>): memory is MarketMemory =>
    memory.market !== undefined;
  return { at, markets: new Map(memories.filter(isKnown).map((one) => [one.market.id, one])) };
}
