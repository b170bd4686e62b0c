import { z } from 'zod';
import { dayCandlesIn } from '../../../app/history/day-candles.ts';
import {
  type Candle,
  daysToRead,
  foldCandles,
  INTERVALS,
  MAX_CANDLES,
  newestCandles,
  requireCandleCount,
} from '../../../domain/history/candles.ts';
import {
  effectiveRange,
  historyDepth,
  requireRangeInRetention,
  type UtcRange,
} from '../../../domain/history/history.ts';
import { unitAt } from '../../../domain/redenomination.ts';
import {
  endOfUtcDay,
  type Instant,
  isoInstant,
  startOfUtcDay,
  utcDayOf,
} from '../../../domain/time.ts';
import { mapInSlices } from '../../encoding/slices.ts';
import { FIGURES } from '../../openapi/example-figures.ts';
import { endpoint } from '../../routing/endpoint.ts';
import { oneExample } from '../../routing/operation.ts';
import * as shared from '../../routing/schemas.ts';
import { flag, oneOf, titled } from '../fields.ts';
import {
  adjustedField,
  unitChanges,
  unitChangesField,
  unitChangesHeader,
  unitOfPeriod,
  unitsOf,
} from './units.ts';

const query = z.object({
  market: shared.marketText,
  interval: oneOf(
    INTERVALS,
    'UTC days, ISO weeks from Monday, or calendar months; `day` by default.',
  ).optional(),
  ...shared.rangeFields,
  ...adjustedField,
});
type Input = z.output<typeof query>;

const candleSchema = titled('Candle', {
  date: shared.day.describe('First UTC day of the period.'),
  open: shared.ves.describe('First rate of the period: VES per unit of the base currency.'),
  high: shared.ves.describe('Highest rate of the period, in VES.'),
  low: shared.ves.describe('Lowest rate of the period, in VES.'),
  close: shared.ves.describe('Last rate of the period, in VES, as in the daily history.'),
  captures: z
    .int()
    .positive()
    .describe('How many captures the period has. They are readings, not trades.'),
  opened_at: shared.timestamp.describe('When the first capture of the period was made.'),
  closed_at: shared.timestamp.describe('When the last capture of the period was made.'),
  complete: flag(
    '`false` while the period is still running, or when the range or the plan cuts it.',
  ),
});

/** @throws ApiError `invalid_format` for an invalid range, or one with too many candles. */
function candleRange(input: Input, now: Instant, depth: number | null): UtcRange {
  const { interval = 'day' } = input;
  const range = effectiveRange(input, now, depth);
  if (input.from === undefined) return newestCandles(range, interval);
  requireCandleCount(range, interval);
  return range;
}

function candleView({ openedAt, closedAt, complete, ...figures }: Candle) {
  return {
    ...figures,
    opened_at: isoInstant(openedAt),
    closed_at: isoInstant(closedAt),
    complete,
  };
}

export const candles = endpoint({
  path: '/v1/fx/rates/:market/candles',
  section: 'decisions 10',
  summary: 'Candles of a market',
  description: `First, highest, lowest and last rate of each day, week or month in UTC. Periods without captures are absent. At most ${MAX_CANDLES.toLocaleString('en-US')} candles.`,
  operation: {
    id: 'getCandles',
    tag: 'Rates',
    schema: 'Candles',
    parameters: { market: 'parallel', interval: 'week', from: '2026-11-09', to: '2026-11-21' },
    answers: oneExample('A finished week and the current one', {
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
          closed_at: FIGURES.parallelAt,
          complete: false,
        },
      ],
    }),
  },
  scope: 'history',
  query,
  market: ({ market }) => ({ name: market, field: 'market' }),
  check: ({ input, now, caller }) => void candleRange(input, now, caller.plan.historyDays),
  answer: z.object({
    market: shared.marketId,
    interval: oneOf(INTERVALS, 'Length of each candle.'),
    from: shared.firstDay,
    to: shared.lastDay,
    count: shared.count,
    ...unitChangesField,
    candles: z.array(candleSchema).readonly().describe('The candles, oldest first.'),
  }),
  encoding: { root: 'candles', rows: 'candles' },
  errors: ['history_out_of_retention'],
  // An unfinished candle changes with each capture.
  maxAgeSec: 5,
  lastModified(answer, { now, services }) {
    const last = answer.candles.at(-1);
    const closedAt = last === undefined ? Date.parse(answer.from) : Date.parse(last.closed_at);
    // `complete` changes with the day.
    const unitAt = services.redenominations.newestAt(now);
    return Math.max(closedAt, unitAt, Math.min(now, startOfUtcDay(utcDayOf(now))));
  },
  headers: unitChangesHeader,
  long: true,
  async handle({ input, services, market, now, caller, isGone }) {
    const { interval = 'day' } = input;
    const depth = caller.plan.historyDays;
    const range = candleRange(input, now, depth);
    requireRangeInRetention(range, now, historyDepth(caller.plan, services.plans));
    const read = daysToRead(range, { interval, now, depth });
    // A capture for a later instant (a future rate) is not history yet.
    const end = Math.min(endOfUtcDay(read.to), now + 1);
    const isAdjusted = input.adjusted === 'true';
    const days = await dayCandlesIn(
      market,
      { start: startOfUtcDay(read.from), end },
      ({ day }) => (isAdjusted ? unitAt(now) : unitOfPeriod(day, interval, { range, now })),
      { ...services, now },
    );
    const list = await mapInSlices(foldCandles(days, { interval, read, now }), candleView, isGone);
    const changes = unitChanges(unitsOf(range, now), { services, input });
    return { market: market.id, interval, ...range, count: list.length, ...changes, candles: list };
  },
});
