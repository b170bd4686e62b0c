import { z } from 'zod';
import { calendarRange, daysOf, MAX_CALENDAR_DAYS } from '../../../domain/calendar.ts';
import { sentence } from '../../../domain/errors/sentence.ts';
import { caracasDayOf, startOfCaracasDay } from '../../../domain/time.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { oneExample } from '../../pipeline/operation.ts';
import { field } from '../../pipeline/said.ts';
import { caracasDayText, day, firstDay, lastDay } from '../../pipeline/schemas.ts';
import { flag, present, rowsOf, text } from '../fields.ts';

export const calendar = endpoint({
  path: '/v1/fx/calendar',
  section: 'contract 21',
  summary: sentence('Business days and value dates', 'Días hábiles y fechas valor'),
  description: sentence(
    `Which days banks work, and the value date of a rate published that day. At most ${MAX_CALENDAR_DAYS} days.`,
    `Qué días trabajan los bancos, y la fecha valor de la tasa que se publica ese día. Como máximo ${MAX_CALENDAR_DAYS} días.`,
  ),
  operation: {
    id: 'getCalendar',
    tag: 'Central bank',
    schema: 'Calendar',
    parameters: { from: '2026-11-23', to: '2026-11-24' },
    answers: oneExample(
      'A bank holiday and the day after it',
      'Un feriado bancario y el día siguiente',
      {
        from: '2026-11-23',
        to: '2026-11-24',
        count: 2,
        days: [
          {
            date: '2026-11-23',
            business_day: false,
            holiday: 'Virgen de Chiquinquirá',
            next_value_date: '2026-11-24',
          },
          { date: '2026-11-24', business_day: true, next_value_date: '2026-11-25' },
        ],
        announced_until: '2026-12-31',
      },
      { asked: false },
    ),
  },
  scope: 'official',
  query: z.object({
    from: caracasDayText(
      'First day of the range, in Caracas; today by default.',
      'Primer día del rango, en Caracas; por defecto, hoy.',
    ).optional(),
    to: caracasDayText(
      'Last day of the range, in Caracas; 30 days after the first by default.',
      'Último día del rango, en Caracas; por defecto, 30 días después del primero.',
    ).optional(),
  }),
  rejectUnknown: true,
  check: ({ input, now }) => void calendarRange(input, now),
  answer: z.object({
    from: firstDay,
    to: lastDay,
    count: field(
      z.int().positive(),
      'How many items the list has.',
      'Cuántos elementos tiene la lista.',
      'Cantidad',
    ),
    days: rowsOf('The days, in order.', 'Los días, en orden.', 'Calendar day', {
      date: field(day, 'The day, in Caracas.', 'El día, en Caracas.', 'Fecha'),
      business_day: flag(
        'Whether the banks work on that day.',
        'Si los bancos trabajan ese día.',
        'Día hábil bancario',
      ),
      holiday: text(
        'Name of the bank holiday, in Spanish; absent on other days.',
        'Nombre del feriado bancario; ausente en los demás días.',
        'Feriado',
      ).optional(),
      next_value_date: field(
        day,
        'Value date of the rate that the central bank publishes on that day.',
        'Fecha valor de la tasa que el Banco Central publica ese día.',
        'Próxima fecha valor',
      ),
      computed: present(
        'Present when the day is after `announced_until`: `business_day` is computed from the holiday rules, and the regulator may decide otherwise.',
        'Aparece cuando el día es posterior a `announced_until`: `business_day` se calcula con las reglas de los feriados, y la Sudeban puede decidir otra cosa.',
        'Calculado',
      ),
    }),
    announced_until: field(
      day,
      'Last day announced by the regulator; later days are computed.',
      'Último día anunciado por la Sudeban; los días posteriores se calculan.',
      'Feriados anunciados hasta',
    ),
  }),
  encoding: { root: 'calendar', rows: 'days' },
  // The default range changes at midnight.
  maxAgeSec: 60,
  // Without `from` the answer begins with today.
  lastModified: (_, { input, now, services }) =>
    input.from === undefined
      ? Math.max(services.catalogueChangedAt, startOfCaracasDay(caracasDayOf(now)))
      : services.catalogueChangedAt,
  handle({ input, now, services: { calendar: banks } }) {
    const range = calendarRange(input, now);
    const days = daysOf(range).map((date) => ({
      date,
      business_day: banks.isBusinessDay(date),
      holiday: banks.holidayOn(date),
      next_value_date: banks.nextValueDate(date),
      computed: banks.isComputed(date) ? (true as const) : undefined,
    }));
    return { ...range, count: days.length, days, announced_until: banks.announcedUntil };
  },
});
