import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../src/core/domain/time.ts';
import { fullMarket, iso, official, quote } from '../harness/make.ts';
import {
  fault,
  type Reply,
  START,
  startTestService,
  type TestService,
} from '../harness/service.ts';

const PATH = '/v1/fx/bulk/convert';

function bulkOn(service: TestService, key: string) {
  return (body: unknown): Promise<Reply> => service.call(PATH, { method: 'POST', key, body });
}

async function serving(records: object[], plan = 'Escala') {
  const service = await startTestService();
  if (records.length > 0) await service.push(...records);
  return { service, bulk: bulkOn(service, await service.keyFor(plan)) };
}

const USD_TO_VES = { from: 'USD', to: 'VES' };

describe('§2.5 the bulk result', () => {
  test('§2.5 a batch has exactly its fields, with results in the order of the amounts', async () => {
    const { bulk } = await serving([official('2026-11-20', { USD: 800.5 })]);
    const reply = await bulk({ ...USD_TO_VES, amounts: [10, 1, 2.5] });
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      rate: 800.5,
      market: 'reference',
      type: 'reference',
      updated_at: '2026-11-20T04:00:00.000Z',
      results: [
        { amount: 10, result: 8005 },
        { amount: 1, result: 800.5 },
        { amount: 2.5, result: 2001.25 },
      ],
      total_in: 13.5,
      total_out: 10806.75,
    });
  });

  test('§2.5 a batch has no effective_date and no stale, even for a stale official rate', async () => {
    const { service, bulk } = await serving([official('2026-11-20', { USD: 800 })]);
    service.clock.advance(30 * 24 * HOUR_MS);
    const { json } = await bulk({ ...USD_TO_VES, amounts: [1] });
    expect(Object.keys(json).sort()).toEqual(
      ['market', 'rate', 'results', 'total_in', 'total_out', 'type', 'updated_at'].sort(),
    );
  });

  test('contract §2 each result is rounded half away from zero, and total_out adds the rounded results', async () => {
    const { service, bulk } = await serving([quote('parallel', 1)]);
    const to = await bulk({ ...USD_TO_VES, market: 'parallel', amounts: [1.005, 1.005, 0.1, 0.2] });
    expect(to.json.results.map(({ result }: { result: number }) => result)).toEqual([
      1.01, 1.01, 0.1, 0.2,
    ]);
    expect([to.json.total_in, to.json.total_out]).toEqual([2.31, 2.32]);

    service.clock.advance(1);
    await service.push({ kind: 'quote', market: 'parallel', mid: 3 });
    const back = await bulk({ from: 'VES', to: 'USD', market: 'parallel', amounts: [1, 1, 1] });
    expect(back.json.results[0]).toEqual({ amount: 1, result: 0.33 });
    expect([back.json.total_in, back.json.total_out]).toEqual([3, 0.99]);
  });

  test('§2.5 repeated amounts are each converted', async () => {
    const { bulk } = await serving([official('2026-11-20', { USD: 2 })]);
    const { json } = await bulk({ ...USD_TO_VES, amounts: [5, 5] });
    expect(json.results).toEqual([
      { amount: 5, result: 10 },
      { amount: 5, result: 10 },
    ]);
    expect(json.total_out).toBe(20);
  });

  test('§4.6 headers give the cost, the number of amounts and the remaining calls of the hour', async () => {
    const { bulk } = await serving([official('2026-11-20', { USD: 2 })]);
    const first = await bulk({ ...USD_TO_VES, amounts: [1, 2, 3] });
    const second = await bulk({ ...USD_TO_VES, amounts: [1] });
    const shown = (reply: Reply) =>
      [
        'x-ratelimit-cost',
        'x-bulk-operations',
        'x-bulk-ratelimit-limit',
        'x-bulk-ratelimit-remaining',
      ].map((name) => reply.headers.get(name));
    expect(shown(first)).toEqual(['1', '3', '300', '299']);
    expect(shown(second)).toEqual(['1', '1', '300', '298']);
  });

  test('§4.6 a batch costs one unit of the month, whatever its size', async () => {
    const { bulk } = await serving([official('2026-11-20', { USD: 2 })]);
    const reply = await bulk({ ...USD_TO_VES, amounts: Array.from({ length: 50 }, () => 1) });
    expect(reply.headers.get('x-ratelimit-remaining')).toBe('1499999');
  });
});

