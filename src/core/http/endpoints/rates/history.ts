import { z } from 'zod';
import { sentence } from '../../../domain/errors/sentence.ts';
import { notApplicable } from '../../../domain/errors.ts';
import { lastOfPeriods, periodStart } from '../../../domain/history/candles.ts';
import {
  type Capture,
  effectiveRange,
  historyDepth,
  MAX_RAW_POINTS,
  requireBegun,
  requireInRetention,
  requireRangeInRetention,
} from '../../../domain/history/history.ts';
import { nothingStoredYet } from '../../../domain/history/past-dates.ts';
import { isOfficial } from '../../../domain/markets.ts';
import {
  captureUnit,
  FIRST_STORED_UNIT,
  unitAt,
  unitAtEndOf,
} from '../../../domain/redenomination.ts';
import {
  endOfUtcDay,
  type Instant,
  isoInstant,
  startOfUtcDay,
  type UtcDay,
  utcDayOf,
} from '../../../domain/time.ts';
import { mapInSlices } from '../../framework/encoding/slices.ts';
import type { Call } from '../../pipeline/call.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { CACHE_BUSTER } from '../../pipeline/field-rules.ts';
import { collectionSchema, pointSchema, pointsQuery } from './history-forms.ts';
import { lastValueDateOf } from './past-date.ts';
import { unitChanges, unitChangesHeader, unitOfPeriod, unitsOf } from './units.ts';

type Input = z.output<typeof pointsQuery>;

/** A point of a series. */
export function pointView(
  { mid: rate, updatedAt, capturedAt }: Capture,
  now: Instant,
  date?: UtcDay,
) {
  const captured = isoInstant(capturedAt);
  return {
    // A timestamp begins with its UTC day.
    date: date ?? captured.slice(0, 'YYYY-MM-DD'.length),
    rate,
    // Often both times are equal, which saves formatting half of the timestamps of a long series.
    updated_at: updatedAt === capturedAt || updatedAt > now ? captured : isoInstant(updatedAt),
    captured_at: captured,
  };
}

/** A capture for a later instant (a future rate) is not history yet. */
function notAfter(now: Instant, end: Instant): Instant {
  return Math.min(end, now + 1);
}

const capturedOn = ({ capturedAt }: Capture) => utcDayOf(capturedAt);

async function pointAnswer(call: Call<Input>, date: UtcDay) {
  const { services, market, now } = call;
  const capture = await services.store.lastCaptureBefore(
    market.id,
    notAfter(now, endOfUtcDay(date)),
  );
  if (capture === undefined) {
    const first = await services.store.firstCaptureAt(market.id);
    throw nothingStoredYet(
      // A capture for a later instant is not history yet.
      first === undefined || first > now ? undefined : utcDayOf(first),
      sentence(
        `${market.id} has no record up to that day.`,
        `El mercado ${market.id} no tiene registros hasta ese día.`,
      ),
    );
  }
  const to = call.input.adjusted === 'true' ? unitAt(now) : unitAtEndOf(date, now);
  const units = { from: captureUnit(capture, market), to };
  const shown = services.redenominations.rebasedSides(capture, units);
  const since = unitChanges({ from: to, to: unitAt(now) }, call);
  return { market: market.id, ...pointView(shown, now, date), ...since };
}

async function collectionAnswer(call: Call<Input>) {
  const { input, services, market, now, caller, isGone } = call;
  const range = effectiveRange(input, now, caller.plan.historyDays);
  const granularity = input.granularity ?? 'daily';
  const start = startOfUtcDay(range.from);
  const end = notAfter(now, endOfUtcDay(range.to));
  const raw = granularity === 'raw';
  const stored = raw
    ? // One more than is shown tells whether the series was cut.
      await services.store.latestCaptures(market.id, { start, end }, MAX_RAW_POINTS + 1)
    : await services.store.lastCaptureOfEachDay(market.id, start, end);
  const truncated = raw && stored.length > MAX_RAW_POINTS;
  const captures = truncated ? stored.slice(-MAX_RAW_POINTS) : stored;
  const { group } = input;
  const chosen = group === undefined ? captures : lastOfPeriods(captures, group, capturedOn);
  const isAdjusted = input.adjusted === 'true';
  const { redenominations } = services;
  const units = unitsOf(range, now);
  // An official rate of before the range may be read in it.
  const isOlder = isOfficial(market) && FIRST_STORED_UNIT < units.from;
  const since = isOlder ? { ...units, from: FIRST_STORED_UNIT } : units;
  const isOneUnit = redenominations.after(since).length === 0;
  const points = await mapInSlices(
    chosen,
    (capture) => {
      const { capturedAt } = capture;
      const day = utcDayOf(capturedAt);
      const unit = raw ? unitAt(capturedAt) : unitOfPeriod(day, group ?? 'day', { range, now });
      const to = isAdjusted ? unitAt(now) : unit;
      const shown = isOneUnit
        ? capture
        : redenominations.rebasedSides(capture, {
            from: captureUnit(capture, market),
            to,
          });
      return pointView(shown, now, group && periodStart(day, group));
    },
    isGone,
  );
  const from = truncated ? ((chosen[0] && capturedOn(chosen[0])) ?? range.from) : range.from;
  return {
    market: market.id,
    from,
    to: range.to,
    granularity,
    count: points.length,
    ...unitChanges(unitsOf({ from }, now), call),
    points,
    truncated: truncated ? (true as const) : undefined,
  };
}

