import { z } from 'zod';
import { marketInPlan } from '../../app/access/access.ts';
import { ApiError, notFound } from '../../domain/errors.ts';
import type { Market } from '../../domain/markets.ts';
import type { Quote } from '../../domain/quotes.ts';
import { SECOND_MS } from '../../domain/time.ts';
import { type ForeignCall, foreignEndpoint } from './foreign-endpoint.ts';

/** The addresses of CriptoYa for USDT in bolivars (decisions §12), with our P2P markets. */

const refusal = ({ status, message }: ApiError) => ({ status, body: { error: message } });

function nameOf({ criptoyaName, id }: Market): string {
  return criptoyaName ?? id;
}

/** The sides of the market. Our rates have no fees, so the totals are the same. */
function sidesView(quote: Quote, { restsOn }: ForeignCall) {
  const { ask, bid, updatedAt } = quote;
  restsOn([quote]);
  return {
    ask,
    totalAsk: ask,
    bid,
    totalBid: bid,
    time: Math.floor(updatedAt / SECOND_MS),
  };
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

function oneVenue(call: ForeignCall, name: string) {
  const quote = quotesOf(call).find(({ market }) => nameOf(market) === name.toLowerCase());
  if (quote === undefined) {
    throw notFound('no_quote', { message: 'There is no quote of that exchange.' });
  }
  return sidesView(quote, call);
}

function isPair(coin: string, fiat: string): boolean {
  return coin.toUpperCase() === 'USDT' && fiat.toUpperCase() === 'VES';
}

function requirePair(coin: string, fiat: string): void {
  if (isPair(coin, fiat)) return;
  throw notFound('unknown_market', { message: 'The only pair is USDT/VES.' });
}

/** Our quotes do not depend on a volume: an invalid one is refused, a valid one has no effect. */
function requireVolume(text: string): void {
  if (/^\d{1,12}(?:\.\d{1,12})?$/.test(text) && Number(text) > 0) return;
  throw new ApiError('invalid_format', { message: 'The volume must be a number greater than 0.' });
}

/** A pair of letters, perhaps after an exchange. `/api/v1/…` is of another service. */
const pathForm = /^\/api\/(?:[^/]+\/)?[a-z]{2,10}\/[a-z]{3}(?:\/|$)/i;

const everyVenue = {
  pathForm,
  scope: 'rates' as const,
  query: z.object({ coin: z.string(), fiat: z.string() }),
  handle(call: ForeignCall<{ coin: string; fiat: string }>) {
    requirePair(call.input.coin, call.input.fiat);
    return allVenues(call);
  },
};

export const criptoyaEndpoints = [
  foreignEndpoint(refusal, { ...everyVenue, path: '/api/:coin/:fiat' }),
  // Its published client appends a slash when there is no volume.
  foreignEndpoint(refusal, { ...everyVenue, path: '/api/:coin/:fiat/' }),
  foreignEndpoint(refusal, {
    pathForm,
    scope: 'rates',
    path: '/api/:exchange/:coin/:fiat/',
    query: z.object({ exchange: z.string(), coin: z.string(), fiat: z.string() }),
    handle(call) {
      const { exchange, coin, fiat } = call.input;
      requirePair(coin, fiat);
      return oneVenue(call, exchange);
    },
  }),
  foreignEndpoint(refusal, {
    pathForm,
    scope: 'rates',
    // Either COIN/FIAT/VOLUME or EXCHANGE/COIN/FIAT.
    path: '/api/:first/:second/:third',
    query: z.object({ first: z.string(), second: z.string(), third: z.string() }),
    handle(call) {
      const { first, second, third } = call.input;
      if (isPair(first, second)) {
        requireVolume(third);
        return allVenues(call);
      }
      requirePair(second, third);
      return oneVenue(call, first);
    },
  }),
  foreignEndpoint(refusal, {
    pathForm,
    scope: 'rates',
    path: '/api/:exchange/:coin/:fiat/:volume',
    query: z.object({
      exchange: z.string(),
      coin: z.string(),
      fiat: z.string(),
      volume: z.string(),
    }),
    handle(call) {
      const { exchange, coin, fiat, volume } = call.input;
      requirePair(coin, fiat);
      requireVolume(volume);
      return oneVenue(call, exchange);
    },
  }),
];
