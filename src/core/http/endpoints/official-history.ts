import { z } from 'zod';
import { officialHistoryView } from '../../app/past-rates.ts';
import type { Snapshot } from '../../app/snapshot.ts';
import { sentence } from '../../domain/errors/sentence.ts';
import { fault } from '../../domain/errors/value-rules.ts';
import { depthInPlan, requireDepth } from '../../domain/history/history.ts';
import {
  DAY_CHOICES,
  MAX_OFFICIAL_DAYS,
  officialDaysRange,
} from '../../domain/history/official-days.ts';
import { officialNameOf } from '../../domain/markets.ts';
import { addCaracasDays, caracasDayOf, type Instant } from '../../domain/time.ts';
import { endpoint } from '../routing/endpoint.ts';
import { oneExample } from '../routing/operation.ts';
import { inWords, said } from '../routing/said.ts';
import {
  caracasDayText,
  count,
  currency,
  day,
  firstDay,
  lastDay,
  parsed,
  timestamp,
  upperCase,
  ves,
} from '../routing/schemas.ts';
import { flag, listOf, natural, oneOf, rowsOf } from './fields.ts';
import { adjustedField, unitChangesField, unitChangesHeader } from './rates/units.ts';

const query = z.object({
  currency: parsed(
    (text) => (/^[A-Za-z]{3}$/.test(text) ? upperCase(text) : undefined),
    fault('malformed', 'must be three letters', 'debe tener tres letras'),
    {
      ...said(
        'Code of a currency of the central bank, three letters in any case; USD by default.',
        'Código de una moneda del Banco Central, tres letras en mayúsculas o minúsculas; por defecto, USD.',
      ),
      example: 'USD',
    },
  ).optional(),
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

const FRIDAY = { rate: 889.5754, value_date: '2026-11-20' };
const CAPTURED = { captured_at: '2026-11-19T20:12:00.000Z' };

/** The columns that only `days=all` has. */
const NEXT_BANKING = ['next_banking_day', 'next_banking_day_rate'];

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
    answers: oneExample(
      'A Friday, and the Saturday on which its rate is still in force',
      'Un viernes, y el sábado en que su tasa sigue rigiendo',
      {
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
            ...{ next_banking_day: '2026-11-24', next_banking_day_rate: 888.0754 },
          },
        ],
        missing: [],
      },
    ),
  },
  scope: 'official',
  query,
  rejectUnknown: true,
  check: ({ input, now, services }) => void rangeOf(input, now, services.snapshots.at(now)),
  answer: z.object({
    currency,
    from: firstDay,
    to: lastDay,
    days: oneOf(DAY_CHOICES, 'Which days have a row.', 'Qué días tienen fila.'),
    count,
    ...unitChangesField,
    rows: rowsOf(
      'The days, oldest first. Days before the first stored rate have none.',
      'Los días, del más antiguo al más reciente. Los anteriores a la primera tasa guardada no tienen fila.',
      'Official day',
      {
        date: day.meta(said('The day, in Caracas.', 'El día, en Caracas.', 'Fecha')),
        rate: ves.meta(
          said(
            'VES for one unit of the currency.',
            'Bolívares por una unidad de la moneda.',
            'Tasa (Bs.)',
          ),
        ),
        value_date: day.meta(
          said(
            'The value date of the rate: the day on which it took effect.',
            'La fecha valor de la tasa: el día en que empezó a regir.',
            'Fecha valor',
          ),
        ),
        business_day: flag(
          'Whether the banks work on that day.',
          'Si los bancos trabajan ese día.',
          'Día hábil bancario',
        ),
        carried_days: natural(
          'Days from the value date to the day; 0 on the value date.',
          'Días desde la fecha valor hasta el día; 0 en la fecha valor.',
          'Días de antigüedad de la tasa',
        ),
        captured_at: timestamp.meta(
          said(
            'When the service first read the publication.',
            'Cuándo leyó el servicio la publicación por primera vez.',
            'Capturada (UTC)',
          ),
        ),
        next_banking_day: day
          .nullable()
          .optional()
          .meta(
            said(
              'Value date of the rate by the rule `next_banking_day`: on a day without banks the next business day, on a business day `value_date`. Null while that rate is not published; only with `days=all`.',
              'Fecha valor de la tasa por la regla `next_banking_day`: en un día sin bancos, el próximo día hábil; en un día hábil, `value_date`. Null mientras esa tasa no esté publicada; solo con `days=all`.',
              'Próximo día hábil',
            ),
          ),
        next_banking_day_rate: ves
          .nullable()
          .optional()
          .meta(
            said(
              'That rate, in the unit of `date`. Null while it is not published; only with `days=all`.',
              'Esa tasa, en la unidad de `date`. Null mientras no esté publicada; solo con `days=all`.',
              'Tasa del próximo día hábil (Bs.)',
            ),
          ),
      },
    ),
    missing: listOf(
      'Business days of the range, after the first stored value date, for which no publication is stored. From such a day to the next value date no day has a row.',
      'Días hábiles del rango, posteriores a la primera fecha valor guardada, de los que no hay publicación guardada. Desde ese día hasta la siguiente fecha valor ningún día tiene fila.',
      day,
    ),
  }),
  encoding: {
    root: 'official_history',
    rows: 'rows',
    unrepeated: ['from', 'to', 'days', 'count', 'unit_changes', 'missing'],
    lacks: (answer) => ('days' in answer && answer.days === 'all' ? [] : NEXT_BANKING),
  },
  errors: ['resource_not_found', 'history_out_of_retention'],
  maxAgeSec: 60,
  lastModified({ days, to, rows }, { now, services, snapshot }) {
    // When the rate of the next banking day was read stands in no row.
    const changedAt = days === 'all' ? snapshot.changedAt : 0;
    const today = caracasDayOf(now);
    // Instants sort as text. Rows and missing days appear as days begin, those to come as they are read.
    const newest = rows.reduce(
      (last, { captured_at: at }) => (at > last ? at : last),
      `${to > today ? today : to}T04:00:00.000Z`,
    );
    return Math.max(Date.parse(newest), changedAt, services.redenominations.newestAt(now));
  },
  headers: unitChangesHeader,
  memo(input, _market, { now, snapshot }) {
    const { currency: code = 'USD', days = 'value' } = input;
    const { from, to } = rangeOf(input, now, snapshot);
    return `${code} ${days} ${from} ${to} ${input.adjusted}`;
  },
  long: true,
  async handle(call) {
    const { input, now, caller, services } = call;
    const { currency: code = 'USD', days: choice = 'value' } = input;
    const depth = depthInPlan(caller.plan, services.plans, (plan) => plan.officialDays);
    const earliest = (days: number) => addCaracasDays(caracasDayOf(now), -days);
    const range = rangeOf(input, now, call.snapshot);
    for (const field of ['from', 'to'] as const) {
      requireDepth({ field, day: range[field] }, depth, earliest);
    }
    return officialHistoryView(code, range, choice, {
      ...{ ...services, now, isAdjusted: input.adjusted === 'true' },
    });
  },
});
