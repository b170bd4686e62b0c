import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bodyOf,
  contentFailure,
  damaged,
  jsonBody,
  NO_FIGURES,
  NO_RATES,
  soundRecords,
} from '../../../../test/harness/bodies.ts';
import type { UpstreamRequest } from '../../app/ports/sources.ts';
import { MAX_PATH_LENGTH } from '../body/json-values.ts';
import { jsonFeed, MAX_FEED_QUOTES, parseJsonFeed } from './json-feed.ts';

type Feed = ReturnType<typeof jsonFeed.feed.parse>;

const RANGE = [1, 1_000_000] as const;
const feedOf = (...quotes: readonly object[]): Feed => jsonFeed.feed.parse({ quotes });
const parse = (value: unknown, feed: Feed) => parseJsonFeed([jsonBody(value)], feed);

const simple = feedOf({ market: 'parallel', mid: 'rate', between: RANGE });
const yadio = feedOf({
  market: 'parallel',
  mid: 'rate',
  updated_at: { path: 'timestamp', format: 'epoch_ms' },
  between: RANGE,
});
const dolarapi = feedOf({
  market: 'parallel',
  where: { moneda: 'USD', fuente: 'paralelo' },
  mid: 'promedio',
  updated_at: { path: 'fechaActualizacion', format: 'iso' },
  between: RANGE,
});

