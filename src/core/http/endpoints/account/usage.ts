import { z } from 'zod';
import { sentence } from '../../../domain/errors/sentence.ts';
import { MAX_USAGE_KEYS, requireUsageKept, USAGE_DAYS, usageRange } from '../../../domain/usage.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { oneExample } from '../../pipeline/operation.ts';
import { field, said } from '../../pipeline/said.ts';
import { count, day, firstDay, lastDay, utcDayText } from '../../pipeline/schemas.ts';
import { rowsOf, text } from '../fields.ts';

function exampleDay(date: string, name: string, calls: number, client_errors: number) {
  const units = calls - client_errors;
  return { date, endpoint: name, calls, units, client_errors, server_errors: 0 };
}

export const getUsage = endpoint({
  path: '/v1/account/usage',
  section: 'contract 14',
  summary: sentence(
    'Requests of your keys, by day, endpoint and key',
    'Consultas de sus claves, por día, endpoint y clave',
  ),
  description: sentence(
    `The days with requests, of the last ${USAGE_DAYS} UTC days. Requests that cost nothing do not count. The count may be a few seconds behind; the exact units of the month are in \`/v1/account\`.`,
    `Los días con consultas de los últimos ${USAGE_DAYS} días UTC. Las consultas que no cuestan nada no se cuentan. El conteo puede tardar unos segundos; las unidades exactas del mes están en \`/v1/account\`.`,
  ),
  operation: {
    id: 'getUsage',
    tag: 'Account',
    schema: 'Usage',
    parameters: { from: '2026-11-19', to: '2026-11-21' },
    answers: oneExample(
      'Three days, one of them without requests',
      'Tres días, uno de ellos sin consultas',
      {
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
        keys: [
          { id: 'key_3Zk9', calls: 1272, units: 1269 },
          { id: 'key_8Tq1', calls: 193, units: 192 },
        ],
      },
    ),
  },
  scope: 'account.read',
  cost: 0,
  query: z.object({
    from: utcDayText(
      'First UTC day of the range; the first one kept by default.',
      'Primer día UTC del rango; por defecto, el primero guardado.',
    ).optional(),
    to: utcDayText(
      'Last UTC day of the range; today by default.',
      'Último día UTC del rango; por defecto, hoy.',
    ).optional(),
  }),
  check: ({ input, now }) => void usageRange(input, now),
  answer: z.object({
    from: firstDay,
    to: lastDay,
    total_calls: field(
      count,
      'Requests in the range, of all endpoints.',
      'Consultas del rango, de todos los endpoints.',
    ),
    total_units: field(
      count,
      'Units in the range, of all endpoints.',
      'Unidades del rango, de todos los endpoints.',
    ),
    count,
    days: rowsOf(
      'The requests by day and endpoint, oldest day first.',
      'Las consultas por día y endpoint, desde el día más antiguo.',
      'Usage of a day',
      {
        date: field(day, 'The UTC day of the requests.', 'El día UTC de las consultas.', 'Fecha'),
        endpoint: z.string().meta({
          ...said(
            'Method and path of the endpoint.',
            'Método y dirección del endpoint.',
            'Endpoint',
          ),
          example: 'GET /v1/fx/rates/:market',
        }),
        calls: field(
          count,
          'How many requests, including those answered with an error.',
          'Cuántas consultas, incluidas las respondidas con un error.',
          'Consultas',
        ),
        units: field(
          count,
          'Units that these requests cost.',
          'Unidades que costaron estas consultas.',
          'Unidades',
        ),
        client_errors: field(
          count,
          'Requests answered with a 4xx status.',
          'Consultas respondidas con un estado 4xx.',
          'Errores 4xx',
        ),
        server_errors: field(
          count,
          'Requests answered with a 5xx status.',
          'Consultas respondidas con un estado 5xx.',
          'Errores 5xx',
        ),
      },
    ),
    keys: rowsOf(
      `The same requests by key, the most used first; at most ${MAX_USAGE_KEYS} keys. Days before version 0.4.0 are not in it.`,
      `Las mismas consultas por clave, primero la más usada; como máximo ${MAX_USAGE_KEYS} claves. No incluye los días anteriores a la versión 0.4.0.`,
      'Usage of a key',
      {
        id: text(
          'Id of the key, also after it was revoked.',
          'Id de la clave, también si ya se revocó.',
        ),
        calls: field(count, 'Requests with this key.', 'Consultas con esta clave.'),
        units: field(
          count,
          'Units that these requests cost.',
          'Unidades que costaron estas consultas.',
        ),
      },
    ),
  }),
  encoding: {
    root: 'usage',
    rows: 'days',
    unrepeated: ['total_calls', 'total_units', 'count', 'keys'],
  },
  errors: ['history_out_of_retention'],
  async handle({ input, caller, now, services }) {
    const range = usageRange(input, now);
    requireUsageKept(range, now);
    const { days: counts, keys } = await services.usageDays.of(caller.account.id, range);
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
      keys: keys.map(({ keyId, calls, units }) => ({ id: keyId, calls, units })),
    };
  },
});
