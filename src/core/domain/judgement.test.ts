import { expect, test } from 'vitest';
import type { DoubtReason } from './judgement/rule-words.ts';
import { gravest } from './judgement.ts';

test('of several doubts, the one that only the operator can release is reported', () => {
  const reasons: readonly DoubtReason[] = ['moved', 'venues_differ', 'out_of_band'];
  const doubts = reasons.map((reason) => ({ reason, message: reason }));
  expect(gravest(doubts)?.reason).toBe('out_of_band');
  expect(gravest([])).toBeUndefined();
});
