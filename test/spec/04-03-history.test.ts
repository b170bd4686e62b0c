import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/core/domain/time.ts';
import { iso, official, quote } from '../harness/make.ts';
import { fault, type Reply, START, startTestService } from '../harness/service.ts';

const SECOND = 1_000;

/** Days a plan reaches back (§4.3 rule 6). */
const RETENTION: readonly (readonly [plan: string, days: number])[] = [
  ['Gratis', 7],
  ['Inicio', 30],
  ['Esencial', 90],
  ['Profesional', 180],
  ['Escala', 365],
];

/** `YYYY-MM-DD` in UTC, so many days before the start of the test. */
const daysAgo = (days: number) => iso(START - days * DAY_MS).slice(0, 10);
const TODAY = daysAgo(0);
const YESTERDAY = daysAgo(1);
const TOMORROW = daysAgo(-1);

async function serving(records: object[], plan = 'Escala', start = START) {
  const service = await startTestService({ start });
  if (records.length > 0) await service.push(...records);
  const key = await service.keyFor(plan);
  const history = (query = '', market = 'parallel'): Promise<Reply> =>
    service.call(`/v1/fx/rates/${market}/history${query && `?${query}`}`, { key });
  return { service, key, history };
}

/** A capture of the parallel market, told by its rate. */
function capture(mid: number, at: string, more: object = {}): object {
  const instant = at.includes('T') ? at : `${at}T12:00:00.000Z`;
  return quote('parallel', mid, { updated_at: instant, captured_at: instant, ...more });
}

interface Point {
  readonly date: string;
  readonly rate: number;
  readonly captured_at: string;
}

const pointsOf = ({ json }: Reply): Point[] => json.points;
const ratesOf = (reply: Reply): number[] => pointsOf(reply).map(({ rate }) => rate);
const rangeOf = ({ json }: Reply): string[] => [json.from, json.to];

describe('§2.7 the answers', () => {
  test('§2.7 a point has exactly its five fields', async () => {
    const { history } = await serving([
      capture(900, '2026-11-20T10:00:05.250Z', {
        updated_at: '2026-11-20T10:00:00Z',
        ask: 901,
        bid: 899,
      }),
    ]);
    const reply = await history('date=2026-11-20');
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      market: 'parallel',
      date: '2026-11-20',
      rate: 900,
      updated_at: '2026-11-20T10:00:00.000Z',
      captured_at: '2026-11-20T10:00:05.250Z',
    });
    expect(reply.headers.get('x-ratelimit-cost')).toBe('1');
  });

  test('§2.7 a collection and its points have exactly their fields, and truncated is absent', async () => {
    const { history } = await serving(
      [
        capture(900, '2026-11-20T10:00:05.250Z', { updated_at: '2026-11-20T10:00:00Z', ask: 901 }),
        capture(905, '2026-11-21T11:00:00Z'),
      ],
      'Gratis',
    );
    for (const granularity of ['daily', 'raw']) {
      const { json } = await history(`granularity=${granularity}`);
      expect(json).toEqual({
        market: 'parallel',
        from: '2026-11-14',
        to: '2026-11-21',
        granularity,
        count: 2,
        points: [
          {
            date: '2026-11-20',
            rate: 900,
            updated_at: '2026-11-20T10:00:00.000Z',
            captured_at: '2026-11-20T10:00:05.250Z',
          },
          {
            date: '2026-11-21',
            rate: 905,
            updated_at: '2026-11-21T11:00:00.000Z',
            captured_at: '2026-11-21T11:00:00.000Z',
          },
        ],
      });
    }
  });

  test('§2.7 an official rate has no effective_date in history; the euro is VES per EUR', async () => {
    const { history } = await serving([official('2026-11-20', { USD: 800.5, EUR: 920.25 })]);
    const point = { updated_at: '2026-11-20T04:00:00.000Z', captured_at: iso(START) };
    for (const [market, rate] of [
      ['reference', 800.5],
      ['eur_reference', 920.25],
    ] as const) {
      expect((await history('date=2026-11-21', market)).json).toEqual({
        market,
        date: '2026-11-21',
        rate,
        ...point,
      });
      expect((await history('', market)).json.points).toEqual([
        { date: '2026-11-21', rate, ...point },
      ]);
    }
  });

  test('§2.1 an alias is answered with the id', async () => {
    const { history } = await serving([capture(900, TODAY)]);
    expect((await history('', 'paralelo')).json.market).toBe('parallel');
    expect((await history(`date=${TODAY}`, 'paralelo')).json.market).toBe('parallel');
  });

  test('§4.3 history has only the captures of its market', async () => {
    const { history } = await serving([capture(900, TODAY), quote('cash', 880)]);
    expect(ratesOf(await history('', 'cash'))).toEqual([880]);
    expect(ratesOf(await history('granularity=raw'))).toEqual([900]);
  });
});

