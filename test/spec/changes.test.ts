import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/core/domain/time.ts';
import { iso, official, quote } from '../harness/make.ts';
import { faultOf, type Reply, START, startTestService } from '../harness/service.ts';

function capture(market: string, mid: number, at: number): object {
  return quote(market, mid, { updated_at: iso(at), captured_at: iso(at) });
}

async function serving(records: object[], plan = 'Escala') {
  const service = await startTestService();
  if (records.length > 0) await service.push(...records);
  const key = await service.keyFor(plan);
  const changes = (query = ''): Promise<Reply> =>
    service.call(`/v1/fx/changes${query && `?${query}`}`, { key });
  return { service, changes };
}

const RECORDS = [
  official('2026-11-19', { USD: 800 }, { captured_at: '2026-11-18T21:00:00Z' }),
  official('2026-11-20', { USD: 810 }, { captured_at: '2026-11-19T21:00:00Z' }),
  official('2026-11-21', { USD: 809.5 }, { captured_at: '2026-11-20T21:00:00Z' }),
  capture('parallel', 900, START - 7 * DAY_MS),
  capture('parallel', 905.5, START - DAY_MS),
  capture('parallel', 930, START - DAY_MS + 1),
  capture('parallel', 912.15, START),
  capture('binance', 920, START),
];

describe('contract §10: changes', () => {
  test('contract §10: a rate is compared with the last one captured up to a day ago', async () => {
    const { changes } = await serving(RECORDS);
    const reply = await changes();
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      period: '1d',
      changes: [
        {
          market: 'reference',
          rate: 809.5,
          updated_at: '2026-11-21T04:00:00.000Z',
          before: { rate: 810, captured_at: '2026-11-20T04:00:00.000Z' },
          change: { amount: -0.5, percent: -0.0617 },
        },
        {
          market: 'parallel',
          rate: 912.15,
          updated_at: iso(START),
          before: { rate: 905.5, captured_at: iso(START - DAY_MS) },
          change: { amount: 6.65, percent: 0.7344 },
        },
        { market: 'binance', rate: 920, updated_at: iso(START) },
      ],
    });
    expect(reply.headers.get('x-ratelimit-cost')).toBe('1');
  });

  test('contract §10: a capture counts once it is exactly one period old', async () => {
    const { service, changes } = await serving(RECORDS);
    const compared = async () => (await changes('markets=parallel')).json.changes[0].before.rate;
    expect(await compared()).toBe(905.5);
    service.clock.advance(1);
    expect(await compared()).toBe(930);
  });

  test('contract §10: without a capture that far back, before and change are absent', async () => {
    const { changes } = await serving(RECORDS);
    const week = await changes('period=7d&markets=parallel,binance');
    expect(week.json.changes.map((row: object) => Object.keys(row))).toEqual([
      ['market', 'rate', 'updated_at', 'before', 'change'],
      ['market', 'rate', 'updated_at'],
    ]);
    expect((await changes('period=30d')).json.changes[0].before).toBeUndefined();
  });

  test('contract §10: markets may be ids or aliases, and each is answered once in catalogue order', async () => {
    const { changes } = await serving(RECORDS);
    const reply = await changes('markets=binance,paralelo,bcv,reference');
    expect(reply.json.changes.map(({ market }: { market: string }) => market)).toEqual([
      'reference',
      'parallel',
      'binance',
    ]);
    expect((await changes('markets=cash')).json.changes).toEqual([]);
    expect((await changes('markets=')).json.changes).toHaveLength(3);
  });

  test.each([
    ['period=2d', 'period'],
    ['period=1D', 'period'],
    ['markets=,', 'markets'],
    ['markets=parallel,', 'markets'],
    [`markets=${Array(51).fill('bcv').join(',')}`, 'markets'],
  ])('contract §10: %s is 400 naming %s', async (query, field) => {
    const { changes } = await serving([]);
    expect(faultOf(await changes(query))).toEqual([400, 'invalid_format', field]);
  });

  test('contract §10: 50 names of markets are accepted', async () => {
    const { changes } = await serving([]);
    expect((await changes(`markets=${Array(50).fill('bcv').join(',')}`)).status).toBe(200);
  });

  test('contract §4: every named market is checked to exist, then to be in the plan', async () => {
    const { changes } = await serving(RECORDS, 'Gratis');
    const unknown = await changes('markets=cash,nowhere');
    expect(faultOf(unknown)).toEqual([404, 'resource_not_found', 'markets']);
    const beyond = await changes('markets=parallel,cash');
    expect([beyond.status, beyond.json.details.feature]).toEqual([402, 'market:cash']);
    expect(faultOf(await changes('markets=cash&period=365d'))[0]).toBe(402);
  });

  test.each([
    ['Gratis', '7d', '30d', 7],
    ['Inicio', '30d', '90d', 30],
    ['Esencial', '90d', '365d', 90],
    ['Profesional', '90d', '365d', 180],
  ])('contract §10: %s reaches back %s and not %s', async (plan, reached, beyond, days) => {
    const { changes } = await serving(RECORDS, plan);
    expect((await changes(`period=${reached}`)).status).toBe(200);
    const reply = await changes(`period=${beyond}`);
    expect([reply.status, reply.json.code, reply.json.details]).toEqual([
      403,
      'history_out_of_retention',
      expect.objectContaining({ max_days: days }),
    ]);
  });

  test('contract §10: CSV has a row per market, and XML the root changes', async () => {
    const { changes } = await serving(RECORDS);
    const csv = await changes('markets=parallel,binance&format=csv');
    expect(csv.text.split('\r\n')).toEqual([
      'market,rate,updated_at,before_rate,before_captured_at,change_amount,change_percent,period',
      `parallel,912.15,${iso(START)},905.5,${iso(START - DAY_MS)},6.65,0.7344,1d`,
      `binance,920,${iso(START)},,,,,1d`,
      '',
    ]);
    const xml = await changes('markets=parallel&format=xml');
    expect(xml.text).toContain('<changes><period>1d</period><changes><item>');
  });
});
