import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aMarket } from '../../../../test/harness/market.ts';
import { compare, decimal, toNumber } from '../decimal.ts';
import { ApiError } from '../errors.ts';
import { type Base, type Market, type MarketType, onlyToVes } from '../markets.ts';
import type { Quote } from '../quotes.ts';
import { SECOND_MS } from '../time.ts';
import { parseDirection } from './convert.ts';
import { type RankedRoute, type RouteQuestion, rankRoute } from './route.ts';

const NOW = Date.UTC(2026, 10, 21, 3);
const TO_VES = parseDirection({ from: 'USD', to: 'VES' }, ['USD']);
const FROM_VES = parseDirection({ from: 'VES', to: 'USD' }, ['USD']);

function market(id: string, type: MarketType = 'p2p', base: Base = 'USD'): Market {
  return aMarket({ id, type, base });
}

interface Offer {
  readonly market: Market;
  readonly mid?: number;
  readonly ageSec?: number;
  readonly inPlan?: boolean;
}

function rank(offers: readonly Offer[], question: Partial<RouteQuestion> = {}): RankedRoute {
  const quotes = new Map<Market, Quote>();
  for (const { market: of, mid, ageSec = 0 } of offers) {
    if (mid !== undefined) quotes.set(of, { market: of, mid, updatedAt: NOW - ageSec * SECOND_MS });
  }
  const closed = new Set(offers.filter(({ inPlan }) => inPlan === false).map((one) => one.market));
  return rankRoute(
    offers.map(({ market: of }) => of),
    {
      direction: TO_VES,
      amount: decimal(100),
      maxStalenessSec: 0,
      now: NOW,
      quoteOf: (of) => quotes.get(of),
      inPlan: (of) => !closed.has(of),
      ...question,
    },
  );
}

function problemOf(act: () => unknown): ApiError | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

const ids = ({ best, alternatives }: RankedRoute) =>
  [best, ...alternatives].map(({ quote }) => quote.market.id);

