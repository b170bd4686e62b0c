import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { divide, multiply, toNumber } from '../../src/core/domain/decimal.ts';
import { DAY_MS } from '../../src/core/domain/time.ts';
import { catalogueWith } from '../harness/catalogue.ts';
import { iso, official } from '../harness/make.ts';
import { reformCatalogue } from '../harness/reform.ts';
import { serviceWith, type TestServiceOptions } from '../harness/service.ts';

/**
 * Days of before 1 October 2021 (contract §1). Their figures are stored in the bolívar of that day,
 * as the archives give them, and shown in the bolívar of their own day.
 */

const SOBERANO = { on: '2018-08-20', factor: 100_000 };
const DIGITAL = { on: '2021-10-01', factor: 1_000_000 };
const BOTH = '2018-08-20=100000,2021-10-01=1000000';
const LAST = '2021-10-01=1000000';

/** The dollar as stored, the factor of its day, and as the bank published it. */
const DOLLARS = [
  ['2016-08-24', 6.451234e-9, 1e11, 645.1234],
  ['2018-08-17', 2.48487e-6, 1e11, 248_487],
  ['2018-08-20', 6e-5, 1e6, 60],
  ['2020-03-30', 0.0778934605, 1e6, 77_893.4605],
  ['2021-09-30', 4.181781835, 1e6, 4_181_781.835],
  ['2021-10-04', 4.18123457, 1, 4.18123457],
  ['2026-11-20', 801.2345, 1, 801.2345],
] as const;

/** Each was read on its own day, as a service of then would have. */
const RECORDS = DOLLARS.map(([day, stored]) =>
  official(day, { USD: stored, EUR: stored * 2 }, { captured_at: `${day}T04:00:00.000Z` }),
);

/** The header that an answer's changes stand for. */
const namedIn = (answer: { unit_changes: { on: string; factor: number }[] }) =>
  answer.unit_changes.map(({ on, factor }) => `${on}=${factor}`).join();

/** No plan limits the history, so that series reach these days. */
async function withoutLimits() {
  const catalogueDir = await catalogueWith({
    plans: ({ Escala }) => Object.assign(Escala ?? {}, { history_days: null }),
  });
  return { config: { catalogueDir } };
}

const start = async (options?: TestServiceOptions) =>
  serviceWith(RECORDS, options ?? (await withoutLimits()));

