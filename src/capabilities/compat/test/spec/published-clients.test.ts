import { CriptoYa } from 'criptoya';
import { createFrankfurterClient } from 'frankfurter-js';
import { describe, expect, test } from 'vitest';
import { startCompatService } from '../official-week.ts';

/** Client libraries as they are published for the other services, with our base address. */

describe('published clients work with another base address (contract §12)', () => {
  test('frankfurter-js: now, a past day, a range, currencies and its error', async () => {
    const { url: baseUrl } = await startCompatService(['frankfurter']);
    const client = createFrankfurterClient({ baseUrl });
    const dollar = { base: 'USD', quotes: 'VES' };
    expect(await client.latest(dollar)).toEqual([
      { date: '2026-11-20', base: 'USD', quote: 'VES', rate: 804.5 },
    ]);
    const [past] = await client.historical('2026-11-19', dollar);
    expect(past?.rate).toBe(800);
    const range = await client.range('2026-11-18', '2026-11-20', dollar);
    expect(range.map(({ date, rate }) => [date, rate])).toEqual([
      ['2026-11-18', 795],
      ['2026-11-19', 800],
      ['2026-11-20', 804.5],
    ]);
    const currencies = await client.currencies();
    expect(currencies.map(({ iso_code }) => iso_code)).toEqual(['CNY', 'EUR', 'USD', 'VES']);
    expect(currencies.at(-1)).toEqual({
      start_date: '2026-11-18',
      end_date: '2026-11-24',
      iso_code: 'VES',
      iso_numeric: '928',
      name: 'Venezuelan Bolívar',
      symbol: 'Bs.',
    });
    await expect(client.latest({ base: 'GBP' })).rejects.toMatchObject({
      name: 'FrankfurterError',
      status: 404,
      body: { status: 404, message: 'not found' },
    });
  });

  test('criptoya: every exchange and one, with a volume and without', async () => {
    const { url } = await startCompatService(['criptoya'], {
      records: [
        { kind: 'official', value_date: '2026-11-20', rates: { USD: 800 } },
        {
          kind: 'quote',
          market: 'binance',
          ask: 901,
          bid: 899,
          updated_at: '2026-11-21T11:59:30Z',
        },
      ],
    });
    const client = new CriptoYa();
    const pair = { coin: 'USDT', fiat: 'VES' } as const;
    const here = { baseURL: `${url}/api` };
    const sides = { ask: 901, totalAsk: 901, bid: 899, totalBid: 899, time: 1795262370 };
    // Its types know only the currencies of Argentina.
    const coin = client.coin.bind(client) as unknown as (
      params: object,
      options: object,
    ) => Promise<unknown>;
    const exchange = client.exchange.bind(client) as unknown as typeof coin;
    for (const volume of [undefined, 0.5]) {
      // Without a volume it requests an address with a trailing slash.
      expect(await coin({ ...pair, volume }, here)).toEqual({ binancep2p: sides });
      expect(await exchange({ ...pair, volume, exchange: 'binancep2p' }, here)).toEqual(sides);
    }
    await expect(coin({ coin: 'USDT', fiat: 'ARS' }, here)).rejects.toMatchObject({
      statusCode: 404,
      data: { error: 'The only pair is USDT/VES.' },
    });
  });
});
