import { describe, expect, test } from 'vitest';
import {
  CASH,
  EXCHANGE_HOUSES,
  fullMarket,
  official,
  P2P,
  quote,
  REMITTANCES,
} from '../harness/make.ts';
import { fault, type Reply, startTestService } from '../harness/service.ts';

const GRATIS = ['reference', 'eur_reference', 'parallel', ...P2P];
const ESENCIAL = [...GRATIS, 'remittance_market_1', 'remittance_market_2'];
const PROFESIONAL = [...GRATIS, ...REMITTANCES, ...EXCHANGE_HOUSES];
const ESCALA = [...PROFESIONAL, ...CASH];

async function serving(records: object[], plan = 'Gratis') {
  const service = await startTestService();
  if (records.length > 0) await service.push(...records);
  const key = await service.keyFor(plan);
  const rates = (query = ''): Promise<Reply> => service.call(`/v1/fx/rates${query}`, { key });
  return { service, key, rates };
}

describe('§4.1 rates', () => {
  test.each([
    ['Gratis', GRATIS],
    ['Inicio', GRATIS],
    ['Esencial', ESENCIAL],
    ['Profesional', PROFESIONAL],
    ['Escala', ESCALA],
  ])('§4.1 %s gets the markets of its plan and no other', async (plan, ids) => {
    const { rates } = await serving(fullMarket(), plan);
    const reply = await rates();
    expect(reply.status).toBe(200);
    expect(reply.json.rates.map(({ market }: { market: string }) => market)).toEqual(ids);
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('§4.1 plans differ only in which rows they get, not in the rows or the index', async () => {
    const { service, rates } = await serving(fullMarket(), 'Escala');
    const most = (await rates()).json;
    const key = await service.keyFor('Gratis');
    const least = (await service.call('/v1/fx/rates', { key })).json;
    expect(least).toEqual({ ...most, rates: most.rates.slice(0, GRATIS.length) });
  });

  test('§4.1 a plan whose markets have no quotes gets an empty list', async () => {
    const { rates } = await serving([quote('cash', 880)]);
    const { status, json } = await rates();
    expect([status, json.rates]).toEqual([200, []]);
  });

  test('§2.3 parameters for country, currency or base change nothing', async () => {
    const { rates } = await serving(fullMarket());
    const plain = await rates();
    const others = [
      '?country=CO',
      '?currency=EUR',
      '?base=EUR',
      '?market=parallel',
      '?x=1&x=2',
      '?__proto__=1',
      '?=1',
      '?&&',
      '?',
    ];
    for (const query of others) {
      const reply = await rates(query);
      expect([query, reply.status, reply.text]).toEqual([query, 200, plain.text]);
    }
  });

  test('contract §4 a documented parameter given twice is 400, an empty one counts as absent', async () => {
    const { rates } = await serving(fullMarket(), 'Escala');
    expect(fault(await rates('?format=json&format=json'))).toEqual([
      400,
      'invalid_format',
      'format',
    ]);
    expect(fault(await rates('?markup=a&markup=b'))).toEqual([400, 'invalid_format', 'markup']);
    const plain = (await rates()).text;
    for (const query of ['?format=', '?markup=', '?format=&markup=', '?format=json']) {
      expect((await rates(query)).text).toBe(plain);
    }
  });

  test('contract §4 format is json, csv or xml in lower case, and nothing else', async () => {
    const { rates } = await serving(fullMarket(), 'Escala');
    for (const format of ['json', 'csv', 'xml']) {
      expect((await rates(`?format=${format}`)).status).toBe(200);
    }
    for (const format of ['JSON', 'Csv', 'XML', 'html', 'json%20', '%20csv', 'application/json']) {
      expect([format, fault(await rates(`?format=${format}`))]).toEqual([
        format,
        [400, 'invalid_format', 'format'],
      ]);
    }
  });

  test('contract §3 /rates costs one unit, even if it has no rows', async () => {
    const { rates } = await serving([]);
    const first = await rates();
    const second = await rates();
    expect(first.headers.get('x-ratelimit-cost')).toBe('1');
    expect(first.headers.get('x-ratelimit-remaining')).toBe('1499');
    expect(second.headers.get('x-ratelimit-remaining')).toBe('1498');
  });

  test('§4.1 the next answer has new quotes and leaves the other rows unchanged', async () => {
    const { service, rates } = await serving([
      official('2026-11-20', { USD: 800 }),
      quote('parallel', 900),
    ]);
    const mids = async () => (await rates()).json.rates.map(({ mid }: { mid: number }) => mid);
    expect(await mids()).toEqual([800, 900]);
    service.clock.advance(1_000);
    await service.push({ kind: 'quote', market: 'parallel', mid: 901 });
    expect(await mids()).toEqual([800, 901]);
  });

  test('contract §4 HEAD answers as GET does, without the body, and costs the same', async () => {
    const { service, key, rates } = await serving(fullMarket());
    const get = await rates();
    const head = await service.call('/v1/fx/rates', { key, method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['content-type', 'content-length', 'etag', 'x-ratelimit-cost']) {
      expect(head.headers.get(name), name).toBe(get.headers.get(name));
    }
    expect(head.headers.get('x-ratelimit-remaining')).toBe('1498');
  });
});
