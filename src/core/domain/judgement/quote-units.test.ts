import { expect, test } from 'vitest';
import { day } from '../../../../testkit/day.ts';
import { redenominations } from '../redenomination.ts';
import { DAY_MS, startOfCaracasDay } from '../time.ts';
import { knownInUnit } from './quote-units.ts';

test('the days before a quote are compared in its unit, but for the one in which that changed (contract §8)', () => {
  const reform = redenominations([{ on: day('2027-01-04'), factor: 1_000, name: 'new' }]);
  const changed = Date.UTC(2027, 0, 4);
  const days = [-1, 0, 1].map((place) => ({
    ...{
      market: 'parallel',
      start: changed + place * DAY_MS,
      low: 3_000,
      high: 5_000,
      close: 4_000,
    },
  }));
  const at = startOfCaracasDay(day('2027-01-03'));
  const memory = { market: 'parallel', at, insisted: [{ mid: 4_000, at }], past: [] };
  const known = knownInUnit([memory], days, { on: day('2027-01-05'), redenominations: reform });
  expect(known.days).toEqual([{ ...days[0], low: 3, high: 5, close: 4 }, days[2]]);
  expect(known.states[0]?.insisted).toEqual([{ mid: 4, at }]);
});
