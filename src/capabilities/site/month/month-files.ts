import { z } from 'zod';
import { fault } from '../../../core/domain/errors/value-rules.ts';
import { notFound } from '../../../core/domain/errors.ts';
import { parseMonth } from '../../../core/domain/history/month.ts';
import {
  officialCurrency,
  officialMonthEncoding,
  officialMonthFields,
} from '../../../core/http/endpoints/central-bank/official-days.ts';
import { oneOf } from '../../../core/http/endpoints/fields.ts';
import { unitChangesHeader } from '../../../core/http/endpoints/rates/units.ts';
import { encodeInSlices, LOCALES } from '../../../core/http/framework/encoding/formats.ts';
import { WrittenBody } from '../../../core/http/framework/encoding/written-answer.ts';
import { type Endpoint, writtenEndpoint } from '../../../core/http/pipeline/endpoint.ts';
import { said } from '../../../core/http/pipeline/said.ts';
import { parsed } from '../../../core/http/pipeline/schemas.ts';
import { BOARD_LIMIT, boardAnswer } from '../figures/board.ts';
import { askedMonth, tableOfMonth } from './month-request.ts';

/** The table of a month for spreadsheets, without a key: the columns of the API's own files. */

const query = z.object({
  month: parsed(
    parseMonth,
    fault('malformed', 'must be a month, YYYY-MM', 'debe ser un mes, AAAA-MM'),
    {
      ...said('The month; that of today by default.', 'El mes; por defecto, el de hoy.'),
      example: '2026-11',
    },
  ).optional(),
  currency: officialCurrency,
  locale: oneOf(
    LOCALES,
    '`es` gives files with Spanish headers and decimal commas.',
    '`es` da archivos con encabezados en español y coma decimal.',
  ).optional(),
});

const FILE = {
  answer: z.object(officialMonthFields),
  encoding: officialMonthEncoding,
};

export function monthFiles(historyDays: number): readonly Endpoint[] {
  return (['csv', 'xlsx'] as const).map((format) =>
    writtenEndpoint({
      access: 'open',
      anyOrigin: true,
      addressLimit: BOARD_LIMIT,
      path: `/board/month.${format}`,
      query,
      rejectUnknown: true,
      async handle({ input, services, now, isGone, inTurn }) {
        const { month, currency: code = 'USD', locale = 'es' } = input;
        const parts = { services, historyDays, now };
        const { notice } = services;
        const asked = askedMonth({ month, currency: code }, parts);
        const { contentType, body, marks } = await inTurn(async () => {
          const table = await tableOfMonth(asked, parts);
          if (table === undefined) throw notFound('no_data', { field: 'currency' });
          const written = { month: asked.month, ...table };
          const file = await encodeInSlices({ ...FILE, notice }, written, format, isGone, locale);
          return { ...file, marks: unitChangesHeader(table) };
        });
        const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
        const name = `vesfx-${code}-${asked.month}.${format}`;
        return boardAnswer(
          new WrittenBody(bytes, { kept: false, isPacked: format === 'xlsx' }),
          contentType,
          [...marks, 'Content-Disposition', `attachment; filename="${name}"`],
        );
      },
    }),
  );
}
