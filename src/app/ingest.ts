import { z } from 'zod';
import {
  type BankTable,
  PUBLISHED_CURRENCIES,
  type Publication,
  type PublishedCurrency,
} from '../domain/bcv.ts';
import { MAX_SIGNIFICANT_DIGITS, middle, significantDigits } from '../domain/decimal.ts';
import {
  isOfficial,
  type Market,
  type Markets,
  OFFICIAL_EUR,
  OFFICIAL_USD,
} from '../domain/markets.ts';
import { MAX_RATE, MIN_RATE } from '../domain/quotes.ts';
import {
  type CaracasDay,
  caracasDayOf,
  type Instant,
  MINUTE_MS,
  parseCaracasDay,
  parseInstant,
  startOfCaracasDay,
} from '../domain/time.ts';
import type { Clock, Entry, Store, StoredQuote } from './ports.ts';

/** Records later than this are refused: a clock is wrong, or the record is. */
export const MAX_FUTURE_MS = 5 * MINUTE_MS;
/** Longest line of an NDJSON file, in characters. */
export const MAX_RECORD_LENGTH = 262_144;
export const MAX_BANK_ROWS = 500;
export const MAX_BANK_NAME_LENGTH = 200;
export const MAX_DATE_LABEL_LENGTH = 200;

const rate = z
  .number('must be a number')
  .min(MIN_RATE, `must be greater than 0, and at least ${MIN_RATE}`)
  .max(MAX_RATE, `must be at most ${MAX_RATE}`)
  .refine(
    (value) => significantDigits(value) <= MAX_SIGNIFICANT_DIGITS,
    `must have at most ${MAX_SIGNIFICANT_DIGITS} significant digits`,
  );

const instant = z.string('must be text').transform((text, context) => {
  const value = parseInstant(text);
  if (value !== undefined) return value;
  context.addIssue({ code: 'custom', message: 'must be an ISO 8601 time with a zone' });
  return z.NEVER;
});

const caracasDay = z.string('must be text').transform((text, context) => {
  const day = parseCaracasDay(text);
  if (day !== undefined) return day;
  context.addIssue({ code: 'custom', message: 'must be a date, YYYY-MM-DD' });
  return z.NEVER;
});

const quoteRecord = z.strictObject({
  kind: z.literal('quote'),
  market: z.string('must be text'),
  mid: rate.optional(),
  ask: rate.optional(),
  bid: rate.optional(),
  updated_at: instant.optional(),
  captured_at: instant.optional(),
  effective_date: caracasDay.optional(),
});

const officialRecord = z.strictObject({
  kind: z.literal('official'),
  value_date: caracasDay,
  value_date_text: z.string('must be text').max(MAX_DATE_LABEL_LENGTH).optional(),
  rates: z
    .partialRecord(z.enum(PUBLISHED_CURRENCIES), rate)
    .refine((rates) => Object.keys(rates).length > 0, 'must have at least one currency'),
  captured_at: instant.optional(),
});

const bankTableRecord = z.strictObject({
  kind: z.literal('bank_table'),
  indicator_date: caracasDay,
  rows: z
    .array(
      z.strictObject({
        bank: z.string('must be text').min(1, 'must not be empty').max(MAX_BANK_NAME_LENGTH),
        buy: rate.nullish(),
        sell: rate.nullish(),
        date: caracasDay.optional(),
      }),
    )
    .min(1, 'must have at least one row')
    .max(MAX_BANK_ROWS),
  captured_at: instant.optional(),
});

/** A record as it enters, whatever the way in (decisions §7). */
export const recordSchema = z.discriminatedUnion('kind', [
  quoteRecord,
  officialRecord,
  bankTableRecord,
]);
type InputRecord = z.output<typeof recordSchema>;
type QuoteRecord = z.output<typeof quoteRecord>;

/** A line that was refused: its number in the file, from 1, and why. */
export interface BadLine {
  readonly line: number;
  readonly reason: string;
}

export interface IngestCounts {
  readonly accepted: number;
  readonly held: number;
  readonly refused: number;
  readonly duplicate: number;
}

