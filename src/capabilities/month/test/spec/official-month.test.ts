import { read, utils } from '@e965/xlsx';
import { describe, expect, test } from 'vitest';
import { official } from '../../../../../test/harness/make.ts';
import { faultOf, startTestService } from '../../../../../test/harness/service.ts';
import { Vesfx } from '../../../../client/vesfx.ts';

const MONTH = '/v1/fx/official/month';
const HISTORY = '/v1/fx/official/history';
const READ = '2026-11-19T20:10:00.000Z';

/** Monday 23 is a bank holiday; the rate of Friday 27 is published on Thursday. */
const RECORDS = [
  official('2026-10-30', { USD: 790, EUR: 920 }, { captured_at: READ }),
  ...['2026-11-18', '2026-11-19', '2026-11-20', '2026-11-24', '2026-11-25', '2026-11-26'].map(
    (date, at) => official(date, { USD: 800 + at, EUR: 930.5 + at }, { captured_at: READ }),
  ),
  official('2026-11-27', { USD: 806.25, EUR: 937 }, { captured_at: '2026-11-26T20:10:00.000Z' }),
];

async function serving({ plan = 'Inicio', now = '2026-11-26T22:00:00Z', records = RECORDS } = {}) {
  const service = await startTestService({ start: Date.parse(now) });
  if (records.length > 0) await service.push(...records);
  const key = await service.keyFor(plan);
  const get = (path: string) => service.call(path, { key });
  return { service, key, get, month: (query = '') => get(`${MONTH}${query && `?${query}`}`) };
}

