import { describe, expect, test } from 'vitest';
import { allEndpoints } from '../../src/core/http/endpoints/all.ts';
import { queryNames } from '../../src/core/http/framework/routing/parameters.ts';
import { fullMarket, official } from '../harness/make.ts';
import { faultOf, type Reply, startTestService } from '../harness/service.ts';

// The clock shows Saturday 2026-11-21, 08:00 in Caracas.

async function serving() {
  const service = await startTestService();
  await service.push(...fullMarket(), official('2026-11-19', { USD: 884, EUR: 1000 }));
  const key = await service.keyFor('Escala');
  const get = (path: string) => service.call(path, { key });
  const bulk = (more: object, query = '') =>
    service.call(`/v1/fx/bulk/convert${query}`, {
      key,
      method: 'POST',
      body: { from: 'USD', to: 'VES', amounts: [1], ...more },
    });
  return { service, key, get, bulk };
}

const suggestion = (reply: Reply) => [...faultOf(reply), reply.json?.details?.did_you_mean];
const ignored = (reply: Reply) => reply.headers.get('x-ignored-parameters')?.split(',') ?? [];

/** Every GET of figures that takes no market in its path, with its parameters. */
const FIGURES = allEndpoints({ admin: false })
  .filter(({ path, method }) => path.startsWith('/v1/fx/') && method === 'GET')
  .map((one) => ({
    address: `${one.path.replace(':market', 'reference')}?`,
    own: queryNames(one),
    refusesAll: one.rejectUnknown === true,
  }));

describe('contract §4: since and rule choose a figure, as date does', () => {
  test.each(FIGURES.filter(({ refusesAll }) => !refusesAll))(
    '$address refuses each that it does not take',
    async ({ address, own }) => {
      const { service, get } = await serving();
      const names = ['since', 'rule', 'Since', 'RULE', 'regla', 'rule[]'];
      for (const name of names.filter((one) => !own.includes(one))) {
        service.clock.advance(5_000);
        const reply = await get(`${address}amount=1&${name}=next_banking_day`);
        expect([name, ...faultOf(reply)]).toEqual([name, 400, 'unknown_parameter', name]);
      }
    },
  );

  test('rule is suggested where it is meant, and told where it cannot be chosen', async () => {
    const { get, bulk } = await serving();
    expect(suggestion(await get('/v1/fx/rates?regla=value_date'))).toEqual([
      400,
      'unknown_parameter',
      'regla',
      'rule',
    ]);
    expect((await get('/v1/fx/index?rule=value_date')).json.message).toBe(
      'This endpoint takes no rule: /v1/fx/rates and /v1/fx/convert do.',
    );
    expect((await get('/v1/fx/index?since=2026-11-01')).json.message).toContain('takes no range');
    expect((await bulk({}, '?rule=value_date')).json.message).toBe(
      'This endpoint takes its rule in the body.',
    );
    for (const name of ['market', 'mercado', 'amounts', 'adjusted', 'to']) {
      expect(faultOf(await bulk({}, `?${name}=parallel`))).toEqual([
        400,
        'unknown_parameter',
        name,
      ]);
    }
    expect((await bulk({}, '?mercado=parallel')).json.message).toBe(
      'This endpoint takes its market in the body.',
    );
    expect(faultOf(await bulk({ since: '2026-11-19' }))).toEqual([
      400,
      'unknown_parameter',
      'since',
    ]);
    for (const [path, meant] of [
      ['/v1/fx/corrections?desde=2026-11-01', 'since'],
      ['/v1/fx/rates/parallel/candles?since=2026-11-01', 'from'],
      ['/v1/account/usage?since=2026-11-01', 'from'],
    ] as const) {
      const reply = await get(path);
      expect([path, reply.status, suggestion(reply).at(-1)]).toEqual([path, 400, meant]);
    }
  });

  test('rule without a date is refused where both are parameters', async () => {
    const { get } = await serving();
    for (const path of ['/v1/fx/rates', '/v1/fx/rates/reference']) {
      const reply = await get(`${path}?rule=next_banking_day`);
      expect([path, ...faultOf(reply)]).toEqual([path, 400, 'invalid_format', 'rule']);
    }
  });

  test('the account has no figures of a day', async () => {
    const { get } = await serving();
    const reply = await get('/v1/account?since=2026-11-18&rule=x&invoice_date=1');
    expect([reply.status, ignored(reply)]).toEqual([200, ['since', 'rule', 'invoice_date']]);
  });
});