describe('§4.3 a point', () => {
  test('§4.3 rule 1 a point is the last record captured before the end of its UTC day', async () => {
    const { history } = await serving([
      capture(1, '2026-11-18T23:59:59.999Z'),
      capture(2, '2026-11-19T00:00:00.000Z'),
      capture(3, '2026-11-19T12:00:00.000Z'),
      capture(4, '2026-11-19T23:59:59.999Z'),
      capture(5, '2026-11-20T00:00:00.000Z'),
    ]);
    for (const [date, rate] of [
      ['2026-11-18', 1],
      ['2026-11-19', 4],
      ['2026-11-20', 5],
    ] as const) {
      const { json } = await history(`date=${date}`);
      expect([json.date, json.rate]).toEqual([date, rate]);
    }
  });

  test('§4.3 rule 1 a day without data gets the record of an earlier day under the requested date', async () => {
    const { history } = await serving([
      capture(1, '2026-11-10T09:00:00Z'),
      capture(2, '2026-11-20T09:00:00Z'),
    ]);
    const { json } = await history('date=2026-11-19');
    expect(json).toMatchObject({
      date: '2026-11-19',
      rate: 1,
      captured_at: '2026-11-10T09:00:00.000Z',
    });
  });

  test('§4.3 rule 1 the point of today is the last capture until now', async () => {
    const { service, history } = await serving([capture(1, '2026-11-21T11:00:00Z')]);
    expect((await history(`date=${TODAY}`)).json.rate).toBe(1);
    service.clock.advance(SECOND);
    await service.push({ kind: 'quote', market: 'parallel', mid: 2 });
    expect((await history(`date=${TODAY}`)).json.rate).toBe(2);
  });

  test('§4.3 rule 1 the capture time decides, not the time of the source or of arrival', async () => {
    const { service, history } = await serving([
      capture(2, '2026-11-20T20:00:00Z', { updated_at: '2026-11-18T20:00:00Z' }),
    ]);
    service.clock.advance(SECOND);
    await service.push(capture(1, '2026-11-20T10:00:00Z', { updated_at: '2026-11-20T10:00:00Z' }));
    expect((await history('date=2026-11-20')).json.rate).toBe(2);
    expect((await history('date=2026-11-18')).status).toBe(404);
  });

  test('§4.3 rule 7 a day before any record is 404 with field date and costs nothing', async () => {
    const { history } = await serving([capture(1, '2026-11-20T00:00:00.000Z')]);
    const before = await history('date=2026-11-19');
    expect(fault(before)).toEqual([404, 'resource_not_found', 'date']);
    expect(before.headers.get('x-ratelimit-cost')).toBeNull();
    expect(before.headers.get('x-ratelimit-remaining')).toBe('1500000');
    expect((await history('date=2026-11-20')).status).toBe(200);
    expect(fault(await history(`date=${TODAY}`, 'cash'))).toEqual([
      404,
      'resource_not_found',
      'date',
    ]);
  });

  test('§4.3 date takes precedence over the range and the granularity', async () => {
    const { history } = await serving([capture(1, '2026-11-19'), capture(2, TODAY)], 'Gratis');
    const alone = await history('date=2026-11-20');
    expect(alone.json.rate).toBe(1);
    for (const range of [
      `from=${TODAY}&to=${TODAY}`,
      'from=2026-11-21&to=2026-11-20',
      'from=2020-01-01',
      'to=2020-01-01',
      `from=${TOMORROW}`,
      'granularity=raw',
      `from=2026-11-15&to=${TODAY}&granularity=daily`,
    ]) {
      for (const query of [`date=2026-11-20&${range}`, `${range}&date=2026-11-20`]) {
        const reply = await history(query);
        expect([query, reply.status, reply.json]).toEqual([query, 200, alone.json]);
      }
    }
  });

  test('§4.3 with date, the range and the granularity must still be well-formed', async () => {
    const { history } = await serving([capture(1, '2026-11-19')], 'Gratis');
    for (const [field, value] of [
      ['from', 'x'],
      ['from', '2026-02-30'],
      ['to', '2026-1-1'],
      ['granularity', 'hourly'],
    ]) {
      const reply = await history(`date=2026-11-20&${field}=${value}`);
      expect(fault(reply)).toEqual([400, 'invalid_format', field]);
    }
  });

  test('contract §2 date accepts today and refuses tomorrow, by the UTC day', async () => {
    const midnight = Date.parse(`${TOMORROW}T00:00:00.000Z`);
    const { service, history } = await serving([capture(1, TODAY)]);
    service.clock.set(midnight - 1);
    expect((await history(`date=${TODAY}`)).status).toBe(200);
    expect(fault(await history(`date=${TOMORROW}`))).toEqual([400, 'invalid_format', 'date']);
    service.clock.set(midnight);
    expect((await history(`date=${TOMORROW}`)).json).toMatchObject({ date: TOMORROW, rate: 1 });
  });
});

