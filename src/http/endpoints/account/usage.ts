import { z } from 'zod';
import { requireUsageKept, USAGE_DAYS, usageRange } from '../../../domain/usage.ts';
import { endpoint } from '../../routing/endpoint.ts';
import { oneExample } from '../../routing/operation.ts';
import { count, day, firstDay, lastDay, utcDayText } from '../../routing/schemas.ts';
import { rowsOf } from '../fields.ts';

function exampleDay(date: string, name: string, calls: number, client_errors: number) {
  const units = calls - client_errors;
  return { date, endpoint: name, calls, units, client_errors, server_errors: 0 };
}

export const getUsage = endpoint({
  path: '/v1/account/usage',
  section: 'decisions 14',
  summary: 'Requests of your keys, by day and endpoint',
  description: `The days with requests, of the last ${USAGE_DAYS} UTC days. Requests that cost nothing do not count. The count may be a few seconds behind; the exact units of the month are in \`/v1/account\`.`,
  operation: {
    id: 'getUsage',
    tag: 'Account',
    schema: 'Usage',
    parameters: { from: '2026-11-19', to: '2026-11-21' },
    answers: oneExample('Three days, one of them without requests', {
      from: '2026-11-19',
      to: '2026-11-21',
      total_calls: 1465,
      total_units: 1461,
      count: 3,
      days: [
        exampleDay('2026-11-19', 'GET /v1/fx/convert', 412, 3),
        exampleDay('2026-11-19', 'GET /v1/fx/rates', 860, 0),
        exampleDay('2026-11-21', 'GET /v1/fx/rates', 193, 1),
      ],
    }),
  },
  scope: 'account.read',
  cost: 0,
  query: z.object({
    from: utcDayText('First UTC day of the range; the first one kept by default.').optional(),
    to: utcDayText('Last UTC day of the range; today by default.').optional(),
  }),
  check: ({ input, now }) => void usageRange(input, now),
  answer: z.object({
    from: firstDay,
    to: lastDay,
    total_calls: count.describe('Requests in the range, of all endpoints.'),
    total_units: count.describe('Units in the range, of all endpoints.'),
    count,
    days: rowsOf('The requests by day and endpoint, oldest day first.', 'Usage of a day', {
      date: day.describe('The UTC day of the requests.'),
      endpoint: z.string().meta({
        description: 'Method and path of the endpoint.',
        example: 'GET /v1/fx/rates/:market',
      }),
      calls: count.describe('How many requests, including those answered with an error.'),
      units: count.describe('Units that these requests cost.'),
      client_errors: count.describe('Requests answered with a 4xx status.'),
      server_errors: count.describe('Requests answered with a 5xx status.'),
    }),
  }),
  encoding: { root: 'usage', rows: 'days', unrepeated: ['total_calls', 'total_units', 'count'] },
  errors: ['history_out_of_retention'],
  async handle({ input, caller, now, services }) {
    const range = usageRange(input, now);
    requireUsageKept(range, now);
    const counts = await services.usageDays.of(caller.account.id, range);
    return {
      from: range.from,
      to: range.to,
      total_calls: counts.reduce((sum, { calls }) => sum + calls, 0),
      total_units: counts.reduce((sum, { units }) => sum + units, 0),
      count: counts.length,
      days: counts.map((one) => ({
        date: one.day,
        endpoint: one.endpoint,
        calls: one.calls,
        units: one.units,
        client_errors: one.clientErrors,
        server_errors: one.serverErrors,
      })),
    };
  },
});
