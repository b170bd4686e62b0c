import { describe, expect, test } from 'vitest';
import { iso, official, quote } from '../../../../../test/harness/make.ts';
import { START } from '../../../../../test/harness/service.ts';
import { shapeOf, VENUE } from '../fixtures.ts';
import { startCompatService } from '../official-week.ts';

const service = () =>
  startCompatService(['criptoya'], {
    records: [
      official('2026-11-20', { USD: 800 }),
      quote('binance', 900, { ask: 901, bid: 899 }),
      quote('okx', 905, { ask: 906, bid: 904, updated_at: iso(START - 60_000) }),
      quote('saldo', 910, { ask: 911, bid: 909 }),
      // Says no side.
      quote('bybit', 902),
      quote('parallel', 890, { ask: 891, bid: 889 }),
    ],
  });

const BINANCE = { ask: 901, totalAsk: 901, bid: 899, totalBid: 899, time: START / 1000 };

describe('the addresses of CriptoYa', () => {
  test.each(['/api/USDT/VES', '/api/usdt/ves', '/api/USDT/VES/1', '/api/usdt/ves/100.5'])(
    "%s has every venue under CriptoYa's name (contract §12)",
    async (path) => {
      const { call } = await service();
      const { json } = await call(path);
      expect(json).toEqual({
        binancep2p: BINANCE,
        okexp2p: { ask: 906, totalAsk: 906, bid: 904, totalBid: 904, time: START / 1000 - 60 },
        saldo: { ask: 911, totalAsk: 911, bid: 909, totalBid: 909, time: START / 1000 },
      });
      expect(shapeOf(json.binancep2p)).toEqual(shapeOf(VENUE));
    },
  );

  test.each([
    '/api/binancep2p/USDT/VES',
    '/api/binancep2p/usdt/ves',
    '/api/binancep2p/usdt/ves/1',
    '/api/BinanceP2P/USDT/VES/100',
    // getExchangeRate of a shop's page.
    '/api/binance/usdt/ves/0.1',
  ])('%s has that venue alone', async (path) => {
    const { call } = await service();
    expect((await call(path)).json).toEqual(BINANCE);
  });

  test.each([
    ['/api/USDT/ARS', 404],
    ['/api/BTC/VES', 404],
    ['/api/USDT/VES/0', 400],
    ['/api/USDT/VES/-1', 400],
    ['/api/USDT/VES/1e3', 400],
    ['/api/USDT/VES/abc', 400],
    ['/api/binancep2p/USDT/ARS', 404],
    ['/api/binancep2p/USDT/VES/x', 400],
    ['/api/kraken/USDT/VES', 404],
    ['/api/bybitp2p/USDT/VES', 404],
    ['/api/parallel/USDT/VES', 404],
  ])('%s is refused in the format of that service', async (path, status) => {
    const { call } = await service();
    const reply = await call(path);
    expect([reply.status, reply.json]).toEqual([status, { error: expect.any(String) }]);
  });

  test('a volume and a limit behind it change nothing (a page that asks for AMOUNT/LIMIT)', async () => {
    const { call } = await service();
    const plain = await call('/api/binancep2p/usdt/ves/1');
    const reply = await call('/api/binancep2p/usdt/ves/100/5');
    expect([reply.status, reply.json]).toEqual([plain.status, plain.json]);
    expect((await call('/api/binancep2p/usdt/ves/x/5')).status).toBe(400);
  });

  test('name no source, because no figure is of the central bank', async () => {
    const { call } = await service();
    const { headers } = await call('/api/USDT/VES');
    expect(headers.get('x-vesfx-source')).toBeNull();
  });

  test('work beside those of pydolarve', async () => {
    const { call } = await startCompatService(['pydolarve', 'criptoya']);
    expect((await call('/api/v2/tipo-cambio?currency=usd')).json.price).toBe(804.5);
    expect((await call('/api/USDT/VES')).json).toEqual({});
  });
});
