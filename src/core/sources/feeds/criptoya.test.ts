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
import type { UpstreamRequest } from '../../app/ports/sources.ts';
import { criptoya, MAX_CRIPTOYA_VENUES, parseCriptoya } from './criptoya.ts';

const between: [number, number] = [200, 3_000];
const feed = {
  between,
  venues: { binancep2p: 'binance', bybitp2p: 'bybit', saldo: 'saldo' },
};
const parse = (value: unknown) => parseCriptoya([jsonBody(value)], feed);
const good = { ask: 902.5, bid: 901.25, time: 1795177800 };
const record = {
  kind: 'quote',
  market: 'binance',
  ask: 902.5,
  bid: 901.25,
  updated_at: '2026-11-20T12:30:00.000Z',
};

describe('criptoya', () => {
  test('makes one request', async () => {
    const asked: UpstreamRequest[] = [];
    const url = 'https://aggregator.example/api/USDT/VES/100';
    await criptoya.read(
      async (request) => {
        asked.push(request);
        return bodyOf('');
      },
      url,
      feed,
    );
    expect(asked).toEqual([{ url, accept: ['application/json'] }]);
  });

  test('reads ask, bid and time of each venue of the catalogue, without fees', () => {
    const all = {
      between,
      venues: {
        ...feed.venues,
        okexp2p: 'okx',
        // A bid of 490000, no bids, and not there.
        mexcp2p: 'mexc',
        bitgetp2p: 'bitget',
        bingxp2p: 'bingx',
      },
    };
    const body = fileBody('../fixtures/criptoya-usdt-ves.json', import.meta.url);
    expect(criptoya.markets(all)).toEqual(Object.values(all.venues));
    expect(parseCriptoya([body], all)).toEqual([
      record,
      {
        kind: 'quote',
        market: 'bybit',
        ask: 899.9,
        bid: 903.1,
        updated_at: '2026-11-20T12:29:55.000Z',
      },
      {
        kind: 'quote',
        market: 'saldo',
        ask: 951.9,
        bid: 880.33,
        updated_at: '2026-11-20T12:30:00.000Z',
      },
      {
        kind: 'quote',
        market: 'okx',
        ask: 905,
        bid: 900,
        updated_at: '2026-11-20T12:29:50.000Z',
      },
    ]);
  });

  test.each(NO_FIGURES)('%s is a failure', (_, content) => {
    expect(contentFailure(() => parseCriptoya([bodyOf(content)], feed))).toMatch(/^expected /);
  });

  test.each(NO_RATES)('skips a venue with %s for a rate, and reads the others', (json) => {
    for (const side of ['ask', 'bid']) {
      const broken = JSON.stringify({ ...good, [side]: '?' }).replace('"?"', json);
      const beside = bodyOf(`{"binancep2p":${JSON.stringify(good)},"bybitp2p":${broken}}`);
      expect(parseCriptoya([beside], feed)).toEqual([record]);
      const alone = bodyOf(`{"bybitp2p":${broken}}`);
      expect(contentFailure(() => parseCriptoya([alone], feed))).toMatch(
        /^expected ask, bid and time of at least one venue of the catalogue, there was \{"bybitp2p"/,
      );
    }
  });

  test.each([null, 0, 1795177800000, 'today', '2026-11-20T12:30:00Z', undefined])(
    'skips a venue with %j for a time',
    (time) => {
      const broken = { ...good, time };
      expect(parse({ binancep2p: good, bybitp2p: broken })).toEqual([record]);
    },
  );

  test('drops sides that cannot be of one market', () => {
    expect(parse({ binancep2p: good, bybitp2p: { ...good, bid: 1805 } })).toHaveLength(2);
    expect(parse({ binancep2p: good, bybitp2p: { ...good, bid: 1805.01 } })).toEqual([record]);
  });

  test('fails on an answer without any venue of the catalogue', () => {
    expect(contentFailure(() => parse({ coinexp2p: good }))).toBe(
      'expected ask, bid and time of at least one venue of the catalogue, there was {"coinexp2p":{"ask":902.5,"bid":901.25,"time":1795177800}}',
    );
  });

  test('fails on more than one body', () => {
    const body = jsonBody({ binancep2p: good });
    expect(contentFailure(() => parseCriptoya([body, body], feed))).toBe(
      'expected 1 body, there were 2',
    );
  });

  test('gives valid records of its markets or a failure for any body', () => {
    const fixture = readFileSync(
      new URL('../fixtures/criptoya-usdt-ves.json', import.meta.url),
      'utf8',
    );
    const entry = fc.record(
      { ask: fc.jsonValue(), bid: fc.jsonValue(), time: fc.jsonValue() },
      { requiredKeys: [] },
    );
    const venue = fc.constantFrom(...Object.keys(feed.venues));
    const answer = fc.oneof(fc.jsonValue(), fc.dictionary(venue, fc.oneof(entry, fc.jsonValue())));
    const text = fc.oneof(
      damaged(fixture),
      answer.map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(text, (content) => {
        const records = soundRecords(() => parseCriptoya([bodyOf(content)], feed));
        const quoted = records.map(({ market }) => market);
        expect(criptoya.markets(feed)).toEqual(expect.arrayContaining(quoted));
        expect(new Set(quoted).size).toBe(quoted.length);
      }),
      { numRuns: 500 },
    );
  });

  test('requires venues in the catalogue and a different market for each', () => {
    const valid = (venues: unknown) => criptoya.feed.safeParse({ between, venues }).success;
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`venue${n}`, `market${n}`]));
    expect(valid(many(MAX_CRIPTOYA_VENUES))).toBe(true);
    expect(valid(many(MAX_CRIPTOYA_VENUES + 1))).toBe(false);
    expect(valid({})).toBe(false);
    expect(valid({ binancep2p: 'one', bybitp2p: 'one' })).toBe(false);
    expect(valid({ 'Binance P2P': 'one' })).toBe(false);
    expect(valid(['binancep2p'])).toBe(false);
    expect(criptoya.feed.safeParse({ ...feed, more: 1 }).success).toBe(false);
  });
});
