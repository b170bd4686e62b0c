import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ERRORS } from '../../src/core/domain/errors/error-codes.ts';
import { utcMonthOf } from '../../src/core/domain/time.ts';
import { allEndpoints } from '../../src/core/http/endpoints/all.ts';
import { pathParameters } from '../../src/core/http/framework/routing/router.ts';
import { errorCodesOf } from '../../src/core/http/openapi/error-codes.ts';
import type { Endpoint } from '../../src/core/http/pipeline/endpoint.ts';
import { exampleAddress } from '../harness/example-address.ts';
import { bankTable, fullMarket, iso, quote } from '../harness/make.ts';
import {
  ADMIN_TOKEN,
  type CallOptions,
  START,
  startTestService,
  type TestService,
} from '../harness/service.ts';

const ENDPOINTS = allEndpoints({ admin: true });
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

/** The same schema, in which no object may have a field that it does not declare. */
function strict(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const shape = Object.entries(schema.shape).map(([name, field]) => [name, strict(field)]);
    return z.strictObject(Object.fromEntries(shape));
  }
  if (schema instanceof z.ZodArray) return z.array(strict(schema.element));
  if (schema instanceof z.ZodOptional) return strict(schema.unwrap()).optional();
  if (schema instanceof z.ZodNullable) return strict(schema.unwrap()).nullable();
  if (schema instanceof z.ZodReadonly) return strict(schema.unwrap());
  if (schema instanceof z.ZodUnion) return z.union(schema.options.map(strict));
  if (schema instanceof z.ZodType) return schema;
  throw new Error('a schema that is not of Zod');
}

interface Call {
  readonly path: string;
  readonly options?: CallOptions;
}

const RULE = { tag: 'shop', kind: 'percent', value: 3 };
const BATCH = { from: 'USD', to: 'VES', amounts: [1, 2.5] };
const ADMIN = { Authorization: `Bearer ${ADMIN_TOKEN}` };
const lineOf = (mid: number) => JSON.stringify(quote('parallel', mid));

/**
 * Requests that succeed on `serving()`, by endpoint; each shape of answer at least once. A GET has those
 * of its example without a row.
 */
const SUCCESSES: Record<string, Call[]> = {
  'GET /v1/fx/rates': [
    { path: '/v1/fx/rates?markup=kept' },
    { path: '/v1/fx/rates?date=2026-11-21' },
    { path: '/v1/fx/rates?date=2026-11-21&markup=kept' },
  ],
  'GET /v1/fx/rates/:market': [
    { path: '/v1/fx/rates/reference' },
    { path: '/v1/fx/rates/eur_reference' },
    { path: '/v1/fx/rates/cash' },
    { path: '/v1/fx/rates/reference?date=2026-11-21' },
    { path: '/v1/fx/rates/cash?date=2026-11-21' },
  ],
  'GET /v1/fx/rates/:market/candles': [
    { path: '/v1/fx/rates/parallel/candles' },
    { path: '/v1/fx/rates/parallel/candles?interval=month&to=2026-01-02' },
  ],
  'GET /v1/fx/changes': [{ path: '/v1/fx/changes?period=365d&markets=bcv,cash' }],
  'GET /v1/fx/coverage': [{ path: '/v1/fx/coverage?markets=bcv,cash' }],
  'GET /v1/fx/corrections': [{ path: '/v1/fx/corrections?since=2026-01-01' }],
  'GET /v1/fx/rates/:market/history': [
    { path: '/v1/fx/rates/parallel/history' },
    { path: '/v1/fx/rates/parallel/history?granularity=raw' },
    { path: '/v1/fx/rates/parallel/history?date=2026-11-21' },
    { path: '/v1/fx/rates/parallel/history?from=2026-01-01&to=2026-01-02' },
  ],
  'GET /v1/fx/convert': [
    { path: '/v1/fx/convert?from=USD&to=VES&amount=12.5' },
    { path: '/v1/fx/convert?from=VES&to=EUR&amount=1e3' },
    { path: '/v1/fx/convert?from=USD&to=VES&amount=1&via=cucuta' },
    { path: '/v1/fx/convert?from=USD&to=VES&amount=1&date=2026-11-21' },
  ],
  'POST /v1/fx/bulk/convert': [
    { path: '/v1/fx/bulk/convert', options: { method: 'POST', body: BATCH } },
    {
      path: '/v1/fx/bulk/convert',
      options: { method: 'POST', body: { ...BATCH, date: '2026-11-21' } },
    },
  ],
  'GET /v1/fx/route': [
    { path: '/v1/fx/route?from=VES&to=USD&amount=100&direction=receive&max_staleness=60' },
  ],
  'GET /v1/fx/spread': [{ path: '/v1/fx/spread?against=cash' }],
  'GET /v1/fx/official/history': [
    { path: '/v1/fx/official/history?days=all&currency=eur&from=2026-11-20&to=2026-11-21' },
  ],
  'GET /v1/account/usage': [{ path: '/v1/account/usage?from=2026-11-01&to=2026-11-02' }],
  'GET /v1/fx/public/calculator': [
    { path: '/v1/fx/public/calculator?amount=2&from=USD&to=VES' },
    { path: '/v1/fx/public/calculator?amount=2&from=VES&to=EUR' },
  ],
  'POST /v1/account/keys': [
    { path: '/v1/account/keys', options: { method: 'POST', body: { kind: 'full' } } },
    {
      path: '/v1/account/keys',
      options: { method: 'POST', body: { kind: 'publishable', origins: ['https://a.example'] } },
    },
  ],
  'PATCH /v1/account/keys/:id': [
    { path: '/v1/account/keys/OWN', options: { method: 'PATCH', body: { label: 'a' } } },
  ],
  'DELETE /v1/account/keys/:id': [{ path: '/v1/account/keys/OWN', options: { method: 'DELETE' } }],
  'POST /v1/account/keys/:id/rotate': [
    {
      path: '/v1/account/keys/OWN/rotate',
      options: { method: 'POST', body: { grace_sec: 60 } },
    },
  ],
  'POST /v1/account/markups': [
    { path: '/v1/account/markups', options: { method: 'POST', body: RULE } },
  ],
  'PUT /v1/account/markups/:tag': [
    {
      path: '/v1/account/markups/kept',
      options: { method: 'PUT', body: { kind: 'fixed', value: -2, markets: ['bcv'] } },
    },
  ],
  'DELETE /v1/account/markups/:tag': [
    { path: '/v1/account/markups/kept', options: { method: 'DELETE' } },
  ],
  'POST /v1/admin/records': [
    {
      path: '/v1/admin/records',
      options: { method: 'POST', body: lineOf(861), headers: ADMIN },
    },
  ],
};

