import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { recordSchema } from '../../src/core/app/ingest/record.ts';
import { middle } from '../../src/core/domain/decimal.ts';
import { OFFICIAL_RATES } from '../../src/core/domain/markets.ts';
import {
  type CaracasDay,
  type Instant,
  parseCaracasDay,
  SECOND_MS,
} from '../../src/core/domain/time.ts';
import type { Chance } from '../chance.ts';
import { PARALLEL, VENUES } from './desk.ts';

/** A quote of a series at its time. */
export interface SeriesQuote {
  readonly at: Instant;
  readonly mid: number;
  readonly ask?: number;
  readonly bid?: number;
}

/** A publication of a series, with the time of its first reading. */
export interface SeriesPublication {
  readonly at: Instant;
  readonly valueDate: CaracasDay;
  readonly rates: Readonly<Record<string, number>>;
}

/** The input of a replay: real figures in order of time. */
export interface Series {
  /** Quotes of P2P venues, by market or collector. */
  readonly venues: ReadonlyMap<string, readonly SeriesQuote[]>;
  /** Quotes of the parallel market, by market or source. */
  readonly parallels: ReadonlyMap<string, readonly SeriesQuote[]>;
  readonly publications: readonly SeriesPublication[];
}

/** Reads NDJSON of quotes and publications, as `vesfx import` does. @throws Error naming the line. */
export async function readSeries(path: string): Promise<Series> {
  const quotes: Quotes = new Map();
  const publications: SeriesPublication[] = [];
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(path) })) {
    number += 1;
    if (line.trim() === '') continue;
    const read = recordSchema.safeParse(JSON.parse(line));
    if (!read.success || read.data.captured_at === undefined) {
      throw new Error(`line ${number}: no record with its captured_at`);
    }
    const { data } = read;
    const at = read.data.captured_at;
    if (data.kind === 'official') {
      publications.push({ at, valueDate: data.value_date, rates: data.rates });
    } else if (data.kind === 'quote' && data.effective_date === undefined) {
      const { mid, ask, bid } = data;
      const middleOf =
        mid ?? (ask !== undefined && bid !== undefined ? middle(ask, bid) : undefined);
      if (middleOf === undefined) throw new Error(`line ${number}: neither mid nor both sides`);
      const sides = { ...(ask !== undefined && { ask }), ...(bid !== undefined && { bid }) };
      add(quotes, data.market, { at, mid: middleOf, ...sides });
    }
  }
  const parallel = quotes.get(PARALLEL);
  quotes.delete(PARALLEL);
  const parallels = new Map(parallel && [[PARALLEL, parallel]]);
  return sorted({ venues: quotes, parallels, publications });
}

/**
 * Reads tables of figures: `official_daily.csv` (value date, currency, rate, …, operation date),
 * `p2p_intraday.csv` (time, venue, mid, bid, ask, collector) and `parallel_intraday.csv` (time,
 * source, currency, rate). Each collector and each source is a market.
 */
export function readTables(folder: string): Series {
  const rows = (name: string) =>
    existsSync(join(folder, name))
      ? readFileSync(join(folder, name), 'utf8')
          .trim()
          .split(/\r?\n/)
          .slice(1)
          .map((line) => line.split(','))
      : [];
  const [venues, parallels]: [Quotes, Quotes] = [new Map(), new Map()];
  for (const [time = '', , mid = '', bid = '', ask = '', collector = ''] of rows(
    'p2p_intraday.csv',
  )) {
    const sides = ask === '' || bid === '' ? {} : { ask: Number(ask), bid: Number(bid) };
    add(venues, collector, { at: Date.parse(time), mid: Number(mid || bid || ask), ...sides });
  }
  for (const [time = '', source = '', base = '', rate = ''] of rows('parallel_intraday.csv')) {
    if (base !== 'USD') continue;
    add(parallels, source, { at: Date.parse(time), mid: Number(Number(rate).toPrecision(12)) });
  }
  const days = new Map<string, { operation: string; rates: Record<string, number> }>();
  for (const [date = '', currency = '', rate = '', , , , operation = ''] of rows(
    'official_daily.csv',
  )) {
    const day = days.get(date) ?? { operation: '', rates: {} };
    days.set(date, day);
    if (operation !== '') day.operation = operation;
    if (currency in OFFICIAL_RATES) day.rates[currency] = Number(rate);
  }
  const dates = [...days.keys()].sort();
  const publications = dates.flatMap((date, place) => {
    const valueDate = parseCaracasDay(date);
    const day = days.get(date);
    if (valueDate === undefined || day === undefined) return [];
    // Published in the afternoon of its day of operations, or else of the previous value date.
    const made = day.operation || dates[place - 1] || date;
    return [{ at: Date.parse(`${made}T21:00:00Z`), valueDate, rates: day.rates }];
  });
  return sorted({ venues, parallels, publications });
}