describe('§4.3 a collection', () => {
  test('§4.3 rule 2 without date the answer is a collection, with from, to, both or neither', async () => {
    const { history } = await serving([capture(1, TODAY)]);
    for (const query of [
      '',
      'granularity=daily',
      `from=${YESTERDAY}`,
      `to=${TODAY}`,
      `from=${YESTERDAY}&to=${TODAY}`,
      'granularity=&format=',
    ]) {
      const { status, json } = await history(query);
      expect([query, status, json.granularity, json.points]).toEqual([
        query,
        200,
        'daily',
        [expect.objectContaining({ rate: 1 })],
      ]);
    }
  });

  test('§4.3 rules 3 and 5 daily has the last capture of each UTC day, not of each local day', async () => {
    const { history } = await serving([
      capture(1, '2026-11-18T00:00:00.000Z'),
      capture(2, '2026-11-18T23:59:59.999Z'),
      // One evening in Caracas, two days in UTC.
      capture(3, '2026-11-19T23:59:59.999Z'),
      capture(4, '2026-11-20T00:00:00.000Z'),
      capture(5, '2026-11-20T03:59:59.999Z'),
      capture(6, '2026-11-20T04:00:00.000Z'),
    ]);
    const reply = await history();
    expect(pointsOf(reply).map(({ date, rate }) => [date, rate])).toEqual([
      ['2026-11-18', 2],
      ['2026-11-19', 3],
      ['2026-11-20', 6],
    ]);
    expect(reply.json.count).toBe(3);
  });

  test('§4.3 rule 3 days without a capture have no point', async () => {
    const { history } = await serving([capture(1, '2026-11-10'), capture(2, '2026-11-20')]);
    expect(pointsOf(await history()).map(({ date }) => date)).toEqual(['2026-11-10', '2026-11-20']);
  });

  test('§4.3 rule 4 raw has every capture in chronological order, whatever the order of arrival', async () => {
    const { history } = await serving([
      capture(3, '2026-11-20T12:00:00Z'),
      capture(1, '2026-11-19T12:00:00Z'),
      capture(4, '2026-11-20T12:00:01Z'),
      capture(2, '2026-11-20T11:59:59Z'),
      // The same value observed again is a new capture.
      capture(4, '2026-11-20T12:00:02Z', { updated_at: '2026-11-20T12:00:01Z' }),
    ]);
    const reply = await history('granularity=raw');
    expect(ratesOf(reply)).toEqual([1, 2, 3, 4, 4]);
    expect(pointsOf(reply).map(({ date }) => date)).toEqual([
      '2026-11-19',
      '2026-11-20',
      '2026-11-20',
      '2026-11-20',
      '2026-11-20',
    ]);
    expect(reply.json.count).toBe(5);
  });

  test('§4.3 rule 4 a raw series of 5,000 points is whole, and one of 5,001 is cut to the newest 5,000', async () => {
    const noon = Date.parse('2026-11-20T12:00:00.000Z');
    const { service, history } = await serving([
      capture(1, '2026-11-15T12:00:00Z'),
      ...Array.from({ length: 4_999 }, (_, position) =>
        capture(position + 2, iso(noon + position * SECOND)),
      ),
    ]);
    const whole = await history('from=2026-11-14&granularity=raw');
    expect(whole.json).not.toHaveProperty('truncated');
    expect(rangeOf(whole)).toEqual(['2026-11-14', TODAY]);
    expect(whole.json.count).toBe(5_000);
    expect(ratesOf(whole)).toEqual(Array.from({ length: 5_000 }, (_, position) => position + 1));

    await service.push(capture(5_001, iso(noon + 4_999 * SECOND)));
    const cut = await history('from=2026-11-14&granularity=raw');
    expect(cut.json.truncated).toBe(true);
    expect(rangeOf(cut)).toEqual(['2026-11-20', TODAY]);
    expect([cut.json.count, cut.json.granularity]).toEqual([5_000, 'raw']);
    expect(ratesOf(cut)).toEqual(Array.from({ length: 5_000 }, (_, position) => position + 2));

    // A range with fewer captures is whole, and a daily series is not limited.
    const less = await history('from=2026-11-14&to=2026-11-19&granularity=raw');
    expect([less.json.count, less.json.truncated]).toEqual([1, undefined]);
    const daily = await history('from=2026-11-14');
    expect([ratesOf(daily), daily.json.truncated]).toEqual([[1, 5_001], undefined]);
  });

  test('§4.3 from and to are inclusive to the millisecond', async () => {
    const { history } = await serving([
      capture(1, '2026-11-17T23:59:59.999Z'),
      capture(2, '2026-11-18T00:00:00.000Z'),
      capture(3, '2026-11-19T23:59:59.999Z'),
      capture(4, '2026-11-20T00:00:00.000Z'),
    ]);
    for (const granularity of ['daily', 'raw']) {
      const both = await history(`from=2026-11-18&to=2026-11-19&granularity=${granularity}`);
      expect(ratesOf(both)).toEqual([2, 3]);
      expect(rangeOf(both)).toEqual(['2026-11-18', '2026-11-19']);
      expect(ratesOf(await history(`to=2026-11-17&granularity=${granularity}`))).toEqual([1]);
      expect(ratesOf(await history(`from=2026-11-20&granularity=${granularity}`))).toEqual([4]);
    }
  });

  test('§4.3 from and to may be the same day', async () => {
    const { history } = await serving([capture(1, YESTERDAY), capture(2, TODAY)]);
    expect(ratesOf(await history(`from=${YESTERDAY}&to=${YESTERDAY}`))).toEqual([1]);
    expect(ratesOf(await history(`from=${TODAY}&to=${TODAY}`))).toEqual([2]);
  });

  test('§4.3 a future to is capped at today', async () => {
    const { history } = await serving([capture(1, TODAY)]);
    for (const to of [TODAY, TOMORROW, '2027-01-01', '9999-12-31']) {
      const reply = await history(`from=${YESTERDAY}&to=${to}`);
      expect([to, reply.status, ...rangeOf(reply)]).toEqual([to, 200, YESTERDAY, TODAY]);
      expect(rangeOf(await history(`to=${to}`))[1]).toBe(TODAY);
    }
  });

  test.each(RETENTION)(
    '§4.3 without a range %s gets its window of %i days back to today',
    async (plan, days) => {
      const first = Date.parse(`${daysAgo(days)}T00:00:00.000Z`);
      const { history } = await serving(
        [capture(1, iso(first - 1)), capture(2, iso(first)), capture(3, TODAY)],
        plan,
      );
      for (const granularity of ['daily', 'raw']) {
        const reply = await history(`granularity=${granularity}`);
        expect(rangeOf(reply)).toEqual([daysAgo(days), TODAY]);
        expect(ratesOf(reply)).toEqual([2, 3]);
      }
      expect(rangeOf(await history(`to=${YESTERDAY}`))).toEqual([daysAgo(days), YESTERDAY]);
    },
  );

  test('§4.3 the default window moves at midnight in UTC', async () => {
    const { service, history } = await serving([], 'Gratis');
    const midnight = Date.parse(`${TOMORROW}T00:00:00.000Z`);
    service.clock.set(midnight - 1);
    expect(rangeOf(await history())).toEqual(['2026-11-14', '2026-11-21']);
    service.clock.set(midnight);
    expect(rangeOf(await history())).toEqual(['2026-11-15', '2026-11-22']);
  });

  test('§4.3 rule 7 an empty collection is valid, and is an answered call', async () => {
    const { history } = await serving([capture(1, '2026-11-10')]);
    for (const granularity of ['daily', 'raw']) {
      const reply = await history(`from=2026-11-11&granularity=${granularity}`);
      expect(reply.status).toBe(200);
      expect(reply.json).toEqual({
        market: 'parallel',
        from: '2026-11-11',
        to: TODAY,
        granularity,
        count: 0,
        points: [],
      });
      expect(reply.headers.get('x-ratelimit-cost')).toBe('1');
    }
    expect((await history('', 'cucuta')).json).toMatchObject({ count: 0, points: [] });
  });
});

