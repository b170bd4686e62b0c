import { z } from 'zod';
import { dayCandlesIn } from '../../../app/history/day-candles.ts';
import { sentence } from '../../../domain/errors/sentence.ts';
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
import { mapInSlices } from '../../framework/encoding/slices.ts';
import { FIGURES } from '../../openapi/example-figures.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { oneExample } from '../../pipeline/operation.ts';
import { field, inWords } from '../../pipeline/said.ts';
import * as shared from '../../pipeline/schemas.ts';
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
    'Días UTC, semanas ISO desde el lunes o meses calendario; por defecto, `day`.',
  ).optional(),
  ...shared.rangeFields,
  ...adjustedField,
});
type Input = z.output<typeof query>;

const candleSchema = titled('Candle', {
  date: field(shared.day, 'First UTC day of the period.', 'Primer día UTC del período.', 'Fecha'),
  open: field(
    shared.ves,
    'First rate of the period: VES per unit of the base currency.',
    'Primera tasa del período: VES por una unidad de la moneda base.',
    'Apertura (Bs.)',
  ),
  high: field(
    shared.ves,
    'Highest rate of the period, in VES.',
    'Tasa más alta del período, en VES.',
    'Máximo (Bs.)',
  ),
  low: field(
    shared.ves,
    'Lowest rate of the period, in VES.',
    'Tasa más baja del período, en VES.',
    'Mínimo (Bs.)',
  ),
  close: field(
    shared.ves,
    'Last rate of the period, in VES, as in the daily history.',
    'Última tasa del período, en VES, como en el historial diario.',
    'Cierre (Bs.)',
  ),
  captures: field(
    z.int().positive(),
    'How many captures the period has. They are readings, not trades.',
    'Cuántas capturas tiene el período. Son lecturas, no operaciones.',
    'Capturas',
  ),
  opened_at: field(
    shared.timestamp,
    'When the first capture of the period was made.',
    'Cuándo se hizo la primera captura del período.',
    'Primera captura (UTC)',
  ),
  closed_at: field(
    shared.timestamp,
    'When the last capture of the period was made.',
    'Cuándo se hizo la última captura del período.',
    'Última captura (UTC)',
  ),
  complete: flag(
    '`false` while the period is still running, or when the range or the plan cuts it.',
    '`false` mientras el período no termina, o si lo cortan el rango o el plan.',
    'Completa',
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
  section: 'contract 10',
  summary: sentence('Candles of a market', 'Velas de un mercado'),
  description: sentence(
    `First, highest, lowest and last rate of each day, week or month in UTC. Periods without captures are absent. At most ${inWords(MAX_CANDLES).en} candles.`,
    `La primera, la más alta, la más baja y la última tasa de cada día, semana o mes en UTC. Los períodos sin capturas no aparecen. Como máximo ${inWords(MAX_CANDLES).es} velas.`,
  ),
  operation: {
    id: 'getCandles',
    tag: 'Rates',
    schema: 'Candles',
    parameters: { market: 'parallel', interval: 'week', from: '2026-11-09', to: '2026-11-21' },
    answers: oneExample('Two weeks', 'Dos semanas', {
      market: 'parallel',
      interval: 'week',
      from: '2026-11-09',
      to: '2026-11-21',
      count: 2,
      candles: [
        {
          date: '2026-11-09',
          open: 848.3,
          high: 860.9,
          low: 845.75,
          close: 857.1,
          captures: 1344,
          opened_at: '2026-11-09T00:00:00.000Z',
          closed_at: '2026-11-15T23:52:30.000Z',
          complete: true,
        },
        {
          date: '2026-11-16',
          open: 857.1,
          high: 870.5,
          low: 856.2,
          close: 867.15,
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
    interval: oneOf(INTERVALS, 'Length of each candle.', 'Duración de cada vela.', 'Intervalo'),
    from: shared.firstDay,
    to: shared.lastDay,
    count: shared.count,
    ...unitChangesField,
    candles: field(
      z.array(candleSchema).readonly(),
      'The candles, oldest first.',
      'Las velas, de la más antigua a la más reciente.',
    ),
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
