import { describe, expect, test } from 'vitest';
import type { BoardRate } from '../../../../client/types.ts';
import { type MarketColumn, type MarketOrder, nextOrder, ordered } from './market-order.ts';

const row = (market: string, more: Partial<BoardRate>): BoardRate => ({
  ...{ market, type: 'p2p', base: 'USD', mid: 800, name: market, name_en: market },
  ...{ updated_at: '2026-11-21T12:00:00Z', stale_after_sec: 900, staleness_sec: 0, stale: false },
  source: { name: 'test', kind: 'aggregator' },
  ...more,
});

const ROWS = [
  row('b', { mid: 3, ask: 10, name: 'Ñandú', updated_at: '2026-11-21T12:00:03Z' }),
  row('a', { mid: 1, gap_percent: 5, name: 'Zulia' }),
  row('c', { mid: 2, ask: 9, gap_percent: -1, name: 'nombre' }),
];

const sorted = (column: MarketColumn, isReversed = false) =>
  ordered(ROWS, { column, isReversed }, 'es').map(({ market }) => market);

describe('the order of the markets', () => {
  test('a heading sorts, then reverses, then gives back the order of the service', () => {
    const orders: (MarketOrder | undefined)[] = [undefined];
    for (const _ of [1, 2, 3]) orders.push(nextOrder(orders.at(-1), 'rate'));
    expect(orders.slice(1)).toEqual([
      { column: 'rate', isReversed: false },
      { column: 'rate', isReversed: true },
      undefined,
    ]);
    expect(nextOrder({ column: 'rate', isReversed: true }, 'age')).toEqual({
      column: 'age',
      isReversed: false,
    });
    expect(ordered(ROWS, undefined, 'es')).toEqual(ROWS);
  });

  test('is by figure, by name as the language has it, and by age with the newest first', () => {
    expect(sorted('rate')).toEqual(['a', 'c', 'b']);
    expect(sorted('rate', true)).toEqual(['b', 'c', 'a']);
    expect(sorted('market')).toEqual(['c', 'b', 'a']);
    expect(sorted('age')[0]).toBe('b');
  });

  test('rates stand in the order of their figures, whatever their currency', () => {
    const rows = [row('euro', { base: 'EUR', mid: 1e9 }), ...ROWS];
    const sortedBy = (isReversed: boolean) => ordered(rows, { column: 'rate', isReversed }, 'es');
    expect(sortedBy(false).at(-1)?.market).toBe('euro');
    expect(sortedBy(true)[0]?.market).toBe('euro');
  });

  test('a row without the figure is last, reversed or not', () => {
    expect(sorted('buy')).toEqual(['c', 'b', 'a']);
    expect(sorted('buy', true)).toEqual(['b', 'c', 'a']);
    expect(sorted('premium', true).at(-1)).toBe('b');
  });
});
