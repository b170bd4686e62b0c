import { describe, expect, test } from 'vitest';
import { fullMarket, official } from '../../../../../test/harness/make.ts';
import type { Reply } from '../../../../../test/harness/service.ts';
import { startCompatService } from '../official-week.ts';

/** Names of parameters that they do not take, at the addresses of other services. */

async function serving() {
  const records = [...fullMarket(), official('2026-11-19', { USD: 884, EUR: 1000 })];
  const service = await startCompatService(ALL, { open: false, records });
  const key = await service.keyFor('Escala');
  return { get: (path: string) => service.call(path, { key }) };
}

const ALL = ['dolarapi', 'frankfurter', 'pydolarve', 'criptoya'] as const;

const namesIn = (reply: Reply) => reply.headers.get('x-ignored-parameters')?.split(',') ?? [];

/** Addresses of other services, with the status of their refusals. */
const FOREIGN = [
  ['/v1/latest?base=USD', 422],
  ['/v1/2026-11-19?base=USD', 422],
  ['/v1/2026-11-01..2026-11-19?base=USD', 422],
  ['/v1/currencies?x=1', 422],
  ['/v1/dolares?x=1', 400],
  ['/v1/dolares/oficial?x=1', 400],
  ['/v1/historicos/dolares?x=1', 400],
  ['/v1/historicos/dolares/oficial/2026/11/19?x=1', 400],
  ['/api/v1/dollar?page=bcv', 400],
  ['/api/v2/tipo-cambio?currency=usd', 400],
  ['/api/USDT/VES?x=1', 400],
] as const;

describe('contract §2: a day that is sent and empty never means today', () => {
  test.each([
    ['/v2/rates?base=USD&date=', { status: 422 }],
    ['/v2/rates?base=USD&from=', { status: 422 }],
    ['/v2/rates?base=USD&from=2026-11-01&to=', { status: 422 }],
    ['/v2/rate/USD/VES?date=', { status: 422 }],
  ])('%s is refused in the shape of that service', async (path, body) => {
    const { get } = await serving();
    const reply = await get(path);
    expect([reply.status, reply.json]).toEqual([422, expect.objectContaining(body)]);
    expect(reply.json.message).toMatch(/is empty/);
  });

  test('another parameter that is empty counts as absent', async () => {
    const { get } = await serving();
    const reply = await get('/v1/latest?from=USD&to=&amount=');
    expect([reply.status, reply.text]).toEqual([200, (await get('/v1/latest?from=USD')).text]);
  });

  test.each(FOREIGN)('%s, in the shape of that service', async (path, status) => {
    const { get } = await serving();
    for (const name of ['date', 'since', 'rule']) {
      const reply = await get(`${path}&${name}=`);
      expect([name, reply.status]).toEqual([name, status]);
      expect(reply.text).toMatch(/is empty|está vacío/);
    }
  });

  test('version 2 of Frankfurter refuses unknown names, but those that only pass by a cache', async () => {
    const { get } = await serving();
    for (const path of ['/v2/rates?base=USD', '/v2/rate/USD/VES?x', '/v2/currencies?x']) {
      const plain = path.replace('?x', '?');
      const reply = await get(`${plain}&t=1795204800000&_=1&ts=17.5`);
      expect([path, reply.status, namesIn(reply)]).toEqual([path, 200, ['t', '_', 'ts']]);
      expect((await get(`${plain}&t=2026-11-19`)).status).toBe(422);
      expect((await get(`${plain}&v=2`)).status).toBe(422);
    }
  });
});

