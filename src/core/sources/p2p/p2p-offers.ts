import { z } from 'zod';
import { SourceFailure } from '../../app/failures.ts';
import type { SourceKind } from '../../app/ports/source-kinds.ts';
import type { SourceRecord, UpstreamBody } from '../../app/ports/sources.ts';
import {
  MIN_MERCHANTS,
  type Offer,
  representativeQuote,
  SIDES,
  type Side,
} from '../../domain/calculations/representative-quote.ts';
import { decimal, multiply, toNumber } from '../../domain/decimal.ts';
import { contentFailure, unexpected } from '../body/excerpt.ts';
import { excerptOf, jsonOf } from '../body/json-body.ts';
import { between, figureOf, rateOf, valueAt } from '../body/json-values.ts';
import { offersRequest, type Venue, venueSchema } from './p2p-venue.ts';

/** Most offers read on a side, from the top: a venue may send its whole book. */
// limit: Offers per side | 40 | ignored
const MAX_OFFERS_A_SIDE = 40;

const feed = z.strictObject({
  venue: venueSchema,
  market: z.string('must be the id of a market'),
  between,
  ticket_ves: z.number('must be a number of bolivars').positive('must be more than 0'),
  min_orders: z.int('must be a whole number').min(0, 'must be 0 or more'),
  min_completion_percent: z
    .number('must be a number')
    .min(0, 'must be 0 to 100')
    .max(100, 'must be 0 to 100'),
});

type Feed = z.output<typeof feed>;

/**
 * The advertisements of a P2P venue, reduced to one quote by the published rule
 * (`representativeQuote`). When too few offers remain, the reading fails: the source's health gives
 * the reason, and the last quote ages.
 */
export const p2pOffers: SourceKind<Feed> = {
  parserVersion: 1,
  feed,
  markets: ({ market }) => [market],
  between: ({ between }) => between,

  /** The pages of advertisers who sell, then those of advertisers who buy. */
  async read(fetch, url, { venue, ticket_ves: orderSizeVes }) {
    const bodies: UpstreamBody[] = [];
    for (const side of SIDES) {
      for (let page = 1; page <= venue.pages; page += 1) {
        bodies.push(await fetch(offersRequest(venue, url, { side, page, orderSizeVes })));
      }
    }
    return bodies;
  },
};

/** @throws SourceFailure `content` when the bodies are not in the source's format. */
export function parseP2pOffers(
  bodies: readonly UpstreamBody[],
  entry: Feed,
): readonly SourceRecord[] {
  const { venue } = entry;
  if (bodies.length !== SIDES.length * venue.pages) {
    const expected = `${SIDES.length * venue.pages} bodies (${venue.pages} a side)`;
    throw contentFailure(`${expected}, there were ${bodies.length}`);
  }
  const offers = {
    ask: offersOf(venue, 'ask', bodies.slice(0, venue.pages)),
    bid: offersOf(venue, 'bid', bodies.slice(venue.pages)),
  };
  const quote = representativeQuote(offers, {
    orderSizeVes: entry.ticket_ves,
    minOrders: entry.min_orders,
    minCompletionPercent: entry.min_completion_percent,
  });
  switch (quote.outcome) {
    case 'quote':
      requireBetween(quote, entry.between);
      return [{ kind: 'quote', market: entry.market, ask: quote.ask, bid: quote.bid }];
    case 'too_few': {
      const given = `of ${offers[quote.side].length} offers on the ${quote.side} side`;
      const remain = `those of ${quote.merchants} merchants remain, ${MIN_MERCHANTS} are needed`;
      throw new SourceFailure('content', `${given} ${remain}`);
    }
    case 'sides_apart':
      throw unexpected('sides of one market', `ask ${quote.ask} and bid ${quote.bid}`);
    default:
      return quote satisfies never;
  }
}

function requireBetween(
  quote: Readonly<Record<Side, number>>,
  [low, high]: readonly [number, number],
): void {
  for (const side of SIDES) {
    if (quote[side] >= low && quote[side] <= high) continue;
    throw unexpected(`a rate between ${low} and ${high}`, `${side} ${quote[side]}`);
  }
}

/** The valid offers of a side's pages. @throws SourceFailure without a list or any of them. */
export function offersOf(
  venue: Venue,
  side: Side,
  pages: readonly UpstreamBody[],
): readonly Offer[] {
  const listed = pages.flatMap((body) => {
    const list = valueAt(jsonOf(body), venue.list[side]);
    if (Array.isArray(list)) return list;
    const place = `a list of offers at ${venue.list[side]} on the ${side} side`;
    throw unexpected(place, excerptOf(body));
  });
  const offers = listed.slice(0, MAX_OFFERS_A_SIDE).flatMap((item) => {
    const offer = offerOf(venue, side, item);
    return offer === undefined ? [] : [offer];
  });
  if (offers.length > 0) return offers;
  const there =
    listed.length === 0
      ? 'the list is empty'
      : `none of ${listed.length} is an offer of USDT for VES`;
  throw contentFailure(`offers on the ${side} side, ${there}`);
}

function offerOf(
  { fields, marks: required, completion_in: completionIn }: Venue,
  side: Side,
  item: unknown,
): Offer | undefined {
  const figure = (path: string) => figureOf(valueAt(item, path));
  const hasRequired = Object.entries(required).every(([path, value]) => {
    const expected = typeof value === 'string' ? value : value[side];
    return String(valueAt(item, path)).toUpperCase() === expected.toUpperCase();
  });
  const merchant = valueAt(item, fields.merchant);
  const price = rateOf(valueAt(item, fields.price));
  const minVes = figure(fields.min_ves);
  const maxVes = figure(fields.max_ves);
  const available = figure(fields.available);
  if (!hasRequired || typeof merchant !== 'string' || merchant === '') return undefined;
  if (price === undefined || minVes === undefined) return undefined;
  if (maxVes === undefined || available === undefined) return undefined;
  const orders = figure(fields.orders) ?? 0;
  const completion = fields.completion === undefined ? 0 : valueAt(item, fields.completion);
  const completionPercent = percentOf(completion, completionIn) ?? 0;
  return { merchant, price, minVes, maxVes, available, orders, completionPercent };
}

function percentOf(value: unknown, unit: Venue['completion_in']): number | undefined {
  const share = figureOf(typeof value === 'string' ? value.replace(/%$/, '') : value);
  if (share === undefined || unit === 'percent') return share;
  return toNumber(multiply(decimal(share), 100));
}
