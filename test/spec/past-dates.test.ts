import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/core/domain/time.ts';
import { capture, iso, official } from '../harness/make.ts';
import { faultOf, type Reply, START, serviceWith } from '../harness/service.ts';

// The clock shows Saturday 2026-11-21, 08:00 in Caracas. Monday the 23rd is a bank holiday.

/** `YYYY-MM-DD` in Caracas, so many days before the start of the test. */
const daysAgo = (days: number) => iso(START - days * DAY_MS).slice(0, 10);

const WEEK = [
  official('2026-11-17', { USD: 880 }, { captured_at: '2026-11-16T21:10:00Z' }),
  official('2026-11-18', { USD: 882 }, { captured_at: '2026-11-17T21:10:00Z' }),
  official('2026-11-19', { USD: 884, EUR: 1000 }, { captured_at: '2026-11-18T21:10:00Z' }),
  official('2026-11-20', { USD: 886, EUR: 1010 }, { captured_at: '2026-11-19T21:10:00Z' }),
];
const TUESDAY = official(
  '2026-11-24',
  { USD: 890, EUR: 1020 },
  { captured_at: '2026-11-20T21:10:00Z' },
);

async function serving(records: object[], { plan = 'Escala', start = START } = {}) {
  const { service, key, get } = await serviceWith(records, { plan, start });
  const bulk = (body: object): Promise<Reply> =>
    service.call('/v1/fx/bulk/convert', {
      key,
      method: 'POST',
      body: { from: 'USD', to: 'VES', amounts: [10], ...body },
    });
  return { service, key, get, bulk };
}

describe('contract §9: the official rate of a past day', () => {
  test('contract §9: a rate has today’s fields without its age, and as_of', async () => {
    const { get } = await serving(WEEK);
    const reply = await get('rates/reference?date=2026-11-18');
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      market: 'reference',
      type: 'reference',
      base: 'USD',
      mid: 882,
      updated_at: '2026-11-18T04:00:00.000Z',
      effective_date: '2026-11-18',
      stale_after_sec: 475200,
      as_of: {
        date: '2026-11-18',
        rule: 'value_date',
        business_day: true,
        value_date: '2026-11-18',
        captured_at: '2026-11-18T04:00:00.000Z',
        carried_days: 0,
      },
    });
    expect(reply.headers.get('cache-control')).toBe('private, max-age=60');
    expect(reply.headers.get('x-ratelimit-cost')).toBe('1');
  });

  test.each([
    ['value_date', '2026-11-20', '2026-11-20', 0],
    ['value_date', '2026-11-21', '2026-11-20', 1],
    ['value_date', '2026-11-22', '2026-11-20', 2],
    ['value_date', '2026-11-23', '2026-11-20', 3],
    ['value_date', '2026-11-24', '2026-11-24', 0],
    ['next_banking_day', '2026-11-20', '2026-11-20', 0],
    ['next_banking_day', '2026-11-21', '2026-11-24', 0],
    ['next_banking_day', '2026-11-23', '2026-11-24', 0],
    ['next_banking_day', '2026-11-24', '2026-11-24', 0],
  ])('contract §9: by %s, %s has the rate of %s', async (rule, date, valueDate, carried) => {
    const { get } = await serving([...WEEK, TUESDAY], { start: START + 3 * DAY_MS });
    const { status, json } = await get(`rates/reference?date=${date}&rule=${rule}`);
    expect(status).toBe(200);
    expect([json.effective_date, json.as_of.rule, json.as_of.date]).toEqual([
      valueDate,
      rule,
      date,
    ]);
    expect([json.as_of.value_date, json.as_of.carried_days]).toEqual([valueDate, carried]);
  });

  test('contract §9: either rule answers for a Saturday on that Saturday', async () => {
    const { get } = await serving([...WEEK, TUESDAY]);
    const today = daysAgo(0);
    expect((await get(`rates/reference?date=${today}`)).json.mid).toBe(886);
    const next = await get(`rates/reference?date=${today}&rule=next_banking_day`);
    expect([next.json.mid, next.json.as_of.business_day]).toEqual([890, false]);
  });

  test('contract §9: next_banking_day is refused until the rate of the next business day is published', async () => {
    const { service, get } = await serving(WEEK);
    const path = 'rates/reference?date=2026-11-21&rule=next_banking_day';
    const early = await get(path);
    expect(faultOf(early)).toEqual([422, 'rate_not_published', 'date']);
    expect(early.json.details).toEqual({
      market: 'reference',
      value_date: '2026-11-24',
      last_value_date: '2026-11-20',
    });
    await service.push(TUESDAY);
    expect((await get(path)).json.mid).toBe(890);
  });

  test('contract §9: a missing value date is refused, not replaced by an older rate', async () => {
    const [first, , ...later] = WEEK;
    const { get } = await serving([first ?? {}, ...later]);
    const reply = await get('convert?from=USD&to=VES&amount=1&date=2026-11-18');
    expect(faultOf(reply)).toEqual([422, 'rate_not_published', 'date']);
    expect(reply.json.details).toMatchObject({
      value_date: '2026-11-18',
      last_value_date: '2026-11-17',
    });
    expect((await get('rates/reference?date=2026-11-19')).json.mid).toBe(884);
    expect(faultOf(await get('rates?date=2026-11-18'))).toEqual([
      422,
      'rate_not_published',
      'date',
    ]);
  });

  test('contract §9: a rate published for a closed day is the rate of that day by value_date', async () => {
    const { get } = await serving([...WEEK, official('2026-11-21', { USD: 887 })]);
    const { json } = await get('rates/reference?date=2026-11-21');
    expect([json.mid, json.as_of.business_day, json.as_of.carried_days]).toEqual([887, false, 0]);
  });

  test('contract §1: a rate that was stored late is the rate of its value date', async () => {
    const { service, get } = await serving(WEEK);
    await service.push(official('2026-11-16', { USD: 878 }));
    const { json } = await get('rates/reference?date=2026-11-16');
    expect([json.mid, json.as_of.captured_at]).toEqual([878, '2026-11-16T04:00:00.000Z']);
  });

  test('contract §9: a day begins at midnight in Caracas, not in UTC', async () => {
    const { get } = await serving(WEEK, { start: Date.parse('2026-11-21T03:59:59Z') });
    expect(faultOf(await get('rates/reference?date=2026-11-21'))).toEqual([
      400,
      'invalid_format',
      'date',
    ]);
    const { get: later } = await serving(WEEK, { start: Date.parse('2026-11-21T04:00:00Z') });
    expect((await later('rates/reference?date=2026-11-21')).json.mid).toBe(886);
  });
});

