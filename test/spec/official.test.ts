import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/core/domain/time.ts';
import { listOfficialRates } from '../../src/core/http/endpoints/central-bank/official.ts';
import { bankTable, iso, official } from '../harness/make.ts';
import { faultOf, START, startTestService } from '../harness/service.ts';

const PATH = '/v1/fx/official';
const PLANS = ['Gratis', 'Inicio', 'Esencial', 'Profesional', 'Escala'];

/** Thursday, the Friday in force, and the Tuesday after a bank holiday. */
const THREE = [
  official('2026-11-19', { USD: 800, EUR: 920 }),
  official('2026-11-20', { USD: 804, EUR: 915.4, RUB: 9.9 }),
  official('2026-11-24', { USD: 801, CNY: 110.1 }),
];

async function serving(records: object[], plan = 'Gratis') {
  const service = await startTestService();
  if (records.length > 0) await service.push(...records);
  const key = await service.keyFor(plan);
  return {
    service,
    official: (query = '', headers = {}) => service.call(PATH + query, { key, headers }),
    get: (path: string) => service.call(`/v1/fx/${path}`, { key }),
  };
}

const placed = (value_date: string, rate: number) => ({
  rate,
  value_date,
  effective_at: `${value_date}T04:00:00.000Z`,
});

describe('the official rates', () => {
  test('each currency has its known rates with date, instant and change', async () => {
    const { official } = await serving(THREE);
    const reply = await official();
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      rates: {
        USD: {
          in_force: { ...placed('2026-11-20', 804), change: { amount: 4, percent: 0.5 } },
          previous: placed('2026-11-19', 800),
          next: { ...placed('2026-11-24', 801), change: { amount: -3, percent: -0.3731 } },
        },
        EUR: {
          in_force: { ...placed('2026-11-20', 915.4), change: { amount: -4.6, percent: -0.5 } },
          previous: placed('2026-11-19', 920),
        },
        // Published for the first time, for a future day.
        CNY: { next: placed('2026-11-24', 110.1) },
        RUB: { in_force: placed('2026-11-20', 9.9) },
      },
      next_publication: {
        value_date: '2026-11-25',
        expected_from: '2026-11-24T18:30:00.000Z',
        expected_until: '2026-11-24T23:30:00.000Z',
        overdue: false,
      },
      fetched_at: iso(START),
    });
    expect(Object.keys(reply.json.rates)).toEqual(['USD', 'EUR', 'CNY', 'RUB']);
  });

  test('contract §21 the next publication is overdue after its hours, and again the next one once it is read', async () => {
    const { service, official: ask } = await serving(THREE);
    const next = async () => (await ask()).json.next_publication;
    const until = Date.parse('2026-11-24T23:30:00.000Z');
    service.clock.set(until);
    expect(await next()).toMatchObject({ value_date: '2026-11-25', overdue: false });
    service.clock.set(until + 1);
    expect(await next()).toMatchObject({ value_date: '2026-11-25', overdue: true });
    await service.push(official('2026-11-25', { USD: 802 }, { captured_at: iso(until) }));
    expect(await next()).toMatchObject({ value_date: '2026-11-26', overdue: false });
  });

  test('contract §21 without a rate of the dollar nothing is said of the next publication', async () => {
    const { official: ask } = await serving([official('2026-11-20', { EUR: 915.4 })]);
    expect((await ask()).json).not.toHaveProperty('next_publication');
  });

  test('contract §1 at midnight in Caracas of its value date the next rate is in force', async () => {
    const { service, official } = await serving(THREE);
    const midnight = Date.parse('2026-11-24T04:00:00Z');
    service.clock.set(midnight - 1);
    expect((await official()).json.rates.USD.in_force.rate).toBe(804);
    service.clock.set(midnight);
    const { USD, EUR, CNY } = (await official()).json.rates;
    expect(USD).toEqual({
      in_force: { ...placed('2026-11-24', 801), change: { amount: -3, percent: -0.3731 } },
      previous: placed('2026-11-20', 804),
    });
    expect(EUR.in_force.value_date).toBe('2026-11-20');
    expect(CNY).toEqual({ in_force: placed('2026-11-24', 110.1) });
  });

  test('the rate in force equals that of /rates, and the next one that of /bcv/currencies', async () => {
    const known = [...THREE, official('2026-11-25', { EUR: 930.12345678 })];
    const { official: ask, get } = await serving(known);
    const { rates } = (await ask()).json;
    const { mid, effective_date, updated_at } = (await get('rates/reference')).json;
    expect(rates.USD.in_force).toMatchObject(placed(effective_date, mid));
    expect(rates.USD.in_force.effective_at).toBe(updated_at);
    expect((await get('rates/eur_reference')).json.mid).toBe(rates.EUR.in_force.rate);
    expect(rates.EUR.next.rate).toBe(930.12345678);
  });

  test('contract §1 a correction of the same value date replaces the rate', async () => {
    const { service, official: ask } = await serving(THREE);
    service.clock.advance(MINUTE_MS);
    const more = { captured_at: iso(START + MINUTE_MS) };
    await service.push(official('2026-11-20', { USD: 808 }, more));
    const { json } = await ask();
    expect(json.rates.USD.in_force).toEqual({
      ...placed('2026-11-20', 808),
      change: { amount: 8, percent: 1 },
    });
    expect(json.rates.USD.next.change).toEqual({ amount: -7, percent: -0.8663 });
    expect(json.fetched_at).toBe(iso(START + MINUTE_MS));
  });

  test('without any official rate the answer is 404 and costs nothing', async () => {
    const { service, official: ask } = await serving([]);
    await service.push(bankTable('2026-11-20', [{ bank: 'Banesco', buy: 1, sell: 2 }]));
    const reply = await ask();
    expect(faultOf(reply)).toEqual([404, 'bcv_snapshot_unavailable', undefined]);
    expect(reply.headers.get('x-ratelimit-remaining')).toBe('1500');
    await service.push(official('2026-11-24', { TRY: 21 }));
    expect((await ask()).json.rates).toEqual({ TRY: { next: placed('2026-11-24', 21) } });
  });

  test('the example of the reference is the answer of the service', async () => {
    const example = listOfficialRates.operation?.answers['answer']?.value;
    const { official: ask } = await serving([
      official('2026-11-19', { USD: 766.8603 }),
      official('2026-11-20', { USD: 771.0714 }),
      official('2026-11-24', { USD: 772.5441 }),
    ]);
    expect({ ...(await ask()).json, fetched_at: '' }).toEqual({ ...example, fetched_at: '' });
  });
});