export interface IngestOptions {
  /** Who brings the records: a source's name, or `operator`. */
  readonly source: string;
  /** Check and count, store nothing. */
  readonly dryRun?: boolean;
  /** Told of each refused line, in order. */
  readonly onBadLine?: (bad: BadLine) => void;
}

/** Why a record is refused, in words for the operator. */
class Refused extends Error {}

/** The one way in: every record is read, checked and stored here, whoever brings it. */
export class Ingest {
  readonly #store: Store;
  readonly #markets: Markets;
  readonly #clock: Clock;

  constructor({
    store,
    markets,
    clock,
  }: {
    readonly store: Store;
    readonly markets: Markets;
    readonly clock: Clock;
  }) {
    this.#store = store;
    this.#markets = markets;
    this.#clock = clock;
  }

  /**
   * Stores NDJSON records as one batch: all of them, or none when a line is bad. Returns once they
   * are durable. Empty lines are passed over.
   */
  async ingest(
    lines: AsyncIterable<string> | Iterable<string>,
    { source, dryRun = false, onBadLine }: IngestOptions,
  ): Promise<IngestCounts> {
    const receivedAt = this.#clock.now();
    const { quotes } = await this.#store.currentRecords(caracasDayOf(receivedAt));
    const last = new Map(quotes.map((quote) => [quote.market, quote]));
    let refused = 0;
    const markets = this.#markets;

    async function* entries(): AsyncGenerator<Entry> {
      let line = 0;
      for await (const text of lines) {
        line += 1;
        if (text.trim() === '') continue;
        let entry: Entry;
        try {
          entry = toEntry(parseRecord(text), { markets, receivedAt, last });
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          refused += 1;
          onBadLine?.({ line, reason: error.message });
          continue;
        }
        // After a bad line the rest is only read to name the others.
        if (refused === 0) yield entry;
      }
    }

    const counts = await this.#store.appendBatch(
      { source, receivedAt },
      entries(),
      () => refused === 0 && !dryRun,
    );
    if (refused > 0) return { accepted: 0, held: 0, refused, duplicate: 0 };
    return { accepted: counts.stored, held: 0, refused: 0, duplicate: counts.duplicate };
  }
}

