import { z } from 'zod';
import { unitChangesView } from '../../../app/views.ts';
import { type Interval, periodEnd } from '../../../domain/history/candles.ts';
import type { UtcRange } from '../../../domain/history/history.ts';
import {
  type Redenominations,
  type UnitDay,
  type Units,
  unitAt,
  unitAtEndOf,
} from '../../../domain/redenomination.ts';
import { type Instant, startOfUtcDay, type UtcDay } from '../../../domain/time.ts';
import { field, said } from '../../pipeline/said.ts';
import { day } from '../../pipeline/schemas.ts';
import { natural, rowsOf } from '../fields.ts';

/** Shared parts of the endpoints whose figures may be in several units (contract §10). */

const ADJUSTED = said(
  '`true` gives every rate in the newest unit of the currency; by default each is in the unit of its day.',
  '`true` da todas las tasas en la unidad más reciente de la moneda; por defecto, cada una está en la unidad de su día.',
);

export const adjustedField = { adjusted: z.enum(['true', 'false']).meta(ADJUSTED).optional() };

/** The same of a body, where JSON has `true` and `false` of its own. */
export const adjustedInBody = {
  adjusted: z
    .literal([true, false, 'true', 'false'])
    .meta({ ...ADJUSTED, type: ['boolean', 'string'] })
    .transform((value) => (String(value) === 'true' ? 'true' : 'false'))
    .optional(),
};

export const unitChangesField = {
  unit_changes: rowsOf(
    'The days since the first day of the range, until today or a later end of it, from which one new bolívar is several old ones, oldest first: each rate is in the unit of its day. Absent when there is none, and with `adjusted=true`.',
    'Los días después del primero del rango, hasta hoy o hasta un final posterior de él, desde los cuales un bolívar nuevo son varios viejos, del más antiguo al más reciente: cada tasa está en la unidad de su día. Ausente si no hay ninguno, y con `adjusted=true`.',
    'Unit change',
    {
      on: field(
        day,
        'From this day on, in Caracas, rates are in the new unit.',
        'Desde este día, en Caracas, las tasas están en la unidad nueva.',
      ),
      factor: natural(
        'How many old bolívares one new one is.',
        'Cuántos bolívares viejos es uno nuevo.',
      ),
    },
  ).optional(),
};

/** The same of an answer of one day. */
export const unitsSinceField = field(
  unitChangesField.unit_changes,
  'The days since then, until today, from which one new bolívar is several old ones, oldest first: rates are in the unit of the requested day. Absent when there is none, and with `adjusted=true`.',
  'Los días desde entonces y hasta hoy desde los cuales un bolívar nuevo son varios viejos, del más antiguo al más reciente: las tasas están en la unidad del día pedido. Ausente si no hay ninguno, y con `adjusted=true`.',
);

/** The day in whose unit a period is shown: the one in which it ends, or the range that cuts it. */
export function unitOfPeriod(
  day: UtcDay,
  interval: Interval,
  { range: { to }, now }: { readonly range: UtcRange; readonly now: Instant },
): UnitDay {
  const end = periodEnd(day, interval);
  return unitAtEndOf(end < to ? end : to, now);
}

type UnitChanges = z.output<z.ZodObject<typeof unitChangesField>>;

/** From the unit in which a series of UTC days begins to that of today, also when it ends earlier. */
export function unitsOf({ from }: Pick<UtcRange, 'from'>, now: Instant): Units {
  return { from: unitAt(startOfUtcDay(from)), to: unitAt(now) };
}

/** The reforms between two units, for an answer in the units of its days. */
export function unitChanges(
  units: Units,
  {
    services: { redenominations },
    input: { adjusted },
  }: {
    readonly services: { readonly redenominations: Redenominations };
    readonly input: { readonly adjusted?: 'true' | 'false' | undefined };
  },
): UnitChanges {
  if (adjusted === 'true') return {};
  return unitChangesView(redenominations.after(units));
}

/** Says the same in a header, because a CSV file has no place for it. */
export function unitChangesHeader(answer: object): readonly string[] {
  const { unit_changes: changes = [] }: UnitChanges = answer;
  const text = changes.map(({ on, factor }) => `${on}=${factor}`).join();
  return text === '' ? [] : ['X-Vesfx-Unit-Changes', text];
}
