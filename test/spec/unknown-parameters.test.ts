import { describe, expect, test } from 'vitest';
import { allEndpoints } from '../../src/core/http/endpoints/all.ts';
import { queryNames } from '../../src/core/http/framework/routing/parameters.ts';
import { dayNames } from '../../src/core/http/pipeline/field-rules.ts';
import { bankTable, fullMarket, quote } from '../harness/make.ts';
import { ADMIN_TOKEN, faultOf, type Reply, startTestService } from '../harness/service.ts';

const CALCULATOR = '/v1/fx/public/calculator?amount=1';
const BULK = { from: 'USD', to: 'VES', amounts: [1] };
const HEADER = 'x-ignored-parameters';

async function serving() {
  const service = await startTestService();
  await service.push(...fullMarket(), bankTable('2026-11-20', [{ bank: 'Banesco', sell: 889.9 }]));
  const key = await service.keyFor('Escala');
  const get = (path: string) => service.call(path, { key });
  const bulk = (body: object, query = '') =>
    service.call(`/v1/fx/bulk/convert${query}`, { key, method: 'POST', body });
  return { service, key, get, bulk };
}

const suggestion = (reply: Reply) => [...faultOf(reply), reply.json?.details?.did_you_mean];

const namesIn = (reply: Reply) => reply.headers.get(HEADER)?.split(',') ?? [];