describe('§4.3 rule 6 retention', () => {
  test.each(RETENTION)(
    '§4.3 rule 6 %s reads exactly %i days back, as a date and as a range',
    async (plan, days) => {
      const { history } = await serving([capture(1, daysAgo(days + 5)), capture(2, TODAY)], plan);
      const [last, over] = [daysAgo(days), daysAgo(days + 1)];

      // The point of the last day may come from an older record (rule 1).
      expect((await history(`date=${last}`)).json).toMatchObject({ date: last, rate: 1 });
      expect(rangeOf(await history(`from=${last}`))).toEqual([last, TODAY]);
      expect(rangeOf(await history(`from=${last}&to=${last}`))).toEqual([last, last]);
      expect(rangeOf(await history(`to=${last}&granularity=raw`))).toEqual([last, last]);

      for (const query of [
        `date=${over}`,
        `from=${over}`,
        `from=${over}&to=${TODAY}`,
        `from=${over}&to=${over}&granularity=raw`,
        `to=${over}`,
        'date=2001-01-01',
      ]) {
        const { status, json, headers } = await history(query);
        expect([query, status, json.code, json.details]).toEqual([
          query,
          403,
          'history_out_of_retention',
          expect.objectContaining({ max_days: days }),
        ]);
        expect(headers.get('x-ratelimit-cost')).toBeNull();
      }
    },
  );

  test('§4.3 rule 6 retention counts UTC days: the oldest day is lost at 00:00 UTC', async () => {
    const { service, history } = await serving([capture(1, '2026-11-14')], 'Gratis');
    const midnight = Date.parse(`${TOMORROW}T00:00:00.000Z`);
    service.clock.set(midnight - 1);
    expect((await history('date=2026-11-14')).status).toBe(200);
    expect((await history('from=2026-11-14')).status).toBe(200);
    service.clock.set(midnight);
    expect((await history('date=2026-11-14')).status).toBe(403);
    expect((await history('from=2026-11-14')).status).toBe(403);
    expect((await history('date=2026-11-15')).status).toBe(200);
  });

  test('§4.3 rule 6 after a change of plan the new retention applies at once', async () => {
    const { service, history } = await serving([capture(1, daysAgo(60))], 'Gratis');
    expect((await history(`date=${daysAgo(50)}`)).json.details).toMatchObject({ max_days: 7 });
    const [account] = await service.service.accounts.list();
    await service.service.accounts.setPlan(account?.id ?? '', 'Esencial');
    await service.service.changePoller.poll();
    expect((await history(`date=${daysAgo(50)}`)).json.rate).toBe(1);
  });
});