describe('§4.6 amounts', () => {
  test('§4.6 a batch has 1 to 50 amounts', async () => {
    const { bulk } = await serving([official('2026-11-20', { USD: 2 })]);
    const many = (length: number) => Array.from({ length }, (_, position) => position + 1);
    const none = await bulk({ ...USD_TO_VES, amounts: [] });
    expect(fault(none)).toEqual([400, 'missing_field', 'amounts']);
    const one = await bulk({ ...USD_TO_VES, amounts: many(1) });
    expect([one.status, one.json.results.length]).toEqual([200, 1]);
    const fifty = await bulk({ ...USD_TO_VES, amounts: many(50) });
    expect([fifty.status, fifty.json.results.length, fifty.json.total_in]).toEqual([200, 50, 1275]);
    const over = await bulk({ ...USD_TO_VES, amounts: many(51) });
    expect(fault(over)).toEqual([400, 'invalid_format', 'amounts']);
    expect(over.json.details).toEqual({ rule: 'too_many', max: 50, got: 51 });
    const far = await bulk({ ...USD_TO_VES, amounts: many(1_000) });
    expect(far.json.details).toEqual({ rule: 'too_many', max: 50, got: 1_000 });
  });

  test('§4.6 more than 50 amounts are reported as too many, even if one is not a number', async () => {
    const { bulk } = await serving([official('2026-11-20', { USD: 2 })]);
    const amounts = [...Array.from({ length: 50 }, () => 1), 'x'];
    const reply = await bulk({ ...USD_TO_VES, amounts });
    expect(fault(reply)).toEqual([400, 'invalid_format', 'amounts']);
    expect(reply.json.details).toEqual({ rule: 'too_many', max: 50, got: 51 });
  });

  test('contract §4 a wrong amount is named by its place in the list', async () => {
    const { bulk } = await serving([official('2026-11-20', { USD: 2 })]);
    for (const wrong of ['0', '1e13', '"x"', 'null', '[]']) {
      const reply = await bulk(`{"from":"USD","to":"VES","amounts":[1,2,${wrong},-1]}`);
      expect([reply.status, reply.json.field]).toEqual([400, 'amounts']);
      expect(reply.json.details.index).toBe(2);
      expect(reply.json.message).toMatch(/^amounts\[2\]: /);
    }
    const { json } = await bulk({ ...USD_TO_VES, amounts: Array(51).fill(1) });
    expect(json.details).not.toHaveProperty('index');
  });

  test('§4.6 each amount is a finite number greater than 0 and at most 1e12', async () => {
    const { bulk } = await serving([official('2026-11-20', { USD: 2 })]);
    const accepted = ['1', '0.01', '1e12', '1000000000000', '1e-7', '2.50', '5e+1'];
    const refused = [
      ...['0', '-0', '-1', '1000000000000.01', '1e13', '1e400', '-1e400', '"1"', '""', 'null'],
      ...['true', '[]', '[1]', '{}', '"0x10"', '"Infinity"'],
    ];
    const found: Record<string, unknown> = {};
    for (const amount of [...accepted, ...refused]) {
      const reply = await bulk(`{"from":"USD","to":"VES","amounts":[1,${amount}]}`);
      found[amount] = reply.status === 200 ? reply.json.results[1].amount : fault(reply);
    }
    expect(found).toEqual({
      ...Object.fromEntries(accepted.map((amount) => [amount, Number(amount)])),
      ...Object.fromEntries(refused.map((amount) => [amount, [400, 'invalid_format', 'amounts']])),
    });
  });

  test('§8 a batch and a conversion accept the same amounts, in any notation', async () => {
    const { service, bulk } = await serving([official('2026-11-20', { USD: 2 })]);
    const key = await service.keyFor('Escala');
    const amounts = [
      ...['1000000000000.0000001', '1000000000000.0000', '1.0000000000001e12', '1e12', '1e13'],
      ...['999999999999.9999999999999', '0.00000000000000000000001', '1e-300', '1e-400', '1e400'],
      ...['0', '0.0000000000000000000', '-0', '1.50', '5E+1', '10.0000000000000000001'],
    ];
    for (const amount of amounts) {
      const batch = await bulk(`{"from":"USD","to":"VES","amounts":[${amount}]}`);
      const query = new URLSearchParams({ from: 'USD', to: 'VES', amount });
      const one = await service.call(`/v1/fx/convert?${query}`, { key });
      expect([amount, batch.status, batch.json.results?.[0].result]).toEqual([
        amount,
        one.status,
        one.json.to?.amount,
      ]);
    }
  });

  test('contract §2 a body with an amount that is not a JSON number is not JSON', async () => {
    const { bulk } = await serving([official('2026-11-20', { USD: 2 })]);
    for (const amount of ['0x10', '1,,5', '.5', '5.', '+5', 'Infinity', 'NaN', '01', '1_000']) {
      const reply = await bulk(`{"from":"USD","to":"VES","amounts":[${amount}]}`);
      expect([amount, ...fault(reply)]).toEqual([amount, 400, 'invalid_format']);
    }
  });

  test('§4.6 amounts must be an array', async () => {
    const { bulk } = await serving([official('2026-11-20', { USD: 2 })]);
    for (const amounts of [5, '5', null, {}, { length: 1, 0: 5 }, true]) {
      const reply = await bulk({ ...USD_TO_VES, amounts });
      expect(fault(reply)).toEqual([400, 'invalid_format', 'amounts']);
    }
  });
});

