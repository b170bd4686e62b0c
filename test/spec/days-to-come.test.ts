import { describe, expect, test } from 'vitest';
import { capture, official, quote } from '../harness/make.ts';
import { faultOf, type Reply, startTestService } from '../harness/service.ts';

// Friday 2026-11-20. The rate of Tuesday the 24th is published, because Monday is a bank holiday.

const at = (time: string) => Date.parse(time);
const NOON = at('2026-11-20T16:00:00Z');
const EVENING = at('2026-11-20T23:59:59Z');
const EIGHT = at('2026-11-21T00:00:00Z');
const MIDNIGHT = at('2026-11-21T04:00:00Z');

const PUBLISHED = [
  official('2026-11-18', { USD: 882, EUR: 1000 }, { captured_at: '2026-11-17T21:10:00Z' }),
  official('2026-11-19', { USD: 884, EUR: 1002 }, { captured_at: '2026-11-18T21:10:00Z' }),
  official('2026-11-20', { USD: 886, EUR: 1004 }, { captured_at: '2026-11-19T21:10:00Z' }),
  official('2026-11-24', { USD: 890, EUR: 1010 }, { captured_at: '2026-11-20T15:00:00Z' }),
];

const LATER = { today: '2026-11-20', last_value_date: '2026-11-24' };

async function serving({ now = NOON, records = PUBLISHED as object[] } = {}) {
  const service = await startTestService({ start: now });
  await service.push(...records, capture(900, '2026-11-18T12:00:00Z'));
  const key = await service.keyFor('Escala');
  const get = (path: string) => service.call(path, { key });
  const bulk = (body: object): Promise<Reply> =>
    service.call('/v1/fx/bulk/convert', {
      key,
      method: 'POST',
      body: { from: 'USD', to: 'VES', amounts: [10], ...body },
    });
  return { service, get, bulk };
}

const CONVERT = '/v1/fx/convert?from=USD&to=VES&amount=10';
const refusal = ({ status, json }: Reply) => [status, json.code, json.field, json.details];

describe('contract §9: a published rate of a day to come', () => {
  test.each([
    ['value_date', '2026-11-20', 886, '2026-11-20', true],
    ['value_date', '2026-11-21', 886, '2026-11-20', false],
    ['value_date', '2026-11-23', 886, '2026-11-20', false],
    ['value_date', '2026-11-24', 890, '2026-11-24', true],
    ['next_banking_day', '2026-11-21', 890, '2026-11-24', false],
    ['next_banking_day', '2026-11-24', 890, '2026-11-24', true],
  ])('by %s the answer to %s is %d, and says so', async (rule, date, mid, valueDate, isOpen) => {
    const { get, bulk } = await serving();
    const asOf = { date, rule, value_date: valueDate, business_day: isOpen };
    const rate = (await get(`/v1/fx/rates/reference?date=${date}&rule=${rule}`)).json;
    expect(rate).toMatchObject({ mid, effective_date: valueDate, as_of: asOf });
    expect(rate).not.toHaveProperty('stale');
    const converted = (await get(`${CONVERT}&date=${date}&rule=${rule}`)).json;
    expect(converted).toMatchObject({
      to: { amount: mid * 10 },
      effective_date: valueDate,
      as_of: asOf,
    });
    expect((await bulk({ date, rule })).json).toMatchObject({ total_out: mid * 10, as_of: asOf });
  });

  test('no time of the answer lies in the future, and without date the rate in force stays', async () => {
    const { get } = await serving();
    const { json, headers } = await get('/v1/fx/rates/reference?date=2026-11-24');
    expect([json.updated_at, json.as_of.captured_at]).toEqual([
      '2026-11-20T15:00:00.000Z',
      '2026-11-20T15:00:00.000Z',
    ]);
    expect(headers.get('cache-control')).toBe('private, max-age=60');
    expect((await get('/v1/fx/rates/reference')).json).toMatchObject({ mid: 886 });
    expect((await get(CONVERT)).json).toMatchObject({ rate: 886, effective_date: '2026-11-20' });
  });

  test('all rates of a day to come are the official ones, since nobody knows the others', async () => {
    const { get } = await serving();
    const rates = async (path: string) =>
      (await get(path)).json.rates.map(({ market, mid }: { market: string; mid: number }) => [
        market,
        mid,
      ]);
    const tuesday = [
      ['reference', 890],
      ['eur_reference', 1010],
    ];
    expect(await rates('/v1/fx/rates?date=2026-11-24')).toEqual(tuesday);
    expect(await rates('/v1/fx/rates?date=2026-11-20')).toContainEqual(['parallel', 900]);
  });

  test.each([
    ['/v1/fx/rates?date=2026-11-25', 'date', LATER],
    ['/v1/fx/rates/reference?date=2026-11-25', 'date', LATER],
    ['/v1/fx/rates/eur_reference?date=2026-11-25&rule=next_banking_day', 'date', LATER],
    [`${CONVERT}&date=2026-11-25`, 'date', LATER],
    [`${CONVERT}&via=parallel&date=2026-11-21`, 'date', { today: '2026-11-20' }],
    ['/v1/fx/rates/parallel?date=2026-11-21', 'date', { today: '2026-11-20' }],
    ['/v1/fx/rates/parallel/history?date=2026-11-21', 'date', { today: '2026-11-20' }],
    ['/v1/fx/rates/reference/history?date=2026-11-21', 'date', LATER],
    ['/v1/fx/rates/parallel/history?from=2026-11-21', 'from', { today: '2026-11-20' }],
    ['/v1/fx/rates/parallel/candles?from=2026-11-21', 'from', { today: '2026-11-20' }],
    ['/v1/fx/official/history?from=2026-11-25', 'from', LATER],
    ['/v1/fx/official/history?from=2026-11-25&to=2026-11-30', 'from', LATER],
    ['/v1/fx/corrections?since=2026-11-21', 'since', { today: '2026-11-20' }],
    ['/v1/fx/calendar?to=2029-01-01', 'to', { today: '2026-11-20' }],
  ])('%s is 400 with the days in details', async (path, field, details) => {
    const { get } = await serving();
    expect(refusal(await get(path))).toEqual([
      400,
      'invalid_format',
      field,
      expect.objectContaining(details),
    ]);
  });

  test('a batch is refused in the same way', async () => {
    const { bulk } = await serving();
    expect(refusal(await bulk({ date: '2026-11-25' }))).toEqual([
      400,
      'invalid_format',
      'date',
      expect.objectContaining(LATER),
    ]);
  });

  test('without any official rate last_value_date is null', async () => {
    const { get } = await serving({ records: [] });
    expect((await get('/v1/fx/rates/reference?date=2026-11-21')).json.details).toMatchObject({
      today: '2026-11-20',
      last_value_date: null,
    });
  });

  test('a business day that is missing before the newest value date is 422, never another rate', async () => {
    const thursday = official('2026-11-26', { USD: 895 }, { captured_at: '2026-11-20T15:30:00Z' });
    const { get } = await serving({ records: [...PUBLISHED, thursday] });
    expect(faultOf(await get('/v1/fx/rates/reference?date=2026-11-25'))).toEqual([
      422,
      'rate_not_published',
      'date',
    ]);
    expect((await get('/v1/fx/rates/reference?date=2026-11-26')).json.mid).toBe(895);
    expect((await get('/v1/fx/rates/reference?date=2026-11-27')).status).toBe(400);
  });
});

