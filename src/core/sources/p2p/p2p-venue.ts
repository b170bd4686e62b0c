import { z } from 'zod';
import type { UpstreamRequest } from '../../app/ports/sources.ts';
import type { Side } from '../../domain/calculations/representative-quote.ts';
import { jsonPath } from '../body/json-values.ts';

/** Most pages read on each side. Venues list the best offers first. The messages below say it too. */
// limit: Pages of offers | 2 | not requested
export const MAX_OFFER_PAGES = 2;

/** Most keys of a venue's query or body, and most values that `marks` requires of its offers. */
// limit: Venue: keys, text of its query or body | 50, 200 characters | not started | MAX_VENUE_TEXT_LENGTH
export const MAX_VENUE_KEYS = 50;

/** Longest text in a venue's query or body, in characters. */
export const MAX_VENUE_TEXT_LENGTH = 200;

/**
 * A placeholder of the request: `{page}` or `{ticket}` (the size of the order in bolivars), as text
 * or, with `:number`, as a number; or `{side}`, as the venue's word.
 */
const PLACEHOLDER = /^\{(?:(side)|(page|ticket)(:number)?)\}$/;

const atMostKeys = (object: object) => Object.keys(object).length <= MAX_VENUE_KEYS;
const TOO_MANY_KEYS = `must have at most ${MAX_VENUE_KEYS} keys`;

const text = z
  .string('must be text')
  .max(MAX_VENUE_TEXT_LENGTH, `must have at most ${MAX_VENUE_TEXT_LENGTH} characters`)
  .refine(
    (given) => !/[{}]/.test(given) || PLACEHOLDER.test(given),
    'must be {side}, {page}, {ticket}, {page:number} or {ticket:number} where it has braces',
  );

const leaf = z.union(
  [text, z.number(), z.boolean(), z.null()],
  'must be text, a number, true, false or null',
);

const bodyValue = z.union(
  [leaf, z.array(leaf).max(MAX_VENUE_KEYS)],
  'must be text, a number, true, false, null, or a list of those',
);

const eachSide = <T extends z.ZodType>(value: T) =>
  z.strictObject({ ask: value, bid: value }, 'must be an object of ask and bid');

const sideWord = z.union([text, z.number()], 'must be text or a number');

/** A P2P venue: the request for its offers, and the paths of values in the answer. */
export const venueSchema = z
  .strictObject(
    {
      pages: z
        .int('must be 1 or 2')
        .min(1, 'must be 1 or 2')
        .max(MAX_OFFER_PAGES, 'must be 1 or 2'),
      /** The venue's word for advertisers who sell (`ask`) and who buy (`bid`). */
      sides: eachSide(sideWord),
      /** Query parameters of a GET. */
      query: z
        .record(z.string(), text, 'must be an object of texts')
        .refine(atMostKeys, TOO_MANY_KEYS)
        .optional(),
      /** JSON body of a POST. */
      body: z
        .record(z.string(), bodyValue, 'must be an object of values')
        .refine(atMostKeys, TOO_MANY_KEYS)
        .optional(),
      /** Path of the list of offers, for each side. */
      list: eachSide(jsonPath),
      fields: z.strictObject(
        {
          merchant: jsonPath,
          price: jsonPath,
          /** The limits of an order, in bolivars. */
          min_ves: jsonPath,
          max_ves: jsonPath,
          /** Tokens still on offer. */
          available: jsonPath,
          orders: jsonPath,
          /** Share of completed orders; absent when the list does not have it. */
          completion: jsonPath.optional(),
        },
        'must be an object of paths',
      ),
      /** Unit of `completion`. A percentage may end in %. */
      completion_in: z.enum(['fraction', 'percent'], 'must be fraction or percent'),
      /** Required values of an offer, by path. Other offers are ignored. */
      marks: z
        .record(
          jsonPath,
          z.union([text, eachSide(text)], 'must be text, or an object of ask and bid'),
        )
        .refine(atMostKeys, TOO_MANY_KEYS),
    },
    'must be an object that describes the venue',
  )
  .refine(
    ({ query, body }) => (query === undefined) !== (body === undefined),
    'must have either a query or a body',
  );

export type Venue = z.output<typeof venueSchema>;

/** The request for a page of a side, from 1. */
export function offersRequest(
  venue: Venue,
  url: string,
  asked: { readonly side: Side; readonly page: number; readonly orderSizeVes: number },
): UpstreamRequest {
  const figures = { side: venue.sides[asked.side], page: asked.page, ticket: asked.orderSizeVes };
  const accept = ['application/json'];
  if (venue.body !== undefined) {
    const filled = Object.entries(venue.body).map(([name, value]) => [
      name,
      Array.isArray(value)
        ? value.map((item) => filledIn(item, figures))
        : filledIn(value, figures),
    ]);
    return { url, accept, json: Object.fromEntries(filled) };
  }
  const address = new URL(url);
  for (const [name, value] of Object.entries(venue.query ?? {})) {
    address.searchParams.set(name, String(filledIn(value, figures)));
  }
  return { url: address.href, accept };
}

type Leaf = z.output<typeof leaf>;

function filledIn(
  value: Leaf,
  figures: Readonly<Record<'side' | 'page' | 'ticket', string | number>>,
): Leaf {
  if (typeof value !== 'string') return value;
  const [, side, name, asNumber] = PLACEHOLDER.exec(value) ?? [];
  if (side !== undefined) return figures.side;
  if (name !== 'page' && name !== 'ticket') return value;
  return asNumber === undefined ? String(figures[name]) : figures[name];
}
