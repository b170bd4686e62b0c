import { z } from 'zod';
import type { SourceKind } from '../../app/ports/source-kinds.ts';
import type { SourceRecord, UpstreamBody } from '../../app/ports/sources.ts';
import { PUBLISHED_CURRENCIES } from '../../domain/bcv.ts';
import { type CaracasDay, caracasDayOf, isoInstant, parseCaracasDay } from '../../domain/time.ts';
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
// limit: Quotes of a JSON feed | 50 | not started
export const MAX_FEED_QUOTES = 50;

/** Where in the answer the other paths start: at its top by default. */
const place = {
  /** Path of the list for `where`; by default the whole answer. */
  list: path.optional(),
  /** Selects the only list element with these texts. */
  where: z
    .record(z.string(), z.string('must be text'), 'must be an object of keys and texts')
    .optional(),
};

const isPlace = ({ list, where }: { list?: string; where?: object }) =>
  list === undefined || where !== undefined;
const NO_PLACE = 'has list without where';

const quoteColumns = z
  .strictObject(
    {
      market: z.string('must be the id of a market'),
      ...place,
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
  .refine(isPlace, NO_PLACE);

/** `day`: a day of Caracas, `YYYY-MM-DD`. Of a time it is the day in Caracas. */
const DAY_FORMATS = ['day', ...TIME_FORMATS] as const;

/** A publication of the central bank. All rates must be present, and have one value date. */
const officialColumns = z.strictObject(
  {
    value_date: z.strictObject(
      { path, format: z.enum(DAY_FORMATS, `must be one of ${DAY_FORMATS.join(', ')}`) },
      'must be an object of path and format',
    ),
    /** `value_date` and `mid` start at the place of each currency. */
    rates: z
      .partialRecord(
        z.enum(PUBLISHED_CURRENCIES, `must be one of ${PUBLISHED_CURRENCIES.join(', ')}`),
        z.strictObject({ ...place, mid: path }, 'must be an object').refine(isPlace, NO_PLACE),
        'must be an object of currencies',
      )
      .refine((rates) => rates.USD !== undefined, 'must have USD'),
  },
  'must be an object of value_date and rates',
);

const feed = z
  .strictObject({
    quotes: z
      .array(quoteColumns, 'must be a list of quotes')
      .min(1, 'must have at least one quote')
      .max(MAX_FEED_QUOTES, `must have at most ${MAX_FEED_QUOTES} quotes`)
      .refine(
        (quotes) => new Set(quotes.map(({ market }) => market)).size === quotes.length,
        'must not have the same market twice',
      )
      .optional(),
    official: officialColumns.optional(),
  })
  .refine(({ quotes, official }) => quotes !== undefined || official !== undefined, {
    message: 'is missing',
    path: ['quotes'],
  });

type Feed = z.output<typeof feed>;
type QuoteColumns = z.output<typeof quoteColumns>;
type OfficialColumns = z.output<typeof officialColumns>;

/** Any endpoint that answers with JSON. All figures of an entry must be present. */
export const jsonFeed: SourceKind<Feed> = {
  parserVersion: 1,
  feed,
  markets: ({ quotes = [] }) => quotes.map(({ market }) => market),
  between: ({ quotes = [] }, market) => quotes.find((quote) => quote.market === market)?.between,
  async read(fetch, url) {
    return [await fetch({ url, accept: ['application/json'] })];
  },
};

/** @throws SourceFailure `content` when the bodies are not in the source's format. */
export function parseJsonFeed(
  bodies: readonly UpstreamBody[],
  { quotes = [], official }: Feed,
): readonly SourceRecord[] {
  const body = onlyBody(bodies);
  const answer = jsonOf(body);
  const seen = excerptOf(body);
  const records = quotes.map((columns) => recordOf(columns, answer, seen));
  return official === undefined ? records : [...records, officialOf(official, answer, seen)];
}

function officialOf(
  { value_date: { path: at, format }, rates: columns }: OfficialColumns,
  answer: unknown,
  seen: string,
): SourceRecord {
  const rates: Record<string, number> = {};
  const days = new Set<CaracasDay>();
  for (const currency of PUBLISHED_CURRENCIES) {
    const of = columns[currency];
    if (of === undefined) continue;
    const start = placeIn(of, answer, seen);
    const day = dayOf(valueAt(start, at), format);
    if (day === undefined) throw unexpected(`a value date (${format}) at ${at}`, seen);
    days.add(day);
    const rate = rateOf(valueAt(start, of.mid));
    if (rate === undefined) throw unexpected(`a rate at ${of.mid}`, seen);
    rates[currency] = rate;
  }
  const [valueDate, other] = days;
  if (other !== undefined)
    throw contentFailure(`one value date, there were ${[...days].join(', ')}`);
  return { kind: 'official', value_date: valueDate, rates };
}

function dayOf(value: unknown, format: (typeof DAY_FORMATS)[number]): CaracasDay | undefined {
  if (format === 'day') return typeof value === 'string' ? parseCaracasDay(value) : undefined;
  const time = timeOf(value, format);
  return time === undefined ? undefined : caracasDayOf(time);
}

function recordOf(columns: QuoteColumns, answer: unknown, seen: string): SourceRecord {
  const { market, between: limits, updated_at: updated } = columns;
  const start = placeIn(columns, answer, seen);
  const sides = (['mid', 'ask', 'bid'] as const).flatMap((side) => {
    const at = columns[side];
    return at === undefined ? [] : [[side, rateAt(start, at, limits, seen)] as const];
  });
  const time =
    updated === undefined ? undefined : timeOf(valueAt(start, updated.path), updated.format);
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

function placeIn(
  { list: at, where }: Pick<QuoteColumns, 'list' | 'where'>,
  answer: unknown,
  seen: string,
): unknown {
  if (where === undefined) return answer;
  const list = at === undefined ? answer : valueAt(answer, at);
  const wanted = Object.entries(where);
  const inWords = wanted.map(([key, text]) => `${key} "${text}"`).join(' and ');
  if (!Array.isArray(list)) throw unexpected(`a list with an element of ${inWords}`, seen);
  const found = list.filter((item) => wanted.every(([key, text]) => valueAt(item, key) === text));
  if (found.length === 1) return found[0];
  throw contentFailure(`one element of ${inWords}, there were ${found.length}`);
}

function rateAt(start: unknown, at: string, [low, high]: readonly [number, number], seen: string) {
  const rate = rateOf(valueAt(start, at));
  if (rate === undefined) throw unexpected(`a rate at ${at}`, seen);
  if (rate >= low && rate <= high) return rate;
  throw unexpected(`a rate between ${low} and ${high} at ${at}`, `${rate}`);
}
