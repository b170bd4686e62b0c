import { z } from 'zod';
import { ageView, conversionView } from '../../app/views.ts';
import { parseDirection, requireConvertible } from '../../domain/calculations/convert.ts';
import { sentence } from '../../domain/errors/sentence.ts';
import { BASES, OFFICIAL_RATES } from '../../domain/markets.ts';
import { type Quote, stalenessSec } from '../../domain/quotes.ts';
import { FIGURES } from '../openapi/example-figures.ts';
import type { MarketChoice } from '../pipeline/call.ts';
import { endpoint } from '../pipeline/endpoint.ts';
import { oneExample } from '../pipeline/operation.ts';
import { entitled, field } from '../pipeline/said.ts';
import * as shared from '../pipeline/schemas.ts';
import { optional } from './fields.ts';
import {
  asOf,
  checkPast,
  maxAgeOf,
  pastDateOf,
  pastFields,
  pastHeaders,
  pastMemo,
  pastModified,
  pastView,
  requireQuote,
} from './rates/past-date.ts';

const query = z.object({
  ...shared.currencyPair(BASES),
  amount: shared.amountText,
  via: optional(
    shared.marketText.meta({ example: 'reference' }),
    'Id or alias of the market whose rate is used; by default, the official rate of the currency.',
    'Id o alias del mercado cuya tasa se usa; por defecto, la tasa oficial de la moneda.',
  ),
  market: optional(
    shared.marketText,
    'The same as `via`, which takes precedence.',
    'Lo mismo que `via`, que tiene prioridad.',
  ),
  ...pastFields,
});

// Strict, so that a conversion on a past day does not match it.
const conversion = z
  .strictObject({
    from: field(shared.money, 'What is converted.', 'Lo que se convierte.', 'De'),
    to: field(
      shared.money,
      'What it is worth, with 2 decimals.',
      'Lo que vale, con 2 decimales.',
      'A',
    ),
    rate: shared.rateNumber,
    market: shared.marketId,
    type: shared.marketType,
    updated_at: shared.updatedAt,
    effective_date: shared.valueDate.optional(),
    staleness_sec: shared.quoteAge,
    stale: shared.stale,
  })
  .meta(entitled('Conversion', 'Conversión'));

const pastConversion = conversion
  .omit({ staleness_sec: true, stale: true })
  .extend({ as_of: asOf })
  .meta(entitled('Past conversion', 'Conversión de un día pasado'));

/** `via` takes precedence. The default is the official rate of the foreign currency (§4.5). */
function choice(input: z.output<typeof query>): MarketChoice {
  if (input.via !== undefined) return { name: input.via, field: 'via' };
  if (input.market !== undefined) return { name: input.market, field: 'market' };
  return { name: OFFICIAL_RATES[parseDirection(input).foreign] };
}

export const convert = endpoint({
  path: '/v1/fx/convert',
  section: '4.5',
  summary: sentence('Convert an amount', 'Convertir un monto'),
  description: sentence(
    'Converts USD or EUR to VES, or back, at the `mid` of one market. Without `via` or `market`, at the official rate. With `date`, at the rate of a day in Caracas.',
    'Convierte de USD o EUR a VES, o al revés, con el `mid` de un mercado. Sin `via` ni `market`, con la tasa oficial. Con `date`, con la tasa de un día en Caracas.',
  ),
  operation: {
    id: 'convert',
    tag: 'Conversion',
    schema: 'Conversion',
    parameters: { from: 'USD', to: 'VES', amount: '100' },
    answers: {
      ...oneExample('100 USD at the official rate', '100 USD a la tasa oficial', {
        from: { currency: 'USD', amount: 100 },
        to: { currency: 'VES', amount: 77107.14 },
        ...FIGURES.quotedByReference,
        effective_date: '2026-11-20',
        staleness_sec: 82800,
        stale: false,
      }),
      past_day: {
        summary: sentence(
          '100 USD at the rate of the next business day',
          '100 USD a la tasa del próximo día hábil',
        ),
        asked: {
          ...{ from: 'USD', to: 'VES', amount: '100' },
          ...{ date: '2026-11-21', rule: 'next_banking_day' },
        },
        value: {
          from: { currency: 'USD', amount: 100 },
          to: { currency: 'VES', amount: 77254.41 },
          ...FIGURES.quotedByReference,
          rate: 772.5441,
          updated_at: '2026-11-24T04:00:00.000Z',
          effective_date: '2026-11-24',
          as_of: {
            ...FIGURES.onSaturday,
            rule: 'next_banking_day',
            value_date: '2026-11-24',
            captured_at: '2026-11-24T04:00:00.000Z',
            carried_days: 0,
          },
        },
      },
    },
  },
  scope: 'rates',
  restsOnQuotes: true,
  query,
  rejectUnknown: true,
  market: choice,
  check({ input, now, services }, market) {
    checkPast(input, { now, market, services });
    const direction = parseDirection(input);
    if (market !== undefined) requireConvertible(market, direction, choice(input).field ?? 'via');
  },
  answer: z.union([conversion, pastConversion]),
  encoding: { root: 'conversion', inHeader: ['unit_changes'] },
  headers: pastHeaders,
  errors: ['history_out_of_retention', 'rate_not_published'],
  maxAgeSec: maxAgeOf(0),
  // The age in the answer changes every second.
  lastModified: (answer, call) => ('as_of' in answer ? pastModified(answer, call) : call.now),
  // Many callers convert the same amounts, and the answer changes only with the age, once a second.
  memo(input, market, { snapshot, now }) {
    const { from, to, amount } = input;
    const pastDate = pastDateOf(input);
    const quote = market && snapshot.quoteOf(market);
    const age = quote && `${stalenessSec(quote, now)}`;
    const changing = pastDate === undefined ? age : pastMemo(pastDate, now);
    return changing && `${from} ${to} ${amount.toString()} ${market?.id} ${changing}`;
  },
  handle(call) {
    const { amount } = call.input;
    const direction = parseDirection(call.input);
    const pastDate = pastDateOf(call.input);
    const view = (quote: Quote) => conversionView(amount, direction, quote);
    if (pastDate !== undefined) return pastView(call, pastDate, view);
    const quote = requireQuote(call);
    return { ...view(quote), ...ageView(quote, call.now) };
  },
});
