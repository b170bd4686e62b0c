import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aMarket } from '../../../../test/harness/market.ts';
import { type Base, type MarketType, OFFICIAL_USD, PARALLEL_MARKET } from '../markets.ts';
import type { Quote } from '../quotes.ts';
import { HOUR_MS, SECOND_MS } from '../time.ts';
import {
  bcvStaleFrom,
  INDEX_COMPONENTS,
  INDEX_VERSION,
  referenceIndex,
} from './reference-index.ts';

const NOW = Date.UTC(2026, 10, 21, 3);

function quote(
  id: string,
  mid: number,
  type: MarketType,
  updatedAt = NOW,
  base: Base = 'USD',
): Quote {
  return { market: aMarket({ id, type, base }), mid, updatedAt };
}

const official = (mid: number, updatedAt = NOW) => quote(OFFICIAL_USD, mid, 'reference', updatedAt);
const free = (mid: number) => quote(PARALLEL_MARKET, mid, 'parallel');
const VENUES = ['binance', 'bingx', 'bitget', 'bybit', 'mexc', 'okx', 'saldo'];
const p2p = (...mids: readonly number[]) =>
  mids.map((mid, position) => quote(VENUES[position] ?? '', mid, 'p2p'));

const medianOf = (...mids: readonly number[]) => referenceIndex(p2p(...mids), NOW)?.p2pMedian;

describe('the value', () => {
  test('§2.10 the index is the official rate x 0.30, the parallel market x 0.20 and the P2P median x 0.50', () => {
    expect(referenceIndex([official(800), free(1000), ...p2p(880, 890, 900, 910)], NOW)).toEqual({
      value: 887.5,
      weights: { bcv: 0.3, paralelo: 0.2, p2p: 0.5 },
      components: { bcv: 800, paralelo: 1000, p2p: 895 },
      p2pMedian: 895,
      p2pCount: 4,
      used: expect.any(Array),
      ...{ staleSources: [], inDoubtSources: [] },
      flags: {},
    });
  });

  test('§2.10 the index is rounded once to 4 decimals, half away from zero', () => {
    const all = (mid: number) => referenceIndex([official(mid), free(mid), ...p2p(mid)], NOW);
    expect(all(889.57545)?.value).toBe(889.5755);
    expect(all(889.575449)?.value).toBe(889.5754);
  });

  test('§2.10 only the official dollar, the parallel market and P2P dollar quotes count', () => {
    const others = [
      quote('eur_reference', 5000, 'reference', NOW, 'EUR'),
      quote('p2p_euro', 5000, 'p2p', NOW, 'EUR'),
      quote('cash', 5000, 'cash'),
      quote('remittance_market_1', 5000, 'remittance'),
      quote('extended_market_1', 5000, 'exchange_house'),
    ];
    const plain = [official(800), free(1000), ...p2p(880, 890, 900, 910)];
    expect(referenceIndex([...others, ...plain], NOW)).toEqual(referenceIndex(plain, NOW));
    expect(referenceIndex(others, NOW)).toBeUndefined();
  });

  test('§2.10 the version starts with v and a number', () => {
    expect(INDEX_VERSION).toMatch(/^v\d+$/);
  });
});