describe('§4.6 the body', () => {
  test('§4.6 from, to and amounts are required', async () => {
    const { bulk } = await serving([official('2026-11-20', { USD: 2 })]);
    expect(fault(await bulk({ to: 'VES', amounts: [1] }))).toEqual([400, 'missing_field', 'from']);
    expect(fault(await bulk({ from: 'USD', amounts: [1] }))).toEqual([400, 'missing_field', 'to']);
    expect(fault(await bulk(USD_TO_VES))).toEqual([400, 'missing_field', 'amounts']);
    expect(fault(await bulk({}))[1]).toBe('missing_field');
    // A missing field is reported before an invalid one.
    expect(fault(await bulk({ from: 5, amounts: [0] }))).toEqual([400, 'missing_field', 'to']);
  });

  test('contract §4 an empty list counts as missing, and is reported before invalid values', async () => {
    const { bulk } = await serving([official('2026-11-20', { USD: 2 })]);
    for (const pair of [
      { from: 'EUR', to: 'VES' },
      { from: 'USD', to: 'XXX' },
    ]) {
      const reply = await bulk({ ...pair, amounts: [] });
      expect(fault(reply)).toEqual([400, 'missing_field', 'amounts']);
    }
  });

  test('contract §4 a body that is not a JSON object is invalid_format without a field', async () => {
    const { bulk } = await serving([official('2026-11-20', { USD: 2 })]);
    for (const body of [
      ...['', '{', 'from=USD', "{'from':'USD'}", '{"from":"USD",}', '{} {}', '\u0000'],
      ...['[]', '[{"from":"USD"}]', 'null', '5', '"USD"', 'true'],
    ]) {
      const reply = await bulk(body);
      expect([body, ...fault(reply)]).toEqual([body, 400, 'invalid_format']);
    }
  });

  test('§4.6 unknown body fields are ignored, via among them', async () => {
    const { bulk } = await serving(fullMarket());
    const reply = await bulk({
      ...USD_TO_VES,
      amounts: [1],
      via: 'parallel',
      items: [1, 2, 3],
      note: { deep: [] },
    });
    expect([reply.status, reply.json.market, reply.json.results.length]).toEqual([
      200,
      'reference',
      1,
    ]);
    const both = await bulk({ ...USD_TO_VES, amounts: [1], via: 'nothing', market: 'parallel' });
    expect([both.status, both.json.market]).toEqual([200, 'parallel']);
    const bare = await bulk(
      '{"from":"USD","to":"VES","amounts":[1],"__proto__":{"market":"cash"}}',
    );
    expect([bare.status, bare.json.market]).toEqual([200, 'reference']);
  });

  test('§4.6 items is not an alias of amounts', async () => {
    const { bulk } = await serving([official('2026-11-20', { USD: 2 })]);
    expect(fault(await bulk({ ...USD_TO_VES, items: [1] }))).toEqual([
      400,
      'missing_field',
      'amounts',
    ]);
  });

  test('§4.6 EUR is unsupported, and the pair is USD and VES in either direction', async () => {
    const { bulk } = await serving(fullMarket());
    const cases: [from: string, to: string, field: string][] = [
      ['EUR', 'VES', 'from'],
      ['VES', 'EUR', 'to'],
      ['EUR', 'USD', 'from'],
      ['USD', 'EUR', 'to'],
      ['USD', 'USD', 'to'],
      ['VES', 'VES', 'to'],
      ['COP', 'VES', 'from'],
      ['VES', 'COP', 'to'],
    ];
    const found: unknown[] = [];
    for (const [from, to] of cases) {
      found.push([from, to, ...fault(await bulk({ from, to, amounts: [1] }))]);
    }
    expect(found).toEqual(
      cases.map(([from, to, field]) => [from, to, 400, 'invalid_format', field]),
    );
    for (const [from, to] of [
      ['usd', 'ves'],
      ['VES', 'usd'],
    ]) {
      expect((await bulk({ from, to, amounts: [1] })).status).toBe(200);
    }
  });

  test('§4.6 a field of the wrong type is invalid_format with its name', async () => {
    const { bulk } = await serving(fullMarket());
    expect(fault(await bulk({ from: 5, to: 'VES', amounts: [1] }))).toEqual([
      400,
      'invalid_format',
      'from',
    ]);
    expect(fault(await bulk({ from: 'USD', to: ['VES'], amounts: [1] }))).toEqual([
      400,
      'invalid_format',
      'to',
    ]);
    expect(fault(await bulk({ ...USD_TO_VES, amounts: [1], market: 7 }))).toEqual([
      400,
      'invalid_format',
      'market',
    ]);
  });
});

