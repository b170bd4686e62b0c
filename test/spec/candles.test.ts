import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/core/domain/time.ts';
import { catalogueWith, limitsOf } from '../harness/catalogue.ts';
import { capture, iso, official } from '../harness/make.ts';
import { faultOf, type Reply, START, serviceWith, startTestService } from '../harness/service.ts';

// The clock shows Saturday 2026-11-21, 12:00 UTC.
const daysAgo = (days: number) => iso(START - days * DAY_MS).slice(0, 10);

async function serving(records: object[], { plan = 'Escala', start = START } = {}) {
  const { service, key, get } = await serviceWith(records, { plan, start });
  const candles = (query = '', market = 'parallel') =>
    get(`rates/${market}/candles${query && `?${query}`}`);
  return { service, key, get, candles };
}

interface Candle {
  readonly date: string;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly captures: number;
  readonly complete: boolean;
}
const candlesOf = ({ json }: Reply): Candle[] => json.candles;
const inShort = (reply: Reply) =>
  candlesOf(reply).map(({ date, open, high, low, close, captures, complete }) => [
    date,
    open,
    high,
    low,
    close,
    captures,
    complete,
  ]);

/** Three weeks: the 9th and 16th of November are Mondays. */
const WEEKS = [
  capture(900, '2026-11-08T23:59:59.999Z'),
  capture(910, '2026-11-09T00:00:00Z'),
  capture(930, '2026-11-10T12:00:00Z'),
  capture(905, '2026-11-15T12:00:00Z'),
  capture(920, '2026-11-16T01:00:00Z'),
  capture(940, '2026-11-20T10:00:00Z'),
  capture(935, '2026-11-20T20:00:00Z'),
  capture(938, '2026-11-21T11:00:00Z'),
];

