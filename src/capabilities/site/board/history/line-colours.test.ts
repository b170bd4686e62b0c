import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_BOARD_SERIES } from '../board-figures.ts';
import { lineColours } from './line-colours.ts';

const MARKETS = [
  'reference',
  'parallel',
  'binance',
  'eur_reference',
  'okx',
  'bybit',
  'saldo',
  'cash',
];
const choice = fc.subarray(MARKETS, { maxLength: MAX_BOARD_SERIES });

describe('the colours of the chart', () => {
  test('the official dollar and the parallel market have their own, chosen alone or with others', () => {
    expect([...lineColours(new Map(), ['parallel'])]).toEqual([['parallel', 2]]);
    expect([...lineColours(new Map(), ['binance', 'parallel', 'reference'])]).toEqual([
      ['binance', 3],
      ['parallel', 2],
      ['reference', 1],
    ]);
  });

  test('a market keeps its colour while others come and go, and no two share one', () => {
    fc.assert(
      fc.property(fc.array(choice, { minLength: 2, maxLength: 8 }), (choices) => {
        let before: ReadonlyMap<string, number> = new Map();
        for (const chosen of choices) {
          const after = lineColours(before, chosen);
          expect([...after.keys()].sort()).toEqual([...chosen].sort());
          expect(new Set(after.values()).size).toBe(chosen.length);
          for (const colour of after.values()) {
            expect(colour >= 1 && colour <= MAX_BOARD_SERIES).toBe(true);
          }
          for (const market of chosen) {
            const kept = before.get(market);
            if (kept !== undefined) expect(after.get(market)).toBe(kept);
          }
          before = after;
        }
      }),
    );
  });
});
