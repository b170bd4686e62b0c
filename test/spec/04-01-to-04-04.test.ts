import { describe, expect, test } from 'vitest';
import {
  CASH,
  EXCHANGE_HOUSES,
  fullMarket,
  iso,
  official,
  P2P,
  quote,
  REMITTANCES,
} from '../harness/make.ts';
import { START, startTestService } from '../harness/service.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;

describe('rates', () => {
  test('§2.3 before anything was ingested the list is empty and the time is the start', async () => {
    const service = await startTestService();
    const key = await service.keyFor('gratis');
    service.clock.advance(5_000);
    const { status, json } = await service.call('/v1/fx/rates', { key });
    expect(status).toBe(200);
    expect(json).toEqual({
      country: 'VE',
      currency: 'VES',
      base: 'USD',
      rates: [],
      fetched_at: iso(START),
    });
  });

  test('§2.2 a rate has its sides and its value date where there are such, and no others', async () => {
    const service = await startTestService();
    const key = await service.keyFor('gratis');
    await service.push(
      official('2026-11-20', { USD: 889.57540001 }),
      quote('p2p_market_1', 890.5, { ask: 891, bid: 890 }),
    );
    const { json } = await service.call('/v1/fx/rates', { key });
    expect(json.rates).toEqual([
      {
        market: 'reference',
        type: 'reference',
        base: 'USD',
        mid: 889.57540001,
        updated_at: '2026-11-20T04:00:00.000Z',
        effective_date: '2026-11-20',
        stale_after_sec: 475_200,
      },
      {
        market: 'p2p_market_1',
        type: 'p2p',
        base: 'USD',
        mid: 890.5,
        ask: 891,
        bid: 890,
        updated_at: iso(START),
        stale_after_sec: 900,
      },
    ]);
  });

  test('§4.1 each plan sees its markets, in catalogue order', async () => {
    const service = await startTestService();
    await service.push(...fullMarket());
    const gratis = ['reference', 'eur_reference', 'parallel', ...P2P];
    const esencial = [...gratis, 'remittance_market_1', 'remittance_market_2'];
    const profesional = [...gratis, ...REMITTANCES, ...EXCHANGE_HOUSES];
    for (const [plan, expected] of [
      ['gratis', gratis],
      ['inicio', gratis],
      ['esencial', esencial],
      ['profesional', profesional],
      ['escala', [...profesional, ...CASH]],
    ] as const) {
      const { json } = await service.call('/v1/fx/rates', { key: await service.keyFor(plan) });
      expect([plan, json.rates.map((rate: { market: string }) => rate.market)]).toEqual([
        plan,
        expected,
      ]);
    }
  });

  test('decisions §1 a later value date takes effect at 00:00 in Caracas, by itself', async () => {
    const service = await startTestService();
    const key = await service.keyFor('gratis');
    await service.push(official('2026-11-20', { USD: 800 }), official('2026-11-23', { USD: 810 }));
    const mid = async () => (await service.call('/v1/fx/rates/bcv', { key })).json.mid;
    service.clock.set(Date.parse('2026-11-23T03:59:59.999Z'));
    expect(await mid()).toBe(800);
    service.clock.set(Date.parse('2026-11-23T04:00:00.000Z'));
    expect(await mid()).toBe(810);
  });

  test('decisions §1 a quote of 7 days stays, one a millisecond older leaves the snapshot', async () => {
    const service = await startTestService();
    const key = await service.keyFor('gratis');
    await service.push(quote('parallel', 850));
    service.clock.set(START + 7 * DAY);
    expect((await service.call('/v1/fx/rates/parallel', { key })).status).toBe(200);
    service.clock.advance(1);
    expect((await service.call('/v1/fx/rates/parallel', { key })).status).toBe(404);
    expect((await service.call('/v1/fx/rates', { key })).json.rates).toEqual([]);
  });

  test('§4.2 a market is named by id or alias, byte for byte, and answered by id', async () => {
    const service = await startTestService();
    const key = await service.keyFor('gratis');
    await service.push(...fullMarket());
    const ask = (name: string) => service.call(`/v1/fx/rates/${name}`, { key });
    for (const name of ['reference', 'bcv', 'oficial']) {
      expect((await ask(name)).json.market).toBe('reference');
    }
    for (const name of ['BCV', 'nowhere', 'b%2563v']) {
      expect([name, (await ask(name)).json.code]).toEqual([name, 'resource_not_found']);
    }
    const restricted = await ask('cash');
    expect(restricted.status).toBe(402);
    expect(restricted.json).toMatchObject({
      code: 'feature_not_in_plan',
      details: { feature: 'market:cash', current_plan: 'Gratis', required_plan: 'Escala' },
    });
  });
});

