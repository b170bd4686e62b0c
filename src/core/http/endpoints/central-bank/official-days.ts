import { z } from 'zod';
import { type Sentence, sentence } from '../../../domain/errors/sentence.ts';
import { fault } from '../../../domain/errors/value-rules.ts';
import { depthInPlan, requireDepth } from '../../../domain/history/history.ts';
import type { DayChoice } from '../../../domain/history/official-days.ts';
import {
  addCaracasDays,
  type CaracasDay,
  caracasDayOf,
  type Instant,
} from '../../../domain/time.ts';
import type { Call } from '../../pipeline/call.ts';
import { field, said } from '../../pipeline/said.ts';
import {
  count,
  currency,
  day,
  firstDay,
  lastDay,
  parsed,
  timestamp,
  upperCase,
  ves,
} from '../../pipeline/schemas.ts';
import { flag, listOf, natural, rowsOf } from '../fields.ts';
import { unitChangesField } from '../rates/units.ts';

/** What the tables of days share: those of a range, and those of a month. */

export const officialCurrency = parsed(
  (text) => (/^[A-Za-z]{3}$/.test(text) ? upperCase(text) : undefined),
  fault('malformed', 'must be three letters', 'debe tener tres letras'),
  {
    ...said(
      'Code of a currency of the central bank, three letters in any case; USD by default.',
      'Código de una moneda del Banco Central, tres letras en mayúsculas o minúsculas; por defecto, USD.',
    ),
    example: 'USD',
  },
).optional();