describe('a rate of a day of before a reform (contract §1)', () => {
  test.each(DOLLARS)('the dollar of %s is in the bolívar of that day', async (day, _, __, rate) => {
    const { get } = await start();
    expect((await get(`rates/reference?date=${day}`)).json.mid).toBe(rate);
    const { rows } = (await get(`official/history?from=${day}&to=${day}`)).json;
    expect(rows).toMatchObject([{ date: day, rate }]);
    expect((await get(`rates/reference/history?date=${day}`)).json.rate).toBe(rate);
    const adjusted = await get(`rates/reference/history?date=${day}&adjusted=true`);
    expect(adjusted.json.rate).toBe(DOLLARS.find(([other]) => other === day)?.[1]);
  });

  test.each([
    // A fixed markup of 5 Bs of today is 5,000,000 Bs of 2020.
    ['2018-08-17', '', 248_487, 5e11, 500_000_248_487],
    ['2020-03-30', '', 77_893.4605, 5_000_000, 5_077_893.4605],
    ['2020-03-30', '&adjusted=true', 0.0778934605, 5, 5.0779],
    ['2021-10-04', '', 4.18123457, 5, 9.1812],
  ])('contract §6: a fixed markup on %s%s is in the bolívar of the rate', async (...row) => {
    const [day, more, mid, value, marked] = row;
    const { get, service, key } = await start();
    const body = { tag: 'fijo', kind: 'fixed', value: 5 };
    await service.call('/v1/account/markups', { key, method: 'POST', body });
    const { json } = await get(`rates?markup=fijo&date=${day}${more}`);
    expect(json.rates[0]).toMatchObject({
      ...{ mid, mid_with_markup: marked, markup_applied: { kind: 'fixed', value } },
    });
    expect(json.markup_applied).toEqual(body);
  });

  test.each([
    ['2016-08-24', 13_000, 20.15],
    ['2020-03-30', 1_500_000, 19.26],
    ['2021-09-30', 4_181_781.84, 1],
    ['2026-11-20', 801.23, 1],
  ])('amounts of %s are converted in the bolívar of that day', async (day, amount, dollars) => {
    const { get, service, key } = await start();
    const { json } = await get(`convert?from=VES&to=USD&amount=${amount}&date=${day}`);
    expect(json.to.amount).toBe(dollars);
    const { json: bulk } = await service.call('/v1/fx/bulk/convert', {
      ...{ key, method: 'POST' },
      body: { from: 'VES', to: 'USD', amounts: [amount], date: day },
    });
    expect(bulk).toMatchObject({
      rate: json.rate,
      results: [{ result: dollars }],
      as_of: json.as_of,
    });
  });

  test.each([
    ['2018-08-17', [SOBERANO, DIGITAL], BOTH],
    ['2018-08-20', [DIGITAL], LAST],
    ['2021-09-30', [DIGITAL], LAST],
    ['2021-10-04', undefined, null],
    ['2026-11-20', undefined, null],
  ])('%s names the reforms since then in every format', async (day, changes, header) => {
    const { get, service, key } = await start();
    const paths = ['rates?', 'rates/reference?', 'convert?from=USD&to=VES&amount=1&'];
    for (const path of paths) {
      const { json } = await get(`${path}date=${day}`);
      expect(json.as_of.unit_changes).toEqual(changes);
      for (const row of json.rates ?? []) expect(row.as_of.unit_changes).toEqual(changes);
      for (const format of ['json', 'csv', 'xml']) {
        const reply = await get(`${path}date=${day}&format=${format}`);
        expect([reply.status, reply.headers.get('X-Vesfx-Unit-Changes')]).toEqual([200, header]);
        if (format === 'csv') expect(reply.text).not.toContain('unit_changes');
      }
    }
    const bulk = await service.call('/v1/fx/bulk/convert', {
      ...{ key, method: 'POST' },
      body: { from: 'USD', to: 'VES', amounts: [1], date: day },
    });
    expect(bulk.json.as_of.unit_changes).toEqual(changes);
    expect(bulk.headers.get('X-Vesfx-Unit-Changes')).toBe(header);
  });

  test('the weekend before a reform is in the old unit, the day of it in the new one', async () => {
    const { get } = await start();
    const midOn = async (date: string, more = '') =>
      (await get(`rates/reference?date=${date}${more}`)).json;
    expect(await midOn('2018-08-19')).toMatchObject({
      mid: 248_487,
      as_of: { unit_changes: [SOBERANO, DIGITAL] },
    });
    expect(await midOn('2018-08-20')).toMatchObject({
      mid: 60,
      as_of: { unit_changes: [DIGITAL] },
    });
    // Banks were closed on the day of the reform.
    expect(await midOn('2021-10-01')).toMatchObject({
      mid: 4.181781835,
      effective_date: '2021-09-30',
    });
    expect((await midOn('2021-10-01')).as_of).not.toHaveProperty('unit_changes');
    // The rate of the next banking day prices an amount of the day that was asked for.
    const eve = await midOn('2018-08-19', '&rule=next_banking_day');
    expect(eve.mid).toBe(6_000_000);
    expect(eve.as_of.unit_changes).toEqual([SOBERANO, DIGITAL]);
  });

  test('adjusted=true gives the newest unit, and names no reform', async () => {
    const { get, service, key } = await start();
    const asked = 'date=2020-03-30&adjusted=true';
    const amounts = {
      from: 'VES',
      to: 'USD',
      amounts: [1.5],
      date: '2020-03-30',
      adjusted: 'true',
    };
    const bulk = await service.call('/v1/fx/bulk/convert', { key, method: 'POST', body: amounts });
    const converted = await get(`convert?from=VES&to=USD&amount=1.5&${asked}`);
    expect(converted.json).toMatchObject({ rate: 0.0778934605, to: { amount: 19.26 } });
    expect(bulk.json).toMatchObject({ rate: 0.0778934605, total_out: 19.26 });
    const rates = await get(`rates?${asked}`);
    expect(rates.json.rates[0].mid).toBe(0.0778934605);
    const rate = await get(`rates/reference?${asked}`);
    expect(rate.json.mid).toBe(0.0778934605);
    for (const { json, headers } of [bulk, converted, rates, rate]) {
      expect(json.as_of).not.toHaveProperty('unit_changes');
      expect(headers.get('X-Vesfx-Unit-Changes')).toBeNull();
    }
    const days = 'official/history?days=all&from=2021-09-30&to=2021-10-01';
    const { rows, ...rest } = (await get(`${days}&adjusted=true`)).json;
    expect(rows.map((row: { rate: number }) => row.rate)).toEqual([4.181781835, 4.181781835]);
    expect(rest).not.toHaveProperty('unit_changes');
    const current = (await get('convert?from=USD&to=VES&amount=1&adjusted=true')).status;
    expect(current).toBe(200);
  });

  test('a batch takes adjusted as a boolean of JSON, or as the text of a query', async () => {
    const { service, key } = await start();
    const bulk = async (adjusted: unknown, headers = {}) => {
      const body = { from: 'VES', to: 'USD', amounts: [1.5], date: '2020-03-30', adjusted };
      return service.call('/v1/fx/bulk/convert', { key, method: 'POST', body, headers });
    };
    for (const [asBoolean, asText, rate] of [
      [true, 'true', 0.0778934605],
      [false, 'false', 77_893.4605],
    ] as const) {
      const replies = [await bulk(asBoolean), await bulk(asText)];
      expect(replies.map(({ status, json }) => [status, json.rate])).toEqual([
        [200, rate],
        [200, rate],
      ]);
      expect(replies[0]?.text).toBe(replies[1]?.text);
    }
    for (const wrong of [1, 0, 'TRUE', 'yes', null, [true]]) {
      const reply = await bulk(wrong);
      expect([wrong, reply.status, reply.json.field, reply.json.details.rule]).toEqual([
        wrong,
        400,
        'adjusted',
        'unknown_value',
      ]);
      expect(reply.json.message).toBe('adjusted: must be one of true, false.');
    }
    const { json } = await bulk(1, { 'Accept-Language': 'es' });
    expect(json.message).toBe('adjusted: debe ser uno de true, false.');
  });

  test('a point of history names the reforms since its day, in every format', async () => {
    const { get } = await start();
    const point = 'rates/reference/history?date=2020-03-30';
    expect((await get(point)).json).toMatchObject({ rate: 77_893.4605, unit_changes: [DIGITAL] });
    for (const format of ['json', 'csv', 'xml']) {
      const reply = await get(`${point}&format=${format}`);
      expect([reply.status, reply.headers.get('X-Vesfx-Unit-Changes')]).toEqual([200, LAST]);
    }
    expect((await get(`${point}&adjusted=true`)).json).not.toHaveProperty('unit_changes');
  });

  test('a cache that has the figure of before a later reform is told', async () => {
    const catalogueDir = await reformCatalogue('2026-11-22');
    const { service, get } = await start({ config: { catalogueDir } });
    const before = await get('rates/reference?date=2026-11-20');
    expect(before.json.as_of).not.toHaveProperty('unit_changes');
    service.clock.set(Date.parse('2026-11-22T04:00:00Z'));
    const again = await service.call('/v1/fx/rates/reference?date=2026-11-20', {
      key: await service.keyFor('Escala'),
      headers: { 'If-Modified-Since': before.headers.get('last-modified') ?? '' },
    });
    expect(again.status).toBe(200);
    expect(again.json.as_of.unit_changes).toEqual([{ on: '2026-11-22', factor: 1_000 }]);
    expect(again.json.mid).toBe(801.2345);
  });
});