describe('markups', () => {
  const rule = { tag: 'shop', kind: 'percent', value: 3.5, markets: ['bcv', 'parallel'] };

  test('§2.12 the markup view adds the marked rates and omits base, date and threshold', async () => {
    const service = await startTestService();
    const key = await service.keyFor('inicio');
    await service.push(...fullMarket());
    const created = await service.call('/v1/account/markups', { key, method: 'POST', body: rule });
    expect([created.status, created.json]).toEqual([
      201,
      {
        tag: 'shop',
        kind: 'percent',
        value: 3.5,
        markets: ['reference', 'parallel'],
        active: true,
      },
    ]);
    const { json } = await service.call('/v1/fx/rates?markup=shop', { key });
    expect(json.markup_applied).toEqual({ tag: 'shop', kind: 'percent', value: 3.5 });
    expect(json.rates[0]).toEqual({
      market: 'reference',
      type: 'reference',
      mid: 800.5,
      updated_at: '2026-11-20T04:00:00.000Z',
      mid_with_markup: 828.5175,
      markup_applied: { kind: 'percent', value: 3.5 },
    });
    expect(json.rates[1].mid_with_markup).toBeUndefined();
    expect(json.index).toBeDefined();
  });

  test('§4.1 a markup needs a paid plan and an active rule of the same account', async () => {
    const service = await startTestService();
    const key = await service.keyFor('esencial');
    await service.push(...fullMarket());
    await service.call('/v1/account/markups', {
      key,
      method: 'POST',
      body: { ...rule, active: false },
    });
    const ask = async (plan: string, own?: string) => {
      const { status, json } = await service.call('/v1/fx/rates?markup=shop', {
        key: own ?? (await service.keyFor(plan)),
      });
      return [status, json.code];
    };
    expect(await ask('gratis')).toEqual([402, 'feature_not_in_plan']);
    expect(await ask('escala')).toEqual([404, 'markup_not_found']);
    expect(await ask('', key)).toEqual([404, 'markup_not_found']);
    const replaced = { kind: 'fixed', value: -900 };
    await service.call('/v1/account/markups/shop', { key, method: 'PUT', body: replaced });
    const { json } = await service.call('/v1/fx/rates?markup=shop', { key });
    // 800.5 - 900 is not positive: such a row stays as it is; 920.25 - 900 is.
    expect(json.rates[0].mid_with_markup).toBeUndefined();
    expect(json.rates[1].mid_with_markup).toBe(20.25);
  });

  test('decisions §6 rules are listed, counted, validated and deleted', async () => {
    const service = await startTestService();
    const key = await service.keyFor('inicio');
    const post = (body: unknown) =>
      service.call('/v1/account/markups', { key, method: 'POST', body });
    const bad: [object, string][] = [
      [{ ...rule, value: -99.01 }, 'value'],
      [{ ...rule, value: 1000.01 }, 'value'],
      [{ ...rule, tag: 'Shop' }, 'tag'],
      [{ ...rule, tag: 'x'.repeat(33) }, 'tag'],
      [{ ...rule, kind: 'ratio' }, 'kind'],
      [{ ...rule, markets: ['nowhere'] }, 'markets'],
    ];
    for (const [body, field] of bad) {
      const { status, json } = await post(body);
      expect([body, status, json.code, json.field]).toEqual([body, 400, 'invalid_format', field]);
    }
    expect((await post({ kind: 'fixed', value: 1 })).json).toMatchObject({
      code: 'missing_field',
      field: 'tag',
    });
    expect((await post({ ...rule, value: -99 })).status).toBe(201);
    expect((await post({ ...rule, tag: 'two' })).status).toBe(402);
    const list = await service.call('/v1/account/markups', { key });
    expect(list.json.markups).toHaveLength(1);
    const gone = () => service.call('/v1/account/markups/shop', { key, method: 'DELETE' });
    expect((await gone()).status).toBe(204);
    expect((await gone()).json.code).toBe('markup_not_found');
  });
});