describe('§4.3 rule 7 what is refused', () => {
  const NO_DATES = [
    '2026-02-30',
    '2025-02-29',
    '2026-00-10',
    '2026-13-01',
    '2026-11-00',
    '2026-11-31',
    '2026-1-2',
    '26-11-20',
    '20261120',
    '2026/11/20',
    '2026-11-20T00:00:00Z',
    '2026-11-20%20',
    '%202026-11-20',
    '2026-11-20%0A',
    '2026-11-20%00',
    '%2B2026-11-20',
    '-2026-11-20',
    '02026-11-20',
    '2026-325',
    '2026-W47-6',
    '%EF%BC%92026-11-20',
    'today',
    '0',
    '1795219200',
    'null',
  ];

  test.each(['date', 'from', 'to'])(
    '§4.3 rule 7 a malformed or impossible %s is 400 with its field',
    async (field) => {
      const { history } = await serving([capture(1, YESTERDAY)]);
      for (const value of NO_DATES) {
        const reply = await history(`${field}=${value}`);
        expect([value, ...fault(reply)]).toEqual([value, 400, 'invalid_format', field]);
        expect(reply.headers.get('x-ratelimit-cost')).toBeNull();
      }
    },
  );

  test('§4.3 rule 7 the 29th of February is accepted in leap years only', async () => {
    const start = Date.parse('2028-03-05T12:00:00.000Z');
    const { history } = await serving([capture(1, '2028-02-20')], 'Gratis', start);
    expect((await history('date=2028-02-29')).json).toMatchObject({ date: '2028-02-29', rate: 1 });
    expect((await history('from=2028-02-29')).status).toBe(200);
    expect(fault(await history('date=2028-02-30'))).toEqual([400, 'invalid_format', 'date']);
    expect(fault(await history('date=2027-02-29'))).toEqual([400, 'invalid_format', 'date']);
    // The data exists but is beyond the plan.
    expect((await history('date=2024-02-29')).status).toBe(403);
  });

  test('contract §2 from accepts today and refuses tomorrow', async () => {
    const { history } = await serving([]);
    expect((await history(`from=${TODAY}`)).status).toBe(200);
    for (const query of [`from=${TOMORROW}`, `from=${TOMORROW}&to=2026-12-31`, 'from=9999-12-31']) {
      expect([query, ...fault(await history(query))]).toEqual([
        query,
        400,
        'invalid_format',
        'from',
      ]);
    }
  });

  test('contract §2 from after to is 400 with a field, and the same day is accepted', async () => {
    const { history } = await serving([]);
    expect((await history('from=2026-11-18&to=2026-11-18')).status).toBe(200);
    for (const query of ['from=2026-11-19&to=2026-11-18', `from=${TODAY}&to=2026-01-01`]) {
      const [status, code, field] = fault(await history(query));
      expect([query, status, code]).toEqual([query, 400, 'invalid_format']);
      expect(['from', 'to']).toContain(field);
    }
  });

  test('§4.3 rule 7 granularity is daily or raw', async () => {
    const { history } = await serving([]);
    for (const value of ['hourly', 'RAW', 'Daily', 'raw%20', 'weekly', '1']) {
      expect([value, ...fault(await history(`granularity=${value}`))]).toEqual([
        value,
        400,
        'invalid_format',
        'granularity',
      ]);
    }
  });

  test('§4.3 rule 7 a parameter that is not documented is 400 unknown_parameter', async () => {
    const { history } = await serving([capture(1, TODAY)]);
    for (const name of ['x', 'Date', 'since', 'limit', 'market', 'markup', '__proto__']) {
      expect([name, ...fault(await history(`${name}=1`))]).toEqual([
        name,
        400,
        'unknown_parameter',
        name,
      ]);
    }
    expect(fault(await history('date=nothing&x=1'))).toEqual([400, 'unknown_parameter', 'x']);
  });

  test('contract §4 a parameter given twice is 400, also with the same value', async () => {
    const { history } = await serving([capture(1, TODAY)]);
    for (const [name, value] of [
      ['date', TODAY],
      ['from', TODAY],
      ['to', TODAY],
      ['granularity', 'raw'],
      ['format', 'json'],
    ]) {
      expect(fault(await history(`${name}=${value}&${name}=${value}`))).toEqual([
        400,
        'invalid_format',
        name,
      ]);
    }
  });

  test('§4.3 rule 7 a market of a higher plan is 402, and an unknown market is 404', async () => {
    const { history } = await serving([quote('cash', 880)], 'Profesional');
    for (const query of ['', `date=${TODAY}`, 'granularity=raw']) {
      const { status, json } = await history(query, 'cash');
      expect([status, json.code, json.details]).toEqual([
        402,
        'feature_not_in_plan',
        { feature: 'market:cash', current_plan: 'Profesional', required_plan: 'Escala' },
      ]);
      const unknown = await history(query, 'nowhere');
      expect([unknown.status, unknown.json.code]).toEqual([404, 'resource_not_found']);
      // The error does not name the date, because the market is unknown.
      expect(unknown.json.field).not.toBe('date');
    }
  });

  test('contract §4 invalid parameters come before the market and its plan', async () => {
    const { history } = await serving([], 'Gratis');
    for (const market of ['nowhere', 'cash']) {
      expect((await history('date=2026-02-30', market)).status).toBe(400);
      expect((await history(`date=${TOMORROW}`, market)).status).toBe(400);
      expect((await history('from=2026-11-20&to=2026-11-19', market)).status).toBe(400);
      expect((await history('granularity=x', market)).status).toBe(400);
      expect((await history('x=1', market)).status).toBe(400);
    }
  });
});

