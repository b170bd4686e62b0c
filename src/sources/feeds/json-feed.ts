import { z } from 'zod';
import type { SourceKind } from '../../app/ports/source-kinds.ts';
import type { SourceRecord, UpstreamBody } from '../../app/ports/sources.ts';
import { isoInstant } from '../../domain/time.ts';
import { contentFailure, unexpected } from '../body/excerpt.ts';
import { excerptOf, jsonOf, onlyBody } from '../body/json-body.ts';
import {
  between,
  jsonPath as path,
  rateOf,
  TIME_FORMATS,
  timeOf,
  valueAt,
} from '../body/json-values.ts';

/** Most quotes of an entry. */
export const MAX_FEED_QUOTES = 50;

const quoteColumns = z
  .strictObject(
    {
      market: z.string('must be the id of a market'),
      /** Path of the list for `where`; by default the whole answer. */
      list: path.optional(),
      /** Selects the only list element with these texts. The other paths start there. */
      where: z
        .record(z.string(), z.string('must be text'), 'must be an object of keys and texts')
        .optional(),
      mid: path.optional(),
      ask: path.optional(),
      bid: path.optional(),
      updated_at: z
        .strictObject(
          { path, format: z.enum(TIME_FORMATS, `must be one of ${TIME_FORMATS.join(', ')}`) },
          'must be an object of path and format',
        )
        .optional(),
      /** Lowest and highest plausible rate. The inverse rate lies outside. */
      between,
    },
    'must be an object',
  )
  .refine(
    ({ mid, ask, bid }) => mid !== undefined || (ask !== undefined && bid !== undefined),
    'must have mid, or both ask and bid',
  )
  .refine(({ list, where }) => list === undefined || where !== undefined, 'has list without where');

const feed = z.strictObject({
  quotes: z
    .array(quoteColumns, 'must be a list of quotes')
    .min(1, 'must have at least one quote')
    .max(MAX_FEED_QUOTES, `must have at most ${MAX_FEED_QUOTES} quotes`)
    .refine(
      (quotes) => new Set(quotes.map(({ market }) => market)).size === quotes.length,
      'must not have the same market twice',
    ),
});

type Feed = z.output<typeof feed>;
type QuoteColumns = Feed['quotes'][number];

/** Any endpoint that answers with JSON. All quotes of an entry must be present. */
export const jsonFeed: SourceKind<Feed> = {
  parserVersion: 1,
  feed,
  markets: ({ quotes }) => quotes.map(({ market }) => market),
  between: ({ quotes }, market) => quotes.find((quote) => quote.market === market)?.between,
  async read(fetch, url) {
    return [await fetch({ url, accept: ['application/json'] })];
  },
};

/** @throws SourceFailure `content` when the bodies are not in the source's format. */
export function parseJsonFeed(
  bodies: readonly UpstreamBody[],
  { quotes }: Feed,
): readonly SourceRecord[] {
  const body = onlyBody(bodies);
  const answer = jsonOf(body);
  const seen = excerptOf(body);
  return quotes.map((columns) => recordOf(columns, answer, seen));
}

function recordOf(columns: QuoteColumns, answer: unknown, seen: string): SourceRecord {
  const { market, between: limits, updated_at: updated } = columns;
  const place = columns.where === undefined ? answer : chosen(columns, columns.where, answer, seen);
  const sides = (['mid', 'ask', 'bid'] as const).flatMap((side) => {
    const at = columns[side];
    return at === undefined ? [] : [[side, rateAt(place, at, limits, seen)] as const];
  });
  const time =
    updated === undefined ? undefined : timeOf(valueAt(place, updated.path), updated.format);
  if (updated !== undefined && time === undefined) {
    throw unexpected(`a time (${updated.format}) at ${updated.path}`, seen);
  }
  return {
    kind: 'quote',
    market,
    ...Object.fromEntries(sides),
    updated_at: time && isoInstant(time),
  };
}

function chosen(
  { list: at }: QuoteColumns,
  where: Readonly<Record<string, string>>,
  answer: unknown,
  seen: string,
): unknown {
  const list = at === undefined ? answer : valueAt(answer, at);
  const wanted = Object.entries(where);
  const inWords = wanted.map(([key, text]) => `${key} "${text}"`).join(' and ');
  if (!Array.isArray(list)) throw unexpected(`a list with an element of ${inWords}`, seen);
  const found = list.filter((item) => wanted.every(([key, text]) => valueAt(item, key) === text));
  if (found.length === 1) return found[0];
  throw contentFailure(`one element of ${inWords}, there were ${found.length}`);
}

function rateAt(place: unknown, at: string, [low, high]: readonly [number, number], seen: string) {
  const rate = rateOf(valueAt(place, at));
  if (rate === undefined) throw unexpected(`a rate at ${at}`, seen);
  if (rate >= low && rate <= high) return rate;
  throw unexpected(`a rate between ${low} and ${high} at ${at}`, `${rate}`);
}
