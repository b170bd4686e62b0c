import { z } from 'zod';
import { marketInPlan } from '../../core/app/access/access.ts';
import { sentence } from '../../core/domain/errors/sentence.ts';
import { type ApiError, invalidFormat, notFound } from '../../core/domain/errors.ts';
import type { Market } from '../../core/domain/markets.ts';
import type { Quote } from '../../core/domain/quotes.ts';
import { SECOND_MS } from '../../core/domain/time.ts';
import { type ForeignCall, foreignEndpoint } from './foreign-endpoint.ts';

/** The addresses of CriptoYa for USDT in bolivars (contract §12), with our P2P markets. */

const refusal = ({ status, message }: ApiError) => ({ status, body: { error: message } });

const nameOf = ({ criptoyaName, id }: Market) => criptoyaName ?? id;

/** The sides of the market. Our rates have no fees, so the totals are the same. */
function sidesView(quote: Quote, { restsOn }: ForeignCall) {
  const { ask, bid, updatedAt } = quote;
  restsOn([quote]);
  const time = Math.floor(updatedAt / SECOND_MS);
  return { ask, totalAsk: ask, bid, totalBid: bid, time };
}

function quotesOf({ services: { plans }, plan, snapshot }: ForeignCall): readonly Quote[] {
  return snapshot.quotes.filter(
    ({ market, ask, bid }) =>
      market.type === 'p2p' &&
      marketInPlan(plans, plan, market) &&
      (ask !== undefined || bid !== undefined),
  );
}

function allVenues(call: ForeignCall) {
  const views = quotesOf(call).map((quote) => [nameOf(quote.market), sidesView(quote, call)]);
  return Object.fromEntries(views);
}

interface VenueRequest {
  readonly exchange: string;
  readonly coin: string;
  readonly fiat: string;
  readonly volume?: string;
}

function oneVenue(call: ForeignCall, { exchange, coin, fiat, volume }: VenueRequest) {
  requirePair(coin, fiat);
  if (volume !== undefined) requireVolume(volume);
  const quote = quotesOf(call).find(({ market }) => nameOf(market) === exchange.toLowerCase());
  if (quote === undefined) {
    throw notFound('no_quote', {
      message: sentence('There is no quote of that exchange.', 'No hay cotización de ese mercado.'),
    });
  }
  return sidesView(quote, call);
}

function isPair(coin: string, fiat: string): boolean {
  return coin.toUpperCase() === 'USDT' && fiat.toUpperCase() === 'VES';
}

function requirePair(coin: string, fiat: string): void {
  if (isPair(coin, fiat)) return;
  throw notFound('unknown_market', {
    message: sentence('The only pair is USDT/VES.', 'El único par es USDT/VES.'),
  });
}

/** Our quotes do not depend on a volume: an invalid one is refused, a valid one has no effect. */
function requireVolume(text: string): void {
  if (/^\d{1,12}(?:\.\d{1,12})?$/.test(text) && Number(text) > 0) return;
  throw invalidFormat(
    'volume',
    'out_of_range',
    sentence(
      'The volume must be a number greater than 0.',
      'El volumen debe ser un número mayor que 0.',
    ),
  );
}

/** A pair of letters, perhaps after an exchange. `/api/v1/…` is of another service. */
const pathForm = /^\/api\/(?:[^/]+\/)?[a-z]{2,10}\/[a-z]{3}(?:\/|$)/i;

const pair = { coin: z.string(), fiat: z.string() };

const venuesEndpoint = (path: string) =>
  foreignEndpoint(refusal, {
    path,
    pathForm,
    query: z.object(pair),
    handle(call) {
      requirePair(call.input.coin, call.input.fiat);
      return allVenues(call);
    },
  });

export const criptoyaAddresses = [
  venuesEndpoint('/api/:coin/:fiat'),
  // Its published client appends a slash when there is no volume.
  venuesEndpoint('/api/:coin/:fiat/'),
  foreignEndpoint(refusal, {
    path: '/api/:exchange/:coin/:fiat/',
    pathForm,
    query: z.object({ exchange: z.string(), ...pair }),
    handle: (call) => oneVenue(call, call.input),
  }),
  foreignEndpoint(refusal, {
    // Either COIN/FIAT/VOLUME or EXCHANGE/COIN/FIAT.
    path: '/api/:first/:second/:third',
    pathForm,
    query: z.object({ first: z.string(), second: z.string(), third: z.string() }),
    handle(call) {
      const { first, second, third } = call.input;
      if (!isPair(first, second)) {
        return oneVenue(call, { exchange: first, coin: second, fiat: third });
      }
      requireVolume(third);
      return allVenues(call);
    },
  }),
  foreignEndpoint(refusal, {
    path: '/api/:exchange/:coin/:fiat/:volume',
    pathForm,
    query: z.object({ exchange: z.string(), ...pair, volume: z.string() }),
    handle: (call) => oneVenue(call, call.input),
  }),
];
