import type { BankTable, Publication } from '../../domain/bcv.ts';
import type { DayCandle } from '../../domain/history/candles.ts';
import type { Correction, CorrectionReason } from '../../domain/history/corrections.ts';
import type { DayRun } from '../../domain/history/coverage.ts';
import type { Capture } from '../../domain/history/history.ts';
import type { ValueDateRate } from '../../domain/history/official-days.ts';
import type { DayFigures } from '../../domain/judgement/in-doubt.ts';
import type {
  StoredPublication,
  UncheckedPublication,
} from '../../domain/judgement/value-dates.ts';
import type { WitnessedPublication } from '../../domain/judgement/witness.ts';
import type { CaracasDay, Instant, UtcDay } from '../../domain/time.ts';
import type { HeldRecord } from './held.ts';
import type { Lease } from './lease.ts';
import type { Provenance } from './provenance.ts';
import type { QuoteCapture, QuoteCheckpoint, StoredMemory, StoredQuote } from './quotes.ts';

/**
 * One checked record to store. A publication comes with the captures of its official markets, whose
 * `capturedAt` is at the earliest when they take effect.
 */
export interface Entry {
  readonly captures: readonly StoredQuote[];
  readonly publication?: Publication;
  readonly bankTable?: BankTable;
  /** Whether only repeated readings released the publication. */
  readonly insisted?: boolean;
  /** Why it may correct what was published; without it, another source or its repetition. */
  readonly why?: CorrectionReason | undefined;
  /** Of a quote that is restored: the current one, which it corrects. */
  readonly restoredFrom?: number | undefined;
}

export interface BatchOrigin {
  /** Name of the source, `operator` for pushed records. */
  readonly source: string;
  readonly receivedAt: Instant;
  /** The upstream bodies of the records; absent for pushed records. */
  readonly provenance?: Provenance | undefined;
  /** The collector's lease; see `LeaseLost`. */
  readonly lease?: Lease | undefined;
  /** Whether an operator has checked the records, so that none is held. */
  readonly trusted?: boolean;
}

/** The last quote of a market from one source. */
export interface SourceReading {
  readonly source: string;
  readonly quote: StoredQuote;
}

/** A capture with its batch and origin. */
export interface TracedCapture {
  readonly quote: StoredQuote;
  /** Id of its batch, and its place in it. */
  readonly batch: number;
  readonly line: number;
  /** Absent once the batch is deleted. */
  readonly origin?: Omit<BatchOrigin, 'lease'>;
}

/** A quote, and the time since which its figures are the same. */
export interface StandingQuote {
  readonly market: string;
  readonly updatedAt: Instant;
  /** The first capture with these figures, without others in between. */
  readonly unchangedSince: Instant;
}

/** What a witness showed for a value date when it was last read. */
export interface WitnessReading extends Publication {
  readonly source: string;
}

/** What witnesses show for a value date. */
export interface WitnessedReadings {
  readonly valueDate: CaracasDay;
  readonly words: readonly WitnessReading[];
  /** The publication of that date, unless the operator gave or released its figures. */
  readonly unchecked: UncheckedPublication | undefined;
}

/** A query for publications of these value dates, both ends included. */
interface ListedPublications {
  readonly from?: CaracasDay;
  readonly to?: CaracasDay;
  readonly limit: number;
}

interface WantedCorrections {
  readonly since: Instant;
  /** Ids. */
  readonly markets: readonly string[];
  readonly limit: number;
}

/** A publication with its source; undefined once its batch is deleted. */
export interface TracedPublication extends StoredPublication {
  readonly source: string | undefined;
}

export interface BatchCounts {
  /** Entries with something new. */
  readonly stored: number;
  /** Entries that were already stored with every field equal. */
  readonly duplicate: number;
}

/** All data of a snapshot, read in one transaction. */
export interface CurrentRecords {
  /** Grows with every batch that stored something. */
  readonly version: number;
  /** Grows with all that is stored, held or settled: with everything that judgement is made from. */
  readonly judged: number;
  /** When the newest batch was received; undefined before the first. */
  readonly fetchedAt: Instant | undefined;
  /**
   * For every market without value dates, the last capture. For official rates, the newest
   * observation of the value date in force, of the one before and of each later one. Published
   * currencies without a market are included under their code.
   */
  readonly quotes: readonly StoredQuote[];
  /** The publication of the newest value date with a currency other than USD. */
  readonly publication: Publication | undefined;
  readonly bankTable: BankTable | undefined;
  /** What is remembered of each market without value dates. */
  readonly memories: readonly StoredMemory[];
  /** The last days of markets without value dates, in the unit of their closes. */
  readonly days: readonly DayFigures[];
  /** Held publications that still count, newest reading first; absent when there is none. */
  readonly doubtful?: readonly HeldRecord[];
  /**
   * The unchecked publications in force and to come for whose value dates witnesses were read;
   * absent when there is none.
   */
  readonly witnessed?: readonly WitnessedPublication[];
}

