import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { recordSchema } from '../../src/app/ingest/record.ts';
import { middle } from '../../src/domain/decimal.ts';
import { OFFICIAL_RATES } from '../../src/domain/markets.ts';
import {
  type CaracasDay,
  type Instant,
  parseCaracasDay,
  SECOND_MS,
} from '../../src/domain/time.ts';
import type { Chance } from '../chance.ts';

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
  /** By market. */
  readonly quotes: ReadonlyMap<string, readonly SeriesQuote[]>;
  readonly publications: readonly SeriesPublication[];
}

/** Reads NDJSON of quotes and publications, as `vesfx import` does. @throws Error naming the line. */
export async function readSeries(path: string): Promise<Series> {
  const quotes = new Map<string, SeriesQuote[]>();
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
      const known = quotes.get(data.market) ?? [];
      quotes.set(data.market, known);
      known.push({ at, mid: middleOf, ...sides });
    }
  }
  return sorted({ quotes, publications });
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
  const quotes = new Map<string, SeriesQuote[]>();
  for (const [time = '', , mid = '', bid = '', ask = '', collector = ''] of rows(
    'p2p_intraday.csv',
  )) {
    const known = quotes.get(collector) ?? [];
    quotes.set(collector, known);
    const sides = ask === '' || bid === '' ? {} : { ask: Number(ask), bid: Number(bid) };
    known.push({ at: Date.parse(time), mid: Number(mid || bid || ask), ...sides });
  }
  for (const [time = '', source = '', base = '', rate = ''] of rows('parallel_intraday.csv')) {
    if (base !== 'USD') continue;
    const known = quotes.get(source) ?? [];
    quotes.set(source, known);
    known.push({ at: Date.parse(time), mid: Number(Number(rate).toPrecision(12)) });
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
  return sorted({ quotes, publications });
}

function sorted({ quotes, publications }: Series): Series {
  const byTime = (a: { readonly at: Instant }, b: { readonly at: Instant }) => a.at - b.at;
  return {
    quotes: new Map([...quotes].map(([market, one]) => [market, [...one].sort(byTime)])),
    publications: [...publications].sort(byTime),
  };
}

/**
 * Generates venues from one real series, each with an offset of up to 1 %, a jitter of up to 0.3 %
 * and a delay of up to `lagSec`. No public record has many venues at once.
 */
export function venuesOf(
  series: readonly SeriesQuote[],
  markets: readonly string[],
  { chance, lagSec = 60 }: { readonly chance: Chance; readonly lagSec?: number },
): ReadonlyMap<string, readonly SeriesQuote[]> {
  return new Map(
    markets.map((market) => {
      const offset = 1 + (chance.next() - 0.5) * 0.02;
      const delay = Math.floor(chance.next() * lagSec * SECOND_MS);
      const venue = series.map(({ at, mid, ask, bid }) => {
        const times = offset * (1 + (chance.next() - 0.5) * 0.006);
        const scaled = (value: number) => Number((value * times).toPrecision(9));
        return {
          at: at + delay,
          mid: scaled(mid),
          ...(ask !== undefined && { ask: scaled(ask) }),
          ...(bid !== undefined && { bid: scaled(bid) }),
        };
      });
      return [market, venue];
    }),
  );
}