describe('contract §9: other markets on a past day', () => {
  const captures = [
    capture(900, '2026-11-18T10:00:00Z'),
    capture(905, '2026-11-19T03:59:59.999Z', { ask: 906, bid: 904 }),
    capture(910, '2026-11-19T04:00:00Z'),
  ];

  test('contract §9: other markets answer with the last capture before the day ends in Caracas', async () => {
    const { get } = await serving(captures);
    expect((await get('rates/parallel?date=2026-11-18')).json).toEqual({
      market: 'parallel',
      type: 'parallel',
      base: 'USD',
      mid: 905,
      ask: 906,
      bid: 904,
      updated_at: '2026-11-19T03:59:59.999Z',
      stale_after_sec: 7200,
      as_of: {
        date: '2026-11-18',
        business_day: true,
        captured_at: '2026-11-19T03:59:59.999Z',
      },
    });
    expect((await get('rates/parallel?date=2026-11-19')).json.mid).toBe(910);
  });

  test('contract §9: today answers with the last capture until now', async () => {
    const { service, get } = await serving([capture(910, iso(START))]);
    service.clock.advance(60_000);
    await service.push(capture(911, iso(START + 60_000)));
    // The clock was ahead, and is set right.
    service.clock.set(START);
    expect((await get(`rates/parallel?date=${daysAgo(0)}`)).json.mid).toBe(910);
    service.clock.advance(60_000);
    expect((await get(`rates/parallel?date=${daysAgo(0)}`)).json.mid).toBe(911);
  });

  test('contract §9: a late capture for a past day counts at once', async () => {
    const { service, get } = await serving(captures);
    const path = 'rates/parallel?date=2026-11-18';
    const first = await get(path);
    await get(path);
    await service.push(capture(999, '2026-11-19T03:59:59.999Z', { updated_at: iso(START - 1) }));
    const second = await get(path);
    expect([first.json.mid, second.json.mid]).toEqual([905, 999]);
  });
});

