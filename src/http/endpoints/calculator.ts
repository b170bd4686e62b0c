import { z } from 'zod';
import {
  convertAmount,
  type Direction,
  parseDirection,
} from '../../domain/calculations/convert.ts';
import { type Decimal, toNumber } from '../../domain/decimal.ts';
import { OFFICIAL_EUR, onlyToVes } from '../../domain/markets.ts';
import { isStale, type Quote } from '../../domain/quotes.ts';
import { isoInstant } from '../../domain/time.ts';
import { quotedBy } from '../encoding/views.ts';
import { FIGURES } from '../openapi/example-figures.ts';
import { one } from '../openapi/operation.ts';
import { KEYLESS_REQUESTS_PER_MINUTE } from '../routing/address-limits.ts';
import { endpoint } from '../routing/endpoint.ts';
import {
  amountText,
  base,
  currencyPair,
  fetchedAt,
  marketId,
  marketType,
  rateNumber,
  stale,
  updatedAt,
  valueDate,
} from '../routing/schemas.ts';
import { isOnBoard } from './board/board-figures.ts';

/** Longest time that a cache may keep an answer. Rates change at most once a minute. */
const MAX_AGE_SEC = 5;

/** Limit of calls from one IP address, because no key is needed (decisions §11). */
const ADDRESS_LIMIT = {
  name: 'calculator',
  perMinute: KEYLESS_REQUESTS_PER_MINUTE,
  message: 'Too many requests without a key from this address.',
};

const query = z.object({ amount: amountText, ...currencyPair });

const row = z
  .object({
    market: marketId,
    name: z.string().describe('Name of the market, in Spanish.'),
    type: marketType,
    base: base
      .optional()
      .describe(
        'The quoted currency; only in a row that quotes another currency than the requested one.',
      ),
    rate: rateNumber,
    result: z
      .number()
      .optional()
      .describe(
        'The amount in the other currency, with 2 decimals; absent in a row that has a `base`.',
      ),
    updated_at: updatedAt,
    effective_date: valueDate.optional(),
    stale,
  })
  .meta({ title: 'Calculator row' });

export const calculator = endpoint({
  path: '/v1/fx/public/calculator',
  section: 'decisions 11',
  summary: 'Calculate with every open market',
  description:
    'Converts an amount to VES, or from VES, with each market of the cheapest plan. From USD, the rows also include the official euro rate, with `base` and without a result. At most 60 requests per minute from one IP address; pages of any origin may read it.',
  operation: {
    id: 'calculate',
    tag: 'Conversion',
    schema: 'Calculation',
    parameters: { amount: '100', from: 'USD', to: 'VES' },
    answers: one('A hundred dollars on every open market', {
      amount: 100,
      from: 'USD',
      to: 'VES',
      results: [
        {
          market: 'reference',
          name: 'BCV, dólar',
          type: 'reference',
          rate: 889.5754,
          result: 88957.54,
          updated_at: FIGURES.officialAt,
          effective_date: '2026-11-20',
          stale: false,
        },
        {
          market: 'eur_reference',
          name: 'BCV, euro',
          type: 'reference',
          base: 'EUR',
          rate: FIGURES.eurReference.mid,
          updated_at: FIGURES.officialAt,
          effective_date: '2026-11-20',
          stale: false,
        },
      ],
      fetched_at: FIGURES.fetchedAt,
    }),
  },
  access: 'open',
  addressLimit: ADDRESS_LIMIT,
  anyOrigin: true,
  cost: 0,
  query,
  check: ({ input }) => void parseDirection(input),
  answer: z.object({
    amount: z.number().describe('The amount, as sent.'),
    from: z.string().describe('Currency of the amount.'),
    to: z.string().describe('Currency of the results.'),
    results: z.array(row).describe('A row for each open market that has a quote.'),
    fetched_at: fetchedAt,
  }),
  maxAgeSec: MAX_AGE_SEC,
  handle({ input, snapshot, services, now }) {
    const direction = parseDirection(input);
    const quotes = snapshot.quotes.filter(({ market }) => isOnBoard(services, market));
    return {
      amount: toNumber(input.amount),
      from: direction.from,
      to: direction.to,
      results: quotes.flatMap((quote) => rowOf(quote, input.amount, direction, now)),
      fetched_at: isoInstant(snapshot.fetchedAt),
    };
  },
});

/** The row of a market; none for one that does not convert in this direction. */
function rowOf(quote: Quote, amount: Decimal, direction: Direction, now: number) {
  const { market } = quote;
  const isAsked = market.base === direction.foreign && (direction.toVes || !onlyToVes(market));
  // The calculator also lists the official euro rate (decisions §11).
  const isBeside = market.id === OFFICIAL_EUR && direction.from === 'USD';
  if (!isAsked && !isBeside) return [];
  const { updated_at, ...named } = quotedBy(quote);
  const result = toNumber(convertAmount(amount, quote.mid, direction.toVes));
  return [
    {
      market: named.market,
      name: market.name,
      type: named.type,
      ...(!isAsked && { base: market.base }),
      rate: quote.mid,
      ...(isAsked && { result }),
      updated_at,
      ...(quote.effectiveDate !== undefined && { effective_date: quote.effectiveDate }),
      stale: isStale(quote, now),
    },
  ];
}