/** Quotes, publications and bank tables. Every write is durable when its promise resolves. */
export interface RecordStore {
  /** `today` is the Caracas day of the snapshot. */
  currentRecords(today: CaracasDay): Promise<CurrentRecords>;
  /** When the first stored capture was made; undefined without any. */
  firstCaptureAt(market: string): Promise<Instant | undefined>;
  /** The last capture before `before`, exclusive. */
  lastCaptureBefore(market: string, before: Instant): Promise<Capture | undefined>;
  /** The last capture of each market before `before` (exclusive), in any order, if any. */
  lastQuotesBefore(markets: readonly string[], before: Instant): Promise<readonly StoredQuote[]>;
  /**
   * The quotes of markets without value dates and the held ones that were read in `[from, to]`, newest
   * first; at most `limit` of each.
   */
  quotesRead(
    span: { readonly from: Instant; readonly to: Instant },
    limit: number,
  ): Promise<{ readonly captures: readonly QuoteCapture[]; readonly held: readonly HeldRecord[] }>;
  /** The last checkpoint before an instant, exclusive. */
  checkpointBefore(before: Instant): Promise<QuoteCheckpoint | undefined>;
  /** The captures of a market at exactly that time. The last one is the effective one. */
  capturesAt(market: string, capturedAt: Instant): Promise<readonly TracedCapture[]>;
  /** The last capture of a market from each source since `since` (inclusive), newest first. */
  readingsBySource(market: string, since: Instant): Promise<readonly SourceReading[]>;
  /** The official rate of the newest value date up to `date`, inclusive. */
  officialRateUpTo(market: string, date: CaracasDay): Promise<StoredQuote | undefined>;
  /** The official rates of the value dates from `from` to `to`, both inclusive, in order. */
  officialRates(
    market: string,
    range: { readonly from: CaracasDay; readonly to?: CaracasDay },
  ): Promise<readonly StoredQuote[]>;
  /**
   * The same of several markets, with the last one before and the first one after those dates. Names
   * are those of `officialSeries`.
   */
  officialRatesAround(
    names: readonly string[],
    range: { readonly from: CaracasDay; readonly to: CaracasDay },
  ): Promise<readonly StoredQuote[]>;
  /**
   * The rates of the value dates from `from` to `to`, both inclusive, and before them the first of all
   * and the last one before `from`; in order, none twice. Empty only when none is stored. `name` is a
   * market id, or the code of a currency without one.
   */
  officialSeries(
    name: string,
    range: { readonly from: CaracasDay; readonly to: CaracasDay },
  ): Promise<readonly ValueDateRate[]>;
  /** Publications by value date and then by reading, newest first. */
  listPublications(listed: ListedPublications): Promise<readonly TracedPublication[]>;
  /**
   * The publications of these value dates, both ends included, those that were read in `[start, end]`, and
   * the last one before that still counts; each once, oldest reading first.
   */
  publicationsAround(
    valueDates: { readonly from: CaracasDay; readonly to: CaracasDay },
    read: { readonly start: Instant; readonly end: Instant },
  ): Promise<readonly StoredPublication[]>;
  /** Keeps the newest reading of each witness and value date, and of a few value dates only. */
  keepWitnessReading(reading: WitnessReading, lease?: Lease): Promise<void>;
  /** The value dates from one to another, both inclusive, for which witnesses were read. */
  witnessedDates(from: CaracasDay, to: CaracasDay): Promise<readonly WitnessedReadings[]>;
  /** The last `limit` bank tables captured before `before`, exclusive, newest first. */
  bankTablesBefore(before: Instant, limit: number): Promise<readonly BankTable[]>;
  /** When the newest batch of a source was received. */
  lastBatchOf(source: string): Promise<Instant | undefined>;
  /** For each market that the source quoted last: since when its value is unchanged. */
  standingQuotes(source: string): Promise<readonly StandingQuote[]>;
  /** The last capture of each UTC day in `[start, end)`, oldest first. */
  lastCaptureOfEachDay(market: string, start: Instant, end: Instant): Promise<readonly Capture[]>;
  /** The candle of each UTC day in `[start, end)`, oldest first. Thinned captures count too. */
  dayCandles(market: string, start: Instant, end: Instant): Promise<readonly DayCandle[]>;
  /**
   * The UTC days of a market with captures since `since` (inclusive), in runs without a gap, oldest
   * first. The last day before `since` is included.
   */
  daysWithCaptures(market: string, since: UtcDay): Promise<readonly DayRun[]>;
  /**
   * The newest corrections since `since` (inclusive) of these markets, and of every currency without
   * one.
   */
  corrections(wanted: WantedCorrections): Promise<readonly Correction[]>;
  /** The most recent `limit` captures in `[start, end)`, oldest first. */
  latestCaptures(
    market: string,
    range: { readonly start: Instant; readonly end: Instant },
    limit: number,
  ): Promise<readonly Capture[]>;
}