describe('a parameter that is nearly ours (contract §4)', () => {
  test.each([
    ['/v1/fx/rates?Date=2026-10-01', 'Date', 'date'],
    ['/v1/fx/rates?dat=2026-10-01', 'dat', 'date'],
    ['/v1/fx/rates?daet=2026-10-01', 'daet', 'date'],
    ['/v1/fx/rates?dates=2026-10-01', 'dates', 'date'],
    ['/v1/fx/rates?fecha=2026-10-01', 'fecha', 'date'],
    ['/v1/fx/rates?FECHA=', 'FECHA', 'date'],
    ['/v1/fx/rates?%66echa=1', 'fecha', 'date'],
    ['/v1/fx/rates?formato=csv', 'formato', 'format'],
    ['/v1/fx/rates/parallel?fecha=2026-10-01', 'fecha', 'date'],
    ['/v1/fx/rates/parallel?detail=true', 'detail', 'details'],
    ['/v1/fx/rates/parallel/candles?desde=2026-11-01', 'desde', 'from'],
    ['/v1/fx/rates/parallel/candles?hasta=2026-11-01', 'hasta', 'to'],
    ['/v1/fx/rates/parallel/candles?intervalo=week', 'intervalo', 'interval'],
    ['/v1/fx/changes?periodo=7d', 'periodo', 'period'],
    ['/v1/fx/changes?per%C3%ADodo=7d', 'período', 'period'],
    ['/v1/fx/changes?mercado=cash', 'mercado', 'markets'],
    ['/v1/fx/changes?market=cash', 'market', 'markets'],
    ['/v1/fx/index?Format=csv', 'Format', 'format'],
    ['/v1/fx/official?locales=es', 'locales', 'locale'],
    ['/v1/account/usage?form=2026-11-01', 'form', 'from'],
    ['/v1/account?keys-after=k', 'keys-after', 'keys_after'],
    [`${CALCULATOR}&desde=EUR`, 'desde', 'from'],
    [`${CALCULATOR}&t=EUR`, 't', 'to'],
    ['/v1/fx/public/calculator?monto=5', 'monto', 'amount'],
  ])('%s is refused where others are ignored', async (path, field, meant) => {
    const { get } = await serving();
    const reply = await get(path);
    expect(suggestion(reply)).toEqual([400, 'unknown_parameter', field, meant]);
    expect(reply.json.message).toContain(`Did you mean ${meant}?`);
  });

  test.each([
    ['/v1/fx/convert?from=USD&to=VES&monto=1', 'monto', 'amount'],
    ['/v1/fx/convert?from=USD&to=VES&amount=1&mercado=cash', 'mercado', 'market'],
    ['/v1/fx/convert?from=USD&to=VES&amount=1&bia=cash', 'bia', 'via'],
    ['/v1/fx/rates/parallel/history?fecha=2026-11-01', 'fecha', 'date'],
    ['/v1/fx/calendar?desde=2026-11-01', 'desde', 'from'],
    ['/v1/fx/spread?agianst=cash', 'agianst', 'against'],
  ])('%s is suggested where every unknown one is refused', async (path, field, meant) => {
    const { get } = await serving();
    expect(suggestion(await get(path))).toEqual([400, 'unknown_parameter', field, meant]);
  });

  test('t and ts with a number are ignored and told at history as _ is, but never a day', async () => {
    const { get } = await serving();
    for (const path of ['/v1/fx/rates/parallel/history', '/v1/fx/official/history']) {
      const reply = await get(`${path}?t=1732000000000&ts=1732000000.5`);
      expect([path, reply.status, namesIn(reply)]).toEqual([path, 200, ['t', 'ts']]);
      for (const name of ['t', 'ts']) {
        expect(suggestion(await get(`${path}?${name}=2026-11-20`))).toEqual([
          ...[400, 'unknown_parameter', name, 'to'],
        ]);
      }
    }
    const convert = '/v1/fx/convert?from=USD&to=VES&amount=1';
    expect((await get(`${convert}&t=1732000000000`)).status).toBe(400);
  });

  test('_ of jQuery is ignored and told at history, and refused where a figure is computed', async () => {
    const { get } = await serving();
    for (const path of ['/v1/fx/rates/parallel/history', '/v1/fx/official/history']) {
      const reply = await get(`${path}?_=1732000000000`);
      expect([path, reply.status, namesIn(reply)]).toEqual([path, 200, ['_']]);
      expect([path, (await get(`${path}?_=1&dia=2026-11-01`)).status]).toEqual([path, 400]);
      expect([path, (await get(`${path}?foo=1`)).status]).toEqual([path, 400]);
    }
    for (const path of ['/v1/fx/convert?from=USD&to=VES&amount=1', '/v1/fx/spread?against=cash']) {
      expect(faultOf(await get(`${path}&_=1`))).toEqual([400, 'unknown_parameter', '_']);
    }
  });

  test('trust of pushed records is not missed by a letter', async () => {
    const { service } = await serving();
    const reply = await service.call('/v1/admin/records?trsut=true', {
      method: 'POST',
      headers: { 'X-Admin-Token': ADMIN_TOKEN, 'Content-Type': 'application/x-ndjson' },
      body: JSON.stringify(quote('parallel', 9)),
    });
    expect(suggestion(reply)).toEqual([400, 'unknown_parameter', 'trsut', 'trust']);
  });

  test('two edits, other Spanish words and names of other endpoints are ignored, and told', async () => {
    const { get } = await serving();
    for (const name of ['dte_', 'dias', 'days', 'fech', 'monto', 'moneda', 'market', 'via', '_']) {
      const reply = await get(`/v1/fx/rates?${name}=1`);
      expect([name, reply.status, namesIn(reply)]).toEqual([name, 200, [name]]);
    }
  });

  test('costs nothing', async () => {
    const { get } = await serving();
    const before = (await get('/v1/account')).json.usage.units_used;
    await get('/v1/fx/rates?fecha=2026-10-01');
    expect((await get('/v1/account')).json.usage.units_used).toBe(before);
  });
});

