import { z } from 'zod';
import { quotedBy } from '../../app/views.ts';
import {
  convertAmount,
  type Direction,
  parseDirection,
} from '../../domain/calculations/convert.ts';
import { type Decimal, toNumber } from '../../domain/decimal.ts';
import { sentence } from '../../domain/errors/sentence.ts';
import { missingField } from '../../domain/errors.ts';
import { BASES, type Market, OFFICIAL_EUR, onlyToVes } from '../../domain/markets.ts';
import { isStale, type Quote } from '../../domain/quotes.ts';
import { isoInstant } from '../../domain/time.ts';
import { FIGURES } from '../openapi/example-figures.ts';
import { TOO_MANY_WITHOUT_KEY } from '../pipeline/callers.ts';
import { endpoint } from '../pipeline/endpoint.ts';
import { oneExample } from '../pipeline/operation.ts';
import { field } from '../pipeline/said.ts';
import * as shared from '../pipeline/schemas.ts';
import { figure, listOf, text, titled } from './fields.ts';
import { isOpenMarket } from './open-plan.ts';

/** Requests per minute and address without a key (contract §11). */
// limit: Calculator, from one address | 60 a minute, all workers | 429
const KEYLESS_REQUESTS_PER_MINUTE = 60;

const pair = shared.currencyPair(BASES);

const query = z.object({
  amount: shared.amountText,
  from: pair.from.optional(),
  to: pair.to.optional(),
});

/** Without a pair it converts USD to VES, as the hosted service does (contract §11). */
function directionOf({ from, to }: z.output<typeof query>): Direction {
  if (from === undefined && to === undefined) return parseDirection({ from: 'USD', to: 'VES' });
  if (from === undefined) throw missingField('from');
  if (to === undefined) throw missingField('to');
  return parseDirection({ from, to });
}

const row = titled('Calculator row', {
  market: shared.marketId,
  name: text('Name of the market, in Spanish.', 'Nombre del mercado.'),
  type: shared.marketType,
  base: field(
    shared.base.optional(),
    'The quoted currency; only in a row that quotes another currency than the requested one.',
    'La moneda que se cotiza; solo en una fila que cotiza otra moneda que la consultada.',
  ),
  rate: shared.rateNumber,
  result: field(
    z.number().optional(),
    'The amount in the other currency, with 2 decimals; absent in a row that has a `base`.',
    'El monto en la otra moneda, con 2 decimales; ausente en una fila que tiene `base`.',
  ),
  updated_at: shared.updatedAt,
  effective_date: shared.valueDate.optional(),
  stale: shared.stale,
});

type ExampleQuote = typeof FIGURES.parallel & { readonly effective_date?: string };

function exampleRow(
  { market, type, mid: rate, updated_at, effective_date }: ExampleQuote,
  {
    name,
    base,
    result,
  }: { readonly name: string; readonly base?: string; readonly result?: number },
) {
  return { market, name, type, base, rate, result, updated_at, effective_date, stale: false };
}

export const calculator = endpoint({
  path: '/v1/fx/public/calculator',
  section: 'contract 11',
  summary: sentence('Calculate without a key', 'Calcular sin clave'),
  description: sentence(
    'Converts an amount to VES, or from VES, with each market of the cheapest plan; without `from` and `to`, USD to VES. From USD, the rows also include the official euro rate, with `base` and without a result. At most 60 requests per minute from one IP address; pages of any origin may read it.',
    'Convierte un monto a VES, o desde VES, con cada mercado del plan más económico; sin `from` y `to`, de USD a VES. Desde USD, las filas incluyen también la tasa oficial del euro, con `base` y sin resultado. Como máximo 60 consultas por minuto desde una dirección IP; se puede usar desde páginas de cualquier origen.',
  ),
  operation: {
    id: 'calculate',
    tag: 'Conversion',
    schema: 'Calculation',
    parameters: { amount: '100', from: 'USD', to: 'VES' },
    answers: oneExample(
      'A hundred dollars on every market in the plan',
      'Cien dólares en cada mercado del plan',
      {
        amount: 100,
        from: 'USD',
        to: 'VES',
        results: [
          exampleRow(FIGURES.reference, { name: 'BCV, dólar', result: 77107.14 }),
          exampleRow(FIGURES.eurReference, { name: 'BCV, euro', base: 'EUR' }),
          exampleRow(FIGURES.parallel, { name: 'Dólar paralelo', result: 86715 }),
          exampleRow(FIGURES.firstP2p, { name: 'Binance P2P', result: 88234 }),
          exampleRow(FIGURES.secondP2p, { name: 'BingX P2P', result: 88079 }),
        ],
        fetched_at: FIGURES.fetchedAt,
      },
    ),
  },
  access: 'open',
  addressLimit: {
    name: 'calculator',
    perMinute: KEYLESS_REQUESTS_PER_MINUTE,
    message: TOO_MANY_WITHOUT_KEY,
  },
  anyOrigin: true,
  restsOnQuotes: true,
  cost: 0,
  query,
  check: ({ input }) => void directionOf(input),
  answer: z.object({
    amount: figure('The amount, as sent.', 'El monto, como se envió.'),
    from: text('Currency of the amount.', 'La moneda del monto.'),
    to: text('Currency of the results.', 'La moneda de los resultados.'),
    results: listOf(
      'A row for each market of the cheapest plan that has a quote.',
      'Una fila por cada mercado del plan más económico que tiene cotización.',
      row,
    ),
    fetched_at: shared.fetchedAt,
  }),
  maxAgeSec: 5,
  handle({ input, snapshot, services, now, restsOn }) {
    const direction = directionOf(input);
    const quotes = snapshot.quotes.filter(
      ({ market }) => isOpenMarket(services, market) && isListed(market, direction),
    );
    restsOn(quotes);
    return {
      amount: toNumber(input.amount),
      from: direction.from,
      to: direction.to,
      results: quotes.map((quote) => rowOf(quote, input.amount, direction, now)),
      fetched_at: isoInstant(snapshot.fetchedAt),
    };
  },
});

/** Whether the market has a row: it converts in this direction, or is the official euro rate. */
function isListed(market: Market, direction: Direction): boolean {
  // Beside dollars, without a result (contract §11).
  if (market.id === OFFICIAL_EUR && direction.from === 'USD') return true;
  return market.base === direction.foreign && (direction.toVes || !onlyToVes(market));
}

function rowOf(quote: Quote, amount: Decimal, direction: Direction, now: number) {
  const { market } = quote;
  const isAsked = market.base === direction.foreign;
  const { type, updated_at } = quotedBy(quote);
  return {
    market: market.id,
    name: market.name,
    type,
    base: isAsked ? undefined : market.base,
    rate: quote.mid,
    result: isAsked ? toNumber(convertAmount(amount, quote.mid, direction.toVes)) : undefined,
    updated_at,
    effective_date: quote.effectiveDate,
    stale: isStale(quote, now),
  };
}
