import { describe, expect, test } from 'vitest';
import { type Market, markets } from '../../core/domain/markets.ts';
import { withAges } from './rate-ages.ts';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const market = (id: string, type: Market['type'], staleAfterSec: number): Market => ({
  ...{ id, type, staleAfterSec, name: id, nameEn: id, base: 'USD', aliases: [], alsoKnownAs: [] },
  ...{ dropAfterSec: undefined, requiredPlan: undefined },
});
const list = markets([
  market('reference', 'reference', 475_200),
  market('parallel', 'parallel', 7_200),
  market('binance', 'p2p', 900),
]);
const aged = (answer: unknown) => withAges(answer, { markets: list, now: NOW });

describe('contract §25 the age of every rate in an answer', () => {
  test.each([
    [
      'its own threshold',
      { mid: 1, updated_at: '2026-11-21T11:00:00.000Z', stale_after_sec: 3_599 },
      3_600,
      true,
    ],
    [
      'exactly the threshold',
      { mid: 1, updated_at: '2026-11-21T11:00:00.000Z', stale_after_sec: 3_600 },
      3_600,
      false,
    ],
    [
      'that of its market',
      { rate: 1, market: 'parallel', updated_at: '2026-11-21T09:59:59.000Z' },
      7_201,
      true,
    ],
    [
      'a rate to come',
      { rate: 1, value_date: '2026-11-24', effective_at: '2026-11-24T04:00:00.000Z' },
      0,
      false,
    ],
    [
      'the index, by the market that ages first',
      { value: 1, as_of: '2026-11-21T11:44:59.000Z' },
      901,
      true,
    ],
    [
      'a past day, until its end in Caracas',
      {
        rate: 1,
        market: 'reference',
        updated_at: '2026-11-19T04:00:00.000Z',
        as_of: { date: '2026-11-19' },
      },
      86_400,
      false,
    ],
    [
      'a past day, stale for it',
      {
        rate: 1,
        market: 'parallel',
        updated_at: '2026-11-19T04:00:00.000Z',
        as_of: { date: '2026-11-19' },
      },
      86_400,
      true,
    ],
    [
      'a day that is not over, until now',
      {
        rate: 1,
        market: 'reference',
        updated_at: '2026-11-21T11:00:00.000Z',
        as_of: { date: '2026-11-21' },
      },
      3_600,
      false,
    ],
    ['an official day', { rate: 1, date: '2026-11-20', value_date: '2026-11-19' }, 172_800, true],
  ])('%s', (_, rate, age_sec, stale) => {
    expect(aged(rate)).toEqual({ ...rate, age_sec, stale });
  });

  test('a series has the market of the answer, days of UTC, and the reading of a longer period', () => {
    const point = {
      rate: 1,
      updated_at: '2026-11-19T23:00:00.000Z',
      captured_at: '2026-11-19T23:00:00.000Z',
    };
    expect(
      aged({
        market: 'parallel',
        points: [
          { ...point, date: '2026-11-19' },
          { ...point, date: '2026-11-16' },
        ],
      }),
    ).toMatchObject({
      points: [{ age_sec: 3_600 }, { age_sec: 0 }],
    });
  });

  test('the official rates of a currency without a market have the threshold of the dollar', () => {
    const rate = { rate: 1, effective_at: '2026-11-20T04:00:00.000Z' };
    expect(aged({ rates: { CNY: { in_force: rate } } })).toMatchObject({
      rates: { CNY: { in_force: { age_sec: 115_200, stale: false } } },
    });
  });

  test('what is no rate stays as it is', () => {
    const others = {
      kind: 'percent',
      value: 3.5,
      change: { amount: 1, percent: 2 },
      list: [1, null],
    };
    expect(aged(others)).toEqual(others);
  });
});
