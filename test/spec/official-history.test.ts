import { describe, expect, test } from 'vitest';
import { official } from '../harness/make.ts';
import { faultOf, startTestService } from '../harness/service.ts';

const PATH = '/v1/fx/official/history';
const PLANS = ['Gratis', 'Inicio', 'Esencial', 'Profesional', 'Escala'];
const READ = '2026-11-19T20:10:00.000Z';

/** From Wednesday on; Thursday is missing, Monday 23 is a bank holiday. */
const RECORDS = [
  official('2026-11-18', { USD: 800.1234, EUR: 930.12345678 }, { captured_at: READ }),
  official('2026-11-20', { USD: 804 }, { captured_at: READ }),
  official('2026-11-24', { USD: 801 }, { captured_at: '2026-11-20T20:10:00.000Z' }),
];

async function serving(plan = 'Gratis', records: readonly object[] = RECORDS) {
  const service = await startTestService({ start: Date.parse('2026-11-25T12:00:00Z') });
  if (records.length > 0) await service.push(...records);
  const key = await service.keyFor(plan);
  const history = (query = '', headers = {}) =>
    service.call(`${PATH}${query && `?${query}`}`, { key, headers });
  return { service, key, history };
}

/** By the rule `next_banking_day`. */
const next = (next_banking_day: string | null, next_banking_day_rate: number | null) => ({
  ...{ next_banking_day, next_banking_day_rate },
});

const row = (date: string, rate: number, value_date: string, rest: object = {}) => ({
  ...{ date, rate, value_date, business_day: date === value_date, carried_days: 0 },
  captured_at: READ,
  ...rest,
});

