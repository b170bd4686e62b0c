import { describe, expect, test } from 'vitest';
import { capture, fullMarket, official, P2P } from '../../../../../test/harness/make.ts';
import { faultOf, startTestService } from '../../../../../test/harness/service.ts';

/** The board takes days, markets and other names as the API does. */

// The clock shows Saturday 2026-11-21, 08:00 in Caracas.
async function serving() {
  const service = await startTestService();
  await service.push(...fullMarket(), official('2026-11-19', { USD: 884, EUR: 1000 }));
  return service;
}

describe('contract §1 the names of markets on the board', () => {
  const ALIASES = [
    ['bcv', 'reference'],
    ['oficial', 'reference'],
    ['paralelo', 'parallel'],
    ...P2P.map((id, index) => [`p2p_market_${index + 1}`, id] as const),
  ] as const;

  test('binance, bybit and okx are ids of the keyless board', async () => {
    const { call } = await serving();
    const { rates } = (await call('/board.json')).json;
    const mids = new Map(rates.map(({ market, mid }: Record<string, unknown>) => [market, mid]));
    expect(['binance', 'bybit', 'okx'].map((name) => mids.get(name))).toEqual([851, 854, 856]);
  });

  test.each(ALIASES)('%s is %s in its history', async (alias, id) => {
    const { call } = await serving();
    const { series } = (await call(`/board/history.json?market=${alias}`)).json;
    expect(series.map(({ market }: { market: string }) => market)).toEqual([id]);
  });

  test.each([
    ['BCV', ['reference']],
    ['Binance', ['binance']],
    ['binancep2p', ['binance']],
    ['monitor', ['parallel']],
    ['enparalelovzla', ['parallel']],
    ['usdt', ['binance', 'bybit', 'okx']],
    ['nothing_like_it', []],
  ])('%s is 404 in its history, and did_you_mean is %j', async (name, near) => {
    const { call } = await serving();
    expect(await call(`/board/history.json?market=${name}`)).toMatchObject({
      status: 404,
      json: {
        code: 'resource_not_found',
        field: 'market',
        details: { reason: 'unknown_market', did_you_mean: near },
      },
    });
  });
});

describe('contract §4: days that the board does not take', () => {
  test('it refuses names of days, and passes others', async () => {
    const { call } = await serving();
    for (const name of ['date', 'fecha', 'since', 'rule', 'from', 'invoice_date', 'dia']) {
      const reply = await call(`/board.json?${name}=2026-11-18`);
      expect([name, ...faultOf(reply)]).toEqual([name, 400, 'unknown_parameter', name]);
    }
    const reply = await call('/board.json?t=1&_=1&utm_source=x');
    expect([reply.status, reply.headers.get('x-ignored-parameters')]).toEqual([
      200,
      't,_,utm_source',
    ]);
  });

  test('another name for a day is refused, and the right one suggested', async () => {
    const { call } = await serving();
    const reply = await call('/board/rates.json?dia=2026-11-19');
    expect([...faultOf(reply), reply.json.details.did_you_mean]).toEqual([
      ...[400, 'unknown_parameter', 'dia', 'date'],
    ]);
  });

  test.each([
    ['/board.json?', ['date', 'from', 'to', 'since', 'rule']],
    ['/board/rates.json?', ['date']],
    ['/board/rates.json?date=2026-11-19&', ['from', 'to', 'since', 'rule']],
    ['/board/history.csv?', ['date', 'from', 'to', 'since', 'rule']],
  ])('contract §2: at %s an empty one of %j is refused', async (address, names) => {
    const { call } = await serving();
    for (const name of names) {
      for (const sent of [`${name}=`, name, `${name}=%20`, `${name}=+`]) {
        const reply = await call(address + sent);
        expect([sent, ...faultOf(reply)]).toEqual([sent, 400, 'invalid_format', name]);
      }
    }
  });

  test.each([
    ['/board/history.json?market=reference&days=366', 'days'],
    ['/board/rates.json?date=2025-11-20', 'date'],
  ])('%s is 403 beyond the days of the board, and names the earliest', async (path, field) => {
    const { call } = await serving();
    const reply = await call(path);
    expect(faultOf(reply)).toEqual([403, 'history_out_of_retention', field]);
    expect(reply.json.details).toEqual({
      max_days: 365,
      earliest: '2025-11-21',
      required_plan: null,
    });
  });
});

describe('contract §9: past days and days to come on the board', () => {
  const NOON = Date.parse('2026-11-20T16:00:00Z');
  const LATER = { today: '2026-11-20', last_value_date: '2026-11-24' };

  /** Friday 2026-11-20. The rate of Tuesday the 24th is published: Monday is a bank holiday. */
  async function onFriday(now = NOON) {
    const service = await startTestService({ start: now });
    await service.push(
      official('2026-11-18', { USD: 882, EUR: 1000 }, { captured_at: '2026-11-17T21:10:00Z' }),
      official('2026-11-20', { USD: 886, EUR: 1004 }, { captured_at: '2026-11-19T21:10:00Z' }),
      official('2026-11-24', { USD: 890, EUR: 1010 }, { captured_at: '2026-11-20T15:00:00Z' }),
      capture(900, '2026-11-18T12:00:00Z'),
    );
    return (date: string) => service.call(`/board/rates.json?date=${date}`);
  }

  test('a published day to come has its official rates alone', async () => {
    const ratesOn = await onFriday();
    const { rates } = (await ratesOn('2026-11-24')).json;
    expect(rates.map(({ market, mid }: Record<string, unknown>) => [market, mid])).toEqual([
      ['reference', 890],
      ['eur_reference', 1010],
    ]);
  });

  test('a day beyond the newest is 400 with the days in details', async () => {
    const ratesOn = await onFriday();
    const reply = await ratesOn('2026-11-25');
    expect(faultOf(reply)).toEqual([400, 'invalid_format', 'date']);
    expect(reply.json.details).toMatchObject(LATER);
  });

  test.each([
    ['ayer', 'not_a_day'],
    ['2026-02-30', 'not_a_day'],
    ['', 'empty'],
    ['%20', 'empty'],
  ])('"%s" is no day: 400 by the rule %s, with today of Caracas', async (sent, rule) => {
    const ratesOn = await onFriday(Date.parse('2026-11-21T00:00:00Z'));
    const reply = await ratesOn(sent);
    expect(faultOf(reply)).toEqual([400, 'invalid_format', 'date']);
    expect(reply.json.details).toEqual({ rule, today: '2026-11-20' });
  });

  test('a rule without a day is refused', async () => {
    const ratesOn = await onFriday();
    expect(faultOf(await ratesOn('2026-11-20&rule='))).toEqual([400, 'invalid_format', 'rule']);
  });

  test('a day before all data is 404, and details.earliest is the first', async () => {
    const ratesOn = await onFriday();
    const reply = await ratesOn('2026-11-17');
    expect(faultOf(reply)).toEqual([404, 'resource_not_found', 'date']);
    expect(reply.json.details).toEqual({ reason: 'no_data', earliest: '2026-11-18' });
  });
});

test('contract §4 an unknown file of the pages is 404 for its path', async () => {
  const { call } = await serving();
  const { status, json } = await call('/assets/nothing');
  expect([status, json.code, json.details]).toEqual([
    404,
    'resource_not_found',
    { reason: 'unknown_path' },
  ]);
});