const post = (path: string, body: unknown, headers?: Record<string, string>): Call => ({
  path,
  options: { method: 'POST', body, ...(headers && { headers }) },
});
const put = (path: string, body: unknown): Call => ({ path, options: { method: 'PUT', body } });

/**
 * Requests that fail by the rules of an endpoint. Unknown parameters, other formats, and a wrong value of
 * each parameter of a GET fail without a row.
 */
const FAILURES: Record<string, Call[]> = {
  'GET /v1/fx/rates/:market': [{ path: '/v1/fx/rates/%ff' }],
  'GET /v1/fx/rates/:market/candles': [{ path: '/v1/fx/rates/parallel/candles?from=2020-01-01' }],
  'GET /v1/fx/corrections': [{ path: '/v1/fx/corrections?since=2026-11-22' }],
  'GET /v1/fx/rates/:market/history': [
    { path: '/v1/fx/rates/parallel/history?date=2020-01-01' },
    { path: '/v1/fx/rates/parallel/history?date=2026-11-01' },
    { path: '/v1/fx/rates/parallel/history?from=2026-11-20&to=2026-11-19' },
  ],
  'GET /v1/fx/convert': [
    { path: '/v1/fx/convert' },
    { path: '/v1/fx/convert?from=USD&to=VES&amount=0' },
    { path: '/v1/fx/convert?from=EUR&to=VES&amount=1&via=cash' },
  ],
  'POST /v1/fx/bulk/convert': [
    post('/v1/fx/bulk/convert', { ...BATCH, amounts: [] }),
    post('/v1/fx/bulk/convert', { ...BATCH, amounts: [0] }),
    post('/v1/fx/bulk/convert', { ...BATCH, market: 'nowhere' }),
    post('/v1/fx/bulk/convert', '{'),
    post('/v1/fx/bulk/convert', BATCH, { 'Content-Type': 'text/xml' }),
    post('/v1/fx/bulk/convert', { ...BATCH, filling: 'x'.repeat(70_000) }),
  ],
  'GET /v1/fx/route': [{ path: '/v1/fx/route' }, { path: '/v1/fx/route?from=USD&to=EUR&amount=1' }],
  'GET /v1/fx/spread': [
    { path: '/v1/fx/spread?base=EUR' },
    { path: '/v1/fx/spread?against=reference' },
  ],
  'GET /v1/fx/official/history': [
    { path: '/v1/fx/official/history?currency=ZZZ' },
    { path: '/v1/fx/official/history?from=2026-11-21&to=2026-11-20' },
  ],
  'GET /v1/fx/calendar': [{ path: '/v1/fx/calendar?from=2026-11-21&to=2026-11-20' }],
  'GET /v1/account/usage': [
    { path: '/v1/account/usage?from=2026-11-22' },
    { path: '/v1/account/usage?from=2026-01-01' },
  ],
  'GET /v1/fx/public/calculator': [{ path: '/v1/fx/public/calculator' }],
  'POST /v1/account/keys': [
    post('/v1/account/keys', {}),
    post('/v1/account/keys', { kind: 'some' }),
    post('/v1/account/keys', '[]'),
    post('/v1/account/keys', {}, { 'Content-Type': 'text/xml' }),
  ],
  'PATCH /v1/account/keys/:id': [
    { path: '/v1/account/keys/none', options: { method: 'PATCH', body: {} } },
    { path: '/v1/account/keys/OWN', options: { method: 'PATCH', body: { label: '' } } },
  ],
  'DELETE /v1/account/keys/:id': [{ path: '/v1/account/keys/none', options: { method: 'DELETE' } }],
  'POST /v1/account/keys/:id/rotate': [
    post('/v1/account/keys/none/rotate', {}),
    post('/v1/account/keys/%ff/rotate', {}),
    post('/v1/account/keys/OWN/rotate', '[]'),
    post('/v1/account/keys/OWN/rotate', { grace_sec: '60' }),
    post('/v1/account/keys/OWN/rotate', {}, { 'Content-Type': 'text/xml' }),
    post('/v1/account/keys/OWN/rotate', { filling: 'x'.repeat(70_000) }),
  ],
  'POST /v1/account/markups': [
    post('/v1/account/markups', { ...RULE, tag: 'kept' }),
    post('/v1/account/markups', { ...RULE, value: 'x' }),
    post('/v1/account/markups', { ...RULE, tag: 'A' }),
    post('/v1/account/markups', { tag: 'x' }),
    post('/v1/account/markups', '[]'),
    post('/v1/account/markups', RULE, { 'Content-Type': 'text/xml' }),
    post('/v1/account/markups', { ...RULE, filling: 'x'.repeat(70_000) }),
  ],
  'PUT /v1/account/markups/:tag': [
    put('/v1/account/markups/none', { kind: 'fixed', value: 1 }),
    put('/v1/account/markups/kept', { kind: 'fixed' }),
    put('/v1/account/markups/kept', { kind: 'other', value: 1 }),
    put('/v1/account/markups/kept', { tag: 'other', kind: 'fixed', value: 1 }),
    put('/v1/account/markups/%ff', { kind: 'fixed', value: 1 }),
  ],
  'DELETE /v1/account/markups/:tag': [
    { path: '/v1/account/markups/none', options: { method: 'DELETE' } },
    { path: '/v1/account/markups/%ff', options: { method: 'DELETE' } },
  ],
  'POST /v1/admin/records': [
    post('/v1/admin/records', 'not a record', ADMIN),
    post('/v1/admin/records', lineOf(860), { ...ADMIN, 'Content-Type': 'text/plain' }),
    post('/v1/admin/records?trust=maybe', lineOf(860), ADMIN),
    post('/v1/admin/records', `${lineOf(860)}${' '.repeat(70_000)}`, ADMIN),
    post('/v1/admin/records', lineOf(860), { Authorization: 'Bearer wrong' }),
  ],
};