describe('contract §21 the official rates by day', () => {
  test('by default the value dates of the last thirty days of the dollar, with missing ones', async () => {
    const { history } = await serving();
    const reply = await history();
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      currency: 'USD',
      from: '2026-10-26',
      to: '2026-11-25',
      days: 'value',
      count: 3,
      rows: [
        row('2026-11-18', 800.1234, '2026-11-18'),
        row('2026-11-20', 804, '2026-11-20'),
        row('2026-11-24', 801, '2026-11-24', { captured_at: '2026-11-20T20:10:00.000Z' }),
      ],
      missing: ['2026-11-19', '2026-11-25'],
    });
    expect(reply.headers.get('cache-control')).toBe('private, max-age=60');
  });

  test('days=all has a row for each day with the rate in force, none from a missing one to the next', async () => {
    const { history } = await serving();
    const { json } = await history('days=all&from=2026-11-17&to=2026-11-24');
    expect(json.rows).toEqual([
      row('2026-11-18', 800.1234, '2026-11-18', next('2026-11-18', 800.1234)),
      row('2026-11-20', 804, '2026-11-20', next('2026-11-20', 804)),
      row('2026-11-21', 804, '2026-11-20', { carried_days: 1, ...next('2026-11-24', 801) }),
      row('2026-11-22', 804, '2026-11-20', { carried_days: 2, ...next('2026-11-24', 801) }),
      row('2026-11-23', 804, '2026-11-20', { carried_days: 3, ...next('2026-11-24', 801) }),
      row('2026-11-24', 801, '2026-11-24', {
        captured_at: '2026-11-20T20:10:00.000Z',
        ...next('2026-11-24', 801),
      }),
    ]);
    expect(json.missing).toEqual(['2026-11-19']);
  });

  test('contract §9 a row of days=all has the figure of each rule as the conversion has it, null while the next one is not published', async () => {
    const { service, key, history } = await serving('Gratis', RECORDS.slice(0, 2));
    service.clock.set(Date.parse('2026-11-22T12:00:00Z'));
    const weekend = 'days=all&from=2026-11-21&to=2026-11-22';
    const waiting = await history(weekend);
    expect(waiting.json.rows).toEqual([
      row('2026-11-21', 804, '2026-11-20', { carried_days: 1, ...next(null, null) }),
      row('2026-11-22', 804, '2026-11-20', { carried_days: 2, ...next(null, null) }),
    ]);
    const convert = (date: string, rule: string) =>
      service.call(`/v1/fx/convert?from=USD&to=VES&amount=1&date=${date}&rule=${rule}`, { key });
    expect((await convert('2026-11-22', 'next_banking_day')).status).toBe(422);
    // It was read long before it is stored: a copy of the answer before is out of date all the same.
    service.clock.advance(60_000);
    await service.push(...RECORDS.slice(2));
    service.clock.advance(60_000);
    const since = { 'if-modified-since': waiting.headers.get('last-modified') ?? '' };
    const published = await history(weekend, since);
    expect(published.status).toBe(200);
    for (const row of published.json.rows) {
      const rules = { value_date: row.rate, next_banking_day: row.next_banking_day_rate };
      for (const [rule, rate] of Object.entries(rules)) {
        expect([rule, (await convert(row.date, rule)).json.rate]).toEqual([rule, rate]);
      }
      expect(row.next_banking_day).toBe('2026-11-24');
    }
    const { rows } = (await history('from=2026-11-18&to=2026-11-20')).json;
    expect(rows.filter((one: object) => 'next_banking_day' in one)).toEqual([]);
  });

  test('a currency in any case; one that is not stored is 404 no_data', async () => {
    const { history } = await serving();
    const euro = await history('currency=eur');
    expect(euro.json).toMatchObject({ currency: 'EUR', count: 1, rows: [{ rate: 930.12345678 }] });
    const yen = await history('currency=JPY');
    expect(faultOf(yen)).toEqual([404, 'resource_not_found', 'currency']);
    expect(yen.json.details).toEqual({ reason: 'no_data' });
    // Market ids are no currencies.
    expect(faultOf(await history('currency=reference'))).toEqual([
      400,
      'invalid_format',
      'currency',
    ]);
  });

  test('a range before the first value date of a stored currency has no rows', async () => {
    const { history } = await serving('Escala');
    const reply = await history('days=all&from=2025-01-01&to=2025-01-31');
    expect([reply.status, reply.json.count, reply.json.missing]).toEqual([200, 0, []]);
  });

  test.each([
    ['from=2026-11-27&to=2026-11-27', 'from'],
    ['from=2026-11-27', 'from'],
    ['from=2026-11-20&to=2026-11-19', 'from'],
    ['from=2026-02-30', 'from'],
    ['days=some', 'days'],
    ['currency=US', 'currency'],
    ['currency=U$D', 'currency'],
    ['from=2016-10-08&to=2026-11-25', 'from'],
  ])('%s is 400 invalid_format of %s', async (query, field) => {
    const { history } = await serving('Escala');
    expect(faultOf(await history(query))).toEqual([400, 'invalid_format', field]);
  });

  test('unknown parameters are rejected, and a Spanish name gets a hint', async () => {
    const { history } = await serving();
    const reply = await history('desde=2026-11-18');
    expect(faultOf(reply)).toEqual([400, 'unknown_parameter', 'desde']);
    expect(reply.json.details.did_you_mean).toBe('from');
  });

  test.each([
    ['Gratis', '2026-10-26', '2026-10-25', 30],
    ['Inicio', '2025-11-25', '2025-11-24', 365],
  ])('%s reaches back to %s, and a day earlier is 403', async (plan, first, before, days) => {
    const { history } = await serving(plan);
    expect((await history(`from=${first}`)).status).toBe(200);
    const reply = await history(`from=${before}`);
    expect(faultOf(reply)).toEqual([403, 'history_out_of_retention', 'from']);
    expect(reply.json.details).toMatchObject({ max_days: days, earliest: first });
  });

  test('the CSV has the columns of a row and then the currency, and Spanish headers', async () => {
    const { history } = await serving('Inicio');
    const plain = await history('from=2026-11-20&to=2026-11-20&format=csv');
    expect(plain.text).toBe(
      `date,rate,value_date,business_day,carried_days,captured_at,currency\r\n2026-11-20,804,2026-11-20,true,0,${READ},USD\r\n`,
    );
    const everyDay = 'days=all&from=2026-11-20&to=2026-11-25';
    expect((await history(`${everyDay}&format=csv`)).text.split('\r\n').slice(0, 3)).toEqual([
      'date,rate,value_date,business_day,carried_days,captured_at,next_banking_day,next_banking_day_rate,currency',
      `2026-11-20,804,2026-11-20,true,0,${READ},2026-11-20,804,USD`,
      `2026-11-21,804,2026-11-20,false,1,${READ},2026-11-24,801,USD`,
    ]);
    const spanishDays = await history(`${everyDay}&format=csv&locale=es`);
    expect(spanishDays.text).toContain(';Próximo día hábil;Tasa del próximo día hábil (Bs.);');
    const spanish = await history('from=2026-11-20&to=2026-11-20&format=csv&locale=es');
    expect(spanish.text).toContain('Fecha;Tasa (Bs.);Fecha valor;');
  });

  test('the XML has both rules, with an empty element while the next rate is not published', async () => {
    const { service, history } = await serving('Esencial', RECORDS.slice(0, 2));
    service.clock.set(Date.parse('2026-11-22T12:00:00Z'));
    const { text } = await history('days=all&from=2026-11-20&to=2026-11-21&format=xml');
    expect(text).toContain('<next_banking_day>2026-11-20</next_banking_day>');
    expect(text).toContain('<next_banking_day_rate>804</next_banking_day_rate>');
    expect(text).toContain('<next_banking_day/><next_banking_day_rate/>');
  });

  test('every plan may ask for one unit, and an unchanged answer is 304', async () => {
    for (const plan of PLANS) {
      const { service, key, history } = await serving(plan);
      const reply = await history();
      expect([plan, reply.status]).toEqual([plan, 200]);
      const etag = reply.headers.get('etag') ?? '';
      expect((await history('', { 'if-none-match': etag })).status).toBe(304);
      expect((await service.call('/v1/account', { key })).json.usage.units_used).toBe(2);
    }
  });

  test('the time of the first reading stays when the same figure is read again', async () => {
    const { service, history } = await serving('Gratis', RECORDS.slice(0, 2));
    service.clock.set(Date.parse('2026-11-25T13:00:00Z'));
    await service.push(
      official('2026-11-26', { USD: 805 }, { captured_at: '2026-11-25T12:30:00.000Z' }),
      official('2026-11-26', { USD: 805 }, { captured_at: '2026-11-25T12:45:00.000Z' }),
    );
    service.clock.set(Date.parse('2026-11-26T12:00:00Z'));
    const { json } = await history('from=2026-11-26');
    expect(json.rows).toEqual([
      row('2026-11-26', 805, '2026-11-26', { captured_at: '2026-11-25T12:30:00.000Z' }),
    ]);
  });
});