describe('contract §2: an empty day, since or rule is refused at every address', () => {
  const NAMES = ['date', 'from', 'to', 'since', 'rule'];
  /** Where `from` and `to` are currencies, an empty one is absent as any other. */
  const isCurrency = (address: string, name: string) =>
    /convert|route|calculator/.test(address) && (name === 'from' || name === 'to');

  test.each(FIGURES)('$address', async ({ address }) => {
    const { service, get } = await serving();
    for (const name of NAMES.filter((one) => !isCurrency(address, one))) {
      for (const sent of [`${name}=`, name, `${name}=%20`, `${name}=+`]) {
        service.clock.advance(5_000);
        const reply = await get(
          `${address}amount=1&${sent}`.replace('amount=1&', fitting(address)),
        );
        expect([sent, ...faultOf(reply), reply.json.details?.rule]).toEqual([
          sent,
          400,
          'invalid_format',
          name,
          'empty',
        ]);
      }
    }
  });

  const fitting = (address: string) =>
    /convert|route/.test(address)
      ? 'from=USD&to=VES&amount=1&'
      : address.includes('calculator')
        ? 'amount=1&'
        : '';

  test.each([
    '/v1/account?',
    '/v1/account/keys?',
    '/v1/account/usage?',
    '/v1/account/markups?',
    '/v1/status?',
  ])('%s', async (address) => {
    const { get } = await serving();
    for (const name of NAMES) {
      const reply = await get(`${address}${name}=`);
      expect([name, ...faultOf(reply)]).toEqual([name, 400, 'invalid_format', name]);
    }
  });

  test('a batch refuses them in its body and in its query', async () => {
    const { bulk } = await serving();
    for (const name of ['date', 'since', 'rule']) {
      for (const blank of ['', ' ', '\t']) {
        const reply = await bulk({ [name]: blank });
        expect([name, ...faultOf(reply), reply.json.details?.rule]).toEqual([
          name,
          400,
          'invalid_format',
          name,
          'empty',
        ]);
      }
    }
    for (const name of NAMES) {
      const reply = await bulk({}, `?${name}=`);
      expect([name, ...faultOf(reply)]).toEqual([name, 400, 'invalid_format', name]);
    }
  });
});