describe('components and weights', () => {
  const parts = { bcv: [official(800)], paralelo: [free(1000)], p2p: p2p(900, 900, 900, 900) };

  test.each([
    [['bcv', 'paralelo', 'p2p'], { bcv: 0.3, paralelo: 0.2, p2p: 0.5 }, 890],
    [['bcv', 'paralelo'], { bcv: 0.6, paralelo: 0.4, p2p: 0 }, 880],
    [['bcv', 'p2p'], { bcv: 0.375, paralelo: 0, p2p: 0.625 }, 862.5],
    [
      ['paralelo', 'p2p'],
      { bcv: 0, paralelo: 0.285714285714286, p2p: 0.714285714285714 },
      928.5714,
    ],
    [['bcv'], { bcv: 1, paralelo: 0, p2p: 0 }, 800],
    [['paralelo'], { bcv: 0, paralelo: 1, p2p: 0 }, 1000],
    [['p2p'], { bcv: 0, paralelo: 0, p2p: 1 }, 900],
  ] as const)('§2.10 with %j the weights are normalised to sum to 1', (present, weights, value) => {
    const index = referenceIndex(
      present.flatMap((name) => parts[name]),
      NOW,
    );
    expect(index?.weights).toEqual(weights);
    expect(index?.value).toBe(value);
    expect(weights.bcv + weights.paralelo + weights.p2p).toBe(1);
    expect(Object.keys(index?.components ?? {})).toEqual(present);
    const missing = INDEX_COMPONENTS.filter(
      (name) => !(present as readonly string[]).includes(name),
    );
    expect(index?.flags.missing_sources ?? []).toEqual(missing);
  });

  test('§4.8 without any usable component there is no index', () => {
    expect(referenceIndex([], NOW)).toBeUndefined();
    expect(referenceIndex([official(800, NOW - 133 * HOUR_MS)], NOW)).toBeUndefined();
    // Two quotes, each more than half the median away from it.
    expect(referenceIndex(p2p(1, 100), NOW)).toBeUndefined();
  });

  test('§2.10 the value lies between its components and the weights sum to 1', () => {
    const rate = fc
      .double({ min: 1, max: 1e6, noNaN: true })
      .map((value) => Number(value.toFixed(4)));
    const age = fc.constantFrom(0, 132 * HOUR_MS, 133 * HOUR_MS);
    const one = fc.option(rate, { nil: undefined });
    fc.assert(
      fc.property(one, age, one, fc.array(rate, { maxLength: 8 }), (bcv, bcvAge, other, mids) => {
        const index = referenceIndex(
          [
            ...(bcv === undefined ? [] : [official(bcv, NOW - bcvAge)]),
            ...(other === undefined ? [] : [free(other)]),
            ...p2p(...mids),
          ],
          NOW,
        );
        if (index === undefined) return;
        const { weights, components, value } = index;
        const used = Object.values(components);
        // The value is rounded to 4 decimals, a median of an even count has one more.
        expect(value).toBeGreaterThanOrEqual(Math.min(...used) - 0.0000501);
        expect(value).toBeLessThanOrEqual(Math.max(...used) + 0.0000501);
        expect(weights.bcv + weights.paralelo + weights.p2p).toBe(1);
        for (const name of INDEX_COMPONENTS) {
          expect(weights[name] > 0).toBe(components[name] !== undefined);
        }
        expect(components.p2p).toBe(index.p2pMedian);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the age of the official rate', () => {
  test('§2.10 an official rate 132 hours old counts, one a second older has weight 0', () => {
    const aged = (ageMs: number) => referenceIndex([official(800, NOW - ageMs), free(1000)], NOW);
    const limit = 132 * HOUR_MS;
    expect(aged(limit)).toMatchObject({ value: 880, weights: { bcv: 0.6, paralelo: 0.4 } });
    expect(aged(limit)?.flags.bcv_stale).toBeUndefined();
    expect(aged(limit + SECOND_MS)).toEqual({
      value: 1000,
      weights: { bcv: 0, paralelo: 1, p2p: 0 },
      components: { paralelo: 1000 },
      p2pCount: 0,
      used: expect.any(Array),
      ...{ staleSources: [], inDoubtSources: [] },
      flags: { bcv_stale: true, missing_sources: ['p2p'] },
    });
  });

  test('§2.10 the instant from which the official rate is too old is the first with the flag', () => {
    const quoted = official(800, NOW);
    const flagged = (now: number) =>
      referenceIndex([quoted, free(1000)], now)?.flags.bcv_stale === true;
    expect(flagged(bcvStaleFrom(quoted) - 1)).toBe(false);
    expect(flagged(bcvStaleFrom(quoted))).toBe(true);
  });
});

describe('the P2P median', () => {
  test('contract §2: the median of an even count is exactly the mean of the middle two', () => {
    expect(medianOf(900)).toBe(900);
    expect(medianOf(900, 901)).toBe(900.5);
    expect(medianOf(900, 902, 901)).toBe(901);
    expect(medianOf(899, 900.0001, 900.0002, 905)).toBe(900.00015);
    expect(medianOf(9, 10, 11)).toBe(10);
  });

  test('§2.10 the order of the quotes does not matter', () => {
    const rate = fc.integer({ min: 1, max: 10 ** 7 }).map((units) => units / 10_000);
    const shuffled = fc
      .uniqueArray(rate, { minLength: 1, maxLength: 8 })
      .chain((mids) =>
        fc.tuple(
          fc.constant(p2p(...mids)),
          fc.shuffledSubarray(p2p(...mids), { minLength: mids.length }),
        ),
      );
    fc.assert(
      fc.property(shuffled, ([given, other]) => {
        const [a, b] = [referenceIndex(given, NOW), referenceIndex(other, NOW)];
        expect(b?.p2pMedian).toBe(a?.p2pMedian);
        expect(b?.p2pCount).toBe(a?.p2pCount);
        expect(b?.flags.outliers_excluded?.toSorted()).toEqual(
          a?.flags.outliers_excluded?.toSorted(),
        );
      }),
    );
  });

  test('§2.10 a P2P quote exactly 50% from the median stays, and one beyond is excluded', () => {
    const excluded = (mid: number) =>
      referenceIndex(p2p(mid, 800, 800, 800, 800), NOW)?.flags.outliers_excluded;
    expect(excluded(1200)).toBeUndefined();
    expect(excluded(1200.0001)).toEqual(['binance']);
    expect(excluded(400)).toBeUndefined();
    expect(excluded(399.9999)).toEqual(['binance']);
  });

  test('§2.10 outliers are judged by the first median only, and the final median excludes them', () => {
    // Without the outlier the median is 625, from which 1000 is more than half away; it stays.
    const index = referenceIndex(p2p(500, 500, 750, 1000, 100_000), NOW);
    expect(index).toMatchObject({ p2pMedian: 625, p2pCount: 4 });
    expect(index?.flags.outliers_excluded).toEqual(['mexc']);
  });

  test('§2.10 when every quote is an outlier the median is absent and the source missing', () => {
    const index = referenceIndex([official(800), ...p2p(1, 100)], NOW);
    expect(index).toEqual({
      value: 800,
      weights: { bcv: 1, paralelo: 0, p2p: 0 },
      components: { bcv: 800 },
      p2pCount: 0,
      used: expect.any(Array),
      ...{ staleSources: [], inDoubtSources: [] },
      flags: {
        missing_sources: ['paralelo', 'p2p'],
        outliers_excluded: ['binance', 'bingx'],
      },
    });
  });

  test.each([
    [0, undefined],
    [1, true],
    [3, true],
    [4, undefined],
  ])('§2.10 with %i P2P quotes left, degraded is %s', (count, degraded) => {
    const mids = Array.from({ length: count }, () => 900);
    const index = referenceIndex([official(800), ...p2p(...mids)], NOW);
    expect(index?.p2pCount).toBe(count);
    expect(index?.flags.degraded).toBe(degraded);
  });

  test('§2.10 degraded counts what remains after filtering', () => {
    const index = referenceIndex(p2p(900, 900, 900, 5000), NOW);
    expect(index).toMatchObject({ p2pCount: 3, flags: { degraded: true } });
  });
});