function parseRecord(text: string): InputRecord {
  if (text.length > MAX_RECORD_LENGTH) {
    throw new Refused(`longer than ${MAX_RECORD_LENGTH} characters`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refused('not JSON');
  }
  const result = recordSchema.safeParse(value);
  if (result.success) return result.data;
  throw new Refused(result.error.issues.map(describeIssue).join('; '));
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') return `unknown field ${issue.keys.join(', ')}`;
  if (issue.code === 'invalid_union') return 'kind must be quote, official or bank_table';
  if (issue.code === 'invalid_type' && path === '') return 'not a JSON object';
  return `${path}: ${issue.message}`;
}

interface Surroundings {
  readonly markets: Markets;
  readonly receivedAt: Instant;
  /** The newest quote of each market so far; moves on with the batch. */
  readonly last: Map<string, StoredQuote>;
}

function toEntry(record: InputRecord, around: Surroundings): Entry {
  const capturedAt = record.captured_at ?? around.receivedAt;
  requireNotFuture('captured_at', capturedAt, around.receivedAt);
  switch (record.kind) {
    case 'quote':
      return quoteEntry(record, capturedAt, around);
    case 'official':
      return officialEntry(
        {
          valueDate: record.value_date,
          ...(record.value_date_text !== undefined && { valueDateText: record.value_date_text }),
          rates: record.rates,
          capturedAt,
        },
        around.markets,
      );
    case 'bank_table':
      return { captures: [], bankTable: bankTableOf(record, capturedAt) };
    default:
      return record satisfies never;
  }
}

function requireNotFuture(field: string, instantGiven: Instant, now: Instant): void {
  if (instantGiven <= now + MAX_FUTURE_MS) return;
  throw new Refused(`${field}: more than ${MAX_FUTURE_MS / MINUTE_MS} minutes in the future`);
}

function quoteEntry(record: QuoteRecord, capturedAt: Instant, around: Surroundings): Entry {
  const market = around.markets.find(record.market);
  if (market === undefined) throw new Refused('market: not in the catalogue');
  const mid = midOf(record);
  const sides = {
    ...(record.ask !== undefined && { ask: record.ask }),
    ...(record.bid !== undefined && { bid: record.bid }),
  };
  if (record.updated_at !== undefined) {
    requireNotFuture('updated_at', record.updated_at, around.receivedAt);
  }
  if (isOfficial(market)) {
    const updatedAt = record.updated_at;
    // Without a value date the quote is the one of the day it was made.
    const effectiveDate = record.effective_date ?? caracasDayOf(updatedAt ?? capturedAt);
    return {
      captures: [
        officialCapture(market.id, { mid, ...sides, effectiveDate, capturedAt, updatedAt }),
      ],
    };
  }
  if (record.effective_date !== undefined) {
    throw new Refused('effective_date: only official markets have value dates');
  }
  const updatedAt = record.updated_at ?? timeOfContent(market, mid, record, capturedAt, around);
  const capture = { market: market.id, mid, ...sides, updatedAt, capturedAt };
  if (capturedAt >= (around.last.get(market.id)?.capturedAt ?? 0)) {
    around.last.set(market.id, capture);
  }
  return { captures: [capture] };
}

function midOf({ mid: given, ask, bid }: QuoteRecord): number {
  if (given !== undefined) return given;
  if (ask === undefined || bid === undefined) {
    throw new Refused('mid: absent, and so is a side to take the middle of');
  }
  const mid = middle(ask, bid);
  if (mid === 0) throw new Refused('mid: the middle of the sides rounds to 0');
  return mid;
}

/**
 * The time of a quote whose source has none: when it was first seen. Seeing the same content again
 * does not make it newer (decisions §1).
 */
function timeOfContent(
  market: Market,
  mid: number,
  { ask, bid }: QuoteRecord,
  capturedAt: Instant,
  { last }: Surroundings,
): Instant {
  const known = last.get(market.id);
  const unchanged =
    known !== undefined &&
    known.capturedAt <= capturedAt &&
    known.mid === mid &&
    known.ask === ask &&
    known.bid === bid;
  return unchanged ? known.updatedAt : capturedAt;
}

/** In history an official rate counts from the later of its capture and its effect. */
function officialCapture(
  market: string,
  {
    effectiveDate,
    capturedAt,
    updatedAt,
    ...rates
  }: {
    readonly mid: number;
    readonly ask?: number;
    readonly bid?: number;
    readonly effectiveDate: CaracasDay;
    readonly capturedAt: Instant;
    readonly updatedAt?: Instant | undefined;
  },
): StoredQuote {
  const effect = startOfCaracasDay(effectiveDate);
  return {
    market,
    ...rates,
    updatedAt: updatedAt ?? effect,
    capturedAt: Math.max(capturedAt, effect),
    effectiveDate,
  };
}

/** Markets whose rate a publication gives, by currency. */
const OFFICIAL_MARKETS: readonly (readonly [PublishedCurrency, string])[] = [
  ['USD', OFFICIAL_USD],
  ['EUR', OFFICIAL_EUR],
];

function officialEntry(publication: Publication, markets: Markets): Entry {
  const { valueDate: effectiveDate, capturedAt } = publication;
  const captures = OFFICIAL_MARKETS.flatMap(([currency, market]) => {
    const mid = publication.rates[currency];
    if (mid === undefined || markets.find(market) === undefined) return [];
    return [officialCapture(market, { mid, effectiveDate, capturedAt })];
  });
  return { captures, publication };
}

function bankTableOf(record: z.output<typeof bankTableRecord>, capturedAt: Instant): BankTable {
  const rows = record.rows.map(({ bank, buy, sell, date }) => {
    if (buy == null && sell == null) throw new Refused(`rows: ${bank} has neither buy nor sell`);
    return {
      bank,
      ...(buy != null && { buy }),
      ...(sell != null && { sell }),
      date: date ?? record.indicator_date,
    };
  });
  return { indicatorDate: record.indicator_date, rows, capturedAt };
}