describe('contract §4: a name with a word for a day among its words means a day', () => {
  const DATES = [
    'invoice_date',
    'invoiceDate',
    'INVOICE-DATE',
    'date_value',
    'valueDate',
    'rate.date',
    'filter[date]',
    'filter%5Bdate%5D',
    'date_1',
    'USDDate',
    'fecha_factura',
    'fechaFactura',
    'fechafactura',
    'invoicedate',
    'VALUTADATETIME',
    'fechaValor',
    'dia_de_pago',
    'd%C3%ADa_pago',
    'pay_day',
    'day_of_invoice',
    'datetime',
    'when',
    // As a browser of a page in Latin-1 encodes it.
    'd%EDa',
    'D%CDA',
    'date%3D2026-11-19',
    'x%3D1%26date%3D2026-11-19',
  ];

  test.each(DATES)('%s means date', async (name) => {
    const { get } = await serving();
    for (const path of ['/v1/fx/rates?', '/v1/fx/rates/reference?', '/v1/fx/index?']) {
      const reply = await get(`${path}utm_source=x&${name}=2026-11-19`);
      expect([path, ...suggestion(reply)]).toEqual([
        path,
        400,
        'unknown_parameter',
        decodeName(name),
        path.includes('index') ? undefined : 'date',
      ]);
    }
  });

  const decodeName = (name: string) => [...new URLSearchParams(name).keys()][0];

  test.each([
    ['date_from', 'from'],
    ['fromDate', 'from'],
    ['fecha_desde', 'from'],
    ['fechaInicio', 'from'],
    ['start_day', 'from'],
    ['to_date', 'to'],
    ['fecha_hasta', 'to'],
    ['fechaFin', 'to'],
    ['date-end', 'to'],
    ['datefrom', 'from'],
    ['todate', 'to'],
    ['until', 'to'],
  ])('%s means %s', async (name, meant) => {
    const { get } = await serving();
    const path = `/v1/fx/rates/parallel/candles?${name}=2026-11-19`;
    expect(suggestion(await get(path))).toEqual([400, 'unknown_parameter', name, meant]);
    const elsewhere = await get(`/v1/fx/rates?${name}=2026-11-19`);
    expect(suggestion(elsewhere)).toEqual([400, 'unknown_parameter', name, undefined]);
    expect(elsewhere.json.message).toContain('takes no range');
  });

  test('such a field of a batch is refused', async () => {
    const { bulk } = await serving();
    for (const name of ['invoice_date', 'fechaFactura', 'pay_day']) {
      expect(suggestion(await bulk({ [name]: '2026-11-19' }))).toEqual([
        400,
        'unknown_parameter',
        name,
        'date',
      ]);
    }
  });

  test('names that only contain its letters, and those of trackers and caches, are ignored', async () => {
    const { get, bulk } = await serving();
    const names = [
      'timestamp',
      'lastupdate',
      'utm_source',
      'utm_medium',
      'utm_date',
      'utm_content',
      'gclid',
      'fbclid',
      'msclkid',
      'srsltid',
      'mc_cid',
      '_ga',
      '_',
      't',
      'ts',
      '_dc',
      'nocache',
      'update',
      'updated_at',
      'lastUpdate',
      'candidate',
      'mandate',
      'validate',
      'today',
      'birthday',
      'holiday',
      'media',
      'social_media',
      'diagram',
      'role_id',
      'month',
      'on_sale',
      'from_app',
    ];
    for (const name of names) {
      const reply = await get(`/v1/fx/rates?${name}=2026-11-19`);
      expect([name, reply.status, ignored(reply)]).toEqual([name, 200, [name]]);
      // Nearly the field `to` of a batch.
      if (name === 't' || name === 'ts') continue;
      const batch = await bulk({ [name]: 1 });
      expect([name, batch.status, ignored(batch)]).toEqual([name, 200, [name]]);
    }
  });
});

describe('contract §4: a day behind a sign that separates no parameters', () => {
  test.each([
    ['x=1;date=2026-11-19', 'date'],
    ['x=1;fecha=2026-11-19', 'fecha'],
    ['x=1;invoice_date=2026-11-19', 'invoice_date'],
    ['x;date=2026-11-19', 'date'],
    [';date=2026-11-19', 'date'],
    ['utm_source=x;date=2026-11-19', 'date'],
    ['x=1;y=2;rule=next_banking_day', 'rule'],
    ['x=1;from=2026-11-01', 'from'],
    ['x=1%3Bdate%3D2026-11-19', 'date'],
    ['x=1;date=', 'date'],
    ['_=1?date=2026-11-19', 'date'],
    ['format=json;date=2026-11-19', 'date'],
  ])('%s is refused', async (query, field) => {
    const { get } = await serving();
    for (const path of ['/v1/fx/rates', '/v1/fx/rates/reference', '/v1/fx/index']) {
      const reply = await get(`${path}?${query}`);
      expect([path, ...faultOf(reply)]).toEqual([path, 400, 'unknown_parameter', field]);
      expect(reply.json.message).toBe(
        `${field} stands behind another value: separate parameters with &.`,
      );
    }
  });

  test('other names behind such a sign, and addresses in a value, pass', async () => {
    const { get } = await serving();
    for (const [query, name] of [
      ['x=1;y=2', 'x'],
      ['x=1;update=2', 'x'],
      ['x=1;date', 'x'],
      ['ref=https://shop.example/?date=1', 'ref'],
      ['next=/pay?day=1', 'next'],
    ] as const) {
      const reply = await get(`/v1/fx/rates?${query}`);
      expect([query, reply.status, ignored(reply)]).toEqual([query, 200, [name]]);
    }
    const account = await get('/v1/account?x=1;date=2');
    expect([account.status, ignored(account)]).toEqual([200, ['x']]);
  });
});
