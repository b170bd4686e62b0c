import { describe, expect, test } from 'vitest';
import { fullMarket } from '../harness/make.ts';
import { type Reply, startTestService } from '../harness/service.ts';

async function serving(plan: string, records: object[] = []) {
  const service = await startTestService();
  if (records.length > 0) await service.push(...records);
  const key = await service.keyFor(plan);
  const markets = (query = ''): Promise<Reply> => service.call(`/v1/fx/markets${query}`, { key });
  return { service, key, markets };
}

type Expected = readonly [
  id: string,
  type: string,
  base: string,
  aliases: readonly string[],
  staleAfterSec: number,
  requiredPlan: string | null,
];

/** The catalogue without the display names. */
const CATALOGUE: readonly Expected[] = [
  ['reference', 'reference', 'USD', ['bcv', 'oficial', 'usd', 'bcv_usd'], 475_200, null],
  ['eur_reference', 'reference', 'EUR', ['bcv_eur', 'euro', 'eur'], 475_200, null],
  ['parallel', 'parallel', 'USD', ['paralelo'], 7_200, null],
  ['binance', 'p2p', 'USD', ['p2p_market_1', 'binance_p2p'], 900, null],
  ['bingx', 'p2p', 'USD', ['p2p_market_2', 'bingx_p2p'], 900, null],
  ['bitget', 'p2p', 'USD', ['p2p_market_3', 'bitget_p2p'], 900, null],
  ['bybit', 'p2p', 'USD', ['p2p_market_4', 'bybit_p2p'], 900, null],
  ['mexc', 'p2p', 'USD', ['p2p_market_5', 'mexc_p2p'], 900, null],
  ['okx', 'p2p', 'USD', ['p2p_market_6', 'okx_p2p'], 900, null],
  ['saldo', 'p2p', 'USD', ['p2p_market_7', 'saldo_p2p'], 900, null],
  ['remittance_market_1', 'remittance', 'USD', [], 21_600, 'Esencial'],
  ['remittance_market_2', 'remittance', 'USD', [], 21_600, 'Esencial'],
  ['extended_market_4', 'remittance', 'USD', [], 21_600, 'Profesional'],
  ['extended_market_1', 'exchange_house', 'USD', [], 21_600, 'Profesional'],
  ['extended_market_2', 'exchange_house', 'USD', [], 21_600, 'Profesional'],
  ['extended_market_3', 'exchange_house', 'USD', [], 21_600, 'Profesional'],
  ['cash', 'cash', 'USD', [], 86_400, 'Escala'],
  ['cucuta', 'cash', 'USD', [], 86_400, 'Escala'],
];

const REACHED: Record<string, readonly (string | null)[]> = {
  Esencial: [null, 'Esencial'],
  Profesional: [null, 'Esencial', 'Profesional'],
  Escala: [null, 'Esencial', 'Profesional', 'Escala'],
};

describe('§4.4 market catalogue', () => {
  test.each(Object.entries(REACHED))(
    '§4.4 %s gets every market in order, with available and required_plan',
    async (plan, reached) => {
      const { markets } = await serving(plan);
      const reply = await markets();
      expect(reply.status).toBe(200);
      expect(Object.keys(reply.json)).toEqual(['markets']);
      expect(reply.json.markets).toEqual(
        CATALOGUE.map(([id, type, base, aliases, stale_after_sec, required_plan]) => ({
          id,
          name: expect.stringMatching(/\S/),
          type,
          base,
          aliases,
          stale_after_sec,
          available: reached.includes(required_plan),
          required_plan,
        })),
      );
      expect(reply.headers.get('x-ratelimit-cost')).toBe('1');
    },
  );

  test('§4.4 Gratis and Inicio get 402, and plans from Esencial get the catalogue', async () => {
    for (const plan of ['Gratis', 'Inicio']) {
      const { status, json, headers } = await (await serving(plan)).markets();
      expect([status, json.code, json.details]).toEqual([
        402,
        'feature_not_in_plan',
        { feature: 'markets', current_plan: plan, required_plan: 'Esencial' },
      ]);
      expect(headers.get('x-ratelimit-cost')).toBeNull();
    }
    expect((await (await serving('Esencial')).markets()).status).toBe(200);
  });

  test('§4.4 the catalogue has no prices, and new quotes do not change it', async () => {
    const { service, markets } = await serving('Escala');
    const before = (await markets()).text;
    await service.push(...fullMarket());
    expect((await markets()).text).toBe(before);
  });

  test('§4.4 the catalogue accepts no parameter, not even format', async () => {
    const { markets } = await serving('Escala');
    for (const [query, field] of [
      ['?x=1', 'x'],
      ['?format=json', 'format'],
      ['?format=csv', 'format'],
      ['?x', 'x'],
      ['?type=cash&base=USD', 'type'],
    ]) {
      const { status, json, headers } = await markets(query);
      expect([query, status, json.code, json.field]).toEqual([
        query,
        400,
        'unknown_parameter',
        field,
      ]);
      expect(headers.get('x-ratelimit-cost')).toBeNull();
    }
    expect((await markets('?')).status).toBe(200);
  });

  test('contract §4 the feature is checked before the parameters', async () => {
    const { markets } = await serving('Gratis');
    expect((await markets('?x=1')).status).toBe(402);
  });

  test('§2.1 every id and alias names its market and no two markets share one', async () => {
    const { service, key, markets } = await serving('Escala', fullMarket());
    const { json } = await markets();
    const names: [string, string][] = json.markets.flatMap(
      ({ id, aliases }: { id: string; aliases: string[] }) =>
        [id, ...aliases].map((name) => [name, id]),
    );
    expect(new Set(names.map(([name]) => name)).size).toBe(names.length);
    const found = await Promise.all(
      names.map(async ([name]) => {
        const reply = await service.call(`/v1/fx/rates/${name}`, { key });
        return [name, reply.json.market];
      }),
    );
    expect(found).toEqual(names);
  });

  test('§2.1 available agrees with the markets of /rates', async () => {
    for (const plan of Object.keys(REACHED)) {
      const { service, key, markets } = await serving(plan, fullMarket());
      const available = (await markets()).json.markets
        .filter((market: { available: boolean }) => market.available)
        .map(({ id }: { id: string }) => id);
      const { json } = await service.call('/v1/fx/rates', { key });
      expect(json.rates.map(({ market }: { market: string }) => market)).toEqual(available);
    }
  });
});