describe('contract §4: what is no day tells today too', () => {
  test.each([
    ['/v1/fx/rates?date=', 'date'],
    ['/v1/fx/rates/reference?date=', 'date'],
    [`${CONVERT}&date=`, 'date'],
    ['/v1/fx/rates/parallel/history?from=', 'from'],
    ['/v1/fx/rates/parallel/candles?to=', 'to'],
    ['/v1/fx/official/history?from=', 'from'],
    ['/v1/fx/corrections?since=', 'since'],
    ['/v1/fx/calendar?to=', 'to'],
    ['/v1/account/usage?from=', 'from'],
  ])('at %s', async (path, field) => {
    const { get } = await serving({ now: EIGHT });
    for (const [sent, rule] of [
      ['ayer', 'not_a_day'],
      ['2026-02-30', 'not_a_day'],
      ['', 'empty'],
      ['%20', 'empty'],
    ] as const) {
      expect(refusal(await get(path + sent))).toEqual([
        400,
        'invalid_format',
        field,
        { rule, today: '2026-11-20' },
      ]);
    }
  });

  test('in a batch, also where the day is no text', async () => {
    const { bulk } = await serving();
    for (const [date, rule] of [
      ['ayer', 'not_a_day'],
      ['', 'empty'],
      [20_261_119, 'wrong_type'],
      [null, 'wrong_type'],
    ] as const) {
      const details = { rule, today: '2026-11-20' };
      expect(refusal(await bulk({ date }))).toEqual([400, 'invalid_format', 'date', details]);
    }
  });

  test('a wrong value that is no day does not', async () => {
    const { get, bulk } = await serving();
    expect((await get(`${CONVERT}&date=2026-11-20&rule=`)).json.details).toEqual({ rule: 'empty' });
    expect((await get('/v1/fx/rates?format=doc')).json.details).toEqual({ rule: 'unknown_value' });
    expect((await bulk({ rule: '' })).json.details).toEqual({ rule: 'empty' });
  });
});