describe('series over days of before a reform (contract §10)', () => {
  const range = 'from=2018-08-17&to=2021-10-04';

  test.each([
    ['rates/reference/history', 'points', 'rate'],
    ['rates/reference/candles', 'candles', 'close'],
    ['rates/reference/history', 'points', 'rate', '&granularity=raw'],
  ])(
    '%s is in the unit of each day and names the changes',
    async (path, list, field, more = '') => {
      const { get } = await start();
      const from = path.endsWith('candles') ? 'from=2019-06-01&to=2021-10-04' : range;
      const days = await get(`${path}?${from}${more}`);
      const adjusted = await get(`${path}?${from}${more}&adjusted=true`);
      const figures = (reply: typeof days): number[] =>
        reply.json[list].map((row: Record<string, number>) => row[field]);
      const inRange = DOLLARS.filter(([day]) => day >= from.slice(5, 15) && day <= '2021-10-04');
      expect(figures(days)).toEqual(inRange.map(([, , , rate]) => rate));
      expect(figures(adjusted)).toEqual(inRange.map(([, stored]) => stored));
      const changes = from === range ? [SOBERANO, DIGITAL] : [DIGITAL];
      expect(days.json.unit_changes).toEqual(changes);
      expect(days.headers.get('X-Vesfx-Unit-Changes')).toBe(from === range ? BOTH : LAST);
      expect(adjusted.json).not.toHaveProperty('unit_changes');
      expect(adjusted.headers.get('X-Vesfx-Unit-Changes')).toBeNull();
    },
  );

  test.each([
    ['from=2018-08-17&to=2018-08-19', BOTH],
    ['from=2018-08-19&to=2018-08-20', BOTH],
    ['from=2018-08-20&to=2018-08-31', LAST],
    ['from=2021-09-29&to=2021-09-30', LAST],
    ['from=2021-09-30&to=2021-10-01', LAST],
    ['from=2021-10-01&to=2021-10-04', null],
  ])('a range names the reforms from its first day until today: %s', async (range, named) => {
    const { get } = await start();
    for (const path of ['official/history?days=all', 'official/history?days=value']) {
      for (const format of ['json', 'csv', 'xml']) {
        const { status, headers } = await get(`${path}&${range}&format=${format}`);
        expect([status, headers.get('X-Vesfx-Unit-Changes')]).toEqual([200, named]);
      }
      const { json } = await get(`${path}&${range}`);
      expect(named ?? undefined).toBe(json.unit_changes && namedIn(json));
      const adjusted = await get(`${path}&${range}&adjusted=true`);
      expect(adjusted.json).not.toHaveProperty('unit_changes');
      expect(adjusted.headers.get('X-Vesfx-Unit-Changes')).toBeNull();
    }
  });

  test.each([
    ['history', '2018-08-17', '2018-08-19', BOTH],
    ['history?granularity=raw', '2021-09-29', '2021-09-30', LAST],
    ['history?group=month', '2021-09-01', '2021-09-30', LAST],
    ['history', '2021-10-02', '2021-10-04', null],
    ['candles', '2021-09-29', '2021-09-30', LAST],
    ['candles?interval=week', '2018-08-13', '2018-08-19', BOTH],
    ['candles', '2021-10-02', '2021-10-04', null],
  ])('%s from %s to %s, too, in every format', async (path, from, to, named) => {
    const { get } = await start();
    const query = `${path.includes('?') ? '&' : '?'}from=${from}&to=${to}`;
    const series = `rates/reference/${path}${query}`;
    const { json } = await get(series);
    expect(json.count).toBe(1);
    expect(json.unit_changes && namedIn(json)).toBe(named ?? undefined);
    for (const format of ['json', 'csv', 'xml']) {
      const { status, headers } = await get(`${series}&format=${format}`);
      expect([status, headers.get('X-Vesfx-Unit-Changes')]).toEqual([200, named]);
    }
    const adjusted = await get(`${series}&adjusted=true`);
    expect(adjusted.json).not.toHaveProperty('unit_changes');
    expect(adjusted.headers.get('X-Vesfx-Unit-Changes')).toBeNull();
  });

  test('a cache that has a series of before a later reform is told', async () => {
    const catalogueDir = await reformCatalogue('2026-11-22');
    const { service, get } = await start({ config: { catalogueDir } });
    const key = await service.keyFor('Escala');
    const range = 'from=2026-11-20&to=2026-11-20';
    const series = [
      `official/history?${range}`,
      `rates/reference/history?${range}`,
      `rates/reference/candles?${range}`,
    ];
    const before = await Promise.all(series.map((path) => get(path)));
    for (const { json } of before) expect(json).not.toHaveProperty('unit_changes');
    service.clock.set(Date.parse('2026-11-22T04:00:00Z') - 1);
    expect((await get(series[0] ?? '')).json).not.toHaveProperty('unit_changes');
    service.clock.set(Date.parse('2026-11-22T04:00:00Z'));
    for (const [place, path] of series.entries()) {
      const at = before[place]?.headers.get('last-modified') ?? '';
      const again = await service.call(`/v1/fx/${path}`, {
        ...{ key, headers: { 'If-Modified-Since': at } },
      });
      expect([path, again.status]).toEqual([path, 200]);
      expect(again.json.unit_changes).toEqual([{ on: '2026-11-22', factor: 1_000 }]);
    }
  });

  test('a range that ends with a value date to come names the reform of that day', async () => {
    const catalogueDir = await reformCatalogue('2026-11-24');
    const { service, get } = await start({ config: { catalogueDir } });
    await service.push(official('2026-11-24', { USD: 0.8123 }));
    const changesOf = async (days: string) =>
      (await get(`official/history?days=all&${days}`)).json.unit_changes;
    const change = [{ on: '2026-11-24', factor: 1_000 }];
    expect(await changesOf('from=2026-11-20&to=2026-11-24')).toEqual(change);
    expect(await changesOf('from=2026-11-20&to=2026-11-23')).toBeUndefined();
    expect(await changesOf('from=2026-11-24')).toBeUndefined();
  });

  test('on the day of a reform rates are in the unit of the new bolívar', async () => {
    const { get } = await start();
    const { rows } = (await get('official/history?days=all&from=2021-09-30&to=2021-10-03')).json;
    expect(rows.map(({ rate }: { rate: number }) => rate)).toEqual([
      4_181_781.835,
      ...Array(3).fill(4.181781835),
    ]);
  });

  test('the candle of the month and of the UTC day of a reform are in one unit', async () => {
    const captures = [
      ['2021-09-29T12:00:00Z', 4.1],
      // The first hours of 1 October in UTC are the evening of 30 September in Caracas.
      ['2021-10-01T03:59:59Z', 4.3],
      ['2021-10-01T04:00:00Z', 4.2],
    ].map(([at, mid]) => ({
      ...{ kind: 'quote', market: 'parallel', mid, updated_at: at, captured_at: at },
    }));
    const { get } = await serviceWith(captures, await withoutLimits());
    const candles = async (path: string) => (await get(`rates/parallel/candles?${path}`)).json;
    expect((await candles('from=2021-09-29&to=2021-10-01')).candles).toMatchObject([
      { open: 4_100_000, high: 4_100_000, low: 4_100_000, close: 4_100_000 },
      { open: 4.3, high: 4.3, low: 4.2, close: 4.2, captures: 2 },
    ]);
    expect((await candles('interval=week&from=2021-09-27&to=2021-10-03')).candles).toMatchObject([
      { open: 4.1, high: 4.3, low: 4.1, close: 4.2 },
    ]);
    const raw = (await get('rates/parallel/history?granularity=raw&from=2021-09-29&to=2021-10-01'))
      .json.points;
    expect(raw.map(({ rate }: { rate: number }) => rate)).toEqual([4_100_000, 4_300_000, 4.2]);
  });
});

