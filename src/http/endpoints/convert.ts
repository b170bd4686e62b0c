import { z } from 'zod';
import { convertAmount, parseDirection, requireConvertible } from '../../domain/convert.ts';
import { toNumber } from '../../domain/decimal.ts';
import { officialMarketOf } from '../../domain/markets.ts';
import { stalenessSec } from '../../domain/quotes.ts';
import { ageView, quotedBy } from '../encoding/views.ts';
import { endpoint, type MarketChoice } from '../routing/endpoint.ts';
import {
  amountText,
  currencyText,
  day,
  marketId,
  marketText,
  marketType,
  money,
  rateNumber,
  seconds,
  timestamp,
} from '../routing/schemas.ts';
import { requireQuote } from './rates.ts';

const query = z.object({
  from: currencyText,
  to: currencyText,
  amount: amountText,
  via: marketText.optional(),
  market: marketText.optional(),
});

/** `via` wins; without either the official rate of the foreign currency (§4.5). */
function choice(input: z.output<typeof query>): MarketChoice {
  if (input.via !== undefined) return { name: input.via, field: 'via' };
  if (input.market !== undefined) return { name: input.market, field: 'market' };
  return { name: officialMarketOf(parseDirection(input).foreign) };
}

export const convert = endpoint({
  method: 'GET',
  path: '/v1/fx/convert',
  section: '4.5',
  summary: 'Convert an amount',
  description:
    'USD or EUR to VES or back, by the mid of one market. Without via or market the official rate.',
  cost: 1,
  query,
  unknownParameters: 'reject',
  market: choice,
  check({ input }, market) {
    const direction = parseDirection(input);
    if (market !== undefined) requireConvertible(market, direction, choice(input).field ?? 'via');
  },
  answer: z.object({
    from: money,
    to: money,
    rate: rateNumber,
    market: marketId,
    type: marketType,
    updated_at: timestamp,
    effective_date: day.optional(),
    staleness_sec: seconds,
    stale: z.boolean(),
  }),
  encoding: { root: 'conversion' },
  errors: ['missing_field', 'invalid_format', 'unknown_parameter', 'resource_not_found'],
  maxAgeSec: 0,
  // Many ask for the same amounts, and what they get only changes with the age, once a second.
  memo({ from, to, amount }, market, { snapshot, now }) {
    const quote = market && snapshot.quoteOf(market);
    return (
      quote && `${from} ${to} ${amount.toString()} ${quote.market.id} ${stalenessSec(quote, now)}`
    );
  },
  handle({ input, market, marketField, snapshot, now }) {
    const direction = parseDirection(input);
    const quote = requireQuote(snapshot, market, marketField);
    return {
      from: { currency: direction.from, amount: toNumber(input.amount) },
      to: {
        currency: direction.to,
        amount: toNumber(convertAmount(input.amount, quote.mid, direction.toVes)),
      },
      rate: quote.mid,
      ...quotedBy(quote),
      ...(quote.effectiveDate !== undefined && { effective_date: quote.effectiveDate }),
      ...ageView(quote, now),
    };
  },
});