function successesOf(endpoint: Endpoint): readonly Call[] {
  const own = SUCCESSES[nameOf(endpoint)] ?? [];
  if (endpoint.method !== 'GET') return own;
  const addresses = new Set(
    (['required', 'all'] as const).map((which) => exampleAddress(endpoint, which)),
  );
  return [...[...addresses].map((path) => ({ path })), ...own];
}

/** The addresses of its example, each with another parameter that has a wrong value. */
function wrongAddresses(endpoint: Endpoint): readonly string[] {
  const samples = endpoint.operation?.parameters ?? {};
  const names = new Set([...pathParameters(endpoint.path), ...Object.keys(endpoint.query.shape)]);
  return [...names].map((name) => exampleAddress(endpoint, 'all', { ...samples, [name]: '~' }));
}

function failuresOf(endpoint: Endpoint): readonly Call[] {
  const { method, rejectUnknown, encoding } = endpoint;
  const address = exampleAddress(endpoint, 'required');
  const wrong = [
    ...(rejectUnknown ? ['x=1'] : []),
    ...(encoding && method === 'GET' ? ['format=JSON'] : []),
  ];
  const general = wrong.map((text) => `${address}${address.includes('?') ? '&' : '?'}${text}`);
  const all = [...general, ...(method === 'GET' ? wrongAddresses(endpoint) : [])];
  return [...all.map((path) => ({ path })), ...(FAILURES[nameOf(endpoint)] ?? [])];
}

