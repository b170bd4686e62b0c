import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/core/domain/time.ts';
import { bankTable, iso, official } from '../harness/make.ts';
import { START, startTestService } from '../harness/service.ts';

const PATH = '/v1/fx/bcv/currencies';
const ALL = { USD: 889.5754, EUR: 1012.34, CNY: 125.1, TRY: 21.2, RUB: 11.012345 };

async function serving(records: object[], plan = 'Gratis') {
  const service = await startTestService();
  if (records.length > 0) await service.push(...records);
  const key = await service.keyFor(plan);
  return {
    service,
    currencies: (query = '') => service.call(PATH + query, { key }),
    rate: (market: string) => service.call(`/v1/fx/rates/${market}`, { key }),
    rates: () => service.call('/v1/fx/rates', { key }),
  };
}

describe('§2.9 the other currencies', () => {
  test('§2.9 the currencies have every field, without USD', async () => {
    const { currencies } = await serving([
      official('2026-11-20', ALL, { value_date_text: 'Viernes, 20 Noviembre 2026' }),
    ]);
    const reply = await currencies();
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      reference_value_date: '2026-11-20',
      reference_value_date_text: 'Viernes, 20 Noviembre 2026',
      rates: { EUR: 1012.34, CNY: 125.1, TRY: 21.2, RUB: 11.012345 },
      captured_at: iso(START),
    });
  });

  test('§2.9 the label of the date is kept as published', async () => {
    for (const label of ['Miércoles, 25  Noviembre  2026', ' Lunes ', 'Fecha Valor: Lunes']) {
      const { currencies } = await serving([
        official('2026-11-20', ALL, { value_date_text: label }),
      ]);
      expect((await currencies()).json.reference_value_date_text).toBe(label);
    }
  });

  test('§2.9 rates are relayed with exactly the published digits', async () => {
    const published = { EUR: 1012.34567891, CNY: 0.00000001, TRY: 123456789.123456, RUB: 11 };
    const { currencies } = await serving([official('2026-11-20', published)]);
    const reply = await currencies();
    expect(reply.json.rates).toEqual(published);
    expect(reply.text).toContain('123456789.123456');
  });

  test('§2.9 captured_at is the time of capture, not the value date', async () => {
    const { currencies } = await serving([
      official('2026-11-23', ALL, { captured_at: iso(START - 30 * MINUTE_MS) }),
    ]);
    const { json } = await currencies();
    expect([json.captured_at, json.reference_value_date]).toEqual([
      iso(START - 30 * MINUTE_MS),
      '2026-11-23',
    ]);
  });
});

