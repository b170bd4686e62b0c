import { z } from 'zod';
import { officialHistoryView } from '../../app/past-rates.ts';
import { depthInPlan, requireDepth } from '../../domain/history/history.ts';
import {
  DAY_CHOICES,
  MAX_OFFICIAL_DAYS,
  officialDaysRange,
} from '../../domain/history/official-days.ts';
import { addCaracasDays, caracasDayOf } from '../../domain/time.ts';
import { endpoint } from '../routing/endpoint.ts';
import { oneExample } from '../routing/operation.ts';
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
import { unitChanges, unitChangesField, unitChangesHeader } from './rates/units.ts';

const query = z.object({
  currency: parsed(
    (text) => (/^[A-Za-z]{3}$/.test(text) ? upperCase(text) : undefined),
    'must be three letters',
    {
      description:
        'Code of a currency of the central bank, three letters in any case; USD by default.',
      example: 'USD',
    },
  ).optional(),
  days: oneOf(
    DAY_CHOICES,
    '`value` (the default): a row for each value date. `all`: a row for each day, with the rate in force on it.',
  ).optional(),
  from: caracasDayText(
    'First day of the range, in Caracas; 30 days before the last by default.',
  ).optional(),
  to: caracasDayText('Last day of the range, in Caracas; today by default.').optional(),
});

const FRIDAY = { rate: 889.5754, value_date: '2026-11-20' };
const CAPTURED = { captured_at: '2026-11-19T20:12:00.000Z' };

export const officialHistory = endpoint({
  path: '/v1/fx/official/history',
  section: 'decisions 21',
  summary: 'Official rates by day',
  description: `The rates of one currency by value date, or the rate in force on every day, without gaps at weekends. At most ${MAX_OFFICIAL_DAYS.toLocaleString('en-US')} days. Source: Banco Central de Venezuela.`,
  operation: {
    id: 'getOfficialHistory',
    tag: 'Central bank',
    schema: 'OfficialHistory',
    parameters: { days: 'all', from: '2026-11-20', to: '2026-11-21' },
    answers: oneExample('A Friday, and the Saturday on which its rate is still in force', {
      currency: 'USD',
      from: '2026-11-20',
      to: '2026-11-21',
      days: 'all',
      count: 2,
      rows: [
        { date: '2026-11-20', ...FRIDAY, business_day: true, carried_days: 0, ...CAPTURED },
        { date: '2026-11-21', ...FRIDAY, business_day: false, carried_days: 1, ...CAPTURED },
      ],
      missing: [],
    }),
  },
  scope: 'official',
  query,
  rejectUnknown: true,
  check: ({ input, now }) => void officialDaysRange(input, now),
  answer: z.object({
    currency,
    from: firstDay,
    to: lastDay,
    days: oneOf(DAY_CHOICES, 'Which days have a row.'),
    count,
    ...unitChangesField,
    rows: rowsOf(
      'The days, oldest first. Days before the first stored rate have none.',
      'Official day',
      {
        date: day.describe('The day, in Caracas.'),
        rate: ves.describe('VES for one unit of the currency.'),
        value_date: day.describe('The value date of the rate: the day on which it took effect.'),
        business_day: flag('Whether the banks work on that day.'),
        carried_days: natural('Days from the value date to the day; 0 on the value date.'),
        captured_at: timestamp.describe('When the service first read the publication.'),
      },
    ),
    missing: listOf(
      'Business days of the range, after the first stored value date, for which no publication is stored. From such a day to the next value date no day has a row.',
      day,
    ),
  }),
  encoding: {
    root: 'official_history',
    rows: 'rows',
    unrepeated: ['from', 'to', 'days', 'count', 'unit_changes', 'missing'],
  },
  errors: ['resource_not_found', 'history_out_of_retention'],
  maxAgeSec: 60,
  lastModified({ to, rows }, { now, services }) {
    // Instants sort as text. Rows and missing days appear as days begin.
    const newest = rows.reduce(
      (last, { captured_at: at }) => (at > last ? at : last),
      `${to}T04:00:00.000Z`,
    );
    return Math.max(Date.parse(newest), services.redenominations.newestAt(now));
  },
  headers: unitChangesHeader,
  memo({ currency: code = 'USD', days = 'value', ...asked }, _market, { now }) {
    const { from, to } = officialDaysRange(asked, now);
    return `${code} ${days} ${from} ${to}`;
  },
  long: true,
  async handle(call) {
    const { input, now, caller, services } = call;
    const { currency: code = 'USD', days: choice = 'value' } = input;
    const depth = depthInPlan(caller.plan, services.plans, (plan) => plan.officialDays);
    const earliest = (days: number) => addCaracasDays(caracasDayOf(now), -days);
    const range = officialDaysRange(input, now);
    for (const field of ['from', 'to'] as const) {
      requireDepth({ field, day: range[field] }, depth, earliest);
    }
    const answer = await officialHistoryView(code, range, choice, { ...services, now });
    return { ...answer, ...unitChanges(range, { services, input: {} }) };
  },
});
