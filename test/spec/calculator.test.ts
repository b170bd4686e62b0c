import { describe, expect, test } from 'vitest';
import { official, quote } from '../harness/make.ts';
import { START, startTestService, type TestService } from '../harness/service.ts';

const CALCULATOR = '/v1/fx/public/calculator';

async function serviceWithRates(): Promise<TestService> {
  const service = await startTestService();
  await service.push(
    official('2026-11-20', { USD: 200.5, EUR: 230.25 }),
    quote('parallel', 300),
    quote('cash', 290),
  );
  return service;
}

const ask = (service: TestService, query: string) => service.call(`${CALCULATOR}?${query}`);

describe('the calculator that needs no key (contract §11)', () => {
  test('from USD it lists each USD market of the cheapest plan with its result, and the euro', async () => {
    const service = await serviceWithRates();
    const reply = await ask(service, 'amount=2.5&from=USD&to=VES');
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      amount: 2.5,
      from: 'USD',
      to: 'VES',
      results: [
        {
          market: 'reference',
          name: 'BCV, dólar',
          type: 'reference',
          rate: 200.5,
          result: 501.25,
          updated_at: '2026-11-20T04:00:00.000Z',
          effective_date: '2026-11-20',
          stale: false,
        },
        {
          market: 'eur_reference',
          name: 'BCV, euro',
          type: 'reference',
          base: 'EUR',
          rate: 230.25,
          updated_at: '2026-11-20T04:00:00.000Z',
          effective_date: '2026-11-20',
          stale: false,
        },
        {
          market: 'parallel',
          name: 'Dólar paralelo',
          type: 'parallel',
          rate: 300,
          result: 750,
          updated_at: '2026-11-21T12:00:00.000Z',
          stale: false,
        },
      ],
      fetched_at: expect.stringMatching(/Z$/),
    });
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
    expect(reply.headers.get('x-ratelimit-limit')).toBeNull();
  });

  test.each([
    [
      'amount=100&from=VES&to=USD',
      [
        ['reference', 0.5],
        ['parallel', 0.33],
      ],
    ],
    ['amount=1&from=EUR&to=VES', [['eur_reference', 230.25]]],
    ['amount=230.25&from=VES&to=EUR', [['eur_reference', 1]]],
    [
      'amount=1&from=usd&to=ves&_=3',
      [
        ['reference', 200.5],
        ['eur_reference', undefined],
        ['parallel', 300],
      ],
    ],
  ] as const)('%s', async (query, expected) => {
    const { json } = await ask(await serviceWithRates(), query);
    const rows = json.results.map((one: { market: string; result?: number }) => [
      one.market,
      one.result,
    ]);
    expect(rows).toEqual(expected);
  });

  test('without from and to it converts USD to VES', async () => {
    const service = await serviceWithRates();
    const plain = await ask(service, 'amount=2.5&from=USD&to=VES');
    for (const query of ['amount=2.5', 'amount=2.5&from=&to=']) {
      expect((await ask(service, query)).text).toBe(plain.text);
    }
  });

  test.each([
    ['', 'missing_field', 'amount'],
    ['amount=1&from=USD', 'missing_field', 'to'],
    ['amount=1&to=VES', 'missing_field', 'from'],
    ['from=USD&to=VES', 'missing_field', 'amount'],
    ['amount=0&from=USD&to=VES', 'invalid_format', 'amount'],
    ['amount=1,5&from=USD&to=VES', 'invalid_format', 'amount'],
    ['amount=1e13&from=USD&to=VES', 'invalid_format', 'amount'],
    ['amount=1&from=USD&to=EUR', 'invalid_format', 'to'],
    ['amount=1&from=COP&to=VES', 'invalid_format', 'from'],
    ['amount=1&amount=2&from=USD&to=VES', 'invalid_format', 'amount'],
  ])('%s is refused like in convert: %s, field %s', async (query, code, field) => {
    const service = await startTestService();
    const { status, json, headers } = await ask(service, query);
    expect(status).toBe(400);
    expect(json.code).toBe(code);
    expect(json.field).toBe(field);
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  test('stale is that of convert, and an empty store gives an empty list', async () => {
    const service = await startTestService();
    expect((await ask(service, 'amount=1&from=USD&to=VES')).json.results).toEqual([]);
    await service.push(quote('parallel', 300));
    const { markets } = service.service;
    const staleAfterSec = markets.find('parallel')?.staleAfterSec ?? 0;
    for (const stale of [false, true]) {
      service.clock.set(START + (staleAfterSec + Number(stale)) * 1_000);
      const { results } = (await ask(service, 'amount=1&from=USD&to=VES')).json;
      expect(results).toMatchObject([{ market: 'parallel', stale }]);
    }
  });

  test('one address has 60 requests a minute, then 429 until the minute ends', async () => {
    const service = await serviceWithRates();
    const replies = [];
    for (let count = 0; count < 61; count += 1) {
      replies.push(await ask(service, 'amount=1&from=USD&to=VES'));
    }
    expect(replies.map(({ status }) => status)).toEqual([...Array<number>(60).fill(200), 429]);
    const refused = replies.at(-1);
    expect(refused?.json.code).toBe('rate_limit_exceeded');
    expect(refused?.headers.get('retry-after')).toBe('60');
    expect(refused?.headers.get('access-control-allow-origin')).toBe('*');
    service.clock.advance(60_000);
    expect((await ask(service, 'amount=1&from=USD&to=VES')).status).toBe(200);
  });

  test('each IPv4 address and each IPv6 /64 is counted separately', async () => {
    const service = await startTestService({ config: { trustProxy: true } });
    const from = (address: string) =>
      service.call(`${CALCULATOR}?amount=1&from=USD&to=VES`, {
        headers: { 'X-Forwarded-For': address },
      });
    for (let count = 0; count < 60; count += 1) await from(`2001:db8:1:2::${count.toString(16)}`);
    expect((await from('2001:db8:1:2:ffff::1')).status).toBe(429);
    expect((await from('2001:db8:1:3::1')).status).toBe(200);
    expect((await from('192.0.2.1')).status).toBe(200);
  });

  test('preflights of any origin are answered, and VESFX_PUBLIC=0 turns the calculator off', async () => {
    const service = await startTestService();
    const headers = { Origin: 'https://a.example', 'Access-Control-Request-Method': 'GET' };
    const preflight = await service.call(CALCULATOR, { method: 'OPTIONS', headers });
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    const off = await startTestService({ config: { calculator: false } });
    const reply = await ask(off, 'amount=1&from=USD&to=VES');
    expect([reply.status, reply.json.code]).toEqual([404, 'resource_not_found']);
  });
});