describe('contract §9: parameters', () => {
  test.each([
    ['rates/reference?date=2026-11-22', 'date'],
    ['rates/reference?date=2026-02-30', 'date'],
    ['rates/reference?date=20-11-2026', 'date'],
    ['rates/reference?date=2026-11-20T00:00', 'date'],
    ['rates?date=2026-11-22', 'date'],
    ['convert?from=USD&to=VES&amount=1&date=2026-11-22', 'date'],
    ['rates/reference?date=2026-11-20&rule=friday', 'rule'],
    ['rates/parallel?date=2026-11-20&rule=value_date', 'rule'],
    ['convert?from=USD&to=VES&amount=1&via=parallel&date=2026-11-20&rule=value_date', 'rule'],
    ['rates/reference?rule=value_date', 'rule'],
    ['rates?rule=next_banking_day', 'rule'],
  ])('contract §9: %s is 400 naming %s', async (path, field) => {
    const { get } = await serving([...WEEK, capture(900, '2026-11-20T10:00:00Z')]);
    expect(faultOf(await get(path))).toEqual([400, 'invalid_format', field]);
  });

  test('contract §4: the date is checked before the market, and the market before the depth', async () => {
    const { get } = await serving(WEEK, { plan: 'Gratis' });
    expect(faultOf(await get('rates/nowhere?date=2026-13-01'))[0]).toBe(400);
    expect(faultOf(await get('rates/nowhere?date=2020-01-02'))[0]).toBe(404);
    expect(faultOf(await get('rates/cash?date=2020-01-02'))[0]).toBe(402);
    expect(faultOf(await get('rates/parallel?date=2020-01-02'))[0]).toBe(403);
  });

  test('contract §9: a day before any record is 404 with field date', async () => {
    const { get } = await serving([...WEEK, capture(900, '2026-11-18T10:00:00Z')]);
    for (const path of [
      'rates/reference?date=2026-11-16',
      'rates/parallel?date=2026-11-17',
      'rates?date=2026-11-16',
      'convert?from=EUR&to=VES&amount=1&date=2026-11-18',
    ]) {
      expect([path, ...faultOf(await get(path))]).toEqual([
        path,
        404,
        'resource_not_found',
        'date',
      ]);
    }
  });

  test('contract §3: an answered request costs a unit, and a refused one nothing', async () => {
    const { get } = await serving(WEEK);
    const left = (reply: Reply) => Number(reply.headers.get('x-ratelimit-remaining'));
    const first = await get('rates/reference?date=2026-11-20');
    for (const date of ['2026-11-16', '2026-11-30', '2027-01-01']) {
      await get(`rates/reference?date=${date}`);
    }
    expect(left(first) - left(await get('rates/reference?date=2026-11-20'))).toBe(1);
  });
});

describe('contract §9: the depth of the plans', () => {
  test.each([
    ['Gratis', 30, 7],
    ['Inicio', 365, 30],
  ])(
    'contract §9: %s reaches %i days for official markets and %i for others',
    async (plan, officialDays, others) => {
      const { get } = await serving(
        [official('2020-01-02', { USD: 1 }), capture(900, '2020-01-02T12:00:00Z')],
        { plan },
      );
      const at = async (market: string, days: number) => {
        const { status, json } = await get(`rates/${market}?date=${daysAgo(days)}`);
        return [status, json.code ?? json.mid, json.details?.max_days];
      };
      // Within the plan, the error is the missing official rate of that day.
      const inside = [422, 'rate_not_published', undefined];
      expect(await at('reference', officialDays)).toEqual(inside);
      const beyond = [403, 'history_out_of_retention', officialDays];
      expect(await at('reference', officialDays + 1)).toEqual(beyond);
      expect(await at('parallel', others)).toEqual([200, 900, undefined]);
      expect(await at('parallel', others + 1)).toEqual([403, 'history_out_of_retention', others]);
    },
  );

  test.each(['Esencial', 'Profesional', 'Escala'])(
    'contract §9: %s has no limit for official markets',
    async (plan) => {
      const { get } = await serving([official('2020-01-02', { USD: 1 })], { plan });
      expect((await get('rates/reference?date=2020-01-02')).json.as_of.date).toBe('2020-01-02');
    },
  );

  test('contract §9: /rates of a day has only markets whose past the plan reaches', async () => {
    const { get } = await serving([...WEEK, capture(900, '2026-10-01T10:00:00Z')], {
      plan: 'Gratis',
      start: START + 6 * DAY_MS,
    });
    const markets = async (date: string) =>
      (await get(`rates?date=${date}`)).json.rates.map(({ market }: { market: string }) => market);
    expect(await markets('2026-11-20')).toEqual(['reference', 'eur_reference', 'parallel']);
    expect(await markets('2026-11-19')).toEqual(['reference', 'eur_reference']);
    const beyond = await get(`rates?date=${daysAgo(25)}`);
    expect([beyond.status, beyond.json.details]).toMatchObject([403, { max_days: 30 }]);
  });
});

