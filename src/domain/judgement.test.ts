import { expect, test } from 'vitest';
import { loadJudgement } from '../catalogue/judgement.ts';
import { type DoubtReason, gravest, isFrozen } from './judgement.ts';
import { MARKET_TYPES } from './markets.ts';
import { SECOND_MS } from './time.ts';

const { thresholds } = loadJudgement('catalog');

test('of several doubts, the one that only the operator can release is reported', () => {
  const reasons: readonly DoubtReason[] = ['moved', 'venues_differ', 'out_of_band'];
  const doubts = reasons.map((reason) => ({ reason, message: reason }));
  expect(gravest(doubts)?.reason).toBe('out_of_band');
  expect(gravest([])).toBeUndefined();
});

test.each(MARKET_TYPES)('a %s value is frozen after its time, not exactly at it', (type) => {
  const limit = thresholds.frozenAfterSec[type] * SECOND_MS;
  expect(isFrozen(type, { unchangedSince: 0, updatedAt: limit }, thresholds)).toBe(false);
  expect(isFrozen(type, { unchangedSince: 0, updatedAt: limit + 1 }, thresholds)).toBe(true);
});