const examplePoint = {
  date: '2026-11-20',
  rate: 881.05,
  updated_at: '2026-11-20T23:57:00.000Z',
  captured_at: '2026-11-20T23:58:00.000Z',
};

export const history = endpoint({
  path: '/v1/fx/rates/:market/history',
  section: '4.3',
  summary: sentence('History of a market', 'Historial de un mercado'),
  description: sentence(
    'With `date`, the last record captured before the end of that UTC day. Without it, a series. For the rate of a day in Caracas, use `date` on rates and conversions.',
    'Con `date`, la última captura antes de que terminara ese día UTC. Sin `date`, una serie. Para la tasa de un día en Caracas, use `date` en las tasas y las conversiones.',
  ),
  operation: {
    id: 'getHistory',
    tag: 'Rates',
    schema: 'History',
    parameters: { market: 'binance', from: '2026-11-19', to: '2026-11-20' },
    answers: {
      series: {
        summary: sentence(
          'A series: the last capture of each UTC day',
          'Una serie: la última captura de cada día UTC',
        ),
        value: {
          market: 'binance',
          from: '2026-11-19',
          to: '2026-11-20',
          granularity: 'daily',
          count: 2,
          points: [
            {
              date: '2026-11-19',
              rate: 879.4,
              updated_at: '2026-11-19T23:56:00.000Z',
              captured_at: '2026-11-19T23:58:00.000Z',
            },
            examplePoint,
          ],
        },
      },
      point: {
        summary: sentence('A single day', 'Un solo día'),
        asked: { market: 'binance', date: '2026-11-20' },
        value: { market: 'binance', ...examplePoint },
      },
    },
  },
  scope: 'history',
  query: pointsQuery,
  rejectUnknown: true,
  ignores: CACHE_BUSTER,
  market: ({ market }) => ({ name: market, field: 'market' }),
  check({ input, now, caller, services }, market) {
    if (input.date !== undefined) {
      const lastValueDate = market && lastValueDateOf(market, services.snapshots.at(now));
      requireBegun('date', input.date, utcDayOf(now), { now, lastValueDate });
    } else if (input.group !== undefined && input.granularity === 'raw') {
      throw notApplicable(
        'group',
        'group is only for a daily series.',
        'El parámetro `group` es solo para una serie diaria.',
      );
    } else effectiveRange(input, now, caller.plan.historyDays);
  },
  answer: z.union([pointSchema, collectionSchema]),
  encoding: {
    root: 'history',
    rows: 'points',
    single: 'history_point',
    inHeader: ['unit_changes'],
  },
  errors: ['history_out_of_retention'],
  maxAgeSec: 5,
  lastModified(answer, { input, now, services }) {
    const unitAt = services.redenominations.newestAt(now);
    if (!('points' in answer)) return Math.max(Date.parse(answer.captured_at), unitAt);
    const last = answer.points.at(-1);
    const end = last === undefined ? Date.parse(answer.from) : Date.parse(last.captured_at);
    const changedAt = Math.max(end, unitAt);
    // A range with a default end moves with the day.
    const isFixed = input.from !== undefined && answer.to < utcDayOf(now);
    return isFixed ? changedAt : Math.max(changedAt, startOfUtcDay(utcDayOf(now)));
  },
  headers: unitChangesHeader,
  long: true,
  handle(call) {
    const { input, now, caller, services } = call;
    const depth = historyDepth(caller.plan, services.plans);
    if (input.date !== undefined) {
      requireInRetention({ field: 'date', day: input.date }, now, depth);
      return pointAnswer(call, input.date);
    }
    requireRangeInRetention(effectiveRange(input, now, depth.days), now, depth);
    return collectionAnswer(call);
  },
});