describe('contract §9: the answers', () => {
  const records = [...WEEK, capture(900, '2026-11-20T10:00:00Z')];

  test('contract §9: /rates of a day has no index, and as_of on each row', async () => {
    const { get } = await serving(records);
    const { json } = await get('rates?date=2026-11-21&rule=value_date');
    expect(Object.keys(json).sort()).toEqual([
      'as_of',
      'base',
      'country',
      'currency',
      'fetched_at',
      'rates',
    ]);
    expect(json.as_of).toEqual({ date: '2026-11-21', rule: 'value_date', business_day: false });
    expect(json.rates.map((row: { as_of: object }) => row.as_of)).toEqual([
      {
        date: '2026-11-21',
        rule: 'value_date',
        business_day: false,
        value_date: '2026-11-20',
        captured_at: '2026-11-20T04:00:00.000Z',
        carried_days: 1,
      },
      expect.objectContaining({ value_date: '2026-11-20', carried_days: 1 }),
      { date: '2026-11-21', business_day: false, captured_at: '2026-11-20T10:00:00.000Z' },
    ]);
  });

  test('contract §9: a conversion of a past day has no age and rounds as usual', async () => {
    const { get } = await serving(records);
    const { json } = await get('convert?from=USD&to=VES&amount=1.005&date=2026-11-20');
    expect(json).toEqual({
      from: { currency: 'USD', amount: 1.005 },
      to: { currency: 'VES', amount: 890.43 },
      rate: 886,
      market: 'reference',
      type: 'reference',
      updated_at: '2026-11-20T04:00:00.000Z',
      effective_date: '2026-11-20',
      as_of: expect.objectContaining({ date: '2026-11-20', value_date: '2026-11-20' }),
    });
    const euro = await get('convert?from=VES&to=EUR&amount=1010&date=2026-11-20');
    expect([euro.json.to.amount, euro.json.market]).toEqual([1, 'eur_reference']);
    const others = await get('convert?from=USD&to=VES&amount=2&via=paralelo&date=2026-11-20');
    expect([others.json.to.amount, others.json.as_of.rule]).toEqual([1800, undefined]);
  });

  test('contract §9: a batch takes date and rule in its body', async () => {
    const { bulk } = await serving([...records, TUESDAY]);
    const reply = await bulk({ date: '2026-11-21', rule: 'next_banking_day' });
    expect(reply.json).toMatchObject({
      rate: 890,
      results: [{ amount: 10, result: 8900 }],
      as_of: { date: '2026-11-21', rule: 'next_banking_day', value_date: '2026-11-24' },
    });
    expect(reply.headers.get('x-bulk-operations')).toBe('1');
    expect(faultOf(await bulk({ date: '2026-11-25' }))).toEqual([400, 'invalid_format', 'date']);
    expect(faultOf(await bulk({ date: 20261120 }))).toEqual([400, 'invalid_format', 'date']);
    expect(
      faultOf(await bulk({ date: '2026-11-20', market: 'parallel', rule: 'value_date' })),
    ).toEqual([400, 'invalid_format', 'rule']);
    expect((await bulk({})).json.as_of).toBeUndefined();
  });

  test('contract §9: markups apply to the rates of a past day', async () => {
    const { service, key, get } = await serving(records);
    await service.call('/v1/account/markups', {
      key,
      method: 'POST',
      body: { tag: 'tienda', kind: 'percent', value: 10, markets: ['parallel'] },
    });
    const { json } = await get('rates?date=2026-11-20&markup=tienda');
    expect(json.rates.at(-1)).toMatchObject({ mid: 900, mid_with_markup: 990 });
    expect(json.rates.at(-1).as_of.captured_at).toBe('2026-11-20T10:00:00.000Z');
    expect(json.markup_applied.tag).toBe('tienda');
  });

  test('contract §5: CSV and XML have the fields of as_of', async () => {
    const { get } = await serving(records);
    const csv = await get('rates/reference?date=2026-11-21&format=csv');
    expect(csv.text.split('\r\n')).toEqual([
      'market,type,base,mid,ask,bid,updated_at,effective_date,stale_after_sec,as_of_date,as_of_rule,as_of_business_day,as_of_value_date,as_of_captured_at,as_of_carried_days',
      'reference,reference,USD,886,,,2026-11-20T04:00:00.000Z,2026-11-20,475200,2026-11-21,value_date,false,2026-11-20,2026-11-20T04:00:00.000Z,1',
      '',
    ]);
    const all = await get('rates?date=2026-11-20&format=csv');
    expect(all.text.split('\r\n')).toHaveLength(5);
    const xml = await get('convert?from=USD&to=VES&amount=1&date=2026-11-20&format=xml');
    expect(xml.text).toContain('<conversion>');
    expect(xml.text).toContain('<as_of><date>2026-11-20</date><rule>value_date</rule>');
  });

  test('contract §4: an answer for a past day is revalidated by its ETag', async () => {
    const { service, key, get } = await serving(records);
    const { headers } = await get('convert?from=USD&to=VES&amount=1&date=2026-11-19');
    const again = await service.call('/v1/fx/convert?from=USD&to=VES&amount=1&date=2026-11-19', {
      key,
      headers: { 'If-None-Match': headers.get('etag') ?? '' },
    });
    expect([again.status, again.headers.get('cache-control')]).toEqual([
      304,
      'private, max-age=60',
    ]);
  });
});
