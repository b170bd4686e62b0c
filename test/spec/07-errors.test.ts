import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { ERRORS } from '../../src/core/domain/errors/error-codes.ts';
import { MINUTE_MS } from '../../src/core/domain/time.ts';
import { bankTable, fullMarket } from '../harness/make.ts';
import { lines, sendBytes } from '../harness/raw-http.ts';
import {
  ADMIN_TOKEN,
  fault,
  type Reply,
  startTestService,
  type TestService,
} from '../harness/service.ts';

const BATCH = { from: 'USD', to: 'VES', amounts: [1, 2] };

const GET_PATHS = [
  '/v1/fx/rates',
  '/v1/fx/rates/parallel',
  '/v1/fx/rates/parallel/history',
  '/v1/fx/markets',
  '/v1/fx/convert?from=USD&to=VES&amount=5',
  '/v1/fx/route?from=USD&to=VES&amount=5',
  '/v1/fx/index',
  '/v1/fx/spread',
  '/v1/fx/bcv/banks',
  '/v1/fx/bcv/currencies',
  '/v1/account',
  '/v1/account/markups',
];

async function serving() {
  const service = await startTestService();
  const row = { bank: 'Banesco', buy: 888.1, sell: 889.9, date: '2026-11-20' };
  await service.push(...fullMarket(), bankTable('2026-11-20', [row]));
  return service;
}

interface Sent {
  readonly key?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Sends the path as it is written: `fetch` would tidy up its dots. */
function ask(service: TestService, path: string, sent: Sent = {}) {
  const { key, method = 'GET', headers = {}, body } = sent;
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const { hostname, port } = new URL(service.url);
  request(
    {
      hostname,
      port,
      path,
      method,
      agent: false,
      headers: { ...(key !== undefined && { 'X-API-Key': key }), ...headers },
    },
    (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => {
        const given = Object.entries(response.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]);
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(given),
          text,
          json: text.startsWith('{') ? JSON.parse(text) : undefined,
        });
      });
    },
  )
    .on('error', reject)
    .end(body);
  return promise;
}

/** Every error has this shape and no other (§7). */
function expectErrorShape(reply: Reply): void {
  const { status, json, headers } = reply;
  const { code, message, field, details, ...others } = json;
  expect(others).toEqual({});
  expect(ERRORS).toHaveProperty(code);
  expect(status).toBe(ERRORS[code as keyof typeof ERRORS].status);
  expect(message).toEqual(expect.stringMatching(/\S/));
  if (field !== undefined) expect(field).toEqual(expect.any(String));
  if (details !== undefined) expect(Object.keys(details).length).toBeGreaterThan(0);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-request-id')).toBeTruthy();
  expect(headers.get('etag')).toBeNull();
}

