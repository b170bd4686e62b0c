import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bodyOf,
  contentFailure,
  damaged,
  fileBody,
  jsonBody,
  NO_FIGURES,
  NO_RATES,
  soundRecords,
} from '../../../../test/harness/bodies.ts';
import type { UpstreamBody, UpstreamRequest } from '../../app/ports/sources.ts';
import { SIDES, type Side } from '../../domain/calculations/representative-quote.ts';
import { valueAt } from '../body/json-values.ts';
import { offersOf, p2pOffers, parseP2pOffers } from './p2p-offers.ts';
import {
  MAX_OFFER_PAGES,
  MAX_VENUE_KEYS,
  MAX_VENUE_TEXT_LENGTH,
  type Venue,
  venueSchema,
} from './p2p-venue.ts';

/** The packaged catalogue describes the venues whose answers were seen. */
const VENUE_NAMES = ['binance', 'bybit', 'okx'] as const;
type VenueName = (typeof VENUE_NAMES)[number];

function packagedVenue(name: VenueName): Venue {
  const text = readFileSync(new URL('../../../../catalog/sources.json', import.meta.url), 'utf8');
  const entries: readonly Record<string, unknown>[] = JSON.parse(text);
  return venueSchema.parse(entries.find((entry) => entry['name'] === name)?.['venue']);
}

const VENUES: Readonly<Record<VenueName, Venue>> = {
  binance: packagedVenue('binance'),
  bybit: packagedVenue('bybit'),
  okx: packagedVenue('okx'),
};

/** The marks of the venue's offers on a side. */
const marksOf = ({ marks }: Venue, side: Side) =>
  Object.fromEntries(
    Object.entries(marks).map(([path, mark]) => [
      path,
      typeof mark === 'string' ? mark : mark[side],
    ]),
  );

const feedOf = (venue: VenueName) => ({
  venue: VENUES[venue],
  market: 'binance',
  ticket_ves: 100_000,
  min_orders: 50,
  min_completion_percent: 90,
  between: [1, 1_000_000] as [number, number],
});

const fixtureText = (venue: VenueName) =>
  readFileSync(new URL(`../fixtures/${venue}-offers.json`, import.meta.url), 'utf8');

/** Puts a value at a path; what lies on the way is there already. */
function put(target: unknown, path: string, value: unknown): void {
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  Object(steps.length === 0 ? target : valueAt(target, steps.join('.')))[last] = value;
}

/** An answer of the venue's own shape: its fixture's first offer, once for each change. */
function answer(venue: VenueName, side: Side, changes: readonly Record<string, unknown>[]) {
  const { list } = VENUES[venue];
  const page: unknown = JSON.parse(fixtureText(venue));
  const first = JSON.stringify(Object(valueAt(page, list.ask))[0]);
  const offers = changes.map((change) => {
    const offer: unknown = JSON.parse(first);
    const all = { ...marksOf(VENUES[venue], side), ...change };
    for (const [path, value] of Object.entries(all)) put(offer, path, value);
    return offer;
  });
  put(page, list[side], offers);
  return jsonBody(page);
}

/** Offers at the prices, each of another merchant. */
const at = (venue: VenueName, ...prices: readonly unknown[]) =>
  prices.map((price, number) => ({
    [VENUES[venue].fields.price]: price,
    [VENUES[venue].fields.merchant]: `merchant ${number}`,
  }));

const ASKS = ['902.5', '903', '902', '904.25', '901.75'];
const BIDS = ['899', '898.5', '900', '899.5', '898'];

/** All bodies of a reading; each second page is empty. */
function reading(venue: VenueName, ask: UpstreamBody, bid: UpstreamBody): UpstreamBody[] {
  const rest = (side: Side) =>
    Array.from({ length: VENUES[venue].pages - 1 }, () => answer(venue, side, []));
  return [ask, ...rest('ask'), bid, ...rest('bid')];
}

const usual = (venue: VenueName) =>
  reading(
    venue,
    answer(venue, 'ask', at(venue, ...ASKS)),
    answer(venue, 'bid', at(venue, ...BIDS)),
  );

