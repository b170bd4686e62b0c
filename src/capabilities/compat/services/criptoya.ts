import { z } from 'zod';
import { sentence } from '../../../core/domain/errors/sentence.ts';
import { invalidFormat, notFound } from '../../../core/domain/errors.ts';
import type { Market } from '../../../core/domain/markets.ts';
import { SECOND_MS } from '../../../core/domain/time.ts';
import { p2pFigures, shown } from '../figures.ts';
import { addressesWith, type ForeignCall } from '../foreign-endpoint.ts';

/** The addresses of CriptoYa for USDT in bolivars (contract §12), with our P2P markets. */

const at = addressesWith(({ status, message }) => ({ status, body: { error: message } }));

const nameOf = ({ criptoyaName, id }: Market) => criptoyaName ?? id;

/** The sides of the market. Our rates have no fees, so the totals are the same. */
function sidesView({ quote: { ask, bid }, updatedAt }: P2pFigure) {
  const time = Math.floor(updatedAt / SECOND_MS);
  return { ask, totalAsk: ask, bid, totalBid: bid, time };
}

type P2pFigure = ReturnType<typeof p2pFigures>[number];

function allVenues(call: ForeignCall) {
  const named = (one: P2pFigure) => [nameOf(one.quote.market), sidesView(one)] as const;
  return Object.fromEntries(shown(call, p2pFigures(call), named));
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
  const asked = exchange.toLowerCase();
  // A program for Binance may leave out `p2p`: its market has no other price in bolívares.
  const isAsked = ({ quote: { market } }: P2pFigure) => [nameOf(market), market.id].includes(asked);
  const [found] = shown(call, p2pFigures(call).filter(isAsked).slice(0, 1), sidesView);
  if (found !== undefined) return found;
  throw notFound('no_quote', {
    message: sentence('There is no quote of that exchange.', 'No hay cotización de ese mercado.'),
  });
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

const venueQuery = z.object({ exchange: z.string(), ...pair, volume: z.string() });

export const criptoyaAddresses = [
  at('/api/:coin/:fiat', {
    pathForm,
    query: z.object(pair),
    handle(call) {
      requirePair(call.input.coin, call.input.fiat);
      return allVenues(call);
    },
  }),
  at('/api/:first/:second/:third', {
    // Either COIN/FIAT/VOLUME or EXCHANGE/COIN/FIAT.
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
  at('/api/:exchange/:coin/:fiat/:volume', {
    pathForm,
    query: venueQuery,
    handle: (call) => oneVenue(call, call.input),
  }),
  // With a volume and how many offers it may take, which has no effect either.
  at('/api/:exchange/:coin/:fiat/:volume/:limit', {
    pathForm,
    query: venueQuery.extend({ limit: z.string() }),
    handle: (call) => oneVenue(call, call.input),
  }),
];
