import { describe, expect, test } from 'vitest';
import { iso, official, P2P, quote } from '../../../../../test/harness/make.ts';
import { START, serviceWith } from '../../../../../test/harness/service.ts';
import type { BoardFigures } from '../../board/board-figures.ts';
import { ratesInForce } from '../../board/rates-in-force.ts';

/** The ages of what the board shows are those of the API (`test/spec/ages.test.ts`). */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** `stale_after_sec` of P2P and of the parallel market. */
const P2P_STALE = 900 * SECOND;
const PARALLEL_STALE = 7_200 * SECOND;

const OFFICIAL = official('2026-11-20', { USD: 800, EUR: 920 });
const MARKET = [
  OFFICIAL,
  quote('parallel', 900),
  quote('binance', 850),
  quote('bybit', 851),
  quote('cash', 870),
];

describe('contract §2: the board says which sources of the index are stale', () => {
  const P2P_QUOTES = P2P.map((market, position) => quote(market, 850 + position));

  test('as the headers of the index do, with the same flags', async () => {
    const { service, get } = await serviceWith([OFFICIAL, quote('parallel', 900), ...P2P_QUOTES]);
    const told = async () => {
      const index = await get('index');
      // The board may be a second old.
      service.clock.advance(2 * SECOND);
      const { index: shown, index_sources: sources } = (await service.call('/board.json')).json;
      service.clock.advance(-2 * SECOND);
      expect(shown.flags).toEqual(index.json.flags);
      return sources?.stale;
    };
    service.clock.set(START + P2P_STALE - 2 * SECOND);
    expect(await told()).toBeUndefined();
    service.clock.set(START + P2P_STALE + SECOND);
    expect(await told()).toEqual(['p2p']);
    service.clock.set(START + PARALLEL_STALE + SECOND);
    expect(await told()).toEqual(['paralelo', 'p2p']);
    await service.push(quote('saldo', 852, { updated_at: iso(service.clock.now()) }));
    expect(await told()).toEqual(['paralelo']);
  });

  test('a fresh quote that is an outlier keeps nothing fresh', async () => {
    const { service } = await serviceWith([
      OFFICIAL,
      ...P2P_QUOTES.slice(0, 6),
      quote('saldo', 5_000),
    ]);
    service.clock.set(START + P2P_STALE + SECOND);
    await service.push(quote('saldo', 5_000, { updated_at: iso(service.clock.now()) }));
    expect((await service.call('/board.json')).json).toMatchObject({
      index: { flags: { missing_sources: ['paralelo'], outliers_excluded: ['saldo'] } },
      index_sources: { stale: ['p2p'] },
    });
  });

  test('a source that is not used is missing, not stale', async () => {
    const { service } = await serviceWith([OFFICIAL, ...P2P_QUOTES]);
    service.clock.set(START + PARALLEL_STALE + SECOND);
    expect((await service.call('/board.json')).json).toMatchObject({
      index: { flags: { missing_sources: ['paralelo'] } },
      index_sources: { stale: ['p2p'] },
    });
  });
});

describe('contract §1: the board shows no updated_at after the request', () => {
  test.each(['/board.json', '/board/history.json?market=parallel'])('in %s', async (path) => {
    const { service } = await serviceWith([OFFICIAL, quote('binance', 850)]);
    await service.push(quote('parallel', 900, { updated_at: iso(START + 4 * MINUTE) }));
    const { text, headers } = await service.call(path);
    const times = [...text.matchAll(/"updated_at":"([^"]+)"/g)].map(([, time = '']) => time);
    expect(times.length).toBeGreaterThan(0);
    expect(times.filter((time) => Date.parse(time) > service.clock.now())).toEqual([]);
    expect(Date.parse(headers.get('last-modified') ?? iso(START))).toBeLessThanOrEqual(START);
  });
});

describe('contract §1: a page puts the next rate into force at midnight as the service does', () => {
  test('with its row, its change and every premium, and not a millisecond before', async () => {
    const { service } = await serviceWith([
      official('2026-11-19', { USD: 790, EUR: 910 }, { captured_at: '2026-11-18T21:00:00Z' }),
      ...MARKET,
      official('2026-11-24', { USD: 805.75, EUR: 925.5, CNY: 111 }),
    ]);
    const board = async () => (await service.call('/board.json')).json;
    const midnight = Date.parse('2026-11-24T04:00:00Z');
    service.clock.set(midnight - 1);
    const before = await board();
    expect(ratesInForce(before, midnight - 1)).toBe(before);
    const shown = ratesInForce(before, midnight);
    service.clock.set(midnight);
    const after = await board();
    expect(shown.official).toEqual(after.official);
    expect(shown.gap).toEqual(after.gap);
    const rows = (figures: BoardFigures) =>
      figures.rates.map(({ market, mid, updated_at, effective_date, gap_percent }) => [
        ...[market, mid, updated_at, effective_date, gap_percent],
      ]);
    expect(rows(shown)).toEqual(rows(after));
    expect(shown.version).not.toBe(before.version);
    expect(ratesInForce(after, midnight)).toBe(after);
  });
});