/** How a request says which makers it wants: those who sell are the ask, whatever the venue's view. */
const SAID: Readonly<Record<VenueName, Readonly<Record<Side, string>>>> = {
  binance: { ask: '"tradeType":"BUY"', bid: '"tradeType":"SELL"' },
  bybit: { ask: '"side":"1"', bid: '"side":"0"' },
  okx: { ask: 'side=sell', bid: 'side=buy' },
};

describe.each(VENUE_NAMES)('p2p-offers of %s', (name) => {
  const venue = VENUES[name];
  const feed = feedOf(name);

  test('requests each page of each side, sellers first', async () => {
    const asked: UpstreamRequest[] = [];
    const bodies = await p2pOffers.read(
      async (request) => {
        asked.push(request);
        return bodyOf(String(asked.length));
      },
      'https://venue.example/offers',
      feed,
    );
    expect(bodies.map(({ bytes }) => new TextDecoder().decode(bytes)).join()).toBe(
      venue.pages === 2 ? '1,2,3,4' : '1,2',
    );
    const said = asked.map(({ url, json }) => `${url} ${JSON.stringify(json)}`);
    expect(new Set(said).size).toBe(asked.length);
    for (const [index, text] of said.entries()) {
      expect(text).toMatch(/^https:\/\/venue\.example\/offers\b/);
      expect(text).toMatch(/"VES"|=VES\b/);
      expect(text).toContain(SAID[name][index < venue.pages ? 'ask' : 'bid']);
    }
  });

  test("reads the venue's own field names", () => {
    const [offer] = offersOf(venue, 'ask', [
      fileBody(`../fixtures/${name}-offers.json`, import.meta.url),
    ]);
    expect(offer).toEqual({
      merchant: name === 'bybit' ? 'Uno' : 'merchant-one',
      price: 902.5,
      minVes: 20_000,
      maxVes: 900_000,
      available: 1840.75,
      orders: 412,
      completionPercent: name === 'bybit' ? 98 : 98.5,
    });
  });

  test('gives the medians of its sides, without a time', () => {
    expect(parseP2pOffers(usual(name), feed)).toEqual([
      { kind: 'quote', market: 'binance', ask: 902.5, bid: 899 },
    ]);
  });

  test.each(NO_FIGURES)('fails on %s instead of a page', (_, content) => {
    usual(name).forEach((_, position, bodies) => {
      const broken = bodies.with(position, bodyOf(content));
      expect(contentFailure(() => parseP2pOffers(broken, feed))).toMatch(/^expected /);
    });
  });

  test('fails on an empty first page, and accepts an empty second one', () => {
    for (const side of SIDES) {
      const ask = answer(name, 'ask', side === 'ask' ? [] : at(name, ...ASKS));
      const bid = answer(name, 'bid', side === 'bid' ? [] : at(name, ...BIDS));
      expect(contentFailure(() => parseP2pOffers(reading(name, ask, bid), feed))).toBe(
        `expected offers on the ${side} side, the list is empty`,
      );
    }
  });

  test.each(NO_RATES)('ignores an offer with a price of %s', (json) => {
    const bid = answer(name, 'bid', at(name, ...BIDS));
    const asks = (...prices: readonly string[]) => {
      const { bytes } = answer(name, 'ask', at(name, ...prices));
      return bodyOf(new TextDecoder().decode(bytes).replaceAll('"?"', json));
    };
    const sixth = asks(...ASKS, '?');
    expect(parseP2pOffers(reading(name, sixth, bid), feed)).toMatchObject([{ ask: 902.5 }]);
    const only = asks('?', '?');
    expect(contentFailure(() => parseP2pOffers(reading(name, only, bid), feed))).toBe(
      'expected offers on the ask side, none of 2 is an offer of USDT for VES',
    );
  });

  test.each(['merchant', 'min_ves', 'max_ves', 'available'] as const)(
    'ignores an offer without its %s',
    (field) => {
      const without = { [venue.fields[field]]: null };
      const asks = at(name, ...ASKS).map((offer) => ({ ...offer, ...without }));
      const bodies = reading(
        name,
        answer(name, 'ask', asks),
        answer(name, 'bid', at(name, ...BIDS)),
      );
      expect(contentFailure(() => parseP2pOffers(bodies, feed))).toBe(
        'expected offers on the ask side, none of 5 is an offer of USDT for VES',
      );
    },
  );

  test('ignores an offer of another token, currency or side', () => {
    for (const path of Object.keys(venue.marks)) {
      const asks = at(name, ...ASKS).map((offer) => ({ ...offer, [path]: 'OTHER' }));
      const bodies = reading(
        name,
        answer(name, 'ask', asks),
        answer(name, 'bid', at(name, ...BIDS)),
      );
      expect(contentFailure(() => parseP2pOffers(bodies, feed))).toMatch(/none of 5 is an offer/);
    }
  });

  test('gives a valid quote or a failure for any page', () => {
    const bodies = usual(name);
    const whole = bodies.map(({ bytes }) => new TextDecoder().decode(bytes));
    const broken = fc
      .nat({ max: bodies.length - 1 })
      .chain((position) => fc.tuple(fc.constant(position), damaged(whole[position] ?? '')));
    fc.assert(
      fc.property(broken, ([position, content]) => {
        const given = bodies.with(position, bodyOf(content));
        const [record] = soundRecords(() => parseP2pOffers(given, feed));
        if (record !== undefined) expect(record).toMatchObject({ market: 'binance' });
      }),
    );
  });

  test('ignores a merchant without known orders', () => {
    for (const path of [venue.fields.orders, venue.fields.completion]) {
      if (path === undefined) continue;
      const bids = at(name, ...BIDS).map((offer) => ({ ...offer, [path]: null }));
      const bodies = reading(
        name,
        answer(name, 'ask', at(name, ...ASKS)),
        answer(name, 'bid', bids),
      );
      expect(contentFailure(() => parseP2pOffers(bodies, feed))).toBe(
        'of 5 offers on the bid side those of 0 merchants remain, 5 are needed',
      );
    }
  });
});