describe('§7 the shape of errors', () => {
  test('§7 each error is JSON with code and message, optionally field and details, and nothing else', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    const gratis = await service.keyFor('Gratis');
    const cases: [string, Sent, number][] = [
      ['/v1/fx/rates', {}, 401],
      ['/v1/fx/rates', { key: 'wrong' }, 401],
      ['/v1/fx/convert', { key }, 400],
      ['/v1/fx/convert?from=USD&to=VES&amount=-1', { key }, 400],
      ['/v1/fx/markets?x=1', { key }, 400],
      ['/v1/fx/spread?base=EUR', { key }, 400],
      ['/v1/fx/spread?against=reference', { key }, 400],
      ['/v1/fx/markets', { key: gratis }, 402],
      ['/v1/fx/rates/parallel/history?from=2020-01-01', { key }, 403],
      ['/v1/fx/rates/nowhere', { key }, 404],
      ['/v1/fx/rates?markup=nothing', { key }, 404],
      ['/nowhere', {}, 404],
      ['/v1/fx/rates', { method: 'POST' }, 405],
      ['/v1/fx/bulk/convert', { key, method: 'POST', body: 'x' }, 400],
      [
        '/v1/fx/bulk/convert',
        { key, method: 'POST', headers: { 'Content-Type': 'text/xml' }, body: 'x' },
        415,
      ],
      [`/v1/fx/rates?${'x'.repeat(9_000)}`, { key }, 414],
      ['/v1/fx/rates', { key, headers: { 'X-Large': 'x'.repeat(20_000) } }, 431],
      ['/v1/fx/rates', { key, headers: { Expect: 'something' } }, 417],
    ];
    for (const [path, sent, status] of cases) {
      const reply = await ask(service, path, sent);
      expect([path, reply.status]).toEqual([path, status]);
      expectErrorShape(reply);
    }
  });

  test('§7 an error is JSON with any format parameter', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    for (const format of ['csv', 'xml']) {
      const reply = await service.call(`/v1/fx/rates/nowhere?format=${format}`, { key });
      expect(fault(reply)).toEqual([404, 'resource_not_found', 'market']);
      expectErrorShape(reply);
    }
  });

  test('§7 an error is JSON whatever Accept says', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    const plain = await service.call('/v1/fx/rates/nowhere', { key });
    const asked = await service.call('/v1/fx/rates/nowhere', {
      key,
      headers: { Accept: 'application/xml' },
    });
    expect(asked.text).toBe(plain.text);
  });

  test('§7 feature_not_in_plan names the feature, the plan and the required plan', async () => {
    const service = await serving();
    const key = await service.keyFor('Gratis');
    const found: Record<string, unknown> = {};
    for (const path of [
      '/v1/fx/markets',
      '/v1/fx/spread',
      '/v1/fx/route',
      '/v1/account/markups',
      '/v1/fx/rates?markup=x',
      '/v1/fx/rates?format=csv',
      '/v1/fx/rates?format=xml',
      '/v1/fx/rates/cash',
      '/v1/fx/rates/extended_market_1',
      '/v1/fx/rates/remittance_market_1/history',
      '/v1/fx/convert?from=USD&to=VES&amount=1&via=cucuta',
    ]) {
      const { status, json } = await service.call(path, { key });
      expect([path, status, json.code]).toEqual([path, 402, 'feature_not_in_plan']);
      expect(json.details.current_plan).toBe('Gratis');
      found[path] = [json.details.feature, json.details.required_plan];
    }
    const bulk = await service.call('/v1/fx/bulk/convert', { key, method: 'POST', body: BATCH });
    expect(bulk.json.details).toEqual({
      feature: 'bulk_convert',
      current_plan: 'Gratis',
      required_plan: 'Escala',
    });
    expect(found).toEqual({
      '/v1/fx/markets': ['markets', 'Esencial'],
      '/v1/fx/spread': ['spread', 'Esencial'],
      '/v1/fx/route': ['route', 'Escala'],
      '/v1/account/markups': ['markup', 'Inicio'],
      '/v1/fx/rates?markup=x': ['markup', 'Inicio'],
      '/v1/fx/rates?format=csv': ['format_csv', 'Inicio'],
      '/v1/fx/rates?format=xml': ['format_xml', 'Esencial'],
      '/v1/fx/rates/cash': ['market:cash', 'Escala'],
      '/v1/fx/rates/extended_market_1': ['market:extended_market_1', 'Profesional'],
      '/v1/fx/rates/remittance_market_1/history': ['market:remittance_market_1', 'Esencial'],
      '/v1/fx/convert?from=USD&to=VES&amount=1&via=cucuta': ['market:cucuta', 'Escala'],
    });
  });

  test('contract §4 X-Request-Id is on every answer and never the same twice', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    const replies = await Promise.all([
      ...Array.from({ length: 20 }, () => service.call('/v1/fx/rates', { key })),
      service.call('/v1/fx/rates', { key, method: 'HEAD' }),
      service.call('/v1/fx/rates', { method: 'OPTIONS' }),
      service.call('/v1/fx/rates', { key, headers: { 'If-None-Match': '*' } }),
      service.call('/v1/fx/rates'),
      service.call('/v1/fx/rates', { method: 'DELETE' }),
      service.call('/nowhere'),
      service.call('/healthz'),
      service.call('/openapi.json'),
      service.call('/metrics', { headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } }),
    ]);
    const ids = replies.map(({ headers }) => headers.get('x-request-id'));
    expect(ids).not.toContain(null);
    expect(new Set(ids).size).toBe(replies.length);
  });

  test('contract §4 the service ignores a request id sent by the caller', async () => {
    const service = await serving();
    const reply = await service.call('/v1/fx/rates', { headers: { 'X-Request-Id': 'mine' } });
    expect(reply.headers.get('x-request-id')).not.toBe('mine');
  });

  test('contract §4 a 5xx has the request id in its details, and Retry-After', async () => {
    const service = await startTestService();
    const key = await service.keyFor('Escala');
    for (const path of ['/v1/fx/index', '/v1/fx/route?from=USD&to=VES&amount=1']) {
      const reply = await service.call(path, { key });
      expect([reply.status, reply.json.code]).toEqual([503, 'service_unavailable']);
      expect(reply.json.details).toEqual({ request_id: reply.headers.get('x-request-id') });
      expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expectErrorShape(reply);
    }
  });
});