describe('contract §4: names that choose a figure are refused, as date is', () => {
  test.each(FOREIGN)('%s refuses them in the shape of that service', async (path, status) => {
    const { get } = await serving();
    for (const name of ['since', 'rule', 'date']) {
      const reply = await get(`${path}&${name}=2026-11-18`);
      expect([name, reply.status]).toEqual([name, status]);
      expect(reply.text).toMatch(name === 'rule' ? /rule|regla/ : /date|fechas/);
    }
  });

  test.each([
    '/v1/latest',
    '/v1/2026-11-19',
    '/v1/dolares/oficial',
    '/v1/historicos/dolares',
    '/api/v1/dollar',
    '/api/USDT/VES',
  ])('%s refuses other names for a day', async (path) => {
    const { get } = await serving();
    for (const name of ['dia', 'día', 'as_of', 'fecha_valor', 'start', 'inicio', 'end', 'fin']) {
      const reply = await get(`${path}?${encodeURIComponent(name)}=2026-11-19`);
      expect([name, reply.status]).toEqual([name, /^.v1.(?:l|2)/.test(path) ? 422 : 400]);
    }
  });

  test.each(FOREIGN)(
    '%s refuses a name with a word for a day among its words',
    async (path, status) => {
      const { get } = await serving();
      for (const name of ['invoice_date', 'fechaFactura', 'pay_day']) {
        expect([name, (await get(`${path}&${name}=2026-11-19`)).status]).toEqual([name, status]);
      }
      // A day behind a sign that separates no parameters.
      for (const query of [
        'x=1;date=2026-11-19',
        'x=1;date=',
        'x=1%3Bdate%3D2026-11-19',
        '_=1?date=2026-11-19',
      ]) {
        expect([query, (await get(`${path}&${query}`)).status]).toEqual([query, status]);
      }
    },
  );
});

describe('contract §4: names that are nearly ours', () => {
  test.each([
    ['/v1/latest?Base=USD', 422, 'Did you mean base?'],
    ['/v1/latest?amuont=3', 422, 'Did you mean amount?'],
    ['/v1/latest?monto=3', 422, 'Did you mean amount?'],
    ['/v1/latest?date=2026-11-19', 422, 'takes no date'],
    ['/v1/2026-11-19?fecha=2026-11-18', 422, 'takes no date'],
    ['/v1/2026-11-18..?Symbols=VES', 422, 'Did you mean symbols?'],
    ['/v1/currencies?date=2026-11-19', 422, 'takes no date'],
    ['/v2/rates?Base=USD', 422, 'Did you mean base?'],
    ['/api/v1/dollar?Page=bcv', 400, '(Page)'],
    ['/api/v1/dollar?pgae=bcv', 400, '(pgae)'],
    ['/api/v2/dollar?Monitor=usd', 400, '(Monitor)'],
    ['/api/v2/euro?fecha=2026-11-19', 400, '(fecha)'],
    ['/api/v2/tipo-cambio?Currency=eur', 400, '(Currency)'],
    ['/v1/dolares/oficial?date=2026-11-19', 400, '(date)'],
    ['/v1/historicos/dolares?desde=2026-11-01', 400, '(desde)'],
    ['/v1/historicos/dolares?hasta=2026-11-01', 400, '(hasta)'],
    ['/v1/historicos/dolares/oficial?to=2026-11-01', 400, '(to)'],
    ['/v1/historicos/dolares?form=2026-11-01', 400, '(form)'],
    ['/api/USDT/VES?Date=2026-11-01', 400, 'takes no date'],
  ])('%s is refused in the format of that service', async (path, status, sentence) => {
    const { get } = await serving();
    const reply = await get(path);
    expect([reply.status, reply.json]).toEqual([
      status,
      path.startsWith('/v2') || path.startsWith('/v1/latest') || path.match(/^\/v1\/(?:\d|curr)/)
        ? expect.objectContaining({ message: expect.stringContaining(sentence) })
        : { error: expect.stringContaining(sentence) },
    ]);
  });

  test('ignore other names, also those that only pass by a cache, and tell it', async () => {
    const { get } = await serving();
    const paths = ['/v1/dolares', '/v1/historicos/dolares', '/v1/currencies', '/api/USDT/VES'];
    for (const path of paths) {
      const reply = await get(`${path}?t=1&_=1&ts=1&v=2&lang=es`);
      expect([path, reply.status, namesIn(reply)]).toEqual([
        path,
        200,
        ['t', '_', 'ts', 'v', 'lang'],
      ]);
    }
  });
});