describe('§4.6 the market', () => {
  test('§4.6 one market serves the whole batch, by id or alias', async () => {
    const { bulk } = await serving(fullMarket());
    const reply = await bulk({ ...USD_TO_VES, amounts: [1, 2], market: 'p2p_market_1' });
    expect(reply.json).toEqual({
      rate: 851,
      market: 'binance',
      type: 'p2p',
      updated_at: iso(START),
      results: [
        { amount: 1, result: 851 },
        { amount: 2, result: 1702 },
      ],
      total_in: 3,
      total_out: 2553,
    });
  });

  test('§4.6 eur_reference is invalid in both directions, also by alias', async () => {
    const { bulk } = await serving(fullMarket());
    for (const market of ['eur_reference', 'euro', 'bcv_eur']) {
      for (const pair of [USD_TO_VES, { from: 'VES', to: 'USD' }]) {
        const reply = await bulk({ ...pair, amounts: [1], market });
        expect(fault(reply)).toEqual([400, 'invalid_format', 'market']);
      }
    }
  });

  test('§4.6 remittance markets support only USD to VES', async () => {
    const { bulk } = await serving(fullMarket());
    for (const market of ['remittance_market_1', 'remittance_market_2', 'extended_market_4']) {
      const there = await bulk({ ...USD_TO_VES, amounts: [1], market });
      expect([there.status, there.json.market]).toEqual([200, market]);
      const back = await bulk({ from: 'VES', to: 'USD', amounts: [1], market });
      expect(fault(back)).toEqual([400, 'invalid_format', 'market']);
    }
  });

  test('§4.6 an unknown market and a known one without a quote are 404', async () => {
    const { bulk } = await serving([official('2026-11-20', { USD: 2 })]);
    for (const market of ['nothing', 'Parallel', 'parallel']) {
      const reply = await bulk({ ...USD_TO_VES, amounts: [1], market });
      expect([market, ...fault(reply)]).toEqual([market, 404, 'resource_not_found', 'market']);
    }
  });
});

