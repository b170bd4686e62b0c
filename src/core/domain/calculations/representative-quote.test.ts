import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { middle } from '../decimal.ts';
import {
  MIN_MERCHANTS,
  type Offer,
  type OfferRule,
  representativeQuote,
  SIDES,
  type Side,
  sidesBelongTogether,
} from './representative-quote.ts';

const RULE: OfferRule = { orderSizeVes: 100_000, minOrders: 50, minCompletionPercent: 90 };

let merchants = 0;
/** An offer that satisfies the rule, from its own merchant. */
function offer(price: number, more: Partial<Offer> = {}): Offer {
  merchants += 1;
  return {
    merchant: `merchant ${merchants}`,
    price,
    minVes: 10_000,
    maxVes: 1_000_000,
    available: 1e9,
    orders: 500,
    completionPercent: 99,
    ...more,
  };
}

const offers = (...prices: readonly number[]) => prices.map((price) => offer(price));
const quiet = () => offers(900, 900, 900, 900, 900);

/** The price of one side, beside another of 900; what came out instead when there is none. */
function priceOf(side: Side, given: readonly Offer[], rule: OfferRule = RULE) {
  const quote = representativeQuote({ ask: quiet(), bid: quiet(), [side]: given }, rule);
  return quote.outcome === 'quote' ? quote[side] : quote;
}

const tooFew = (side: Side, count: number) => ({ outcome: 'too_few', side, merchants: count });

describe('the representative quote of a P2P venue', () => {
  test('each side is the median of its offers', () => {
    expect(
      representativeQuote(
        { ask: offers(902, 900, 901, 904, 903), bid: offers(899, 897.5, 896, 898, 895, 899.25) },
        RULE,
      ),
    ).toEqual({ outcome: 'quote', ask: 902, bid: 897.75 });
  });

  test('the middle of two prices has at most 8 decimals', () => {
    const close = offers(900.00000001, 900.00000001, 900.00000001, 900.00000002);
    const two = [...close, ...offers(900.00000002, 900.00000002)];
    expect(priceOf('ask', two)).toBe(900.00000002);
  });

  test('an ask below the bid is accepted, because real venues have that', () => {
    expect(
      representativeQuote(
        { ask: offers(900, 900, 900, 900, 900), bid: offers(910, 910, 910, 910, 910) },
        RULE,
      ),
    ).toEqual({ outcome: 'quote', ask: 900, bid: 910 });
  });

  test.each(SIDES)('five merchants on the %s side make a quote, and four do not', (side) => {
    expect(priceOf(side, offers(900, 901, 902, 903, 904))).toBe(902);
    expect(priceOf(side, offers(900, 901, 902, 903))).toEqual(tooFew(side, 4));
    expect(priceOf(side, [])).toEqual(tooFew(side, 0));
  });

  test.each<[string, Partial<Offer>, Partial<Offer>]>([
    ['smallest order', { minVes: 100_000 }, { minVes: 100_000.01 }],
    ['largest order', { maxVes: 100_000 }, { maxVes: 99_999.99 }],
    ['rest', { available: 100_000 / 1_000 }, { available: 99.99 }],
    ['orders', { orders: 50 }, { orders: 49 }],
    ['completion', { completionPercent: 90 }, { completionPercent: 89.99 }],
  ])('an offer counts at the limit of its %s and not beyond', (_, within, beyond) => {
    const four = offers(1000, 1000, 1000, 1000);
    expect(priceOf('ask', [...four, offer(1000, within)])).toBe(1000);
    expect(priceOf('ask', [...four, offer(1000, beyond)])).toEqual(tooFew('ask', 4));
  });

  test('a merchant counts once on a side, with its best price', () => {
    const twice = (price: number, worse: number) => {
      const merchant = `twice ${price}`;
      return [offer(worse, { merchant }), offer(price, { merchant }), offer(worse, { merchant })];
    };
    const four = offers(900, 900, 904, 904);
    expect(priceOf('ask', [...four, ...twice(902, 903)])).toBe(902);
    expect(priceOf('bid', [...four, ...twice(902, 901)])).toBe(902);
    const one = [900, 901, 902, 903, 904].map((price) => offer(price, { merchant: 'the same' }));
    expect(priceOf('ask', one)).toEqual(tooFew('ask', 1));
  });

  test("an excluded offer is not its merchant's best price", () => {
    const merchant = 'one of five';
    const bait = offer(850, { merchant, maxVes: 5_000 });
    const five = [...offers(900, 900, 904, 904), bait, offer(902, { merchant })];
    expect(priceOf('ask', five)).toBe(902);
  });

  test('an offer within 2% of the median counts, even if most offers have one price', () => {
    expect(priceOf('ask', offers(1000, 1000, 1000, 1020))).toEqual(tooFew('ask', 4));
    expect(priceOf('ask', offers(1000, 1000, 1000, 1020.01))).toEqual(tooFew('ask', 3));
    expect(priceOf('ask', offers(1000, 1000, 1000, 980))).toEqual(tooFew('ask', 4));
    expect(priceOf('ask', offers(1000, 1000, 1000, 979.99))).toEqual(tooFew('ask', 3));
  });

  test('an offer at five deviations from the median counts, and one beyond does not', () => {
    // Median 1000; distances 0, 10, 10 and the last one: a deviation of 10.
    expect(priceOf('ask', offers(990, 1000, 1000, 1010, 1050))).toBe(1000);
    const beyond = offers(990, 990, 1000, 1010, 1050.01);
    expect(priceOf('ask', beyond)).toEqual(tooFew('ask', 4));
  });

  test('an offer beyond 20% from the median never counts, whatever the spread of offers', () => {
    expect(priceOf('ask', offers(850, 900, 1000, 1100, 1200))).toBe(1000);
    expect(priceOf('ask', offers(850, 900, 1000, 1100, 1200.01))).toEqual(tooFew('ask', 4));
    expect(priceOf('ask', offers(800, 900, 1000, 1100, 1150))).toBe(1000);
    expect(priceOf('ask', offers(799.99, 900, 1000, 1100, 1150))).toEqual(tooFew('ask', 4));
  });

  test('offers of which half are absurd give no quote', () => {
    const half = offers(900, 900, 900, 900, 900, 490_000, 490_000, 490_000, 490_000, 490_000);
    expect(priceOf('bid', half)).toEqual(tooFew('bid', 0));
  });

  test('sides further apart than a factor of two give no quote', () => {
    const absurd = Array.from({ length: MIN_MERCHANTS }, () => offer(490_000));
    expect(representativeQuote({ ask: quiet(), bid: absurd }, RULE)).toEqual({
      outcome: 'sides_apart',
      ask: 900,
      bid: 490_000,
    });
    expect(sidesBelongTogether(900, 1800)).toBe(true);
    expect(sidesBelongTogether(1800, 900)).toBe(true);
    expect(sidesBelongTogether(900, 1800.01)).toBe(false);
    expect(sidesBelongTogether(1800.01, 900)).toBe(false);
    // The widest real capture: 3 January 2026.
    expect(sidesBelongTogether(941.472, 604.256)).toBe(true);
  });
});