describe('contract §4 the order of checks', () => {
  test('contract §4 a request that breaks two rules gets the error of the first', async () => {
    const service = await serving();
    const { accounts, changePoller } = service.service;
    const gratis = await service.keyFor('Gratis');
    const inicio = await service.keyFor('Inicio');
    const esencial = await service.keyFor('Esencial');
    const suspendedAccount = await accounts.create('suspended', 'Gratis');
    const { key: suspended } = await accounts.createKey(suspendedAccount.id);
    await accounts.setStatus(suspendedAccount.id, 'suspended');
    await changePoller.poll();
    const convert = '/v1/fx/convert';
    const cases: [string, string, string | undefined, unknown[]][] = [
      ['key, feature', '/v1/fx/markets', undefined, [401, 'missing_api_key']],
      ['key, feature', '/v1/fx/markets', 'wrong', [401, 'invalid_api_key']],
      ['key, parameters', `${convert}?x=1`, undefined, [401, 'missing_api_key']],
      ['key, path', '/v1/fx/rates/%zz', undefined, [401, 'missing_api_key']],
      ['key, path', '/v1/fx/rates/%zz', 'wrong', [401, 'invalid_api_key']],
      ['key, path', '/v1/fx/rates/%ff/history', undefined, [401, 'missing_api_key']],
      ['suspended, feature', '/v1/fx/markets', suspended, [403, 'account_suspended']],
      ['suspended, path', '/v1/fx/rates/%zz', suspended, [403, 'account_suspended']],
      ['suspended, parameters', `${convert}?x=1`, suspended, [403, 'account_suspended']],
      ['feature, unknown', '/v1/fx/markets?x=1', gratis, [402, 'feature_not_in_plan']],
      ['feature, missing', '/v1/fx/route', gratis, [402, 'feature_not_in_plan']],
      ['feature, invalid', '/v1/fx/spread?base=EUR', gratis, [402, 'feature_not_in_plan']],
      ['unknown, missing', `${convert}?x=1`, gratis, [400, 'unknown_parameter', 'x']],
      ['unknown, twice', `${convert}?to=a&to=b&x=1`, gratis, [400, 'unknown_parameter', 'x']],
      ['unknown, path', '/v1/fx/rates/%zz/history?x=1', gratis, [400, 'unknown_parameter', 'x']],
      [
        'unknown, invalid',
        `${convert}?from=USD&to=VES&amount=x&x=1`,
        gratis,
        [400, 'unknown_parameter', 'x'],
      ],
      [
        'nearly known, invalid',
        '/v1/fx/rates?rule=x&Date=1',
        gratis,
        [400, 'unknown_parameter', 'Date'],
      ],
      [
        'nearly known, path',
        '/v1/fx/rates/%zz?fecha=1',
        gratis,
        [400, 'unknown_parameter', 'fecha'],
      ],
      [
        'nearly known, market',
        '/v1/fx/rates/x?fecha=1',
        gratis,
        [400, 'unknown_parameter', 'fecha'],
      ],
      ['missing, invalid', `${convert}?from=XXX&amount=0x1`, gratis, [400, 'missing_field', 'to']],
      [
        'missing, invalid',
        `${convert}?from=USD&to=USD&format=XML`,
        gratis,
        [400, 'missing_field', 'amount'],
      ],
      [
        'missing, twice',
        `${convert}?from=USD&from=VES&to=VES`,
        gratis,
        [400, 'missing_field', 'amount'],
      ],
      [
        'invalid, format in plan',
        `${convert}?from=USD&to=VES&amount=0&format=csv`,
        gratis,
        [400, 'invalid_format', 'amount'],
      ],
      [
        'invalid pair, format in plan',
        `${convert}?from=USD&to=EUR&amount=1&format=csv`,
        gratis,
        [400, 'invalid_format', 'to'],
      ],
      [
        'invalid market for the pair, market in plan',
        `${convert}?from=VES&to=USD&amount=1&via=remittance_market_1`,
        gratis,
        [400, 'invalid_format', 'via'],
      ],
      [
        'invalid date, market known',
        '/v1/fx/rates/nowhere/history?date=2026-02-30',
        gratis,
        [400, 'invalid_format', 'date'],
      ],
      [
        'invalid date, market in plan',
        '/v1/fx/rates/cash/history?date=tomorrow',
        gratis,
        [400, 'invalid_format', 'date'],
      ],
      [
        'invalid_base, format',
        '/v1/fx/spread?base=EUR&format=csv',
        esencial,
        [400, 'invalid_base', 'base'],
      ],
      [
        'invalid_against, market in plan',
        '/v1/fx/spread?against=eur_reference',
        esencial,
        [400, 'invalid_against', 'against'],
      ],
      [
        'format in plan, market known',
        '/v1/fx/rates/nowhere?format=csv',
        gratis,
        [402, 'feature_not_in_plan'],
      ],
      [
        'format in plan, market in plan',
        '/v1/fx/rates/cash?format=xml',
        inicio,
        [402, 'feature_not_in_plan'],
      ],
      [
        'market in plan, retention',
        '/v1/fx/rates/cash/history?from=2020-01-01',
        gratis,
        [402, 'feature_not_in_plan'],
      ],
      [
        'market known, retention',
        '/v1/fx/rates/nowhere/history?from=2020-01-01',
        gratis,
        [404, 'resource_not_found', 'market'],
      ],
      [
        'format in plan, markup',
        '/v1/fx/rates?format=xml&markup=x',
        inicio,
        [402, 'feature_not_in_plan'],
      ],
    ];
    const found: unknown[] = [];
    for (const [rules, path, key] of cases) {
      found.push([rules, path, fault(await ask(service, path, key === undefined ? {} : { key }))]);
    }
    expect(found).toEqual(cases.map(([rules, path, , expected]) => [rules, path, expected]));
  });

  test('contract §4 of two 402 the format is reported before the market', async () => {
    const service = await serving();
    const key = await service.keyFor('Gratis');
    const { json } = await service.call('/v1/fx/rates/cash?format=csv', { key });
    expect(json.details.feature).toBe('format_csv');
  });

  test('contract §4 the body is checked after key and feature, and missing fields before invalid ones', async () => {
    const service = await serving();
    const gratis = await service.keyFor('Gratis');
    const key = await service.keyFor('Escala');
    const post = (body: unknown, as?: string) =>
      service.call('/v1/fx/bulk/convert', {
        method: 'POST',
        body,
        ...(as !== undefined && { key: as }),
      });
    const large = JSON.stringify({ ...BATCH, filling: 'x'.repeat(100_000) });
    const many = Array.from({ length: 51 }, () => 1);
    const found = {
      'key, body': fault(await post('{')),
      'key, size': (
        await ask(service, '/v1/fx/bulk/convert', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'Content-Length': '100000' },
        }).catch(() => undefined)
      )?.json?.code,
      'feature, body': fault(await post('{', gratis)),
      'feature, size': fault(await post(large, gratis)),
      'missing, invalid': fault(await post({ from: 'XXX', amounts: [-1] }, key)),
      'missing, invalid type': fault(await post({ from: 5, to: 'VES' }, key)),
      'empty amounts, invalid': fault(await post({ from: 'USD', to: 'USD', amounts: [] }, key)),
      'empty amounts, invalid type': fault(await post({ from: 5, to: 'VES', amounts: [] }, key)),
      'missing, too many': fault(await post({ to: 'VES', amounts: many }, key)),
      'invalid, market known': fault(await post({ ...BATCH, amounts: [0], market: 'x' }, key)),
      'market known': fault(await post({ ...BATCH, market: 'nowhere' }, key)),
    };
    expect(found).toEqual({
      'key, body': [401, 'missing_api_key'],
      'key, size': 'missing_api_key',
      'feature, body': [402, 'feature_not_in_plan'],
      'feature, size': [402, 'feature_not_in_plan'],
      'missing, invalid': [400, 'missing_field', 'to'],
      'missing, invalid type': [400, 'missing_field', 'amounts'],
      'empty amounts, invalid': [400, 'missing_field', 'amounts'],
      'empty amounts, invalid type': [400, 'missing_field', 'amounts'],
      'missing, too many': [400, 'missing_field', 'from'],
      'invalid, market known': [400, 'invalid_format', 'amounts'],
      'market known': [404, 'resource_not_found', 'market'],
    });
  });

  test('contract §4 parameters, plan and market are checked before the minute limit', async () => {
    const service = await serving();
    const key = await service.keyFor('Gratis');
    const { length } = (
      await Promise.all(Array.from({ length: 120 }, () => service.call('/v1/fx/rates', { key })))
    ).filter(({ status }) => status === 200);
    expect(length).toBe(120);
    const found = await Promise.all(
      [
        '/v1/fx/rates',
        '/v1/fx/rates/cash',
        '/v1/fx/rates/nowhere',
        '/v1/fx/rates?format=csv',
        '/v1/fx/convert?from=USD',
        '/v1/fx/markets',
        '/v1/fx/rates/parallel/history?date=2026-11-20',
      ].map(async (path) => (await service.call(path, { key })).status),
    );
    expect(found).toEqual([429, 402, 404, 402, 400, 402, 429]);
  });

  test('contract §4 limits are checked before an answer of 404, 422 or 503', async () => {
    const service = await startTestService();
    const { accounts } = service.service;
    const account = await accounts.create('all at once', 'Gratis');
    const { key } = await accounts.createKey(account.id);
    await service.push(...fullMarket());
    await Promise.all(Array.from({ length: 120 }, () => service.call('/v1/fx/rates', { key })));
    const banks = await service.call('/v1/fx/bcv/banks', { key });
    expect([banks.status, banks.headers.get('x-ratelimit-scope')]).toEqual([429, 'minute']);
    service.clock.advance(MINUTE_MS);
    expect((await service.call('/v1/fx/bcv/banks', { key })).status).toBe(404);
  });
});