describe('a day where there is none to ask for (contract §4)', () => {
  const CURRENT = [
    '/v1/fx/official',
    '/v1/fx/index',
    '/v1/fx/bcv/banks',
    '/v1/fx/bcv/currencies',
    '/v1/fx/changes',
    '/v1/fx/rates/parallel/candles',
    '/v1/fx/public/calculator',
  ];

  test.each(CURRENT)('%s refuses date instead of showing another day', async (path) => {
    const { get } = await serving();
    for (const name of ['date', 'Date', 'fecha', 'dat']) {
      const reply = await get(`${path}?amount=1&${name}=2026-10-01`);
      expect([name, ...suggestion(reply)]).toEqual([
        name,
        400,
        'unknown_parameter',
        name,
        undefined,
      ]);
      expect(reply.json.message).toBe(
        'This endpoint takes no date: /v1/fx/rates and /v1/fx/convert do.',
      );
    }
  });

  test('a batch takes date in its body, not in its query', async () => {
    const { bulk } = await serving();
    const refused = await bulk(BULK, '?date=2026-11-20');
    expect(faultOf(refused)).toEqual([400, 'unknown_parameter', 'date']);
    expect(refused.json.message).toBe('This endpoint takes its date in the body.');
    expect((await bulk({ ...BULK, date: '2026-11-20' })).json.as_of.date).toBe('2026-11-20');
  });

  test('the account has no figures of a day: date is ignored there', async () => {
    const { get } = await serving();
    for (const path of ['/v1/account', '/v1/account/keys']) {
      const reply = await get(`${path}?date=2026-10-01`);
      expect([path, reply.status, namesIn(reply)]).toEqual([path, 200, ['date']]);
    }
  });
});

const DATE_NAMES = [
  'dia',
  'día',
  'day',
  'on',
  'at',
  'as_of',
  'value_date',
  'fecha_valor',
  'effective_date',
];
const FROM_NAMES = ['start', 'start_date', 'inicio'];
const TO_NAMES = ['end', 'end_date', 'fin'];

describe('other names for a day (contract §4)', () => {
  const inAnyCase = (name: string) => [name, name.toUpperCase(), name.replace('_', '-')];

  /** Every GET of figures that ignores unknown names, with what its days are called. */
  const IGNORING = allEndpoints({ admin: false }).filter(
    (one) => one.path.startsWith('/v1/fx/') && one.method === 'GET' && !one.rejectUnknown,
  );
  const addressOf = (path: string) => `${path.replace(':market', 'parallel')}?amount=1`;

  test('there are addresses of both kinds', () => {
    expect(IGNORING.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/v1/fx/rates', '/v1/fx/index', '/v1/fx/public/calculator']),
    );
  });

  test.each(IGNORING.map(({ path, query }) => [path, dayNames(query)] as const))(
    '%s refuses each of them in any case, wherever it stands',
    async (path, days) => {
      const { service, get } = await serving();
      for (const [names, meant] of [
        [DATE_NAMES, 'date'],
        [FROM_NAMES, 'from'],
        [TO_NAMES, 'to'],
      ] as const) {
        for (const name of names.flatMap(inAnyCase)) {
          const sent = `${encodeURIComponent(name)}=2026-11-19`;
          // The calculator has a limit of its own.
          service.clock.advance(5_000);
          for (const query of [`&${sent}`, `&${sent}&_=1&utm_source=x`, `&_=1&${sent}`]) {
            const reply = await get(`${addressOf(path)}${query}`);
            const expected = days.includes(meant) ? meant : undefined;
            expect([query, ...suggestion(reply)]).toEqual([
              query,
              400,
              'unknown_parameter',
              name,
              expected,
            ]);
          }
        }
      }
    },
  );

  test.each(IGNORING.map(({ path, query }) => [path, queryNames({ path, query })] as const))(
    '%s refuses date, from and to where they are none of its parameters',
    async (path, own) => {
      const { get } = await serving();
      for (const name of ['date', 'from', 'to', 'From', 'TO'].filter((one) => !own.includes(one))) {
        const reply = await get(`${addressOf(path)}&${name}=2026-11-19`);
        expect([name, ...faultOf(reply)]).toEqual([name, 400, 'unknown_parameter', name]);
      }
    },
  );

  test.each([
    ['/v1/fx/spread?from=2026-11-19', 'from', undefined],
    ['/v1/fx/spread?date=2026-11-19', 'date', undefined],
    ['/v1/fx/convert?from=USD&to=VES&amount=1&as_of=2026-11-19', 'as_of', 'date'],
    ['/v1/fx/convert?from=USD&to=VES&amount=1&start=2026-11-19', 'start', undefined],
    ['/v1/fx/official/history?start_date=2026-11-01', 'start_date', 'from'],
    ['/v1/fx/official/history?fin=2026-11-01', 'fin', 'to'],
    ['/v1/fx/official/history?day=all', 'day', 'days'],
    ['/v1/fx/rates/parallel/history?valueDate=2026-11-01', 'valueDate', 'date'],
    ['/v1/fx/calendar?end=2026-11-01', 'end', 'to'],
  ])('%s is refused too', async (path, field, meant) => {
    const { get } = await serving();
    expect(suggestion(await get(path))).toEqual([400, 'unknown_parameter', field, meant]);
  });

  test('t and ts pass, as a cache buster, and what is nearly no day too', async () => {
    const { get } = await serving();
    const names = ['t', 'ts', '_', 'v', 'stat', 'month', 'onn'];
    const reply = await get(`/v1/fx/rates?${names.map((name) => `${name}=1`).join('&')}`);
    expect([reply.status, namesIn(reply)]).toEqual([200, names]);
  });

  test('a batch refuses them in its body and in its query', async () => {
    const { bulk } = await serving();
    for (const name of DATE_NAMES) {
      const reply = await bulk({ ...BULK, [name]: '2026-11-19' });
      expect(suggestion(reply)).toEqual([400, 'unknown_parameter', name, 'date']);
    }
    for (const name of [...FROM_NAMES, ...TO_NAMES]) {
      const reply = await bulk({ ...BULK, [name]: '2026-11-19' });
      expect(suggestion(reply)).toEqual([400, 'unknown_parameter', name, undefined]);
    }
    for (const name of [...DATE_NAMES, ...FROM_NAMES, ...TO_NAMES, 'date', 'from', 'to']) {
      const reply = await bulk(BULK, `?${encodeURIComponent(name)}=2026-11-19`);
      expect(suggestion(reply)).toEqual([400, 'unknown_parameter', name, undefined]);
    }
  });
});