describe('laws of the representative quote', () => {
  const cents = (low: number, high: number) =>
    fc.integer({ min: low * 100, max: high * 100 }).map((value) => value / 100);
  const side = fc.array(cents(500, 1500), { maxLength: 40 }).map((prices) => offers(...prices));
  const range = (given: readonly Offer[]) => {
    const prices = given.map(({ price }) => price);
    return [Math.min(...prices), Math.max(...prices)] as const;
  };

  test('each side lies within its offers, the middle within both', () => {
    fc.assert(
      fc.property(side, side, (ask, bid) => {
        const quote = representativeQuote({ ask, bid }, RULE);
        if (quote.outcome !== 'quote') return;
        for (const [price, given] of [[quote.ask, ask] as const, [quote.bid, bid] as const]) {
          expect(price).toBeGreaterThanOrEqual(range(given)[0]);
          expect(price).toBeLessThanOrEqual(range(given)[1]);
        }
        const mid = middle(quote.ask, quote.bid);
        expect(mid).toBeGreaterThanOrEqual(range([...ask, ...bid])[0]);
        expect(mid).toBeLessThanOrEqual(range([...ask, ...bid])[1]);
      }),
    );
  });

  test('the order of the offers has no effect', () => {
    const shuffled = fc
      .array(fc.record({ price: cents(850, 950), merchant: fc.integer({ min: 1, max: 12 }) }), {
        maxLength: 40,
      })
      .map((list) => list.map(({ price, merchant }) => offer(price, { merchant: `${merchant}` })))
      .chain((list) =>
        fc.tuple(
          fc.constant(list),
          fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
        ),
      );
    fc.assert(
      fc.property(shuffled, shuffled, ([ask, askAgain], [bid, bidAgain]) => {
        expect(representativeQuote({ ask: askAgain, bid: bidAgain }, RULE)).toEqual(
          representativeQuote({ ask, bid }, RULE),
        );
      }),
    );
  });

  test('one absurd offer among eight or more sane ones keeps the quote within their range', () => {
    const sane = cents(100, 5000).chain((center) =>
      fc.array(fc.integer({ min: -90, max: 90 }), { minLength: 8, maxLength: 40 }).map((offsets) =>
        // Up to 0.9% to either side: within 2% of whatever their median is.
        offers(...offsets.map((offset) => Number((center * (1 + offset / 10_000)).toFixed(3)))),
      ),
    );
    const absurd = fc.constantFrom(1000, 0.001);
    fc.assert(
      fc.property(sane, absurd, fc.constantFrom(...SIDES), (given, factor, at) => {
        const [low, high] = range(given);
        const all = [...given, offer((given[0]?.price ?? 0) * factor)];
        const quote = representativeQuote({ ask: given, bid: given, [at]: all }, RULE);
        expect(quote.outcome).toBe('quote');
        if (quote.outcome !== 'quote') return;
        expect(quote[at]).toBeGreaterThanOrEqual(low);
        expect(quote[at]).toBeLessThanOrEqual(high);
      }),
    );
  });
});