describe('the ranking', () => {
  const offers: readonly Offer[] = [
    { market: market('low'), mid: 850 },
    { market: market('high'), mid: 870 },
    { market: market('middle'), mid: 860 },
  ];

  test('§4.7.2 USD to VES favours the higher rate, VES to USD the lower', () => {
    const there = rank(offers);
    expect(ids(there)).toEqual(['high', 'middle', 'low']);
    expect(toNumber(there.best.amount)).toBe(87_000);
    const back = rank(offers, { direction: FROM_VES });
    expect(ids(back)).toEqual(['low', 'middle', 'high']);
    expect(toNumber(back.best.amount)).toBe(0.12);
  });

  test('§4.7.2 among equal mids the more recent quote comes first', () => {
    const tied: readonly Offer[] = [
      { market: market('older'), mid: 860, ageSec: 30 },
      { market: market('newer'), mid: 860, ageSec: 10 },
      { market: market('newest'), mid: 860, ageSec: 0 },
    ];
    expect(ids(rank(tied))).toEqual(['newest', 'newer', 'older']);
    expect(ids(rank(tied, { direction: FROM_VES }))).toEqual(['newest', 'newer', 'older']);
  });

  test('contract §2 markets rank by mid, never by rounded amounts', () => {
    const close: readonly Offer[] = [
      { market: market('worst'), mid: 900, ageSec: 0 },
      { market: market('middle'), mid: 852, ageSec: 10 },
      { market: market('best'), mid: 850, ageSec: 30 },
    ];
    // One bolivar yields 0.00 dollars at each of them.
    const back = rank(close, { direction: FROM_VES, amount: decimal(1) });
    expect(ids(back)).toEqual(['best', 'middle', 'worst']);
    expect([back.best, ...back.alternatives].map(({ amount }) => toNumber(amount))).toEqual([
      0, 0, 0,
    ]);
    expect(ids(rank(close, { amount: decimal('0.00001') }))).toEqual(['worst', 'middle', 'best']);
  });

  test('contract §2 entries equal in mid and time are in catalogue order', () => {
    const tied = ['first', 'second', 'third'].map((id) => ({ market: market(id), mid: 860 }));
    for (const direction of [TO_VES, FROM_VES]) {
      expect(ids(rank(tied, { direction }))).toEqual(['first', 'second', 'third']);
    }
  });

  test('§4.7 the ranking has each eligible market once, from the highest amount to the lowest', () => {
    const offer = fc.record({
      mid: fc.oneof(
        fc.constantFrom(850, 850.0001, 860),
        fc.double({ min: 0.01, max: 1e6, noNaN: true }),
      ),
      ageSec: fc.nat(100),
    });
    const amount = fc.integer({ min: 1, max: 10 ** 9 }).map((cents) => decimal(`${cents}e-2`));
    fc.assert(
      fc.property(
        fc.array(offer, { minLength: 1, maxLength: 15 }),
        amount,
        fc.constantFrom(TO_VES, FROM_VES),
        (drawn, wanted, direction) => {
          const given = drawn.map((one, position) => ({ ...one, market: market(`m${position}`) }));
          const { best, alternatives, skipped } = rank(given, { amount: wanted, direction });
          const entries = [best, ...alternatives];
          expect(skipped).toEqual([]);
          expect(entries.map(({ quote }) => quote.market.id).toSorted()).toEqual(
            given.map((one) => one.market.id).toSorted(),
          );
          for (const [position, entry] of entries.entries()) {
            const next = entries[position + 1];
            if (next === undefined) break;
            // No amount is lower than that of a market behind it (§4.7.2).
            expect(compare(entry.amount, next.amount)).toBeGreaterThanOrEqual(0);
            if (entry.quote.mid === next.quote.mid) {
              expect(entry.quote.updatedAt).toBeGreaterThanOrEqual(next.quote.updatedAt);
            } else {
              expect(entry.quote.mid > next.quote.mid).toBe(direction.toVes);
            }
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  test('§2.6 an entry has the age of its quote in seconds', () => {
    expect(rank([{ market: market('a'), mid: 860, ageSec: 77 }]).best.stalenessSec).toBe(77);
  });
});

describe('exclusions', () => {
  const good: Offer = { market: market('good'), mid: 860 };

  test.each([
    ['currency_mismatch', { market: market('x', 'p2p', 'EUR'), mid: 900 }],
    ['not_executable', { market: market('x', 'reference'), mid: 900 }],
    ['not_executable', { market: market('x', 'parallel'), mid: 900 }],
    ['feature_not_in_plan', { market: market('x', 'cash'), mid: 900, inPlan: false }],
    ['one_way_market', { market: market('x', 'remittance'), mid: 900 }],
    ['no_quote', { market: market('x') }],
    ['stale', { market: market('x'), mid: 900, ageSec: 61 }],
  ] as const)('§2.6 a market is excluded for %s', (reason, offer) => {
    const route = rank([offer, good], { direction: FROM_VES, maxStalenessSec: 60 });
    expect(route.skipped).toEqual([{ market: 'x', reason }]);
    expect(ids(route)).toEqual(['good']);
  });

  test('contract §2: of several reasons the first in the order of §2.6 is given', () => {
    const order = [
      'currency_mismatch',
      'not_executable',
      'feature_not_in_plan',
      'one_way_market',
      'no_quote',
      'stale',
    ];
    const type = fc.constantFrom<MarketType>('reference', 'parallel', 'p2p', 'remittance', 'cash');
    const drawn = fc.record({
      type,
      base: fc.constantFrom<Base>('USD', 'EUR'),
      inPlan: fc.boolean(),
      ageSec: fc.option(fc.constantFrom(10, 100), { nil: undefined }),
    });
    fc.assert(
      fc.property(drawn, fc.constantFrom(TO_VES, FROM_VES), (given, direction) => {
        const of = market('x', given.type, given.base);
        const { ageSec } = given;
        const offer: Offer = {
          market: of,
          inPlan: given.inPlan,
          ...(ageSec !== undefined && { mid: 870, ageSec }),
        };
        const applies = [
          given.base === 'EUR',
          given.type === 'reference' || given.type === 'parallel',
          !given.inPlan,
          !direction.toVes && onlyToVes(of),
          ageSec === undefined,
          ageSec === 100,
        ];
        const expected = order[applies.indexOf(true)];
        const { skipped } = rank([offer, good], { direction, maxStalenessSec: 60 });
        expect(skipped).toEqual(expected === undefined ? [] : [{ market: 'x', reason: expected }]);
      }),
      { numRuns: 300 },
    );
  });

  test('§4.7.3 a quote exactly max_staleness old stays, and one a second older is excluded', () => {
    const aged = (ageSec: number) =>
      rank([{ market: market('a'), mid: 860, ageSec }, good], {
        maxStalenessSec: 60,
      });
    expect(ids(aged(60))).toContain('a');
    expect(aged(61).skipped).toEqual([{ market: 'a', reason: 'stale' }]);
  });

  test('§4.7 a max_staleness of 0 filters nothing', () => {
    expect(ids(rank([{ market: market('a'), mid: 860, ageSec: 10 ** 6 }]))).toEqual(['a']);
  });

  test('§4.7 remittances take part from USD to VES', () => {
    expect(ids(rank([{ market: market('r', 'remittance'), mid: 860 }]))).toEqual(['r']);
  });
});

describe('no route', () => {
  const old: Offer = { market: market('a'), mid: 860, ageSec: 61 };

  test('§4.7 if max_staleness excludes every candidate the error is 422 no_route', () => {
    const problem = problemOf(() => rank([old, { market: market('b') }], { maxStalenessSec: 60 }));
    expect([problem?.code, problem?.options.field]).toEqual(['no_route', 'max_staleness']);
  });

  test('§4.7 without a candidate before the age filter the error is 503', () => {
    for (const offers of [
      [],
      [{ market: market('b') }],
      [{ market: market('p', 'parallel'), mid: 1 }],
    ]) {
      const problem = problemOf(() => rank(offers, { maxStalenessSec: 60 }));
      expect(problem?.code).toBe('service_unavailable');
    }
  });
});