type Quotes = Map<string, SeriesQuote[]>;

function add(quotes: Quotes, market: string, quote: SeriesQuote): void {
  const known = quotes.get(market) ?? [];
  quotes.set(market, known);
  known.push(quote);
}

function sorted({ venues, parallels, publications }: Series): Series {
  const byTime = (a: { readonly at: Instant }, b: { readonly at: Instant }) => a.at - b.at;
  const each = (quotes: Series['venues']) =>
    new Map([...quotes].map(([market, one]) => [market, one.toSorted(byTime)]));
  return {
    venues: each(venues),
    parallels: each(parallels),
    publications: publications.toSorted(byTime),
  };
}

/** How far the markets that are made of one series may differ from it. */
interface Spread {
  readonly chance: Chance;
  /** Most offset to either side, as a share. */
  readonly offset?: number;
  /** Most delay, in seconds. */
  readonly lagSec?: number;
}

/**
 * Makes markets of one real series, each with an offset, a jitter of up to 0.3 % and a delay. No
 * public record has many venues at once.
 */
export function marketsOf(
  series: readonly SeriesQuote[],
  markets: readonly string[],
  { chance, offset = 0.01, lagSec = 60 }: Spread,
): ReadonlyMap<string, readonly SeriesQuote[]> {
  return new Map(
    markets.map((market) => {
      const factor = 1 + (chance.next() - 0.5) * 2 * offset;
      const delay = Math.floor(chance.next() * lagSec * SECOND_MS);
      const made = series.map(({ at, mid, ask, bid }) => {
        const times = factor * (1 + (chance.next() - 0.5) * 0.006);
        const scaled = (value: number) => Number((value * times).toPrecision(9));
        return {
          at: at + delay,
          mid: scaled(mid),
          ...(ask !== undefined && { ask: scaled(ask) }),
          ...(bid !== undefined && { bid: scaled(bid) }),
        };
      });
      return [market, made];
    }),
  );
}

/** The feeds that faults are injected into, side by side in time. */
export interface Feeds {
  readonly venues: ReadonlyMap<string, readonly SeriesQuote[]>;
  readonly parallel: readonly SeriesQuote[];
  readonly publications: readonly SeriesPublication[];
}

/**
 * The venues of a series, or with fewer than three of the catalogue's as many as asked for, made of
 * its longest; and its longest parallel market, or one made of that venue.
 */
export function feedsOf(
  { venues, parallels, publications }: Series,
  {
    chance,
    count,
    lagSec,
  }: { readonly chance: Chance; readonly count: number; readonly lagSec: number },
): Feeds {
  const longest = (quotes: Series['venues']) =>
    [...quotes.values()].reduce<readonly SeriesQuote[]>(
      (most, one) => (one.length > most.length ? one : most),
      [],
    );
  const own = [...venues].filter(([name]) => VENUES.includes(name));
  const source = longest(venues);
  const parallel = marketsOf(source, [PARALLEL], { chance, offset: 0.1 }).get(PARALLEL) ?? [];
  return {
    venues:
      own.length >= 3
        ? new Map(own)
        : marketsOf(source, VENUES.slice(0, count), { chance, lagSec }),
    parallel: parallels.size > 0 ? longest(parallels) : parallel,
    publications,
  };
}

/** The last quote up to that time, or the first one. */
export function quoteAt(series: readonly SeriesQuote[], instant: Instant): SeriesQuote {
  let [low, high] = [0, series.length - 1];
  while (low < high) {
    const half = (low + high + 1) >> 1;
    if ((series[half]?.at ?? 0) <= instant) low = half;
    else high = half - 1;
  }
  return series[low] ?? { at: instant, mid: 1 };
}
