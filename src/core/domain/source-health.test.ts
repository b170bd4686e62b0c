import { expect, test } from 'vitest';
import { CONDITION_RANK, SOURCE_CONDITIONS } from './source-health.ts';

test('a list of sources begins with failing ones and ends with those that need no action', () => {
  const byRank = SOURCE_CONDITIONS.toSorted((a, b) => CONDITION_RANK[a] - CONDITION_RANK[b]);
  const needy = ['failing', 'late', 'frozen', 'incomplete', 'waiting'];
  expect(byRank).toEqual([...needy, 'ok', 'standby', 'off']);
});