describe('history', () => {
  test('§2.7 §4.3 rule 1 a point is the last record before the end of the UTC day, or an older one', async () => {
    const service = await startTestService();
    const key = await service.keyFor('gratis');
    const at = (day: string, time: string, mid: number) =>
      quote('parallel', mid, { updated_at: `${day}T${time}Z`, captured_at: `${day}T${time}Z` });
    await service.push(
      at('2026-11-17', '23:59:59.999', 1),
      at('2026-11-18', '00:00:00.000', 2),
      at('2026-11-20', '10:00:00.000', 3),
    );
    const rateOn = async (date: string) =>
      (await service.call(`/v1/fx/rates/parallel/history?date=${date}`, { key })).json;
    expect(await rateOn('2026-11-17')).toEqual({
      market: 'parallel',
      date: '2026-11-17',
      rate: 1,
      updated_at: '2026-11-17T23:59:59.999Z',
      captured_at: '2026-11-17T23:59:59.999Z',
    });
    expect((await rateOn('2026-11-18')).rate).toBe(2);
    expect(await rateOn('2026-11-19')).toMatchObject({ date: '2026-11-19', rate: 2 });
    expect(await rateOn('2026-11-16')).toMatchObject({ code: 'resource_not_found', field: 'date' });
  });

  test('§4.3 rules 2, 3 and 5 a series has the last capture of each UTC day, and may be empty', async () => {
    const service = await startTestService();
    const key = await service.keyFor('gratis');
    const empty = await service.call('/v1/fx/rates/parallel/history', { key });
    expect(empty.json).toEqual({
      market: 'parallel',
      from: '2026-11-14',
      to: '2026-11-21',
      granularity: 'daily',
      count: 0,
      points: [],
    });
    for (const [offset, mid] of [
      [0, 1],
      [1, 2],
      [DAY - 12 * 60 * MINUTE, 3],
    ] as const) {
      const time = iso(START - 2 * DAY + offset);
      await service.push(quote('parallel', mid, { updated_at: time, captured_at: time }));
    }
    const { json } = await service.call(
      '/v1/fx/rates/parallel/history?from=2026-11-19&to=2030-01-01',
      {
        key,
      },
    );
    expect(json).toMatchObject({ from: '2026-11-19', to: '2026-11-21', count: 2 });
    expect(
      json.points.map(({ date, rate }: { date: string; rate: number }) => [date, rate]),
    ).toEqual([
      ['2026-11-19', 2],
      ['2026-11-20', 3],
    ]);
  });

  test('§4.3 rule 4 a raw series of 5,000 points is whole, of 5,001 it is cut to the newest', async () => {
    const service = await startTestService();
    const key = await service.keyFor('gratis');
    const made = (number: number) => {
      const time = iso(START - 6 * DAY + number * MINUTE);
      return quote('parallel', 800 + number / 100, { updated_at: time, captured_at: time });
    };
    await service.push(...Array.from({ length: 5_000 }, (_, number) => made(number)));
    const path = '/v1/fx/rates/parallel/history?granularity=raw';
    const whole = (await service.call(path, { key })).json;
    expect([whole.count, whole.truncated, whole.from]).toEqual([5_000, undefined, '2026-11-14']);
    await service.push(made(5_000));
    const cut = (await service.call(path, { key })).json;
    expect([cut.count, cut.truncated, cut.from]).toEqual([5_000, true, '2026-11-15']);
    expect([cut.points[0].rate, cut.points[4_999].rate]).toEqual([800.01, 850]);
  });

  test('§4.3 rule 6 each plan reaches back its days and not one more', async () => {
    const service = await startTestService();
    for (const [plan, days] of [
      ['gratis', 7],
      ['inicio', 30],
      ['esencial', 90],
      ['profesional', 180],
      ['escala', 365],
    ] as const) {
      const key = await service.keyFor(plan);
      const day = (back: number) => iso(START - back * DAY).slice(0, 10);
      for (const parameter of ['from', 'to', 'date']) {
        const ask = (back: number) =>
          service.call(`/v1/fx/rates/parallel/history?${parameter}=${day(back)}`, { key });
        expect((await ask(days)).status).toBe(parameter === 'date' ? 404 : 200);
        const { status, json } = await ask(days + 1);
        expect([plan, parameter, status, json.code, json.details]).toEqual([
          plan,
          parameter,
          403,
          'history_out_of_retention',
          { max_days: days },
        ]);
      }
    }
  });

  test('§4.3 rule 7 what cannot be a range is refused with its field', async () => {
    const service = await startTestService();
    const key = await service.keyFor('escala');
    for (const [query, code, field] of [
      ['date=2026-11-22', 'invalid_format', 'date'],
      ['date=2026-02-30', 'invalid_format', 'date'],
      ['from=2026-11-22', 'invalid_format', 'from'],
      ['from=2026-11-20&to=2026-11-19', 'invalid_format', 'from'],
      ['to=yesterday', 'invalid_format', 'to'],
      ['granularity=hourly', 'invalid_format', 'granularity'],
      ['day=2026-11-20', 'unknown_parameter', 'day'],
    ]) {
      const { status, json } = await service.call(`/v1/fx/rates/parallel/history?${query}`, {
        key,
      });
      expect([query, status, json.code, json.field]).toEqual([query, 400, code, field]);
    }
  });

  test('decisions §1 an official rate is history from the later of its capture and its effect', async () => {
    const service = await startTestService();
    const key = await service.keyFor('gratis');
    await service.push(official('2026-11-20', { USD: 800 }), official('2026-11-23', { USD: 810 }));
    const series = async () => {
      const { json } = await service.call('/v1/fx/rates/reference/history?granularity=raw', {
        key,
      });
      return json.points.map((one: { rate: number; captured_at: string }) => [
        one.rate,
        one.captured_at,
      ]);
    };
    expect(await series()).toEqual([[800, iso(START)]]);
    service.clock.set(Date.parse('2026-11-23T04:00:00.000Z'));
    expect(await series()).toEqual([
      [800, iso(START)],
      [810, '2026-11-23T04:00:00.000Z'],
    ]);
  });
});