describe('X-Ignored-Parameters (contract §4)', () => {
  test('names what changed nothing, each once and in order, on answers, 304 and errors', async () => {
    const { service, key, get } = await serving();
    const path = '/v1/fx/rates/parallel?utm_source=x&_=1&utm_source=y&=z&&rid';
    const reply = await get(path);
    expect(reply.headers.get(HEADER)).toBe('utm_source,_,rid');
    const headers = { 'If-None-Match': reply.headers.get('etag') ?? '' };
    const unchanged = await service.call(path, { key, headers });
    expect([unchanged.status, unchanged.headers.get(HEADER)]).toEqual([304, 'utm_source,_,rid']);
    const missing = await get('/v1/fx/rates/nothing?_=1');
    expect([missing.status, namesIn(missing)]).toEqual([404, ['_']]);
    expect((await get('/v1/fx/rates/parallel')).headers.has(HEADER)).toBe(false);
  });

  test('has at most ten names, of at most 64 characters', async () => {
    const { get } = await serving();
    const many = Array.from({ length: 12 }, (_, index) => `name${index}`);
    expect(namesIn(await get(`/v1/fx/rates?${many.join('&')}`))).toEqual(many.slice(0, 10));
    const [long = ''] = namesIn(await get(`/v1/fx/rates?${'n'.repeat(2_000)}=1`));
    expect(long).toBe('n'.repeat(64));
  });

  test('percent-encodes what may not stand in a header', async () => {
    const { get } = await serving();
    const reply = await get(
      '/v1/fx/rates?a%0d%0ab&x%2Cy&%C3%B1&amount%5B%5D&a%00b&%zz&__proto__=1',
    );
    expect(namesIn(reply)).toEqual([
      'a%0D%0Ab',
      'x%2Cy',
      '%C3%B1',
      'amount%5B%5D',
      'a%00b',
      '%25zz',
      '__proto__',
    ]);
  });

  test('is readable for pages of other origins', async () => {
    const { get } = await serving();
    const reply = await get(`${CALCULATOR}&_=1`);
    expect(reply.headers.get('access-control-expose-headers')).toContain('X-Ignored-Parameters');
    expect(namesIn(reply)).toEqual(['_']);
  });
});

