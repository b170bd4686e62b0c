import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aMarket } from '../../../test/harness/market.ts';
import type { MarketType } from './markets.ts';
import { dropsAt, isStale, MAX_RATE, MIN_RATE, type Quote, stalenessSec } from './quotes.ts';
import { DAY_MS, SECOND_MS } from './time.ts';

const UPDATED = Date.UTC(2026, 10, 21, 2, 58);

function quote(type: MarketType, staleAfterSec: number): Quote {
  return {
    market: aMarket({ id: `some_${type}`, type, staleAfterSec }),
    mid: 889.58,
    updatedAt: UPDATED,
  };
}

describe('ages', () => {
  test.each([
    ['reference', 475_200],
    ['parallel', 7_200],
    ['p2p', 900],
    ['remittance', 21_600],
    ['exchange_house', 21_600],
    ['cash', 86_400],
  ] as const)(
    '§2.4 a %s quote is stale when older than %i seconds, not exactly at that age',
    (type, threshold) => {
      const one = quote(type, threshold);
      expect(isStale(one, UPDATED + threshold * SECOND_MS)).toBe(false);
      expect(isStale(one, UPDATED + (threshold + 1) * SECOND_MS)).toBe(true);
    },
  );

  test('§2.4 stale and staleness_sec never contradict one another', () => {
    fc.assert(
      fc.property(fc.nat(2000), fc.integer({ min: -5000, max: 2_000_000 }), (threshold, age) => {
        const one = quote('p2p', threshold);
        expect(isStale(one, UPDATED + age)).toBe(stalenessSec(one, UPDATED + age) > threshold);
      }),
    );
  });

  test('§2.4 a quote from the near future has age 0', () => {
    expect(stalenessSec(quote('p2p', 900), UPDATED - 5 * 60 * SECOND_MS)).toBe(0);
  });

  test("contract §1: a quote stays up to its market's age limit and drops one millisecond later", () => {
    const one = quote('p2p', 900);
    const within = { ...one, market: { ...one.market, dropAfterSec: 172_800 } };
    expect(dropsAt(within)).toBe(UPDATED + 2 * DAY_MS + 1);
  });

  test('contract §1: an official quote never drops', () => {
    expect(dropsAt(quote('reference', 475_200))).toBe(Number.POSITIVE_INFINITY);
  });

  test('contract §1: rates are at least 1e-15 and at most 1e15', () => {
    expect([MIN_RATE, MAX_RATE]).toEqual([1e-15, 1e15]);
  });
});