describe('contract §27 the official rates of a month', () => {
  test('it has the days that the history has, with first and last day, close, average and count', async () => {
    const { get, month } = await serving();
    const { json } = await month('month=2026-11');
    const { json: history } = await get(`${HISTORY}?days=all&from=2026-11-01&to=2026-11-30`);
    expect(json).toEqual({
      ...{ month: '2026-11', currency: 'USD', first: '2026-11-01', last: '2026-11-27' },
      ...{ count: 11, close: 806.25, close_value_date: '2026-11-27' },
      // (800 + 801 + 802 + 803 + 804 + 805 + 806.25) / 7
      ...{ average: 803.03571429, value_dates: 7 },
      ...{ rows: history.rows, missing: history.missing },
    });
    expect(json.rows).toHaveLength(json.count);
    expect(history.to).toBe(json.last);
  });

  test('without a month it is that of today in Caracas, and an empty one is refused', async () => {
    const { service, month } = await serving();
    expect((await month()).json).toMatchObject({ month: '2026-11', currency: 'USD' });
    expect((await month('currency=eur')).json).toMatchObject({ currency: 'EUR', close: 937 });
    // In Caracas it is still November.
    service.clock.set(Date.parse('2026-12-01T03:59:59Z'));
    expect((await month()).json).toMatchObject({ month: '2026-11', last: '2026-11-30' });
    service.clock.set(Date.parse('2026-12-01T04:00:00Z'));
    expect((await month()).json).toMatchObject({ month: '2026-12', last: '2026-12-01' });
    expect(faultOf(await month('month='))).toEqual([400, 'invalid_format', 'month']);
    expect(faultOf(await month('month=noviembre'))).toEqual([400, 'invalid_format', 'month']);
  });

  test('the close of a month whose last business days are missing is not the rate of an earlier day', async () => {
    const { month } = await serving({ now: '2026-12-05T12:00:00Z' });
    expect((await month('month=2026-11')).json).toMatchObject({
      ...{ last: '2026-11-30', close: null, close_value_date: null, average: 803.03571429 },
      missing: expect.arrayContaining(['2026-11-30']),
    });
  });

  test('a month to come is refused, and says which day is the newest', async () => {
    const { month } = await serving();
    const reply = await month('month=2026-12');
    expect(faultOf(reply)).toEqual([400, 'invalid_format', 'month']);
    expect(reply.json.details).toMatchObject({
      today: '2026-11-26',
      last_value_date: '2026-11-27',
    });
  });

  test('a month before the official history of the plan is refused with the plan that has it', async () => {
    const { month } = await serving({ plan: 'Gratis' });
    const reply = await month('month=2026-09');
    expect(faultOf(reply)).toEqual([403, 'history_out_of_retention', 'month']);
    expect((await month('month=2026-11')).status).toBe(200);
  });

  test('a month before the first rate has no rows, and a currency that nobody published is not found', async () => {
    const { month } = await serving();
    expect((await month('month=2026-08')).json).toMatchObject({
      ...{ last: '2026-08-31', count: 0, rows: [], close: null, average: null, value_dates: 0 },
    });
    expect((await month('currency=GBP')).status).toBe(404);
    expect(faultOf(await month('currency=dollar'))).toEqual([400, 'invalid_format', 'currency']);
    expect(faultOf(await month('from=2026-11-01'))).toEqual([400, 'unknown_parameter', 'from']);
    const spanish = await month('mes=2026-11&moneda=EUR');
    expect(faultOf(spanish)).toEqual([400, 'unknown_parameter', 'mes']);
    expect(spanish.json.details.did_you_mean).toBe('month');
    expect((await month('moneda=EUR')).json.details.did_you_mean).toBe('currency');
  });

  test('contract §1 days before a reform are in the unit of the day, close and average in that of the last', async () => {
    const records = ['2021-09-29', '2021-09-30', '2021-10-01'].map((date, at) =>
      // A record is in the bolívar of October 2021.
      official(date, { USD: 4 + at / 10 }, { captured_at: `${date}T12:00:00Z` }),
    );
    const { month } = await serving({ plan: 'Esencial', records });
    const { json } = await month('month=2021-09');
    expect(json).toMatchObject({
      ...{ close: 4_100_000, average: 4_050_000, value_dates: 2 },
      unit_changes: [{ on: '2021-10-01', factor: 1_000_000 }],
    });
    expect((await month('month=2021-09&adjusted=true')).json).toMatchObject({
      ...{ close: 4.1, average: 4.05 },
    });
  });

  test('its workbook has the rows of the CSV first, then a sheet with close, average and what is missing', async () => {
    const { service, key, month } = await serving();
    const day = (text: string) => new Date(`${text}T00:00:00Z`);
    const bookOf = async (query: string) => {
      const reply = await fetch(`${service.url}${MONTH}?format=xlsx&${query}`, {
        headers: { 'X-API-Key': key },
      });
      const options = { cellDates: true, UTC: true };
      const { Sheets, SheetNames } = read(new Uint8Array(await reply.arrayBuffer()), options);
      const cells = SheetNames.map((name) =>
        utils.sheet_to_json<unknown[]>(Sheets[name] ?? {}, { header: 1, UTC: true }),
      );
      return { names: SheetNames, cells };
    };
    const { names, cells } = await bookOf('month=2026-11');
    expect(names).toEqual(['Month', 'Summary']);
    const { text } = await month('month=2026-11&format=csv');
    const lines = text.trim().split('\r\n');
    expect(cells[0]).toHaveLength(lines.length);
    const { json } = await month('month=2026-11');
    // Of a month with missing days its first line says so, behind the headers.
    const { length } = json.missing;
    const warning = `INCOMPLETE: no rate is stored for ${length} business days: ${json.missing.slice(0, 5).join(', ')}`;
    expect(cells[0]?.[0]).toEqual([
      ...(lines[0]?.split(',') ?? []),
      expect.stringMatching(new RegExp(`^${warning}(, …)?$`)),
    ]);
    expect(cells[1]).toEqual([
      ...[
        ['month', '2026-11'],
        ['currency', 'USD'],
        ['close', 806.25],
      ],
      ...[
        ['close_value_date', day('2026-11-27')],
        ['average', 803.03571429],
      ],
      ...[
        ['value_dates', 7],
        ['first', day('2026-11-01')],
        ['last', day('2026-11-27')],
      ],
      ...[
        ['count', 11],
        ['missing', json.missing.join(';')],
      ],
    ]);
    const spanish = await bookOf('month=2026-11&locale=es');
    expect(spanish.names).toEqual(['Mes', 'Resumen']);
    expect(spanish.cells[1]?.map(([label]) => label)).toEqual([
      ...['Mes', 'Moneda', 'Tasa de cierre (Bs.)', 'Fecha valor del cierre'],
      ...['Promedio de las fechas valor (Bs.)', 'Fechas valor del promedio', 'Desde', 'Hasta'],
      ...['Días con tasa', 'Días hábiles sin tasa'],
    ]);
    expect(spanish.cells[0]?.[0]?.at(-1)).toMatch(/^INCOMPLETO: no hay tasa guardada de \d+ días/);
    // A month without a missing day says nothing.
    const september = (await bookOf('month=2026-09')).cells[0]?.[0];
    expect(september).toEqual(lines[0]?.split(','));
    // A close that is not known is an empty cell, never the rate of an earlier day.
    service.clock.set(Date.parse('2026-12-05T12:00:00Z'));
    expect((await bookOf('month=2026-11')).cells[1]?.[2]).toEqual(['close']);
  });

  test('the client has it', async () => {
    const { service, key } = await serving();
    const vesfx = new Vesfx({ baseUrl: service.url, key });
    expect(await vesfx.officialMonth({ month: '2026-11' })).toMatchObject({ close: 806.25 });
  });
});