describe('fields of a batch (contract §4, §4.6)', () => {
  test.each([
    ['amount', 'amounts'],
    ['monto', 'amounts'],
    ['Market', 'market'],
    ['mercado', 'market'],
    ['markets', 'market'],
    ['fecha', 'date'],
    ['desde', 'from'],
    ['hasta', 'to'],
  ])('%s is refused: %s is meant', async (name, meant) => {
    const { bulk } = await serving();
    const reply = await bulk({ ...BULK, [name]: 'parallel' });
    expect(suggestion(reply)).toEqual([400, 'unknown_parameter', name, meant]);
    expect(reply.json.details.parameters).toEqual([
      'from',
      'to',
      'amounts',
      'market',
      'date',
      'rule',
      'adjusted',
    ]);
  });

  test('an unknown field is reported before a missing and a repeated one', async () => {
    const { bulk, service, key } = await serving();
    expect(faultOf(await bulk({ amount: 1 }))).toEqual([400, 'unknown_parameter', 'amount']);
    const body = '{"from":"USD","from":"USD","to":"VES","amount":1}';
    const twice = await service.call('/v1/fx/bulk/convert', { key, method: 'POST', body });
    expect(faultOf(twice)).toEqual([400, 'unknown_parameter', 'amount']);
  });

  test('via and items are ignored and told, as are other names in the query', async () => {
    const { bulk } = await serving();
    const reply = await bulk({ ...BULK, via: 'parallel', items: [1] }, '?x=1');
    expect([reply.status, reply.json.market]).toEqual([200, 'reference']);
    expect(namesIn(reply)).toEqual(['via', 'items', 'x']);
    expect((await bulk(BULK)).headers.has(HEADER)).toBe(false);
  });

  test('the names of object internals are fields like any other', async () => {
    const { service, key } = await serving();
    const body = '{"from":"USD","to":"VES","amounts":[1],"__proto__":1,"\\ud800":1}';
    const reply = await service.call('/v1/fx/bulk/convert', { key, method: 'POST', body });
    expect([reply.status, namesIn(reply)]).toEqual([200, ['__proto__', '%EF%BF%BD']]);
  });
});

describe('details.parameters (contract §4)', () => {
  test('every unknown_parameter lists what the reference lists', async () => {
    const { service, key, get } = await serving();
    const { paths, components } = (await get('/openapi.json')).json;
    const reference = (path: string, name: string) =>
      paths[path.replaceAll(/:(\w+)/g, '{$1}')].get.parameters.flatMap(
        (one: { name?: string; in?: string; $ref?: string }) => {
          const shared = components.parameters[one.$ref?.split('/').at(-1) ?? ''];
          const { in: place, name: own } = shared ?? one;
          return place === 'query' ? own : [];
        },
      ) ?? name;
    const rejecting = allEndpoints({ admin: false }).filter((one) => one.rejectUnknown === true);
    expect(rejecting.length).toBeGreaterThan(5);
    for (const { path } of rejecting) {
      const reply = await service.call(`${path.replace(':market', 'parallel')}?x=1`, { key });
      expect([path, ...faultOf(reply)]).toEqual([path, 400, 'unknown_parameter', 'x']);
      expect([path, reply.json.details]).toEqual([path, { parameters: reference(path, 'x') }]);
    }
    const near = await get('/v1/fx/rates?fecha=1');
    expect(near.json.details.parameters).toEqual(reference('/v1/fx/rates', 'fecha'));
    expect((await get('/v1/fx/markets?x=1')).json.details).toEqual({ parameters: [] });
  });
});
