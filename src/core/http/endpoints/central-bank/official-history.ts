import { z } from 'zod';
import { officialHistoryView } from '../../../app/past-rates.ts';
import type { Snapshot } from '../../../app/snapshot.ts';
import { sentence } from '../../../domain/errors/sentence.ts';
import {
  DAY_CHOICES,
  MAX_OFFICIAL_DAYS,
  officialDaysRange,
} from '../../../domain/history/official-days.ts';
import { officialNameOf } from '../../../domain/markets.ts';
import type { Instant } from '../../../domain/time.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { CACHE_BUSTER } from '../../pipeline/field-rules.ts';
import { oneExample } from '../../pipeline/operation.ts';
import { inWords } from '../../pipeline/said.ts';
import { caracasDayText, count, currency, firstDay, lastDay } from '../../pipeline/schemas.ts';
import { oneOf } from '../fields.ts';
import { adjustedField, unitChangesField, unitChangesHeader } from '../rates/units.ts';
import {
  lastModifiedOfDays,
  missingDaysSaid,
  officialCurrency,
  officialDayFields,
  requireOfficialDepth,
} from './official-days.ts';

const query = z.object({
  currency: officialCurrency,
  days: oneOf(
    DAY_CHOICES,
    '`value` (the default): a row for each value date. `all`: a row for each day, with the rate in force on it and that of the rule `next_banking_day`.',
    '`value` (valor por defecto): una fila por cada fecha valor. `all`: una fila por cada día, con la tasa que rige ese día y la de la regla `next_banking_day`.',
  ).optional(),
  from: caracasDayText(
    'First day of the range, in Caracas; 30 days before the last by default.',
    'Primer día del rango, en Caracas; por defecto, 30 días antes del último.',
  ).optional(),
  to: caracasDayText(
    'Last day of the range, in Caracas; today by default. A day after the newest value date is capped there.',
    'Último día del rango, en Caracas; por defecto, hoy. Un día posterior a la fecha valor más reciente cuenta como ella.',
  ).optional(),
  ...adjustedField,
});

/** The range of a request, which ends with today or with a later value date that is stored. */
function rangeOf(
  { currency: code = 'USD', from, to }: z.output<typeof query>,
  now: Instant,
  { newestValueDates }: Pick<Snapshot, 'newestValueDates'>,
) {
  const lastValueDate = newestValueDates.get(officialNameOf(code)) ?? null;
  return officialDaysRange({ from, to }, { now, lastValueDate });
}

const FRIDAY = { rate: 771.0714, value_date: '2026-11-20' };
const CAPTURED = { captured_at: '2026-11-19T20:12:00.000Z' };

/** The columns that only `days=all` has. */
const NEXT_BANKING = ['next_banking_day', 'next_banking_day_rate'];

const answer = z.object({
  currency,
  from: firstDay,
  to: lastDay,
  days: oneOf(DAY_CHOICES, 'Which days have a row.', 'Qué días tienen fila.'),
  count,
  ...unitChangesField,
  ...officialDayFields,
});

export const officialHistory = endpoint({
  path: '/v1/fx/official/history',
  section: 'contract 21',
  summary: sentence('Official rates by day', 'Tasas oficiales por día'),
  description: sentence(
    `The rates of one currency by value date, or the rate in force on every day, without gaps at weekends. At most ${inWords(MAX_OFFICIAL_DAYS).en} days. Source: Banco Central de Venezuela.`,
    `Las tasas de una moneda por fecha valor, o la tasa que rige cada día, sin huecos los fines de semana. Como máximo ${inWords(MAX_OFFICIAL_DAYS).es} días. Fuente: Banco Central de Venezuela.`,
  ),
  operation: {
    id: 'getOfficialHistory',
    tag: 'Central bank',
    schema: 'OfficialHistory',
    parameters: { days: 'all', from: '2026-11-20', to: '2026-11-21' },
    answers: oneExample('A Friday and the Saturday after it', 'Un viernes y el sábado siguiente', {
      currency: 'USD',
      from: '2026-11-20',
      to: '2026-11-21',
      days: 'all',
      count: 2,
      rows: [
        {
          ...{ date: '2026-11-20', ...FRIDAY, business_day: true, carried_days: 0, ...CAPTURED },
          ...{ next_banking_day: FRIDAY.value_date, next_banking_day_rate: FRIDAY.rate },
        },
        {
          ...{ date: '2026-11-21', ...FRIDAY, business_day: false, carried_days: 1, ...CAPTURED },
          ...{ next_banking_day: '2026-11-24', next_banking_day_rate: 772.5441 },
        },
      ],
      missing: [],
    }),
  },
  scope: 'official',
  query,
  rejectUnknown: true,
  ignores: CACHE_BUSTER,
  check: ({ input, now, services }) => void rangeOf(input, now, services.snapshots.at(now)),
  answer,
  encoding: {
    root: 'official_history',
    rows: 'rows',
    sheet: sentence('Official rates', 'Tasas oficiales'),
    unrepeated: ['from', 'to', 'days', 'count', 'unit_changes', 'missing'],
    warning: missingDaysSaid,
    lacks: (answer) => ('days' in answer && answer.days === 'all' ? [] : NEXT_BANKING),
  },
  errors: ['resource_not_found', 'history_out_of_retention'],
  maxAgeSec: 60,
  lastModified: lastModifiedOfDays,
  headers: unitChangesHeader,
  memo(input, _market, { now, snapshot }) {
    const { currency: code = 'USD', days = 'value' } = input;
    const { from, to } = rangeOf(input, now, snapshot);
    return `${code} ${days} ${from} ${to} ${input.adjusted}`;
  },
  long: true,
  async handle(call) {
    const { input, now, services } = call;
    const { currency: code = 'USD', days: choice = 'value' } = input;
    const range = rangeOf(input, now, call.snapshot);
    for (const field of ['from', 'to'] as const) {
      requireOfficialDepth({ field, day: range[field] }, call);
    }
    return officialHistoryView(code, range, choice, {
      ...{ ...services, now, isAdjusted: input.adjusted === 'true' },
    });
  },
});