async function serving(): Promise<{ service: TestService; key: string }> {
  const service = await startTestService();
  const row = { bank: 'Banesco', buy: 888.1, sell: 889.9, date: '2026-11-20' };
  const older = { bank: 'Mercantil', sell: 889.1, date: '2026-11-19' };
  const earlier = iso(START - 3_600_000);
  await service.push(
    quote('parallel', 845, { updated_at: earlier, captured_at: earlier }),
    ...fullMarket(),
    bankTable('2026-11-20', [row, older]),
  );
  const key = await service.keyFor('Escala');
  const body = { ...RULE, tag: 'kept' };
  const kept = await service.call('/v1/account/markups', { key, method: 'POST', body });
  expect(kept.status).toBe(201);
  // On a busy machine the state of the sources may not have been read yet.
  await expect.poll(async () => (await service.call('/v1/status')).status).toBe(200);
  return { service, key };
}

/** `OWN` in a path stands for the id of the key, which only the service knows. */
async function ask(service: TestService, key: string, { path, options }: Call) {
  const { json } = path.includes('/OWN') ? await service.call('/v1/account', { key }) : {};
  const own: string = json?.keys?.[0]?.id ?? 'OWN';
  return service.call(path.replace('OWN', own), { key, ...options });
}

describe('§4 what the endpoints declare', () => {
  test('§4 the cases below have a success and a failure of each endpoint that writes', () => {
    const without = (cases: object, of: readonly Endpoint[]) =>
      of.map(nameOf).filter((name) => !Object.hasOwn(cases, name));
    const writing = ENDPOINTS.filter(({ method }) => method !== 'GET');
    expect(without(SUCCESSES, writing)).toEqual([]);
    expect(without(FAILURES, writing)).toEqual([]);
    const names = ENDPOINTS.map(nameOf);
    const cases = [...Object.keys(SUCCESSES), ...Object.keys(FAILURES)];
    expect(cases.filter((name) => !names.includes(name))).toEqual([]);
  });

  for (const endpoint of ENDPOINTS) {
    test(`§4 ${nameOf(endpoint)} answers exactly the fields of its schema`, async () => {
      const { service, key } = await serving();
      for (const one of successesOf(endpoint)) {
        const reply = await ask(service, key, one);
        expect([one.path, reply.status]).toEqual([one.path, endpoint.status ?? 200]);
        if (endpoint.status === 204) {
          expect(reply.text).toBe('');
          continue;
        }
        const result = strict(endpoint.answer).safeParse(reply.json);
        expect([one.path, result.error?.issues ?? []]).toEqual([one.path, []]);
      }
    });

    test(`§7 ${nameOf(endpoint)} raises only its declared errors and the shared ones`, async () => {
      const { service, key } = await serving();
      const { accounts, changePoller } = service.service;
      const declared = new Set<string>(errorCodesOf(endpoint));
      for (const code of endpoint.errors) expect(declared).toContain(code);
      const expectDeclared = ({ status, json }: Awaited<ReturnType<typeof ask>>, what: string) => {
        expect([what, status]).toEqual([what, ERRORS[json?.code as keyof typeof ERRORS]?.status]);
        expect(declared, what).toContain(json.code);
      };
      for (const one of failuresOf(endpoint)) {
        expectDeclared(await ask(service, key, one), `${one.path} ${JSON.stringify(one.options)}`);
      }
      const [success] = successesOf(endpoint);
      if (success === undefined) throw new Error('no request that succeeds');
      const bare = { ...success, options: { ...success.options, headers: {} } };
      if (endpoint.access === 'open') {
        expect((await ask(service, 'wrong', bare)).status).toBe(200);
        return;
      }
      expectDeclared(await ask(service, 'wrong', bare), 'a wrong key');
      expectDeclared(await ask(service, '', bare), 'no key');
      if (endpoint.access === 'admin') return;
      const gratis = await service.keyFor('Gratis');
      const onGratis = await ask(service, gratis, { ...success, path: `${success.path}` });
      if (onGratis.status >= 400) expectDeclared(onGratis, 'Gratis');
      const account = await accounts.create('suspended', 'Escala');
      const { key: suspended } = await accounts.createKey(account.id);
      await accounts.setStatus(account.id, 'suspended');
      await changePoller.poll();
      expectDeclared(await ask(service, suspended, success), 'suspended');
    });

    test(`§7 ${nameOf(endpoint)} raises only declared errors on an empty service`, async () => {
      const service = await startTestService();
      const key = await service.keyFor('Escala');
      const declared = new Set<string>(errorCodesOf(endpoint));
      for (const one of successesOf(endpoint)) {
        const reply = await ask(service, key, one);
        if (reply.status >= 400) expect(declared, one.path).toContain(reply.json.code);
      }
    });
  }

  test('§7 every code of the interface is raised by some endpoint with its status', () => {
    const rows: [number, string, string][] = [
      [400, 'missing_field', 'GET /v1/fx/convert'],
      [400, 'missing_field', 'POST /v1/fx/bulk/convert'],
      [400, 'invalid_format', 'GET /v1/fx/convert'],
      [400, 'invalid_format', 'POST /v1/fx/bulk/convert'],
      [400, 'unknown_parameter', 'GET /v1/fx/convert'],
      [400, 'unknown_parameter', 'GET /v1/fx/markets'],
      [400, 'unknown_parameter', 'GET /v1/fx/spread'],
      [400, 'invalid_base', 'GET /v1/fx/spread'],
      [400, 'invalid_against', 'GET /v1/fx/spread'],
      [402, 'feature_not_in_plan', 'GET /v1/fx/rates/:market'],
      [403, 'history_out_of_retention', 'GET /v1/fx/rates/:market/history'],
      [404, 'resource_not_found', 'GET /v1/fx/rates/:market'],
      [404, 'resource_not_found', 'GET /v1/fx/convert'],
      [404, 'markup_not_found', 'GET /v1/fx/rates'],
      [404, 'bcv_snapshot_unavailable', 'GET /v1/fx/bcv/banks'],
      [404, 'bcv_snapshot_unavailable', 'GET /v1/fx/bcv/currencies'],
      [422, 'no_route', 'GET /v1/fx/route'],
      [422, 'reference_unavailable', 'GET /v1/fx/spread'],
      [422, 'compared_unavailable', 'GET /v1/fx/spread'],
      [429, 'rate_limit_exceeded', 'POST /v1/fx/bulk/convert'],
      [503, 'service_unavailable', 'GET /v1/fx/route'],
      [503, 'service_unavailable', 'GET /v1/fx/index'],
    ];
    for (const [status, code, name] of rows) {
      const found = ENDPOINTS.find((one) => nameOf(one) === name);
      expect([name, found && errorCodesOf(found)]).toEqual([name, expect.arrayContaining([code])]);
      expect([code, ERRORS[code as keyof typeof ERRORS].status]).toEqual([code, status]);
    }
  });

  test('§8 the month of the account is the UTC month of the clock', async () => {
    const { service, key } = await serving();
    const { usage } = (await service.call('/v1/account', { key })).json;
    expect(usage.resets_at).toBe(iso(utcMonthOf(START).end));
  });
});

