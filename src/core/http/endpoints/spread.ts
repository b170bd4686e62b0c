import { z } from 'zod';
import { premiumOf } from '../../domain/calculations/premium.ts';
import { sentence } from '../../domain/errors/sentence.ts';
import { ApiError } from '../../domain/errors.ts';
import { isOfficial, OFFICIAL_USD, PARALLEL_MARKET } from '../../domain/markets.ts';
import { nearMarkets } from '../../domain/near-names.ts';
import type { Quote } from '../../domain/quotes.ts';
import { isoInstant } from '../../domain/time.ts';
import { FIGURES } from '../openapi/example-figures.ts';
import { endpoint } from '../pipeline/endpoint.ts';
import { oneExample } from '../pipeline/operation.ts';
import { field, said } from '../pipeline/said.ts';
import { fetchedAt, marketId, marketText, updatedAt, upperCase, ves } from '../pipeline/schemas.ts';
import { fieldGroup, figure, oneOf, optional, titled } from './fields.ts';

export const spreadSide = titled('Spread side', {
  market: marketId,
  value: field(ves, 'Its rate: VES per dollar.', 'Su tasa: VES por un dólar.', 'Tasa (Bs.)'),
  updated_at: updatedAt,
});

export const premiumSchema = fieldGroup(
  'The premium of the compared market over the official rate.',
  'La brecha del mercado comparado frente a la tasa oficial.',
  {
    absolute: figure(
      'Compared rate minus official rate, in VES with 4 decimals.',
      'La tasa comparada menos la oficial, en VES y con 4 decimales.',
      'Brecha (Bs.)',
    ),
    percentage: figure(
      'The same as a percentage of the official rate, with 2 decimals.',
      'Lo mismo como porcentaje de la tasa oficial, con 2 decimales.',
      'Brecha (%)',
    ),
    direction: oneOf(
      ['higher', 'lower', 'equal'],
      'Whether the compared rate is above the official one (`higher`), below it (`lower`) or the same (`equal`).',
      'Si la tasa comparada es mayor que la oficial (`higher`), menor (`lower`) o igual (`equal`).',
      'Brecha: sentido',
    ),
  },
);

function sideView(quote: Quote) {
  return {
    market: quote.market.id,
    value: quote.mid,
    updated_at: isoInstant(quote.updatedAt),
  };
}

export const spread = endpoint({
  path: '/v1/fx/spread',
  section: '4.9',
  summary: sentence(
    'Premium of a market over the official rate',
    'Brecha entre la tasa oficial y otro mercado',
  ),
  description: sentence(
    'How much more or less than the official dollar a dollar is worth on another market. It is not the gap between buying and selling.',
    'Cuánto más o menos que el dólar oficial vale el dólar en otro mercado. No es la diferencia entre compra y venta.',
  ),
  operation: {
    id: 'getSpread',
    tag: 'Analysis',
    schema: 'Spread',
    parameters: { against: 'parallel', base: 'USD' },
    answers: oneExample(
      'The parallel market against the official rate',
      'El paralelo frente a la tasa oficial',
      {
        reference: { market: 'reference', value: 771.0714, updated_at: FIGURES.officialAt },
        compared: { market: 'parallel', value: 867.15, updated_at: FIGURES.parallelAt },
        spread: { absolute: 96.0786, percentage: 12.46, direction: 'higher' },
        fetched_at: FIGURES.fetchedAt,
      },
    ),
  },
  feature: 'spread',
  scope: 'rates',
  restsOnQuotes: true,
  query: z.object({
    against: optional(
      marketText,
      'Id or alias of the market to compare; `parallel` by default.',
      'Id o alias del mercado que se compara; por defecto, `parallel`.',
    ),
    base: z
      .string()
      .meta({
        ...said(
          'The base currency: only USD, which is the default.',
          'La moneda base: solo USD, que es el valor por defecto.',
        ),
        enum: ['USD'],
      })
      .optional(),
  }),
  rejectUnknown: true,
  market: ({ against }) => ({ name: against ?? PARALLEL_MARKET, field: 'against' }),
  check({ input, services }, market) {
    if (input.base !== undefined && upperCase(input.base) !== 'USD') {
      throw new ApiError('invalid_base', { field: 'base', details: { rule: 'unknown_value' } });
    }
    if (market === undefined) {
      const near = nearMarkets(services.markets, input.against ?? PARALLEL_MARKET);
      const details = { rule: 'unknown_market', did_you_mean: near } as const;
      throw new ApiError('invalid_against', { field: 'against', details });
    }
    if (isOfficial(market) || market.base !== 'USD') {
      throw new ApiError('invalid_against', {
        field: 'against',
        details: { rule: 'wrong_market' },
      });
    }
  },
  answer: z.object({
    reference: field(
      spreadSide,
      'The official dollar rate.',
      'La tasa oficial del dólar.',
      'Oficial',
    ),
    compared: field(
      spreadSide,
      'The market that is compared.',
      'El mercado que se compara.',
      'Comparado',
    ),
    spread: premiumSchema,
    fetched_at: fetchedAt,
  }),
  encoding: { root: 'spread' },
  errors: ['invalid_base', 'invalid_against', 'reference_unavailable', 'compared_unavailable'],
  maxAgeSec: 5,
  memo: (_, market) => market?.id,
  handle({ snapshot, market, restsOn }) {
    const reference = snapshot.quotes.find((quote) => quote.market.id === OFFICIAL_USD);
    if (reference === undefined) throw new ApiError('reference_unavailable');
    const compared = snapshot.quoteOf(market);
    if (compared === undefined) {
      throw new ApiError('compared_unavailable', { field: 'against' });
    }
    restsOn([reference, compared]);
    return {
      reference: sideView(reference),
      compared: sideView(compared),
      spread: premiumOf({ reference: reference.mid, compared: compared.mid }),
      fetched_at: isoInstant(snapshot.fetchedAt),
    };
  },
});
