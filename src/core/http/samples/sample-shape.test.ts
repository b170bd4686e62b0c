import { expect, test } from 'vitest';
import { inShapeOf } from './sample-shape.ts';

const row = (market: string, mid = 1) => ({ market, mid });

test('contract §27 a sample has as many rows as the declared one, of the same markets, in the order of the answer', () => {
  const declared = { rates: [row('parallel'), row('reference'), row('gone')] };
  const answer = {
    rates: [row('reference', 8), row('cash', 9), row('parallel', 7), row('okx', 6)],
  };
  expect(inShapeOf(declared, answer)).toEqual({
    rates: [row('reference', 8), row('cash', 9), row('parallel', 7)],
  });
});

test('contract §27 three rows of a list that the declared sample leaves empty are shown, not four', () => {
  expect(inShapeOf({ days: [] }, { days: [1, 2, 3] })).toEqual({ days: [1, 2, 3] });
  expect(inShapeOf({ days: [] }, { days: [1, 2, 3, 4] })).toEqual({ days: [1, 2, 3] });
  expect(inShapeOf({}, { more: { days: [1, 2, 3, 4] } })).toEqual({ more: { days: [1, 2, 3] } });
});

test('contract §27 an answer without rows where the sample has some is none, wherever they are', () => {
  expect(inShapeOf({ rows: [1] }, { rows: [] })).toBeUndefined();
  expect(inShapeOf([{ rows: [1] }], [{ rows: [] }])).toBeUndefined();
  expect(inShapeOf({ rows: [1], index: 1 }, { rows: [2], index: null })).toEqual({
    ...{ rows: [2], index: null },
  });
});
