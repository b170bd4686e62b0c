import { describe, expect, test } from 'vitest';
import { CASH, EXCHANGE_HOUSES, fullMarket, official, P2P, quote } from '../harness/make.ts';
import { type Reply, startTestService } from '../harness/service.ts';

const PLANS = ['Gratis', 'Inicio', 'Esencial', 'Profesional', 'Escala'];

/** The cheapest plan of every market (§2.1). */
const CHEAPEST: Record<string, string> = {
  ...Object.fromEntries(
    ['reference', 'eur_reference', 'parallel', ...P2P].map((id) => [id, 'Gratis']),
  ),
  remittance_market_1: 'Esencial',
  remittance_market_2: 'Esencial',
  ...Object.fromEntries([...EXCHANGE_HOUSES, 'extended_market_4'].map((id) => [id, 'Profesional'])),
  ...Object.fromEntries(CASH.map((id) => [id, 'Escala'])),
};

async function serving(records: object[], plan = 'Escala') {
  const service = await startTestService();
  if (records.length > 0) await service.push(...records);
  const key = await service.keyFor(plan);
  const rate = (market: string): Promise<Reply> => service.call(`/v1/fx/rates/${market}`, { key });
  return { service, key, rate };
}

function fault({ status, json }: Reply): unknown[] {
  return [status, json?.code];
}

describe('§4.2 rate by market', () => {
  test('§4.2 for every market the answer is one rate', async () => {
    const { service, key, rate } = await serving(fullMarket());
    const { json } = await service.call('/v1/fx/rates', { key });
    expect(json.rates).toHaveLength(Object.keys(CHEAPEST).length);
    for (const row of json.rates) {
      const reply = await rate(row.market);
      expect([reply.status, reply.json]).toEqual([200, row]);
      expect(reply.headers.get('x-ratelimit-cost')).toBe('1');
    }
  });

  test.each(PLANS)(
    '§4.2 on %s a market of the plan is 200, and any other is 402 with its required plan',
    async (plan) => {
      const { rate } = await serving(fullMarket(), plan);
      for (const [market, cheapest] of Object.entries(CHEAPEST)) {
        const { status, json } = await rate(market);
        if (PLANS.indexOf(plan) >= PLANS.indexOf(cheapest)) {
          expect([market, status, json.market]).toEqual([market, 200, market]);
        } else {
          expect([market, status, json.code, json.details]).toEqual([
            market,
            402,
            'feature_not_in_plan',
            { feature: `market:${market}`, current_plan: plan, required_plan: cheapest },
          ]);
        }
      }
    },
  );

  test('§4.2 a market that does not exist is 404 and costs nothing', async () => {
    const { rate } = await serving(fullMarket());
    for (const name of ['nowhere', 'usdt', 'Parallel', 'cash%2Fhistory', '-', '%C3%B1']) {
      const reply = await rate(name);
      expect([name, ...fault(reply)]).toEqual([name, 404, 'resource_not_found']);
      expect(reply.headers.get('x-ratelimit-cost')).toBeNull();
      expect(reply.headers.get('x-ratelimit-remaining')).toBe('1500000');
    }
  });

  test('contract §2 a known market is 404 until it has a quote', async () => {
    const { service, rate } = await serving([official('2026-11-20', { USD: 800 })]);
    const before = await rate('cash');
    expect(fault(before)).toEqual([404, 'resource_not_found']);
    expect(before.headers.get('x-ratelimit-cost')).toBeNull();
    expect(fault(await rate('eur_reference'))).toEqual([404, 'resource_not_found']);
    await service.push(quote('cash', 880));
    expect((await rate('cash')).json.mid).toBe(880);
  });

  test('contract §4 a market outside the plan is 402 with or without a quote', async () => {
    const { service, rate } = await serving([], 'Gratis');
    expect(fault(await rate('cash'))).toEqual([402, 'feature_not_in_plan']);
    await service.push(quote('cash', 880));
    expect(fault(await rate('cash'))).toEqual([402, 'feature_not_in_plan']);
  });

  test('contract §4 the checks come in order: parameters, format of the plan, market, market of the plan', async () => {
    const { rate } = await serving(fullMarket(), 'Gratis');
    const feature = async (path: string) => {
      const { status, json } = await rate(path);
      return [status, json.details?.feature ?? json.code];
    };
    expect(await feature('nowhere?format=CSV')).toEqual([400, 'invalid_format']);
    expect(await feature('cash?format=CSV')).toEqual([400, 'invalid_format']);
    expect(await feature('nowhere?format=csv')).toEqual([402, 'format_csv']);
    expect(await feature('cash?format=csv')).toEqual([402, 'format_csv']);
    expect(await feature('nowhere')).toEqual([404, 'resource_not_found']);
    expect(await feature('cash')).toEqual([402, 'market:cash']);
  });

  test('contract §4 malformed percent-encoding is 400 with the field market', async () => {
    const { rate } = await serving(fullMarket());
    for (const name of ['%', '%f', '%zz', '%ff', '%C3', 'a%E0%A4%A']) {
      const { status, json } = await rate(name);
      expect([name, status, json.code, json.field]).toEqual([
        name,
        400,
        'invalid_format',
        'market',
      ]);
    }
  });

  test('contract §4 unknown parameters are ignored, even one with the name of the path parameter', async () => {
    const { rate } = await serving(fullMarket());
    const plain = (await rate('parallel')).text;
    for (const query of ['?x=1', '?market=cash', '?market=a&market=b', '?markup=shop', '?week=x']) {
      const reply = await rate(`parallel${query}`);
      expect([query, reply.status, reply.text]).toEqual([query, 200, plain]);
    }
  });

  test('§4.2 only ids and aliases name a market, never its translated name', async () => {
    const { rate } = await serving(fullMarket());
    for (const name of ['D%C3%B3lar%20paralelo', 'Binance%20P2P', 'referencia', 'efectivo']) {
      expect(fault(await rate(name))).toEqual([404, 'resource_not_found']);
    }
  });
});