describe('p2p-offers', () => {
  const feed = feedOf('okx');
  const bid = answer('okx', 'bid', at('okx', ...BIDS));

  test('reports too few merchants and gives no quote', () => {
    const four = answer('okx', 'ask', at('okx', ...ASKS.slice(1), '450'));
    expect(contentFailure(() => parseP2pOffers([four, bid], feed))).toBe(
      'of 5 offers on the ask side those of 4 merchants remain, 5 are needed',
    );
  });

  test('reports sides that cannot belong to one market and gives no quote', () => {
    const absurd = answer('okx', 'bid', at('okx', ...BIDS.map(() => '490000')));
    const ask = answer('okx', 'ask', at('okx', ...ASKS));
    expect(contentFailure(() => parseP2pOffers([ask, absurd], feed))).toBe(
      'expected sides of one market, there was ask 902.5 and bid 490000',
    );
  });

  test('reads the first 40 offers of a side', () => {
    const better = Array.from({ length: 35 }, () => '901');
    const ask = answer('okx', 'ask', at('okx', ...better, ...ASKS, '1'));
    expect(offersOf(VENUES.okx, 'ask', [ask]).map(({ price }) => price)).toEqual([
      ...better.map(Number),
      ...ASKS.map(Number),
    ]);
  });

  test('counts both pages of a side together', () => {
    const pages = [at('bybit', '902', '903', '904'), at('bybit', '905', '906')];
    const other = (offers: (typeof pages)[number]) =>
      offers.map((offer) => ({ ...offer, nickName: `${offer['nickName']} of page two` }));
    const [first = [], second = []] = pages;
    const bids = answer('bybit', 'bid', at('bybit', ...BIDS));
    const bodies = [
      answer('bybit', 'ask', first),
      answer('bybit', 'ask', other(second)),
      bids,
      answer('bybit', 'bid', []),
    ];
    expect(parseP2pOffers(bodies, feedOf('bybit'))).toMatchObject([{ ask: 904, bid: 899 }]);
  });

  test('fails on a missing or extra body', () => {
    const bodies = usual('binance');
    for (const wrong of [[], bodies.slice(1), [...bodies, bid]]) {
      expect(contentFailure(() => parseP2pOffers(wrong, feedOf('binance')))).toBe(
        `expected 4 bodies (2 a side), there were ${wrong.length}`,
      );
    }
  });

  /** A request as it would be sent. */
  async function firstRequests(venue: object): Promise<readonly UpstreamRequest[]> {
    const asked: UpstreamRequest[] = [];
    const described = p2pOffers.feed.parse({ ...feed, venue: { ...VENUES.okx, ...venue } });
    await p2pOffers.read(
      async (request) => {
        asked.push(request);
        return bodyOf('');
      },
      'https://venue.example/offers?key=1',
      described,
    );
    return asked;
  }

  test("requests the pages of an operator's venue as described", async () => {
    const body = { a: '{side}', b: ['{page}', '{page:number}'], c: '{ticket:number}', d: null };
    const posted = await firstRequests({
      pages: 2,
      sides: { ask: 1, bid: 2 },
      query: undefined,
      body,
    });
    expect(posted.map(({ url, json }) => [url, json])).toEqual(
      [
        [1, 1],
        [1, 2],
        [2, 1],
        [2, 2],
      ].map(([side, page]) => [
        'https://venue.example/offers?key=1',
        { a: side, b: [String(page), page], c: 100_000, d: null },
      ]),
    );
    const query = { s: '{side}', v: '{ticket}', c: 'a&b' };
    expect(await firstRequests({ query })).toMatchObject([
      { url: 'https://venue.example/offers?key=1&s=sell&v=100000&c=a%26b' },
      { url: 'https://venue.example/offers?key=1&s=buy&v=100000&c=a%26b' },
    ]);
  });

  test('refuses an invalid description', () => {
    const okx = VENUES.okx;
    const valid = (more: object) =>
      p2pOffers.feed.safeParse({ ...feed, venue: { ...okx, ...more } }).success;
    const keys = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'x']));
    expect(valid({})).toBe(true);
    expect(valid({ query: keys(MAX_VENUE_KEYS) })).toBe(true);
    expect(valid({ query: { a: 'x'.repeat(MAX_VENUE_TEXT_LENGTH) } })).toBe(true);
    for (const wrong of [
      { pages: 0 },
      { pages: MAX_OFFER_PAGES + 1 },
      { sides: { ask: 'sell' } },
      { query: undefined },
      { body: {} },
      { query: { a: '{amount}' } },
      { query: { a: 'page {page}' } },
      { query: keys(MAX_VENUE_KEYS + 1) },
      { query: { a: 'x'.repeat(MAX_VENUE_TEXT_LENGTH + 1) } },
      { list: { ask: 'data..sell', bid: 'data.buy' } },
      { fields: { ...okx.fields, price: undefined } },
      { fields: { ...okx.fields, premium: 'premium' } },
      { completion_in: 'per mille' },
      { marks: { side: ['sell'] } },
      { fees: true },
    ]) {
      expect([wrong, valid(wrong)]).toEqual([wrong, false]);
    }
  });

  test('requires a venue, a market and the limits in the catalogue', () => {
    const valid = (more: object) => p2pOffers.feed.safeParse({ ...feed, ...more }).success;
    expect(p2pOffers.markets(feed)).toEqual(['binance']);
    expect(valid({})).toBe(true);
    expect(valid({ venue: 'binance' })).toBe(false);
    expect(valid({ ticket_ves: 0 })).toBe(false);
    expect(valid({ min_orders: 0, min_completion_percent: 0 })).toBe(true);
    expect(valid({ min_orders: -1 })).toBe(false);
    expect(valid({ min_orders: 1.5 })).toBe(false);
    expect(valid({ min_completion_percent: 100 })).toBe(true);
    expect(valid({ min_completion_percent: 100.1 })).toBe(false);
    expect(valid({ more: 1 })).toBe(false);
  });

  test('limits the pages of a venue', () => {
    expect(VENUE_NAMES.every((name) => VENUES[name].pages <= MAX_OFFER_PAGES)).toBe(true);
  });
});