describe('market catalogue', () => {
  test('§4.4 §2.1 it lists every market with its availability and cheapest plan, from Esencial up', async () => {
    const service = await startTestService();
    for (const plan of ['gratis', 'inicio']) {
      const { status, json } = await service.call('/v1/fx/markets', {
        key: await service.keyFor(plan),
      });
      expect([plan, status, json.details.feature]).toEqual([plan, 402, 'markets']);
    }
    const key = await service.keyFor('esencial');
    const { json } = await service.call('/v1/fx/markets', { key });
    expect(json.markets.map(({ id }: { id: string }) => id)).toEqual([
      'reference',
      'eur_reference',
      'parallel',
      ...P2P,
      ...REMITTANCES,
      ...EXCHANGE_HOUSES,
      ...CASH,
    ]);
    const find = (id: string) => json.markets.find((one: { id: string }) => one.id === id);
    expect(find('reference')).toMatchObject({ available: true, required_plan: null, base: 'USD' });
    expect(find('remittance_market_1')).toMatchObject({
      available: true,
      required_plan: 'Esencial',
    });
    expect(find('extended_market_4')).toMatchObject({
      type: 'remittance',
      available: false,
      required_plan: 'Profesional',
    });
    expect(find('cash')).toMatchObject({ available: false, required_plan: 'Escala' });
    const unknown = await service.call('/v1/fx/markets?format=csv', { key });
    expect(unknown.json).toMatchObject({ code: 'unknown_parameter', field: 'format' });
  });
});