/** The days of a range, as every table of them has them. */
export const officialDayFields = {
  rows: rowsOf(
    'The days, oldest first. Days before the first stored rate have none.',
    'Los días, del más antiguo al más reciente. Los anteriores a la primera tasa guardada no tienen fila.',
    'Official day',
    {
      date: field(day, 'The day, in Caracas.', 'El día, en Caracas.', 'Fecha'),
      rate: field(
        ves,
        'VES for one unit of the currency.',
        'Bolívares por una unidad de la moneda.',
        'Tasa (Bs.)',
      ),
      value_date: field(
        day,
        'The value date of the rate: the day on which it took effect.',
        'La fecha valor de la tasa: el día en que empezó a regir.',
        'Fecha valor',
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
      captured_at: field(
        timestamp,
        'When the service first read the publication.',
        'Cuándo leyó el servicio la publicación por primera vez.',
        'Capturada (UTC)',
      ),
      next_banking_day: field(
        day.nullable().optional(),
        'Value date of the rate by the rule `next_banking_day`: on a day without banks the next business day, on a business day `value_date`. Null while that rate is not published; only with `days=all`.',
        'Fecha valor de la tasa por la regla `next_banking_day`: en un día sin bancos, el próximo día hábil; en un día hábil, `value_date`. Null mientras esa tasa no esté publicada; solo con `days=all`.',
        'Próximo día hábil',
      ),
      next_banking_day_rate: field(
        ves.nullable().optional(),
        'That rate, in the unit of `date`. Null while it is not published; only with `days=all`.',
        'Esa tasa, en la unidad de `date`. Null mientras no esté publicada; solo con `days=all`.',
        'Tasa del próximo día hábil (Bs.)',
      ),
    },
  ),
  missing: listOf(
    'Business days of the range, after the first stored value date, for which no publication is stored. From such a day to the next value date no day has a row.',
    'Días hábiles del rango, posteriores a la primera fecha valor guardada, de los que no hay publicación guardada. Desde ese día hasta la siguiente fecha valor ningún día tiene fila.',
    day,
    'Días hábiles sin tasa',
  ),
};

/** The table of a month, with its close and its average (contract §27). */
export const officialMonthFields = {
  month: z.string().meta({ ...said('The month.', 'El mes.', 'Mes'), example: '2026-11' }),
  currency,
  first: firstDay,
  last: field(
    lastDay,
    'Last day of the table: of the month, or while it runs today or the newest value date.',
    'Último día de la tabla: el del mes o, mientras transcurre, hoy o la fecha valor más reciente.',
    'Hasta',
  ),
  count: field(count, 'How many days have a rate.', 'Cuántos días tienen tasa.', 'Días con tasa'),
  close: field(
    ves.nullable(),
    'The rate in force on the last day; `null` when it is not known.',
    'La tasa que rige el último día; `null` si no se conoce.',
    'Tasa de cierre (Bs.)',
  ),
  close_value_date: field(
    day.nullable(),
    'Its value date.',
    'Su fecha valor.',
    'Fecha valor del cierre',
  ),
  average: field(
    ves.nullable(),
    'The mean of the value dates of the month that are stored, with up to 8 decimals; `null` without any.',
    'El promedio de las fechas valor del mes que están guardadas, con hasta 8 decimales; `null` si no hay ninguna.',
    'Promedio de las fechas valor (Bs.)',
  ),
  value_dates: natural(
    'How many value dates the average has.',
    'Cuántas fechas valor tiene el promedio.',
    'Fechas valor del promedio',
  ),
  ...unitChangesField,
  ...officialDayFields,
};

// limit: Missing days that a workbook names beside its headers | 5 | counted
const MAX_NAMED_DAYS = 5;

/** What a workbook with days that are missing says beside its headers. */
export function missingDaysSaid(answer: object): Sentence | undefined {
  const missing = 'missing' in answer && Array.isArray(answer.missing) ? answer.missing : [];
  const { length } = missing;
  if (length === 0) return undefined;
  const named =
    missing.slice(0, MAX_NAMED_DAYS).join(', ') + (length > MAX_NAMED_DAYS ? ', …' : '');
  return sentence(
    `INCOMPLETE: no rate is stored for ${length} business ${length === 1 ? 'day' : 'days'}: ${named}`,
    `INCOMPLETO: no hay tasa guardada de ${length} ${length === 1 ? 'día hábil' : 'días hábiles'}: ${named}`,
  );
}

/** How that table is written: a row for each day; in a workbook the rest is a sheet of its own. */
export const officialMonthEncoding = {
  root: 'official_month',
  rows: 'rows',
  sheet: sentence('Month', 'Mes'),
  unrepeated: [
    ...['month', 'first', 'last', 'count', 'close', 'close_value_date', 'average'],
    ...['value_dates', 'unit_changes', 'missing'],
  ],
  summary: {
    sheet: sentence('Summary', 'Resumen'),
    fields: [
      ...['month', 'currency', 'close', 'close_value_date', 'average', 'value_dates'],
      ...['first', 'last', 'count', 'missing'],
    ],
  },
  warning: missingDaysSaid,
};

/** A table's `Last-Modified`. */
export function lastModifiedOfDays(
  {
    days,
    to,
    rows,
  }: {
    readonly days: DayChoice;
    readonly to: string;
    readonly rows: z.output<typeof officialDayFields.rows>;
  },
  { now, services, snapshot }: Pick<Call, 'now' | 'services' | 'snapshot'>,
): Instant {
  // When the rate of the next banking day was read stands in no row.
  const changedAt = days === 'all' ? snapshot.changedAt : 0;
  const today = caracasDayOf(now);
  // Instants sort as text. Rows and missing days appear as days begin, those to come as they are read.
  const newest = rows.reduce(
    (last, { captured_at: at }) => (at > last ? at : last),
    `${to > today ? today : to}T04:00:00.000Z`,
  );
  return Math.max(Date.parse(newest), changedAt, services.redenominations.newestAt(now));
}

/** @throws ApiError `history_out_of_retention` for a day before the plan's official history. */
export function requireOfficialDepth(
  asked: { readonly field: string; readonly day: CaracasDay },
  { caller, services, now }: Pick<Call, 'caller' | 'services' | 'now'>,
): void {
  const depth = depthInPlan(caller.plan, services.plans, (plan) => plan.officialDays);
  requireDepth(asked, depth, (days) => addCaracasDays(caracasDayOf(now), -days));
}