describe('json-feed', () => {
  test('makes one request', async () => {
    const asked: UpstreamRequest[] = [];
    const url = 'https://rates.example/v1';
    await jsonFeed.read(
      async (request) => {
        asked.push(request);
        return bodyOf('');
      },
      url,
      simple,
    );
    expect(asked).toEqual([{ url, accept: ['application/json'] }]);
  });

  test('reads rates and times at the paths of the catalogue', () => {
    const feed = feedOf(
      {
        market: 'cash',
        ask: 'data.USD.sell',
        bid: 'data.USD.buy',
        updated_at: { path: 'data.at', format: 'epoch_s' },
        between: RANGE,
      },
      { market: 'cucuta', mid: 'data.list.1', between: RANGE },
    );
    expect(jsonFeed.markets(feed)).toEqual(['cash', 'cucuta']);
    const answer = {
      data: { USD: { sell: '905.10', buy: 899 }, at: 1795177800, list: [1, 880.5] },
    };
    expect(parse(answer, feed)).toEqual([
      {
        kind: 'quote',
        market: 'cash',
        ask: 905.1,
        bid: 899,
        updated_at: '2026-11-20T12:30:00.000Z',
      },
      { kind: 'quote', market: 'cucuta', mid: 880.5 },
    ]);
  });

  test('chooses the one element of a list with the given texts', () => {
    const feed = feedOf({
      market: 'parallel',
      list: 'result.rates',
      where: { 'pair.to': 'VES', source: 'street' },
      mid: 'value',
      between: RANGE,
    });
    const street = { pair: { to: 'VES' }, source: 'street', value: 950 };
    const others = [
      { ...street, source: 'bank', value: 1 },
      { ...street, pair: { to: 'COP' } },
    ];
    const answer = (...rates: readonly unknown[]) => ({ result: { rates } });
    expect(parse(answer(...others, street, null, 7), feed)).toEqual([
      { kind: 'quote', market: 'parallel', mid: 950 },
    ]);
    const wanted = 'expected one element of pair.to "VES" and source "street"';
    expect(contentFailure(() => parse(answer(...others), feed))).toBe(`${wanted}, there were 0`);
    expect(contentFailure(() => parse(answer(street, street), feed))).toBe(
      `${wanted}, there were 2`,
    );
    expect(contentFailure(() => parse({ result: { rates: street } }, feed))).toMatch(
      /^expected a list with an element of pair.to "VES"/,
    );
  });

  test.each(NO_FIGURES)('%s is a failure', (_, content) => {
    for (const feed of [simple, yadio, dolarapi]) {
      expect(contentFailure(() => parseJsonFeed([bodyOf(content)], feed))).toMatch(/^expected /);
    }
  });

  test.each(NO_RATES)('fails on %s for a rate', (json) => {
    const body = bodyOf(`{"rate":${json}}`);
    expect(contentFailure(() => parseJsonFeed([body], simple))).toBe(
      `expected a rate at rate, there was {"rate":${json}}`,
    );
  });

  test('accepts a rate at the bounds of its range, not beyond', () => {
    const feed = feedOf({ market: 'parallel', mid: 'rate', between: [100, 2000.5] });
    expect(parse({ rate: 100 }, feed)).toHaveLength(1);
    expect(parse({ rate: 2000.5 }, feed)).toHaveLength(1);
    for (const rate of [99.99, 2000.51]) {
      expect(contentFailure(() => parse({ rate }, feed))).toBe(
        `expected a rate between 100 and 2000.5 at rate, there was ${rate}`,
      );
    }
  });

  test('fails on the inverse rate of a pair', () => {
    expect(contentFailure(() => parse({ rate: 0.00104438 }, simple))).toBe(
      'expected a rate between 1 and 1000000 at rate, there was 0.00104438',
    );
  });

  test.each([null, '', 'now', 1790292913, undefined])(
    'fails on a time of %j if milliseconds are expected',
    (timestamp) => {
      expect(contentFailure(() => parse({ rate: 957.5, timestamp }, yadio))).toMatch(
        /^expected a time \(epoch_ms\) at timestamp, there was \{"rate":957\.5/,
      );
    },
  );

  test('fails if one of its quotes is absent', () => {
    const feed = feedOf(
      { market: 'cash', mid: 'a', between: RANGE },
      { market: 'cucuta', mid: 'b', between: RANGE },
    );
    expect(contentFailure(() => parse({ a: 900 }, feed))).toBe(
      'expected a rate at b, there was {"a":900}',
    );
  });

  test('fails on more than one body', () => {
    const body = jsonBody({ rate: 900 });
    expect(contentFailure(() => parseJsonFeed([body, body], simple))).toBe(
      'expected 1 body, there were 2',
    );
  });

  test('gives valid records within their range or a failure for any body', () => {
    const list = [
      { moneda: 'USD', fuente: 'oficial', promedio: 801.25, fechaActualizacion: '2026-11-20' },
      {
        moneda: 'USD',
        fuente: 'paralelo',
        promedio: 912.5,
        fechaActualizacion: '2026-11-20T12:30:00.000Z',
      },
    ];
    const text = fc.oneof(
      damaged(JSON.stringify(list)),
      fc.jsonValue().map((promedio) => JSON.stringify([{ ...list[1], promedio }])),
      fc.jsonValue().map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(text, (content) => {
        for (const { mid } of soundRecords(() => parseJsonFeed([bodyOf(content)], dolarapi))) {
          expect(mid).toBeGreaterThanOrEqual(RANGE[0]);
          expect(mid).toBeLessThanOrEqual(RANGE[1]);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('requires valid paths in the catalogue', () => {
    const quote = { market: 'cash', mid: 'rate', between: RANGE };
    const valid = (...quotes: readonly unknown[]) => jsonFeed.feed.safeParse({ quotes }).success;
    const several = (count: number) =>
      Array.from({ length: count }, (_, number) => ({ ...quote, market: `market${number}` }));
    expect(valid(...several(MAX_FEED_QUOTES))).toBe(true);
    expect(valid(...several(MAX_FEED_QUOTES + 1))).toBe(false);
    expect(valid()).toBe(false);
    expect(valid(quote, quote)).toBe(false);
    expect(valid({ ...quote, mid: 'x'.repeat(MAX_PATH_LENGTH) })).toBe(true);
    expect(valid({ ...quote, mid: 'x'.repeat(MAX_PATH_LENGTH + 1) })).toBe(false);
    for (const path of ['', '.', 'a.', '.a', 'a..b', 7]) {
      expect(valid({ ...quote, mid: path })).toBe(false);
    }
    const { mid: _, ...noRate } = quote;
    expect(valid(noRate)).toBe(false);
    expect(valid({ ...noRate, ask: 'a' })).toBe(false);
    expect(valid({ ...noRate, ask: 'a', bid: 'b' })).toBe(true);
    expect(valid({ ...quote, list: 'a' })).toBe(false);
    expect(valid({ ...quote, list: 'a', where: { b: 'c' } })).toBe(true);
    expect(valid({ ...quote, where: { b: 7 } })).toBe(false);
    expect(valid({ ...quote, updated_at: { path: 'at', format: 'epoch_us' } })).toBe(false);
    for (const between of [[2, 1], [1, 1], [0, 1], [1], [1, 2, 3], undefined]) {
      expect(valid({ ...quote, between })).toBe(false);
    }
    expect(valid({ ...quote, more: 1 })).toBe(false);
  });
});

describe('json-feed on published figures', () => {
  test('Yadio: bolivars for a dollar, although it calls them VES/USD', () => {
    const answer = { rate: 957.499994, timestamp: 1_790_292_913_674, request: 'rate:VES/USD' };
    expect(parse(answer, yadio)).toEqual([
      {
        kind: 'quote',
        market: 'parallel',
        mid: 957.499994,
        updated_at: '2026-09-24T23:35:13.674Z',
      },
    ]);
  });

  test('Yadio, an error with status 200: a failure', () => {
    expect(contentFailure(() => parse({ error: 'currency not found' }, yadio))).toBe(
      'expected figures, there was an error: {"error":"currency not found"}',
    );
  });

  const listed = (
    moneda: string,
    fuente: string,
    promedio: number,
    fechaActualizacion: string,
  ) => ({
    ...{ moneda, fuente, nombre: fuente, compra: null, venta: null },
    ...{ promedio, fechaActualizacion },
  });
  const dollars = [
    listed('USD', 'oficial', 779.9522, '2026-08-21T00:00:00-04:00'),
    listed('USD', 'paralelo', 900.886719, '2026-08-22T18:01:02.028Z'),
  ];
  const euros = [
    listed('EUR', 'oficial', 911.21815526, '2026-08-21T00:00:00-04:00'),
    listed('EUR', 'paralelo', 1052.07, '2026-08-22T18:01:02.028Z'),
  ];

  test('dolarapi: the parallel dollar, not the official one', () => {
    expect(parse(dollars, dolarapi)).toEqual([
      {
        kind: 'quote',
        market: 'parallel',
        mid: 900.886719,
        updated_at: '2026-08-22T18:01:02.028Z',
      },
    ]);
  });

  test('dolarapi: euros are not read as dollars', () => {
    expect(contentFailure(() => parse(euros, dolarapi))).toBe(
      'expected one element of moneda "USD" and fuente "paralelo", there were 0',
    );
    const euro = { ...dolarapi.quotes?.[0], where: { moneda: 'EUR', fuente: 'oficial' } };
    expect(parse(euros, feedOf(euro))).toEqual([
      {
        kind: 'quote',
        market: 'parallel',
        mid: 911.21815526,
        updated_at: '2026-08-21T04:00:00.000Z',
      },
    ]);
  });
});

describe('json-feed: a publication of the central bank (contract §8)', () => {
  const whole = jsonFeed.feed.parse({
    official: {
      value_date: { path: 'effective_date', format: 'day' },
      rates: { USD: { mid: 'USD' }, EUR: { mid: 'EUR' } },
    },
  });
  const inList = jsonFeed.feed.parse({
    official: {
      value_date: { path: 'at', format: 'iso' },
      rates: {
        USD: { where: { code: 'USD' }, mid: 'rate' },
        EUR: { where: { code: 'EUR' }, mid: 'rate' },
      },
    },
  });

  test('has each rate and the value date at their paths', () => {
    const body = { USD: 500.4606, EUR: 589.27233807, effective_date: '2026-05-11' };
    expect(parse(body, whole)).toEqual([
      { kind: 'official', value_date: '2026-05-11', rates: { USD: 500.4606, EUR: 589.27233807 } },
    ]);
  });

  test('has as value date the day in Caracas of a time', () => {
    const row = (code: string, at: string) => ({ code, rate: 779.9522, at });
    const at = '2026-08-21T00:00:00-04:00';
    expect(parse([row('USD', at), row('EUR', at)], inList)).toEqual([
      { kind: 'official', value_date: '2026-08-21', rates: { USD: 779.9522, EUR: 779.9522 } },
    ]);
    const eve = '2026-08-21T03:59:59Z';
    expect(parse([row('USD', eve), row('EUR', eve)], inList)).toMatchObject([
      { value_date: '2026-08-20' },
    ]);
    expect(contentFailure(() => parse([row('USD', at), row('EUR', eve)], inList))).toContain(
      'expected one value date, there were 2026-08-21, 2026-08-20',
    );
  });

  test.each([
    { EUR: 589.2, effective_date: '2026-05-11' },
    { USD: 500.4, EUR: 589.2 },
    { USD: 500.4, EUR: 589.2, effective_date: '11/05/2026' },
    { USD: 500.4, EUR: 589.2, effective_date: 20260511 },
    { USD: 0, EUR: 589.2, effective_date: '2026-05-11' },
  ])('of %j is a failure', (body) => {
    contentFailure(() => parse(body, whole));
  });
});
