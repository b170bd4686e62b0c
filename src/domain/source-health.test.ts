import { expect, test } from 'vitest';
import { CONDITION_RANK, SOURCE_CONDITIONS } from './source-health.ts';

test('a list of sources begins with what fails, and ends with what needs nobody', () => {
  const byRank = SOURCE_CONDITIONS.toSorted((a, b) => CONDITION_RANK[a] - CONDITION_RANK[b]);
  const needy = ['failing', 'late', 'frozen', 'incomplete', 'waiting'];
  expect(byRank).toEqual([...needy, 'ok', 'standby', 'off']);
});
