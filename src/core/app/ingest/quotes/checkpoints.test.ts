import { describe, expect, test } from 'vitest';
import type { MarketMemory } from '../../../domain/judgement/quote-memory.ts';
import { type Market, markets } from '../../../domain/markets.ts';
import { DAY_MS, type Instant, MINUTE_MS } from '../../../domain/time.ts';
import { checkpointsOf, stateOf } from './checkpoints.ts';

const CASH: Market = {
  ...{ id: 'cash', name: 'Efectivo', nameEn: 'Cash', type: 'cash', base: 'USD' },
  ...{ aliases: [], alsoKnownAs: [], staleAfterSec: 7_200 },
  ...{ dropAfterSec: undefined, requiredPlan: undefined },
};
const START = 20_000 * DAY_MS;
const MINUTES = (count: number) => START + count * MINUTE_MS;

const state = (at: Instant, more: Partial<MarketMemory> = {}) => ({
  at,
  markets: new Map([['cash', { market: CASH, past: [], held: [], insisted: [], ...more }]]),
});
const instants = (...all: readonly Instant[]) =>
  checkpointsOf(all.map((at) => state(at))).map(({ at }) => at);

describe('checkpoints of judgement (contract §8)', () => {
  test('the last state of each ten minutes is one', () => {
    expect(instants(MINUTES(0), MINUTES(10) - 1)).toEqual([]);
    expect(instants(MINUTES(0), MINUTES(10) - 1, MINUTES(10))).toEqual([MINUTES(10) - 1]);
  });

  test('of over a day before, the last state of each UTC day', () => {
    const [now, day] = [START + 3 * DAY_MS, START + DAY_MS];
    expect(instants(START, START + 30 * MINUTE_MS, day, day + 20 * MINUTE_MS, now)).toEqual([
      START + 30 * MINUTE_MS,
      day + 20 * MINUTE_MS,
    ]);
  });

  test('they are read as they were, without a market that has left the catalogue', () => {
    const reading = {
      market: CASH,
      mid: 1_500,
      at: START,
      source: 'a',
      origin: 'a',
      isTrusted: false,
    };
    const doubts = [{ reason: 'moved', message: 'too far' }];
    const held = { reading, mid: 1_500, at: START, updatedAt: START, doubts };
    const known = state(START, { held: [held], past: [{ mid: 1_000, at: START }] });
    const [checkpoint = { at: 0, markets: '' }] = checkpointsOf([known, state(MINUTES(10))]);
    expect(stateOf(checkpoint, markets([CASH]))).toEqual(known);
    expect(stateOf(checkpoint, markets([])).markets.size).toBe(0);
  });
});