describe('access, formats and caching', () => {
  test('every plan has the official rates for one unit', async () => {
    const { service } = await serving(THREE);
    for (const plan of PLANS) {
      const reply = await service.call(PATH, { key: await service.keyFor(plan) });
      const { headers } = reply;
      expect([plan, reply.status, headers.get('x-ratelimit-cost')]).toEqual([plan, 200, '1']);
    }
    expect(faultOf(await service.call(PATH))).toEqual([401, 'missing_api_key', undefined]);
  });

  test('contract §5 CSV has a row for each currency, with every possible column', async () => {
    const { official } = await serving(THREE, 'Inicio');
    const { text } = await official('?format=csv');
    const [header, ...rows] = text.split('\r\n');
    const place = (name: string) =>
      ['rate', 'value_date', 'effective_at'].map((f) => `${name}_${f}`);
    const changed = (name: string) => [
      ...place(name),
      `${name}_change_amount`,
      `${name}_change_percent`,
    ];
    expect(header?.split(',')).toEqual([
      'currency',
      ...changed('in_force'),
      ...place('previous'),
      ...changed('next'),
      'fetched_at',
    ]);
    const [at20, at24] = ['2026-11-20', '2026-11-24'].map((day) => `${day},${day}T04:00:00.000Z`);
    expect(rows).toEqual([
      `USD,804,${at20},4,0.5,800,2026-11-19,2026-11-19T04:00:00.000Z,801,${at24},-3,-0.3731,${iso(START)}`,
      `EUR,915.4,${at20},-4.6,-0.5,920,2026-11-19,2026-11-19T04:00:00.000Z,,,,,,${iso(START)}`,
      `CNY,,,,,,,,,110.1,${at24},,,${iso(START)}`,
      `RUB,9.9,${at20},,,,,,,,,,,${iso(START)}`,
      '',
    ]);
  });

  test('contract §5 XML has the root official, with an element for each currency', async () => {
    const { official: ask } = await serving([official('2026-11-20', { RUB: 9.9 })], 'Esencial');
    expect((await ask('?format=xml')).text).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><official><rates><RUB><in_force><rate>9.9</rate>' +
        '<value_date>2026-11-20</value_date><effective_at>2026-11-20T04:00:00.000Z</effective_at>' +
        `</in_force></RUB></rates><fetched_at>${iso(START)}</fetched_at></official>`,
    );
  });

  test('contract §4 format is checked, and other parameters are ignored', async () => {
    const { official } = await serving(THREE);
    expect(faultOf(await official('?format=CSV'))).toEqual([400, 'invalid_format', 'format']);
    expect((await official('?format=csv')).status).toBe(402);
    expect((await official('?currency=EUR')).status).toBe(200);
  });

  test('contract §4 the answer has an ETag, which changes when a rate takes effect', async () => {
    const { service, official } = await serving(THREE);
    const first = await official();
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('private, max-age=60');
    expect(first.headers.get('last-modified')).toBe(new Date(START).toUTCString());
    const again = () => official('', { 'If-None-Match': etag });
    expect((await again()).status).toBe(304);
    service.clock.set(Date.parse('2026-11-24T03:59:59.999Z'));
    expect((await again()).status).toBe(304);
    service.clock.set(Date.parse('2026-11-24T04:00:00Z'));
    expect((await again()).status).toBe(200);
  });
});