describe('contract §1 official rates in history', () => {
  const EFFECT = Date.parse('2026-11-23T04:00:00.000Z');
  const published = (value: number, at: number) =>
    official('2026-11-23', { USD: value, EUR: value + 100 }, { captured_at: iso(at) });

  test('contract §1 a publication for a later date counts from the instant at which it takes effect', async () => {
    const { service, history } = await serving([
      official('2026-11-20', { USD: 800, EUR: 900 }),
      published(810, START),
    ]);
    for (const [market, friday, monday] of [
      ['reference', 800, 810],
      ['eur_reference', 900, 910],
    ] as const) {
      service.clock.set(EFFECT - 1);
      expect(ratesOf(await history('granularity=raw', market))).toEqual([friday]);
      expect((await history('date=2026-11-23', market)).json.rate).toBe(friday);

      service.clock.set(EFFECT);
      const raw = await history('granularity=raw', market);
      expect(pointsOf(raw).map((point) => [point.date, point.rate, point.captured_at])).toEqual([
        ['2026-11-21', friday, iso(START)],
        ['2026-11-23', monday, iso(EFFECT)],
      ]);
      expect((await history('date=2026-11-22', market)).json.rate).toBe(friday);
      expect((await history('date=2026-11-23', market)).json).toMatchObject({
        rate: monday,
        updated_at: iso(EFFECT),
        captured_at: iso(EFFECT),
      });
    }
  });

  test('contract §1 captured_at is the later of capture and effect', async () => {
    for (const [at, expected] of [
      [EFFECT - 1, EFFECT],
      [EFFECT, EFFECT],
      [EFFECT + 1, EFFECT + 1],
    ] as const) {
      const { history } = await serving([published(810, at)], 'Gratis', EFFECT + SECOND);
      expect(pointsOf(await history('', 'reference'))).toEqual([
        {
          date: '2026-11-23',
          rate: 810,
          updated_at: iso(EFFECT),
          captured_at: iso(expected),
        },
      ]);
    }
  });

  test('contract §1 of several publications for one date, the last captured is the rate of the day', async () => {
    const { history } = await serving(
      [published(812, EFFECT + 2), published(811, EFFECT + 1), published(810, START)],
      'Gratis',
      EFFECT + SECOND,
    );
    expect(ratesOf(await history('granularity=raw', 'reference'))).toEqual([810, 811, 812]);
    expect(ratesOf(await history('', 'reference'))).toEqual([812]);
  });

  test('contract §1 a correction published before its value date is the rate from that date on', async () => {
    const { history } = await serving([published(810, EFFECT - 3 * SECOND)], 'Gratis', EFFECT - 1);
    const {
      service,
      key,
      history: corrected,
    } = await serving(
      [published(810, EFFECT - 3 * SECOND), published(811, EFFECT - 2 * SECOND)],
      'Gratis',
      EFFECT + SECOND,
    );
    expect(ratesOf(await history('', 'reference'))).toEqual([]);
    expect((await service.call('/v1/fx/rates/reference', { key })).json.mid).toBe(811);
    expect((await corrected('date=2026-11-23', 'reference')).json.rate).toBe(811);
    expect(ratesOf(await corrected('', 'reference'))).toEqual([811]);
  });

  test('contract §1 the newest publication stays in force when the one that it corrects arrives later', async () => {
    const { service, key } = await serving(
      [published(811, EFFECT - 2 * SECOND)],
      'Gratis',
      EFFECT + SECOND,
    );
    await service.push(published(810, EFFECT - 3 * SECOND));
    const at = async (path: string) => (await service.call(`/v1/fx/${path}`, { key })).json;
    expect({
      currencies: (await at('bcv/currencies')).rates.EUR,
      euro: (await at('rates/eur_reference')).mid,
      dollar: (await at('rates/reference')).mid,
    }).toEqual({ currencies: 911, euro: 911, dollar: 811 });
  });
});