describe('§4.11 the latest captured snapshot', () => {
  test('§4.11 a later value date is shown at once, while /rates keeps the rate in force', async () => {
    const { service, currencies, rate, rates } = await serving([official('2026-11-20', ALL)]);
    service.clock.advance(MINUTE_MS);
    await service.push(
      official('2026-11-23', { USD: 900, EUR: 1020 }, { captured_at: iso(START + MINUTE_MS) }),
    );
    const announced = (await currencies()).json;
    expect([announced.reference_value_date, announced.rates]).toEqual([
      '2026-11-23',
      { EUR: 1020 },
    ]);
    const shown = async () => {
      const [usd, eur] = [(await rate('reference')).json, (await rate('eur_reference')).json];
      return [usd.mid, usd.effective_date, eur.mid, eur.effective_date];
    };
    expect(await shown()).toEqual([889.5754, '2026-11-20', 1012.34, '2026-11-20']);

    const midnight = Date.parse('2026-11-23T04:00:00Z');
    service.clock.set(midnight - 1);
    expect(await shown()).toEqual([889.5754, '2026-11-20', 1012.34, '2026-11-20']);
    service.clock.set(midnight);
    expect(await shown()).toEqual([900, '2026-11-23', 1020, '2026-11-23']);
    const list: { market: string; mid: number }[] = (await rates()).json.rates;
    expect(list.map(({ market, mid }) => [market, mid])).toEqual([
      ['reference', 900],
      ['eur_reference', 1020],
    ]);
    expect((await rate('reference')).json.updated_at).toBe('2026-11-23T04:00:00.000Z');
  });

  test('§4.11 a value date begins at midnight in Caracas, not in UTC', async () => {
    const { service, rate } = await serving([
      official('2026-11-20', { USD: 800 }),
      official('2026-11-22', { USD: 810 }),
    ]);
    service.clock.set(Date.parse('2026-11-22T00:00:00Z'));
    expect((await rate('reference')).json.mid).toBe(800);
    service.clock.set(Date.parse('2026-11-22T03:59:59.999Z'));
    expect((await rate('reference')).json.mid).toBe(800);
    service.clock.set(Date.parse('2026-11-22T04:00:00Z'));
    expect((await rate('reference')).json.mid).toBe(810);
  });

  test('contract §1 several announced value dates take effect one after the other', async () => {
    const { service, rate } = await serving(
      [20, 22, 23, 24].map((day) => official(`2026-11-${day}`, { USD: 800 + day })),
    );
    const found: unknown[] = [];
    for (const day of [22, 23, 24, 25]) {
      service.clock.set(Date.parse(`2026-11-${day}T04:00:00Z`));
      found.push((await rate('reference')).json.mid);
    }
    expect(found).toEqual([822, 823, 824, 824]);
  });

  test('contract §1 an official market is absent until its only publication takes effect', async () => {
    const { service, rate, rates, currencies } = await serving([official('2026-11-22', ALL)]);
    expect((await currencies()).status).toBe(200);
    expect((await rate('reference')).json.code).toBe('resource_not_found');
    expect((await rates()).json.rates).toEqual([]);
    service.clock.set(Date.parse('2026-11-22T04:00:00Z'));
    expect((await rate('reference')).json.mid).toBe(ALL.USD);
  });

  test('contract §1 a correction of the same value date, captured later, replaces the publication', async () => {
    const { service, rate, currencies } = await serving([official('2026-11-20', ALL)]);
    await service.push(
      official('2026-11-20', { ...ALL, USD: 1, EUR: 2 }, { captured_at: iso(START - MINUTE_MS) }),
    );
    expect((await rate('reference')).json.mid).toBe(ALL.USD);
    expect((await currencies()).json.rates.EUR).toBe(ALL.EUR);
    service.clock.advance(MINUTE_MS);
    await service.push(
      official('2026-11-20', { ...ALL, USD: 3, EUR: 4 }, { captured_at: iso(START + MINUTE_MS) }),
    );
    expect((await rate('reference')).json.mid).toBe(3);
    expect((await currencies()).json.rates.EUR).toBe(4);
  });

  test('§4.11 without a snapshot the answer is 404', async () => {
    const { service, currencies } = await serving([]);
    const reply = await currencies();
    expect([reply.status, reply.json.code]).toEqual([404, 'bcv_snapshot_unavailable']);
    await service.push(bankTable('2026-11-20', [{ bank: 'Banesco', buy: 1, sell: 2 }]));
    expect((await currencies()).json.code).toBe('bcv_snapshot_unavailable');
    await service.push(official('2026-11-20', ALL));
    expect((await currencies()).status).toBe(200);
  });

  test('§4.11 every plan includes the other currencies', async () => {
    const { service } = await serving([official('2026-11-20', ALL)]);
    for (const plan of ['Gratis', 'Inicio', 'Esencial', 'Profesional', 'Escala']) {
      const reply = await service.call(PATH, { key: await service.keyFor(plan) });
      expect([plan, reply.status]).toEqual([plan, 200]);
    }
  });

  test('§4.11 the other currencies are available as CSV and XML', async () => {
    const { currencies } = await serving([official('2026-11-20', ALL)], 'Esencial');
    const csv = await currencies('?format=csv');
    const [header, only, ...rest] = csv.text.split('\r\n');
    expect(header).toContain('rates_EUR,rates_CNY,rates_TRY,rates_RUB');
    expect(only).toContain('1012.34,125.1,21.2,11.012345');
    expect(rest).toEqual(['']);
    const xml = await currencies('?format=xml');
    expect(xml.text).toMatch(/<currencies>[\s\S]*<EUR>1012.34<\/EUR>/);
    const wrong = await currencies('?format=yaml');
    expect([wrong.status, wrong.json.code, wrong.json.field]).toEqual([
      400,
      'invalid_format',
      'format',
    ]);
  });

  test('contract §4 unknown parameters are ignored', async () => {
    const { currencies } = await serving([official('2026-11-20', ALL)]);
    expect((await currencies('?currency=EUR')).status).toBe(200);
  });

  test('§4.11 the former beta route is 404, with a key and without', async () => {
    const { service } = await serving([official('2026-11-20', ALL)]);
    for (const key of [await service.keyFor('Escala'), undefined]) {
      const reply = await service.call('/v1/beta/fx/bcv/currencies', { key });
      expect([reply.status, reply.json.code]).toEqual([404, 'resource_not_found']);
    }
  });
});