describe('§4.6 plan and limits', () => {
  test('§4.6 below Escala a batch is 402 with feature and plan, before its body is checked', async () => {
    const service = await startTestService();
    for (const plan of ['Gratis', 'Inicio', 'Esencial', 'Profesional']) {
      const bulk = bulkOn(service, await service.keyFor(plan));
      for (const body of [{ ...USD_TO_VES, amounts: [1] }, { amounts: [] }]) {
        const reply = await bulk(body);
        expect(fault(reply)).toEqual([402, 'feature_not_in_plan']);
        expect(reply.json.details).toEqual({
          feature: 'bulk_convert',
          current_plan: plan,
          required_plan: 'Escala',
        });
      }
    }
  });

  test('§8 300 batches an hour are answered, and the next one is 429 until the hour is over', async () => {
    const { service, bulk } = await serving([official('2026-11-20', { USD: 2 })]);
    const body = { ...USD_TO_VES, amounts: [1] };
    const first = await bulk(body);
    expect([first.status, first.headers.get('x-bulk-ratelimit-remaining')]).toEqual([200, '299']);
    service.clock.advance(1_000);
    const others = await Promise.all(Array.from({ length: 298 }, () => bulk(body)));
    expect(others.every(({ status }) => status === 200)).toBe(true);
    const last = await bulk(body);
    expect([last.status, last.headers.get('x-bulk-ratelimit-remaining')]).toEqual([200, '0']);
    const left = last.headers.get('x-ratelimit-remaining');

    const shown = (reply: Reply) => [
      ...fault(reply),
      reply.headers.get('retry-after'),
      reply.headers.get('x-ratelimit-scope'),
    ];
    const over = await bulk(body);
    expect(shown(over)).toEqual([429, 'rate_limit_exceeded', '3599', 'hour']);
    expect(over.headers.get('x-ratelimit-remaining')).toBe(left);
    service.clock.set(START + HOUR_MS - 1);
    expect(shown(await bulk(body))).toEqual([429, 'rate_limit_exceeded', '1', 'hour']);
    service.clock.set(START + HOUR_MS);
    const next = await bulk(body);
    expect([next.status, next.headers.get('x-bulk-ratelimit-remaining')]).toEqual([200, '299']);
  });

  test('§8 of more simultaneous batches than the hour allows, exactly 300 are answered', async () => {
    const { bulk } = await serving([official('2026-11-20', { USD: 2 })]);
    const body = { ...USD_TO_VES, amounts: [1] };
    const replies = await Promise.all(Array.from({ length: 310 }, () => bulk(body)));
    const statuses = replies.map(({ status }) => status);
    expect([200, 429].map((status) => statuses.filter((one) => one === status).length)).toEqual([
      300, 10,
    ]);
  });

  test('§8 the keys of one account share the hour, and other accounts have their own', async () => {
    const { service, bulk: stranger } = await serving([official('2026-11-20', { USD: 2 })]);
    const account = await service.service.accounts.create('two keys', 'Escala');
    const [one, two] = await Promise.all(
      [1, 2].map(async () =>
        bulkOn(service, (await service.service.accounts.createKey(account.id)).key),
      ),
    );
    const body = { ...USD_TO_VES, amounts: [1] };
    expect((await one?.(body))?.headers.get('x-bulk-ratelimit-remaining')).toBe('299');
    expect((await two?.(body))?.headers.get('x-bulk-ratelimit-remaining')).toBe('298');
    expect((await stranger(body)).headers.get('x-bulk-ratelimit-remaining')).toBe('299');
  });

  test('contract §4 only answered batches count in the hour and the month', async () => {
    const { bulk } = await serving([official('2026-11-20', { USD: 2 })]);
    const good = { ...USD_TO_VES, amounts: [1] };
    await bulk(good);
    for (const bad of [
      '{',
      { ...USD_TO_VES, amounts: [] },
      { ...USD_TO_VES, amounts: [0] },
      { ...USD_TO_VES, amounts: [1], market: 'nothing' },
      { ...USD_TO_VES, amounts: [1], market: 'parallel' },
    ]) {
      expect((await bulk(bad)).status).toBeGreaterThanOrEqual(400);
    }
    const next = await bulk(good);
    expect([
      next.headers.get('x-bulk-ratelimit-remaining'),
      next.headers.get('x-ratelimit-remaining'),
    ]).toEqual(['298', '1499998']);
  });

  test('§4.6 only POST is answered', async () => {
    const { service } = await serving([]);
    const reply = await service.call(PATH, { key: await service.keyFor('Escala') });
    expect(fault(reply)).toEqual([405, 'method_not_allowed']);
    expect(reply.headers.get('allow')).toContain('POST');
  });
});