describe('every section of the interface has tests', () => {
  const SECTIONS = [
    ...['1', '2', '3', '4', '5', '6', '7', '8', '9'],
    ...['2.1', '2.2', '2.3', '2.4', '2.5', '2.6', '2.7', '2.8', '2.9', '2.10', '2.11', '2.12'],
    ...['4.1', '4.2', '4.3', '4.4', '4.5', '4.6', '4.7', '4.8', '4.9', '4.10', '4.11'],
  ];
  /** Sections that ask for nothing that a test could hold the service to. */
  const WITHOUT_REQUIREMENTS: Record<string, string> = {
    '1': 'an overview: each of its sentences is a section of its own',
    '2': 'only a heading: its fields are in 2.1 to 2.12',
    '3': 'no resource has states; the flags that it names are in 2.1, 2.4, 2.8 and 2.10',
    '6': 'there are no events',
  };

  test('every section with requirements is cited by the title of a test', async () => {
    const files = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.test.ts'));
    const texts = await Promise.all(
      files.map((name) => readFile(new URL(name, import.meta.url), 'utf8')),
    );
    const named = new Set(
      texts.flatMap((text) =>
        [
          ...text.matchAll(/\b(?:test|describe)\b[^'"`\n]*\(\s*['"`]§(\d+(?:\.\d+)?)(?![.\d])/g),
        ].map(([, section]) => section),
      ),
    );
    const missing = SECTIONS.filter(
      (section) => !named.has(section) && !(section in WITHOUT_REQUIREMENTS),
    );
    expect(missing).toEqual([]);
  });
});
