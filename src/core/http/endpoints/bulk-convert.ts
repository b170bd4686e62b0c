import { z } from 'zod';
import { refused } from '../../app/schema-sentences.ts';
import { quotedBy } from '../../app/views.ts';
import {
  AMOUNT_LIMIT,
  amountFault,
  convertBatch,
  MAX_BATCH_AMOUNTS,
  parseAmount,
  parseDirection,
  requireConvertible,
} from '../../domain/calculations/convert.ts';
import { sentence } from '../../domain/errors/sentence.ts';
import { ApiError, invalidFormat } from '../../domain/errors.ts';
import { exactNumberText } from '../../domain/exact-json.ts';
import { OFFICIAL_USD } from '../../domain/markets.ts';
import type { Quote } from '../../domain/quotes.ts';
import { FIGURES } from '../openapi/example-figures.ts';
import { endpoint } from '../pipeline/endpoint.ts';
import { oneExample } from '../pipeline/operation.ts';
import { said } from '../pipeline/said.ts';
import * as shared from '../pipeline/schemas.ts';
import { figure, listOf, optional } from './fields.ts';
import {
  asOf,
  checkPast,
  pastDateOf,
  pastFields,
  pastHeaders,
  pastView,
  requireQuote,
} from './rates/past-date.ts';
import { adjustedInBody } from './rates/units.ts';

/** The same parser as for a conversion: it reads the number as written. */
const amount = z.unknown().transform((value, context) => {
  const text = exactNumberText(value);
  const exact = text === undefined ? undefined : parseAmount(text);
  if (exact !== undefined) return exact;
  context.addIssue(refused(amountFault(text ?? '')));
  return z.NEVER;
});

/** Checked before the amounts. An empty batch is a missing field, not an invalid one (§4.6). */
function requireBatchSize(amounts: unknown[]): unknown[] {
  if (amounts.length === 0) {
    throw new ApiError('missing_field', {
      field: 'amounts',
      details: { rule: 'empty' },
      message: sentence('amounts is empty.', 'La lista `amounts` está vacía.'),
    });
  }
  if (amounts.length > MAX_BATCH_AMOUNTS) {
    throw invalidFormat(
      'amounts',
      'too_many',
      sentence(
        `At most ${MAX_BATCH_AMOUNTS} amounts fit in a batch.`,
        `En un lote caben como máximo ${MAX_BATCH_AMOUNTS} montos.`,
      ),
      { max: MAX_BATCH_AMOUNTS, got: amounts.length },
    );
  }
  return amounts;
}

const body = z.object({
  ...shared.currencyPair(['USD']),
  amounts: z
    .array(z.unknown())
    .meta({
      ...said(
        `1 to ${MAX_BATCH_AMOUNTS} numbers greater than 0 and at most ${AMOUNT_LIMIT.en}.`,
        `De 1 a ${MAX_BATCH_AMOUNTS} números mayores que 0 y hasta ${AMOUNT_LIMIT.es}.`,
      ),
      items: { type: 'number' },
      minItems: 1,
      maxItems: MAX_BATCH_AMOUNTS,
    })
    .transform(requireBatchSize)
    .pipe(z.array(amount)),
  market: optional(
    shared.marketText,
    'Id or alias of the market whose rate is used; by default, the official dollar rate.',
    'Id o alias del mercado cuya tasa se usa; por defecto, la tasa oficial del dólar.',
  ),
  ...pastFields,
  ...adjustedInBody,
});

/** Only between USD and VES, for batches and routes (§4.6, §4.7). */
export const dollarDirection = (input: { readonly from: string; readonly to: string }) =>
  parseDirection(input, ['USD']);

export const bulkConvert = endpoint({
  method: 'POST',
  path: '/v1/fx/bulk/convert',
  section: '4.6',
  summary: sentence(
    'Convert up to 50 amounts at one rate',
    'Convertir hasta 50 montos con una tasa',
  ),
  description: sentence(
    'Like a conversion, at the same rate for all amounts. Each result is rounded to 2 decimals, and the total is the sum of the rounded results.',
    'Como una conversión, con la misma tasa para todos los montos. Cada resultado se redondea a 2 decimales, y el total es la suma de los resultados redondeados.',
  ),
  operation: {
    id: 'bulkConvert',
    tag: 'Conversion',
    schema: 'BulkConversion',
    bodySchema: 'BulkConversionRequest',
    body: { from: 'USD', to: 'VES', amounts: [10, 25.5] },
    answers: oneExample('Two amounts at the official rate', 'Dos montos a la tasa oficial', {
      ...FIGURES.quotedByReference,
      results: [
        { amount: 10, result: 7710.71 },
        { amount: 25.5, result: 19662.32 },
      ],
      total_in: 35.5,
      total_out: 27373.03,
    }),
  },
  feature: 'bulk_convert',
  scope: 'rates',
  restsOnQuotes: true,
  bulk: true,
  body,
  market: (_, { body: { market } }) =>
    market ? { name: market, field: 'market' } : { name: OFFICIAL_USD },
  check({ body: input, now, services }, market) {
    checkPast(input, { now, market, services });
    const pair = dollarDirection(input);
    if (market !== undefined) requireConvertible(market, pair, 'market');
  },
  answer: z.object({
    rate: shared.rateNumber,
    market: shared.marketId,
    type: shared.marketType,
    updated_at: shared.updatedAt,
    results: listOf(
      'The results, in the order of the amounts.',
      'Los resultados, en el orden de los montos.',
      z.object({
        amount: figure('The amount, as sent.', 'El monto, como se envió.'),
        result: figure(
          'What the amount is worth, in the currency of `to`, with 2 decimals.',
          'Lo que vale el monto en la moneda de `to`, con 2 decimales.',
        ),
      }),
    ),
    total_in: figure(
      'Sum of the amounts, in the currency of `from`.',
      'Suma de los montos, en la moneda de `from`.',
    ),
    total_out: figure(
      'Sum of the results, in the currency of `to`.',
      'Suma de los resultados, en la moneda de `to`.',
    ),
    as_of: asOf.optional(),
  }),
  errors: ['history_out_of_retention', 'rate_not_published'],
  headers: (answer) => [
    ...['X-Bulk-Operations', String(answer.results.length)],
    ...pastHeaders(answer),
  ],
  handle(call) {
    const pastDate = pastDateOf(call.body);
    if (pastDate === undefined) return batchView(call.body, requireQuote(call));
    return pastView(call, pastDate, (quote) => batchView(call.body, quote));
  },
});

function batchView(input: z.output<typeof body>, quote: Quote) {
  const batch = convertBatch(input.amounts, quote.mid, dollarDirection(input).toVes);
  return {
    rate: quote.mid,
    ...quotedBy(quote),
    results: batch.results,
    total_in: batch.totalIn,
    total_out: batch.totalOut,
  };
}
