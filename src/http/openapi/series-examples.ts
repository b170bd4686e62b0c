import { type OperationExample, one } from './operation-example.ts';

/** Examples of what a market was over time; of the same afternoon as the others. */

const PARALLEL_AT = '2026-11-21T02:45:00.000Z';

const point = {
  date: '2026-11-20',
  rate: 931.05,
  updated_at: '2026-11-20T23:57:00.000Z',
  captured_at: '2026-11-20T23:58:00.000Z',
};

export const SERIES_EXAMPLES: Readonly<Record<string, OperationExample>> = {
  'GET /v1/fx/rates/:market/history': {
    operationId: 'getHistory',
    schema: 'History',
    parameters: { market: 'binance', from: '2026-11-19', to: '2026-11-20' },
    answers: {
      series: {
        summary: 'A series: the last capture of each UTC day',
        value: {
          market: 'binance',
          from: '2026-11-19',
          to: '2026-11-20',
          granularity: 'daily',
          count: 2,
          points: [
            {
              date: '2026-11-19',
              rate: 928.4,
              updated_at: '2026-11-19T23:56:00.000Z',
              captured_at: '2026-11-19T23:58:00.000Z',
            },
            point,
          ],
        },
      },
      point: {
        summary: 'One day, when date is given',
        value: { market: 'binance', ...point },
      },
    },
  },
  'GET /v1/fx/rates/:market/candles': {
    operationId: 'getCandles',
    schema: 'Candles',
    parameters: { market: 'parallel', interval: 'week', from: '2026-11-09', to: '2026-11-21' },
    answers: one('A week that is over and the one that runs', {
      market: 'parallel',
      interval: 'week',
      from: '2026-11-09',
      to: '2026-11-21',
      count: 2,
      candles: [
        {
          date: '2026-11-09',
          open: 921.4,
          high: 934.1,
          low: 918.75,
          close: 930.2,
          captures: 1344,
          opened_at: '2026-11-09T00:00:00.000Z',
          closed_at: '2026-11-15T23:52:30.000Z',
          complete: true,
        },
        {
          date: '2026-11-16',
          open: 930.2,
          high: 941.5,
          low: 929.3,
          close: 940.25,
          captures: 983,
          opened_at: '2026-11-16T00:00:00.000Z',
          closed_at: PARALLEL_AT,
          complete: false,
        },
      ],
    }),
  },
  'GET /v1/fx/changes': {
    operationId: 'listChanges',
    schema: 'Changes',
    parameters: { period: '7d', markets: 'parallel,cash' },
    answers: one('A week of the free market, and a market that was not there then', {
      period: '7d',
      changes: [
        {
          market: 'parallel',
          rate: 940.25,
          updated_at: PARALLEL_AT,
          before: { rate: 928.4, captured_at: '2026-11-14T02:52:30.000Z' },
          change: { amount: 11.85, percent: 1.2764 },
        },
        { market: 'cash', rate: 950, updated_at: '2026-11-20T15:00:00.000Z' },
      ],
    }),
  },
};