describe('contract §10: candles', () => {
  test('contract §10: an answer and its candles have exactly their fields', async () => {
    const { candles } = await serving(WEEKS);
    const reply = await candles('from=2026-11-20');
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      market: 'parallel',
      interval: 'day',
      from: '2026-11-20',
      to: '2026-11-21',
      count: 2,
      candles: [
        {
          date: '2026-11-20',
          open: 940,
          high: 940,
          low: 935,
          close: 935,
          captures: 2,
          opened_at: '2026-11-20T10:00:00.000Z',
          closed_at: '2026-11-20T20:00:00.000Z',
          complete: true,
        },
        {
          date: '2026-11-21',
          open: 938,
          high: 938,
          low: 938,
          close: 938,
          captures: 1,
          opened_at: '2026-11-21T11:00:00.000Z',
          closed_at: '2026-11-21T11:00:00.000Z',
          complete: false,
        },
      ],
    });
    expect(reply.headers.get('x-ratelimit-cost')).toBe('1');
    expect(reply.headers.get('cache-control')).toBe('private, max-age=5');
  });

  test('contract §10: weeks begin on Monday in UTC, and days without a capture are absent', async () => {
    const { candles } = await serving(WEEKS);
    expect(inShort(await candles('interval=week&from=2026-11-02'))).toEqual([
      ['2026-11-02', 900, 900, 900, 900, 1, true],
      ['2026-11-09', 910, 930, 905, 905, 3, true],
      ['2026-11-16', 920, 940, 920, 938, 4, false],
    ]);
    expect(inShort(await candles('interval=month&from=2026-11-01'))).toEqual([
      ['2026-11-01', 900, 940, 900, 938, 8, false],
    ]);
    const days = await candles('interval=day&from=2026-11-09&to=2026-11-15');
    expect(candlesOf(days).map(({ date }) => date)).toEqual([
      '2026-11-09',
      '2026-11-10',
      '2026-11-15',
    ]);
  });

  test('contract §10: a candle does not depend on the day on which the range begins', async () => {
    const { candles } = await serving(WEEKS);
    const whole = inShort(await candles('interval=week&from=2026-11-09&to=2026-11-15'));
    expect(inShort(await candles('interval=week&from=2026-11-12&to=2026-11-15'))).toEqual(whole);
    // Captures after the range are not in it.
    expect(inShort(await candles('interval=week&from=2026-11-12&to=2026-11-14'))).toEqual([
      ['2026-11-09', 910, 930, 910, 930, 2, false],
    ]);
  });

  test("contract §10: no candle includes days before the plan's history", async () => {
    const { candles } = await serving(WEEKS, { plan: 'Gratis' });
    const reply = await candles('interval=month');
    expect(reply.json.from).toBe(daysAgo(7));
    // The 14th is the first day; the captures before it are not in the candle.
    expect(inShort(reply)).toEqual([['2026-11-01', 905, 940, 905, 938, 5, false]]);
  });

  test('contract §10: close equals the daily history point of the same day', async () => {
    const { get, candles } = await serving(WEEKS);
    const daily = await get('rates/parallel/history?from=2026-11-01');
    const points: { date: string; rate: number }[] = daily.json.points;
    const shown = candlesOf(await candles('from=2026-11-01'));
    expect(shown.map(({ date, close }) => [date, close])).toEqual(
      points.map(({ date, rate }) => [date, rate]),
    );
  });

  test('contract §1: an official rate belongs to the candle of the day on which it takes effect', async () => {
    const records = [
      official('2026-11-20', { USD: 880 }, { captured_at: '2026-11-19T21:00:00Z' }),
      official('2026-11-21', { USD: 890 }, { captured_at: '2026-11-20T21:00:00Z' }),
    ];
    const early = await serving(records, { start: Date.parse('2026-11-21T03:59:59Z') });
    expect(inShort(await early.candles('', 'bcv'))).toEqual([
      ['2026-11-20', 880, 880, 880, 880, 1, true],
    ]);
    early.service.clock.advance(1_000);
    expect(inShort(await early.candles('', 'bcv'))).toEqual([
      ['2026-11-20', 880, 880, 880, 880, 1, true],
      ['2026-11-21', 890, 890, 890, 890, 1, false],
    ]);
  });

  test.each([
    ['interval=hour', 'interval'],
    ['interval=Day', 'interval'],
    ['from=2026-11-22', 'from'],
    ['from=2026-02-30', 'from'],
    ['to=yesterday', 'to'],
    ['from=2026-11-20&to=2026-11-19', 'from'],
  ])('contract §10: %s is 400 naming %s', async (query, field) => {
    const { candles } = await serving(WEEKS);
    expect(faultOf(await candles(query))).toEqual([400, 'invalid_format', field]);
  });

  test('contract §10: 1,000 candles are answered and 1,001 refused; without from the newest are given', async () => {
    // No packaged plan reaches back that far.
    const plans = limitsOf({ Escala: { history_days: null } });
    const catalogueDir = await catalogueWith({ plans });
    const service = await startTestService({ config: { catalogueDir } });
    await service.push(
      capture(1, iso(START - 1_000 * DAY_MS)),
      capture(2, iso(START - 999 * DAY_MS)),
    );
    const key = await service.keyFor('Escala');
    const get = (query: string) => service.call(`/v1/fx/rates/parallel/candles?${query}`, { key });
    expect((await get(`from=${daysAgo(999)}`)).json.count).toBe(1);
    const beyond = await get(`from=${daysAgo(1_000)}`);
    expect(faultOf(beyond)).toEqual([400, 'invalid_format', 'from']);
    expect(beyond.json.details).toEqual({ rule: 'too_many', max: 1_000 });
    expect((await get('')).json).toMatchObject({ from: daysAgo(999), count: 1 });
    expect((await get(`interval=week&from=${daysAgo(1_000)}`)).json.count).toBe(2);
    expect((await get('interval=month')).json.candles[0].captures).toBe(2);
  });

  test.each([
    ['Gratis', 7],
    ['Inicio', 30],
    ['Escala', 365],
  ])('contract §10: %s reaches back %i days', async (plan, days) => {
    const { candles } = await serving(WEEKS, { plan });
    expect((await candles(`from=${daysAgo(days)}`)).status).toBe(200);
    const beyond = await candles(`from=${daysAgo(days + 1)}`);
    expect([beyond.status, beyond.json.code, beyond.json.details]).toEqual([
      403,
      'history_out_of_retention',
      expect.objectContaining({ max_days: days }),
    ]);
  });

  test('contract §10: candles check the market and the plan', async () => {
    const { candles } = await serving(WEEKS, { plan: 'Gratis' });
    expect(faultOf(await candles('', 'nowhere'))).toEqual([404, 'resource_not_found', 'market']);
    expect(faultOf(await candles('', 'cash'))[0]).toBe(402);
    expect((await candles('', 'paralelo')).json.market).toBe('parallel');
    expect((await candles('', 'binance')).json).toMatchObject({ count: 0, candles: [] });
  });

  test('contract §10: CSV has a row per candle, and XML the root candles', async () => {
    const { candles } = await serving(WEEKS);
    const csv = await candles('from=2026-11-20&format=csv');
    expect(csv.text.split('\r\n').slice(0, 2)).toEqual([
      'date,open,high,low,close,captures,opened_at,closed_at,complete,market,interval,from,to,count',
      '2026-11-20,940,940,935,935,2,2026-11-20T10:00:00.000Z,2026-11-20T20:00:00.000Z,true,parallel,day,2026-11-20,2026-11-21,2',
    ]);
    const xml = await candles('from=2026-11-20&format=xml');
    expect(xml.text).toContain('<candles><market>parallel</market>');
    expect(xml.text).toContain('<candles><item><date>2026-11-20</date>');
  });
});