describe('contract §4 paths and methods', () => {
  test('contract §4 unknown paths are 404, never a redirect', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    const paths = [
      '/v1',
      '/v1/',
      '/v1/fx',
      '/v2/fx/rates',
      '/fx/rates',
      '/v1/fx/rate',
      '/v1/fx/rates/',
      '/v1/fx/rates/parallel/',
      '/v1/fx/rates//history',
      '/v1/fx/rates/parallel/history/',
      '/v1/fx/rates/parallel/other',
      '/v1/fx/rates/parallel/history/2026',
      '//v1/fx/rates',
      '/v1//fx/rates',
      '/v1/fx//rates',
      '/V1/fx/rates',
      '/v1/FX/rates',
      '/v1/fx/Rates',
      '/v1/fx/rates;',
      '/v1/fx/rates;format=csv',
      '/v1/fx/./rates',
      '/v1/fx/x/../rates',
      '/v1/fx/%72ates',
      '/v1/fx%2frates',
      '/%2e/v1/fx/rates',
      '/v1/fx/bulk/convert/',
      '/v1/account/',
      '/healthz/',
      '/Docs',
      '/openapi.JSON',
      '/v1/fx/rates%20',
      '/v1/fx/rates%00',
    ];
    for (const path of paths) {
      const reply = await ask(service, path, { key });
      expect([path, fault(reply)]).toEqual([path, [404, 'resource_not_found']]);
      expectErrorShape(reply);
      expect(reply.headers.get('location')).toBeNull();
    }
  });

  test('contract §4 dots in place of a market, encoded or not, are a name like any other', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    for (const name of [
      '..',
      '.',
      '%2e',
      '%2e%2e',
      '%2E%2E',
      'parallel;v=1',
      'parallel%2fhistory',
    ]) {
      const reply = await ask(service, `/v1/fx/rates/${name}`, { key });
      expect([name, fault(reply)]).toEqual([name, [404, 'resource_not_found', 'market']]);
    }
    // It is percent-decoded exactly once.
    expect((await ask(service, '/v1/fx/rates/%70arallel', { key })).json.market).toBe('parallel');
    expect((await ask(service, '/v1/fx/rates/%2570arallel', { key })).status).toBe(404);
  });

  test('RFC 9110 §9.3.7 OPTIONS * is 204 with every method of the server and costs nothing', async () => {
    const service = await serving();
    const ask = (first: string) => sendBytes(service, lines(first));
    const [whole] = await ask('OPTIONS * HTTP/1.1');
    expect(whole?.status).toBe(204);
    expect(whole?.head).toMatch(/^allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS$/im);
    expect(whole?.body).toBe('');
    for (const method of ['GET', 'POST', 'DELETE']) {
      const [other] = await ask(`${method} * HTTP/1.1`);
      expect([method, other?.status]).toEqual([method, 404]);
    }
  });

  test('§9 the former beta routes are 404', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    for (const path of ['/v1/beta/fx/bcv/banks', '/v1/beta/fx/bcv/currencies', '/v1/beta']) {
      expect(fault(await service.call(path, { key }))).toEqual([404, 'resource_not_found']);
      expect((await service.call(path, { key, method: 'POST' })).status).toBe(404);
    }
  });

  const ALLOWED: Record<string, string[]> = {
    '/v1/fx/rates': ['GET', 'HEAD', 'OPTIONS'],
    '/v1/fx/rates/parallel': ['GET', 'HEAD', 'OPTIONS'],
    '/v1/fx/rates/parallel/history': ['GET', 'HEAD', 'OPTIONS'],
    '/v1/fx/markets': ['GET', 'HEAD', 'OPTIONS'],
    '/v1/fx/convert': ['GET', 'HEAD', 'OPTIONS'],
    '/v1/fx/bulk/convert': ['OPTIONS', 'POST'],
    '/v1/fx/route': ['GET', 'HEAD', 'OPTIONS'],
    '/v1/fx/index': ['GET', 'HEAD', 'OPTIONS'],
    '/v1/fx/spread': ['GET', 'HEAD', 'OPTIONS'],
    '/v1/fx/bcv/banks': ['GET', 'HEAD', 'OPTIONS'],
    '/v1/fx/bcv/currencies': ['GET', 'HEAD', 'OPTIONS'],
    '/v1/account': ['GET', 'HEAD', 'OPTIONS'],
    '/v1/account/markups': ['GET', 'HEAD', 'OPTIONS', 'POST'],
    '/v1/account/markups/tag': ['DELETE', 'OPTIONS', 'PUT'],
    '/v1/admin/records': ['OPTIONS', 'POST'],
    '/openapi.json': ['GET', 'HEAD', 'OPTIONS'],
    '/healthz': ['GET', 'HEAD', 'OPTIONS'],
    '/readyz': ['GET', 'HEAD', 'OPTIONS'],
    '/metrics': ['GET', 'HEAD', 'OPTIONS'],
  };
  const allow = ({ headers }: Reply) => headers.get('allow')?.split(', ').sort();

  test('contract §4 another method is 405 with Allow on every path', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    for (const [path, methods] of Object.entries(ALLOWED)) {
      const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'];
      for (const method of others.filter((one) => !methods.includes(one))) {
        const reply = await ask(service, path, { key, method });
        expect([path, method, reply.status, allow(reply)]).toEqual([path, method, 405, methods]);
        if (method !== 'HEAD') {
          expect(reply.json.code).toBe('method_not_allowed');
          expectErrorShape(reply);
        }
      }
    }
  });

  test('contract §4 OPTIONS is 204 with Allow on every path, without a key and without cost', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    for (const [path, methods] of Object.entries(ALLOWED)) {
      const bare = await service.call(path, { method: 'OPTIONS' });
      expect([path, bare.status, allow(bare), bare.text]).toEqual([path, 204, methods, '']);
      await service.call(path, { method: 'OPTIONS', key });
    }
    const { usage } = (await service.call('/v1/account', { key })).json;
    expect(usage.units_used).toBe(0);
    expect((await service.call('/nowhere', { method: 'OPTIONS' })).status).toBe(404);
  });

  test('contract §4 a method cannot be overridden by a header or a parameter', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    const reply = await service.call('/v1/fx/bcv/banks?_method=DELETE', {
      key,
      headers: { 'X-HTTP-Method-Override': 'DELETE' },
    });
    expect(reply.status).toBe(200);
  });

  test('contract §4 HEAD has the headers of GET and no body, also for errors', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    const varying = new Set(['date', 'x-request-id', 'x-ratelimit-remaining', 'ratelimit']);
    const shown = ({ headers }: Reply) => [...headers].filter(([name]) => !varying.has(name));
    const others = ['/openapi.json', '/healthz', '/nowhere', '/v1/fx/rates/nowhere'];
    for (const path of [...GET_PATHS, ...others, '/v1/fx/rates?format=csv', '/v1/fx/convert']) {
      const get = await ask(service, path, { key });
      const head = await ask(service, path, { key, method: 'HEAD' });
      expect([path, head.status, head.text]).toEqual([path, get.status, '']);
      expect(shown(head)).toEqual(shown(get));
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)));
    }
  });

  test('contract §4 HEAD costs what GET costs', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    await service.call('/v1/fx/rates', { key, method: 'HEAD' });
    await service.call('/v1/account', { key, method: 'HEAD' });
    await service.call('/v1/fx/rates/nowhere', { key, method: 'HEAD' });
    expect((await service.call('/v1/account', { key })).json.usage.units_used).toBe(1);
  });
});

