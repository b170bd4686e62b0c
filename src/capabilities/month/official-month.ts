import { z } from 'zod';
import { officialMonthView } from '../../core/app/history/official-month.ts';
import { sentence } from '../../core/domain/errors/sentence.ts';
import { fault } from '../../core/domain/errors/value-rules.ts';
import { monthRange, parseMonth, runningMonth } from '../../core/domain/history/month.ts';
import { officialNameOf } from '../../core/domain/markets.ts';
import {
  lastModifiedOfDays,
  officialCurrency,
  officialMonthEncoding,
  officialMonthFields,
  requireOfficialDepth,
} from '../../core/http/endpoints/central-bank/official-days.ts';
import { adjustedField, unitChangesHeader } from '../../core/http/endpoints/rates/units.ts';
import type { Call } from '../../core/http/pipeline/call.ts';
import { endpoint } from '../../core/http/pipeline/endpoint.ts';
import { oneExample } from '../../core/http/pipeline/operation.ts';
import { said } from '../../core/http/pipeline/said.ts';
import { parsed } from '../../core/http/pipeline/schemas.ts';

const query = z.object({
  month: parsed(
    parseMonth,
    fault('malformed', 'must be a month, YYYY-MM', 'debe ser un mes, AAAA-MM'),
    {
      ...said(
        'The month, `YYYY-MM`; that of today in Caracas by default.',
        'El mes, `AAAA-MM`; por defecto, el de hoy en Caracas.',
      ),
      example: '2026-11',
    },
  ).optional(),
  currency: officialCurrency,
  ...adjustedField,
});

function rangeOf(
  { month, currency: code = 'USD' }: z.output<typeof query>,
  { now, newestValueDates }: Pick<Call, 'now'> & Pick<Call['snapshot'], 'newestValueDates'>,
) {
  const lastValueDate = newestValueDates.get(officialNameOf(code)) ?? null;
  return monthRange(month ?? runningMonth(now), { now, lastValueDate });
}

const FRIDAY = { rate: 771.0714, value_date: '2026-11-20' };
const READ = { captured_at: '2026-11-19T20:12:00.000Z' };

export const officialMonth = endpoint({
  path: '/v1/fx/official/month',
  section: 'contract 27',
  summary: sentence('Official rates of a month', 'Tasas oficiales de un mes'),
  description: sentence(
    'Every day of a month with the rate by each rule, the close and the average: what an accountant keeps. Source: Banco Central de Venezuela.',
    'Cada día de un mes con la tasa según cada regla, el cierre y el promedio: lo que guarda un contador. Fuente: Banco Central de Venezuela.',
  ),
  operation: {
    id: 'getOfficialMonth',
    tag: 'Central bank',
    schema: 'OfficialMonth',
    parameters: { month: '2026-11' },
    answers: oneExample(
      'A month, cut to a Friday and the Saturday after it',
      'Un mes, recortado a un viernes y el sábado siguiente',
      {
        ...{ month: '2026-11', currency: 'USD', first: '2026-11-01', last: '2026-11-21' },
        ...{ count: 2, close: FRIDAY.rate, close_value_date: FRIDAY.value_date },
        ...{ average: FRIDAY.rate, value_dates: 1 },
        rows: [
          {
            ...{ date: '2026-11-20', ...FRIDAY, business_day: true, carried_days: 0, ...READ },
            ...{ next_banking_day: FRIDAY.value_date, next_banking_day_rate: FRIDAY.rate },
          },
          {
            ...{ date: '2026-11-21', ...FRIDAY, business_day: false, carried_days: 1, ...READ },
            ...{ next_banking_day: '2026-11-24', next_banking_day_rate: 772.5441 },
          },
        ],
        missing: [],
      },
    ),
  },
  scope: 'official',
  query,
  rejectUnknown: true,
  check: ({ input, now, services }) => void rangeOf(input, { now, ...services.snapshots.at(now) }),
  answer: z.object(officialMonthFields),
  encoding: officialMonthEncoding,
  errors: ['resource_not_found', 'history_out_of_retention'],
  maxAgeSec: 60,
  lastModified: ({ last: to, rows }, call) => lastModifiedOfDays({ days: 'all', to, rows }, call),
  headers: unitChangesHeader,
  memo(input, _market, { now, snapshot }) {
    const { from, to } = rangeOf(input, { now, ...snapshot });
    return `${input.currency} ${from} ${to} ${input.adjusted}`;
  },
  long: true,
  async handle(call) {
    const { input, now, services } = call;
    const { currency: code = 'USD' } = input;
    const range = rangeOf(input, { now, ...call.snapshot });
    requireOfficialDepth({ field: 'month', day: range.from }, call);
    const parts = { ...services, now, isAdjusted: input.adjusted === 'true' };
    return {
      month: input.month ?? runningMonth(now),
      ...(await officialMonthView(code, range, parts)),
    };
  },
});