describe('a year of invoices (contract §1)', () => {
  test('every day of 2019 and 2020 is in soberanos, and converts there and back', async () => {
    const days = Array.from({ length: 731 }, (_, place) =>
      iso(Date.parse('2019-01-01') + place * DAY_MS).slice(0, 10),
    );
    /** As the bank published it: 8 decimals at most. */
    const published = new Map(
      days.map((day, place) => [day, toNumber(divide(638_182_713 + place * 1_234_567, 1e6, 8))]),
    );
    const records = days.map((day) =>
      official(
        day,
        { USD: toNumber(divide(published.get(day) ?? 0, 1e6, 14)) },
        { captured_at: `${day}T04:00:00.000Z` },
      ),
    );
    const { get } = await serviceWith(records);
    const { rows } = (await get('official/history?days=all&from=2019-01-01&to=2020-12-31')).json;
    expect(rows).toHaveLength(731);
    for (const { date, rate } of rows) expect([date, rate]).toEqual([date, published.get(date)]);
    const invoice = fc.record({
      day: fc.constantFrom(...days),
      cents: fc.integer({ min: 1, max: 10 ** 9 }),
    });
    await fc.assert(
      fc.asyncProperty(invoice, async ({ day, cents }) => {
        const convert = async (pair: string, amount: number) =>
          (await get(`convert?${pair}&amount=${amount}&date=${day}`)).json;
        const there = await convert('from=USD&to=VES', cents / 100);
        const exact = multiply(published.get(day) ?? 0, divide(cents, 100, 2));
        expect(Math.abs(there.to.amount - toNumber(exact))).toBeLessThanOrEqual(0.01);
        const back = await convert('from=VES&to=USD', there.to.amount);
        expect(back.to.amount).toBe(cents / 100);
      }),
      { numRuns: 20 },
    );
  });
});