describe('contract §9: the day that has begun', () => {
  const PARALLEL = '/v1/fx/rates/parallel?date=2026-11-21';
  const HISTORY = '/v1/fx/rates/parallel/history?date=2026-11-21';

  test.each([
    ['19:59:59 in Caracas', EVENING, 400, 400, '2026-11-20'],
    ['20:00 in Caracas, when a UTC day begins', EIGHT, 400, 200, '2026-11-20'],
    ['23:59:59 in Caracas', MIDNIGHT - 1, 400, 200, '2026-11-20'],
    ['midnight in Caracas', MIDNIGHT, 200, 200, undefined],
  ])('at %s', async (_, now, inCaracas, inUtc, today) => {
    const { get } = await serving({ now });
    const reply = await get(PARALLEL);
    expect([reply.status, reply.json.details?.today]).toEqual([inCaracas, today]);
    expect((await get(HISTORY)).status).toBe(inUtc);
  });

  test('a program that counts in UTC gets the published rate from 20:00 on', async () => {
    const thursday = at('2026-11-20T00:00:00Z');
    const { get } = await serving({ now: thursday, records: PUBLISHED.slice(0, 3) });
    expect((await get('/v1/fx/rates/reference')).json.mid).toBe(884);
    expect((await get('/v1/fx/rates/reference?date=2026-11-20')).json).toMatchObject({
      mid: 886,
      as_of: { date: '2026-11-20', value_date: '2026-11-20' },
    });
  });
});

describe('contract §21: the end of a range of official days', () => {
  test.each([
    ['to=2026-11-24', '2026-11-24', '2026-11-24'],
    ['to=2026-11-25', '2026-11-24', '2026-11-24'],
    ['to=2026-11-30', '2026-11-24', '2026-11-24'],
    ['to=2026-11-23', '2026-11-23', '2026-11-23'],
    ['', '2026-11-20', '2026-11-20'],
    ['from=2026-11-24', '2026-11-24', '2026-11-24'],
    ['currency=EUR&to=2026-11-30', '2026-11-24', '2026-11-24'],
  ])('%s ends on %s, which the answer says', async (query, to, last) => {
    const { get } = await serving();
    const { json } = await get(`/v1/fx/official/history?days=all&${query}`);
    expect([json.to, json.rows.at(-1).date]).toEqual([to, last]);
  });

  test('without a later publication it ends today', async () => {
    const { get } = await serving({ records: PUBLISHED.slice(0, 3) });
    const { json } = await get('/v1/fx/official/history?days=all&to=2026-11-30');
    expect([json.to, json.rows.at(-1).rate]).toEqual(['2026-11-20', 886]);
    expect((await get('/v1/fx/official/history?from=2026-11-21')).json.details).toMatchObject({
      today: '2026-11-20',
      last_value_date: '2026-11-20',
    });
  });

  test('other series cap a later end at today too', async () => {
    const { get } = await serving();
    for (const series of ['history', 'candles']) {
      const { json } = await get(`/v1/fx/rates/parallel/${series}?to=2026-11-30`);
      expect([series, json.to]).toEqual([series, '2026-11-20']);
    }
    expect((await get('/v1/account/usage?to=2026-11-30')).json.to).toBe('2026-11-20');
  });

  test('an answer with days to come keeps its ETag while nothing changes', async () => {
    const { service, get } = await serving();
    const path = '/v1/fx/official/history?days=all&to=2026-11-30';
    const first = (await get(path)).headers;
    service.clock.advance(3_600_000);
    const second = (await get(path)).headers;
    expect(second.get('etag')).toBe(first.get('etag'));
    expect(second.get('last-modified')).toBe(first.get('last-modified'));
  });
});

describe('contract §4: nothing stored that early', () => {
  test.each([
    ['/v1/fx/rates/reference?date=2026-11-17', '2026-11-18'],
    ['/v1/fx/rates?date=2026-11-17', '2026-11-18'],
    [`${CONVERT}&date=2026-11-17`, '2026-11-18'],
    ['/v1/fx/rates/parallel?date=2026-11-17', '2026-11-18'],
    ['/v1/fx/rates/parallel/history?date=2026-11-17', '2026-11-18'],
    ['/v1/fx/rates/cash?date=2026-11-17', null],
    ['/v1/fx/rates/cash/history?date=2026-11-17', null],
  ])('%s is 404, and details.earliest is %s', async (path, earliest) => {
    const { get } = await serving();
    expect(refusal(await get(path))).toEqual([
      404,
      'resource_not_found',
      'date',
      { reason: 'no_data', earliest },
    ]);
  });

  test('the day of a capture is that of Caracas for date, and of UTC for history', async () => {
    const { service, get } = await serving();
    await service.push(
      quote('binance', 910, {
        updated_at: '2026-11-19T01:00:00Z',
        captured_at: '2026-11-19T01:00:00Z',
      }),
    );
    const earliest = async (path: string) => (await get(path)).json.details.earliest;
    expect(await earliest('/v1/fx/rates/binance?date=2026-11-17')).toBe('2026-11-18');
    expect((await get('/v1/fx/rates/binance?date=2026-11-18')).status).toBe(200);
    expect(await earliest('/v1/fx/rates/binance/history?date=2026-11-18')).toBe('2026-11-19');
    expect((await get('/v1/fx/rates/binance/history?date=2026-11-19')).status).toBe(200);
  });
});