describe('contract §4 parameters', () => {
  /** Documented parameters by endpoint, with values that are right. */
  const DOCUMENTED: Record<string, Record<string, string>> = {
    '/v1/fx/rates': { format: 'json', markup: 'x' },
    '/v1/fx/rates/parallel': { format: 'json' },
    '/v1/fx/rates/parallel/history': {
      date: '2026-11-20',
      from: '2026-11-20',
      to: '2026-11-20',
      granularity: 'raw',
      format: 'json',
    },
    '/v1/fx/convert': {
      from: 'USD',
      to: 'VES',
      amount: '1',
      via: 'parallel',
      market: 'parallel',
      format: 'json',
    },
    '/v1/fx/route': {
      from: 'USD',
      to: 'VES',
      amount: '1',
      direction: 'send',
      max_staleness: '0',
      format: 'json',
    },
    '/v1/fx/index': { format: 'json' },
    '/v1/fx/spread': { against: 'parallel', base: 'USD', format: 'json' },
    '/v1/fx/bcv/banks': { format: 'json' },
    '/v1/fx/bcv/currencies': { format: 'json' },
  };

  test('contract §4 a documented parameter given twice is invalid_format everywhere', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    for (const [path, parameters] of Object.entries(DOCUMENTED)) {
      for (const [name, value] of Object.entries(parameters)) {
        for (const second of [value, '', 'other']) {
          const query = `${new URLSearchParams(parameters)}&${name}=${second}`;
          const reply = await service.call(`${path}?${query}`, { key });
          expect([path, query, fault(reply)]).toEqual([path, query, [400, 'invalid_format', name]]);
        }
      }
    }
    const admin = await service.call('/v1/admin/records?trust=true&trust=true', {
      method: 'POST',
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/x-ndjson' },
      body: '',
    });
    expect(fault(admin)).toEqual([400, 'invalid_format', 'trust']);
  });

  test('contract §4 a repeated parameter is found however its name is encoded', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    const reply = await ask(service, '/v1/fx/rates?format=json&%66ormat=json', { key });
    expect(fault(reply)).toEqual([400, 'invalid_format', 'format']);
  });

  test('contract §4 unknown parameters are rejected on convert, route, spread, markets and history', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    const names = [
      'x',
      'Format',
      'FROM',
      'amount[]',
      '__proto__',
      'constructor',
      'toString',
      'callback',
    ];
    for (const path of [
      '/v1/fx/convert?from=USD&to=VES&amount=1',
      '/v1/fx/route?from=USD&to=VES&amount=1',
      '/v1/fx/spread?base=USD',
      '/v1/fx/markets?',
      '/v1/fx/rates/parallel/history?granularity=raw',
    ]) {
      for (const name of names) {
        for (const value of ['1', '']) {
          const query = `${path}&${encodeURIComponent(name)}=${value}`;
          const reply = await service.call(query, { key });
          expect([query, fault(reply)]).toEqual([query, [400, 'unknown_parameter', name]]);
        }
      }
    }
    const format = await service.call('/v1/fx/markets?format=json', { key });
    expect(fault(format)).toEqual([400, 'unknown_parameter', 'format']);
  });

  test('contract §4 other endpoints ignore unknown parameters that are not nearly theirs, even repeated ones', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    for (const path of [
      '/v1/fx/rates',
      '/v1/fx/rates/parallel',
      '/v1/fx/index',
      '/v1/fx/bcv/banks',
      '/v1/fx/bcv/currencies',
      '/v1/account',
      '/v1/account/markups',
    ]) {
      const plain = await service.call(path, { key });
      const query = '?x=1&x=2&__proto__=1&constructor=1&country=VE&market=cash&=&&&a%00b=1&%zz=%';
      const more = await ask(service, path + query, { key });
      expect([path, more.status, more.text]).toEqual([path, 200, plain.text]);
    }
    const bulk = await service.call('/v1/fx/bulk/convert?format=csv&format=xml', {
      key,
      method: 'POST',
      body: BATCH,
    });
    expect(bulk.status).toBe(200);
  });

  test('contract §4 an error names a long unknown parameter by its beginning', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    const long = 'n'.repeat(2_000);
    const { json } = await service.call(`/v1/fx/markets?${long}=1`, { key });
    expect(json.code).toBe('unknown_parameter');
    expect(long.startsWith(json.field)).toBe(true);
    expect(json.field.length).toBeLessThan(200);
  });

  test('contract §4 Accept is ignored', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    const plain = await service.call('/v1/fx/rates', { key });
    for (const accept of ['text/csv', 'application/xml', 'image/png', 'nonsense', '*/*;q=0']) {
      const reply = await service.call('/v1/fx/rates', { key, headers: { Accept: accept } });
      expect([accept, reply.status, reply.text]).toEqual([accept, 200, plain.text]);
      expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });

  test('contract §4 format is lower case only, and empty is JSON', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    const paths = Object.keys(DOCUMENTED).map((path) => {
      const amounts = '?from=USD&to=VES&amount=1&';
      return /convert|route/.test(path) ? path + amounts : `${path}?`;
    });
    for (const path of paths) {
      for (const format of ['JSON', 'Csv', 'XML', 'yaml', 'json ', 'json,csv', '__proto__']) {
        const reply = await service.call(`${path}format=${encodeURIComponent(format)}`, { key });
        expect([path, format, fault(reply)]).toEqual([
          path,
          format,
          [400, 'invalid_format', 'format'],
        ]);
      }
      const empty = await service.call(`${path}format=`, { key });
      expect([path, empty.status]).toEqual([path, 200]);
      expect(empty.headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });
});
