import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../src/core/domain/time.ts';
import { collecting, type Site, type TestSource, testSource } from './harness/collecting.ts';

/** A venue that is read directly and by an aggregator (contract §8). */

const START = Date.parse('2026-11-20T12:00:00Z');

const quotes = (rates: Readonly<Record<string, number>>): readonly object[] =>
  Object.entries(rates).map(([market, mid]) => ({ kind: 'quote', market, mid }));

interface Ranked extends Site {
  readonly direct: TestSource;
  readonly relay: TestSource;
  /** Reads what is due in the minutes from `from` to `to` after the start. */
  minutes(from: number, to: number): Promise<void>;
}

const HOURLY = [{ cron: '0 * * * *', whileExpected: false }];

/** The direct source is read every other minute, as the packaged ones are. */
async function ranked(given: Partial<Parameters<typeof testSource>[1]> = {}): Promise<Ranked> {
  const relay = await testSource('relay', {
    markets: ['binance', 'okx'],
    origin: (market) => market,
    // Never in the minute of an hourly reading, so that the order of the two is certain.
    schedule: [{ cron: '1-59 * * * *', whileExpected: false }],
  });
  const direct = await testSource('direct', {
    markets: ['binance'],
    origin: () => 'binance',
    rankedBefore: 'relay',
    schedule: [{ cron: '*/2 * * * *', whileExpected: false }],
    ...given,
  });
  relay.upstream.says(quotes({ binance: 910, okx: 905 }));
  direct.upstream.says(quotes({ binance: 900 }));
  const site = await collecting([relay, direct]);
  const minutes = async (from: number, to: number) => {
    for (let minute = from; minute <= to; minute += 1) {
      for (const second of [0, 1, 2]) {
        await site.at(START + minute * MINUTE_MS + second * SECOND_MS);
      }
    }
  };
  return { ...site, direct, relay, minutes };
}

describe('contract §8: a source that is ranked before an aggregator', () => {
  test('brings its market alone while it works; the aggregator brings the others', async () => {
    const { relay, served, minutes } = await ranked();
    await minutes(0, 0);
    for (let minute = 1; minute <= 8; minute += 1) {
      relay.upstream.says(quotes({ binance: 910 + minute, okx: 905 + minute }));
      await minutes(minute, minute);
      expect([await served('binance'), await served('okx')]).toEqual([900, 905 + minute]);
    }
  });

  test('gives way to the aggregator when it fails, and takes its market back', async () => {
    const { direct, served, minutes } = await ranked();
    await minutes(0, 1);
    expect(await served('binance')).toBe(900);
    direct.upstream.answers((_request, response) => response.writeHead(503).end());
    await minutes(2, 3);
    expect(await served('binance')).toBe(910);
    direct.upstream.says(quotes({ binance: 901 }));
    await minutes(4, 20);
    expect(await served('binance')).toBe(901);
  });

  test('gives way when its answer lacks the market', async () => {
    const { direct, served, minutes } = await ranked({ markets: ['binance', 'bybit'] });
    await minutes(0, 1);
    direct.upstream.says(quotes({ bybit: 903 }));
    await minutes(2, 3);
    expect([await served('binance'), await served('bybit')]).toEqual([910, 903]);
  });

  test('gives way when its quote is held, so that a wrong figure withholds no right one', async () => {
    const { direct, relay, served, minutes } = await ranked();
    await minutes(0, 1);
    direct.upstream.says(quotes({ binance: 2_000 }));
    relay.upstream.says(quotes({ binance: 912, okx: 905 }));
    await minutes(2, 3);
    expect(await served('binance')).toBe(912);
  });

  test('gives way when it was last read longer ago than a quote is fresh (900 s)', async () => {
    const { served, at } = await ranked({ schedule: HOURLY });
    await at(START);
    await at(START + SECOND_MS);
    await at(START + 15 * MINUTE_MS + SECOND_MS);
    expect(await served('binance')).toBe(900);
    await at(START + 16 * MINUTE_MS + 2 * SECOND_MS);
    expect(await served('binance')).toBe(910);
  });

  test('gives way when its figures are frozen, after 6 h', async () => {
    const { relay, served, at } = await ranked({ schedule: HOURLY });
    for (let hour = 0; hour <= 7; hour += 1) {
      // The aggregator is read before the hour, so that the direct source is read alone on it.
      await at(START + hour * HOUR_MS - 30 * SECOND_MS);
      await at(START + hour * HOUR_MS);
      await at(START + hour * HOUR_MS + SECOND_MS);
      relay.upstream.says(quotes({ binance: 911 + hour, okx: 905 }));
      await at(START + hour * HOUR_MS + MINUTE_MS);
      expect([hour, await served('binance')]).toEqual([hour, hour <= 6 ? 900 : 918]);
    }
  });

  test('leaves an aggregator without another market with nothing to store, which is no failure', async () => {
    const { relay, served, state, minutes } = await ranked();
    await minutes(0, 1);
    relay.upstream.says(quotes({ binance: 910 }));
    await minutes(2, 2);
    expect(await served('binance')).toBe(900);
    const { lastSuccessAt, failure } = await state('relay');
    expect([lastSuccessAt, failure]).toEqual([START + 2 * MINUTE_MS, undefined]);
  });

  test('is none while it is off', async () => {
    const { served, minutes } = await ranked({ enabled: false });
    await minutes(0, 1);
    expect(await served('binance')).toBe(910);
  });
});