describe('contract §10: history in groups', () => {
  test('contract §10: a group has its last point, dated by its first day', async () => {
    const { get } = await serving(WEEKS);
    const weeks = await get('rates/parallel/history?group=week&from=2026-11-02');
    expect(weeks.json).toMatchObject({ granularity: 'daily', count: 3 });
    expect(weeks.json.points[1]).toEqual({
      date: '2026-11-09',
      rate: 905,
      updated_at: '2026-11-15T12:00:00.000Z',
      captured_at: '2026-11-15T12:00:00.000Z',
    });
    const months = await get('rates/parallel/history?group=month&from=2026-11-09');
    expect(months.json.points).toMatchObject([{ date: '2026-11-01', rate: 938 }]);
  });

  test('contract §10: a grouped point equals the close of the candle of the same range', async () => {
    const { get, candles } = await serving(WEEKS);
    for (const group of ['week', 'month']) {
      for (const range of ['from=2026-11-03', 'from=2026-11-09&to=2026-11-18', 'to=2026-11-14']) {
        const { json } = await get(`rates/parallel/history?group=${group}&${range}`);
        const points: { date: string; rate: number }[] = json.points;
        const shown = candlesOf(await candles(`interval=${group}&${range}`));
        const closes = new Map(shown.map(({ date, close }) => [date, close]));
        expect(points.map(({ date }) => closes.get(date))).toEqual(points.map(({ rate }) => rate));
      }
    }
  });

  test('contract §10: group is week or month, and 400 with granularity=raw', async () => {
    const { get } = await serving(WEEKS);
    const path = 'rates/parallel/history?group=';
    expect(faultOf(await get(`${path}week&granularity=raw`))).toEqual([
      400,
      'invalid_format',
      'group',
    ]);
    expect(faultOf(await get(`${path}year`))).toEqual([400, 'invalid_format', 'group']);
    expect((await get(`${path}week&granularity=daily`)).status).toBe(200);
    expect((await get(`${path}week&date=2026-11-20`)).json.rate).toBe(935);
  });
});
