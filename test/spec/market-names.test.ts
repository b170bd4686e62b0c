import { describe, expect, test } from 'vitest';
import {
  CASH,
  EXCHANGE_HOUSES,
  fullMarket,
  iso,
  P2P,
  quote,
  REMITTANCES,
} from '../harness/make.ts';
import { type Reply, START, startTestService } from '../harness/service.ts';

/** Markets are named after their providers, and by the names of before (contract §1). */

const ALIASES: readonly (readonly [alias: string, id: string])[] = [
  ['bcv', 'reference'],
  ['oficial', 'reference'],
  ['usd', 'reference'],
  ['bcv_usd', 'reference'],
  ['bcv_eur', 'eur_reference'],
  ['euro', 'eur_reference'],
  ['eur', 'eur_reference'],
  ['paralelo', 'parallel'],
  ...P2P.map((id, index) => [`p2p_market_${index + 1}`, id] as const),
  ...P2P.map((id) => [`${id}_p2p`, id] as const),
];
const USD_ALIASES = ALIASES.filter(([, id]) => !id.startsWith('eur'));

async function serving() {
  const service = await startTestService();
  await service.push(...fullMarket());
  const key = await service.keyFor('Escala');
  const send = (method: string, path: string, body?: object): Promise<Reply> =>
    service.call(path, {
      ...{ method, key },
      ...(body !== undefined && {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
  return { service, send, get: (path: string) => send('GET', path) };
}

const BULK = { from: 'USD', to: 'VES', amounts: [1] };

describe('contract §1 the names of markets', () => {
  test('binance, bybit and okx are ids of /rates', async () => {
    const { get } = await serving();
    const { rates } = (await get('/v1/fx/rates')).json;
    const picked = ['binance', 'bybit', 'okx'].map(
      (name) => rates.find(({ market }: { market: string }) => market === name)?.mid,
    );
    expect(picked).toEqual([851, 854, 856]);
  });

  test('the catalogue is ordered official, parallel, P2P, remittances, houses, cash', async () => {
    const { get } = await serving();
    const { markets } = (await get('/v1/fx/markets')).json;
    expect(markets.map(({ id }: { id: string }) => id)).toEqual([
      ...['reference', 'eur_reference', 'parallel'],
      ...P2P,
      ...REMITTANCES,
      ...EXCHANGE_HOUSES,
      ...CASH,
    ]);
    const aliases = Object.fromEntries(
      markets.flatMap(({ id, aliases: names }: { id: string; aliases: string[] }) =>
        names.map((name) => [name, id]),
      ),
    );
    expect(aliases).toEqual(Object.fromEntries(ALIASES));
  });

  test('every alias works in a path, and the answer has the id', async () => {
    const { get } = await serving();
    for (const [alias, id] of ALIASES) {
      expect([alias, (await get(`/v1/fx/rates/${alias}`)).json.market]).toEqual([alias, id]);
      const history = await get(`/v1/fx/rates/${alias}/history?granularity=raw`);
      expect([alias, history.json.market]).toEqual([alias, id]);
    }
  });

  test('every alias works in via, market, against and a bulk body', async () => {
    const { get, send } = await serving();
    for (const [alias, id] of USD_ALIASES) {
      const asked = `/v1/fx/convert?from=USD&to=VES&amount=1`;
      expect((await get(`${asked}&via=${alias}`)).json.market).toBe(id);
      expect((await get(`${asked}&market=${alias}`)).json.market).toBe(id);
      const bulk = await send('POST', '/v1/fx/bulk/convert', { ...BULK, market: alias });
      expect(bulk.json.market).toBe(id);
      if (id === 'reference') continue;
      expect((await get(`/v1/fx/spread?against=${alias}`)).json.compared.market).toBe(id);
    }
  });

  test('every alias works in markup rules and pushed records', async () => {
    const { service, get, send } = await serving();
    const names = ALIASES.map(([alias]) => alias);
    const ids = [...new Set(ALIASES.map(([, id]) => id))];
    const rule = { tag: 'all', kind: 'percent', value: 1, markets: names };
    expect((await send('POST', '/v1/account/markups', rule)).json.markets).toEqual(ids);
    service.clock.advance(1_000);
    const free = ALIASES.filter(([, id]) => !id.endsWith('reference'));
    const one = new Map(free.map(([alias, id]) => [id, alias]));
    const others = free.filter(([alias, id]) => one.get(id) === alias);
    const at = { updated_at: iso(START + 1_000), captured_at: iso(START + 1_000) };
    await service.push(...others.map(([alias], index) => quote(alias, 900 + index, at)));
    const { rates } = (await get('/v1/fx/rates')).json;
    const mids = new Map(rates.map(({ market, mid }: Record<string, unknown>) => [market, mid]));
    expect(others.map(([, id]) => mids.get(id))).toEqual(others.map((_, index) => 900 + index));
  });

  test('a name is decoded once and then compared byte for byte', async () => {
    const { get } = await serving();
    expect((await get('/v1/fx/rates/%62inance')).json.market).toBe('binance');
    expect((await get('/v1/fx/rates/%2562inance')).status).toBe(404);
    for (const name of ['Binance', 'BINANCE', 'binance%20', '%20binance', 'b%C3%ADnance']) {
      expect([name, (await get(`/v1/fx/rates/${name}`)).status]).toEqual([name, 404]);
    }
  });
});

describe('contract §1 an unknown name of a market', () => {
  test.each([
    ['BCV', ['reference']],
    ['Binance', ['binance']],
    ['binancep2p', ['binance']],
    ['monitor', ['parallel']],
    ['enparalelovzla', ['parallel']],
    ['usdt', ['binance', 'bybit', 'okx']],
    ['nothing_like_it', []],
  ])('%s is 404 everywhere, and did_you_mean is %j', async (name, near) => {
    const { get, send } = await serving();
    const notFound = (field: string) => ({
      status: 404,
      json: { code: 'resource_not_found', field, details: { did_you_mean: near } },
    });
    const asked = '/v1/fx/convert?from=USD&to=VES&amount=1';
    expect(await get(`/v1/fx/rates/${name}`)).toMatchObject(notFound('market'));
    expect(await get(`/v1/fx/rates/${name}/history`)).toMatchObject(notFound('market'));
    expect(await get(`${asked}&via=${name}`)).toMatchObject(notFound('via'));
    expect(await get(`${asked}&market=${name}`)).toMatchObject(notFound('market'));
    expect(await send('POST', '/v1/fx/bulk/convert', { ...BULK, market: name })).toMatchObject(
      notFound('market'),
    );
    expect(await get(`/v1/fx/rates/${name}?date=2026-11-20`)).toMatchObject(notFound('market'));
    expect(await get(`/v1/fx/rates/${name}/candles`)).toMatchObject(notFound('market'));
    expect(await get(`/v1/fx/changes?markets=cash,${name}`)).toMatchObject(notFound('markets'));
    const rule = { tag: 'a', kind: 'percent', value: 1, markets: ['cash', name] };
    for (const [method, path] of [
      ['POST', '/v1/account/markups'],
      ['PUT', '/v1/account/markups/a'],
    ] as const) {
      expect(await send(method, path, rule)).toMatchObject({
        status: 400,
        json: {
          code: 'invalid_format',
          message: `markets[1]: "${name}" is not in the catalogue.`,
          field: 'markets',
          details: { did_you_mean: near, index: 1 },
        },
      });
    }
    expect(await get(`/v1/fx/spread?against=${name}`)).toMatchObject({
      status: 400,
      json: { code: 'invalid_against', field: 'against', details: { did_you_mean: near } },
    });
  });

  test('a known market that cannot be compared gets no suggestions', async () => {
    const { get } = await serving();
    const { json } = await get('/v1/fx/spread?against=bcv');
    expect(json).toMatchObject({ code: 'invalid_against', field: 'against' });
    expect(json.details).toEqual({ rule: 'wrong_market' });
  });
});
