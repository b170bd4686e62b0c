import type { BankTable, Publication } from '../../domain/bcv.ts';
import type { DayCandle } from '../../domain/history/candles.ts';
import type { Capture } from '../../domain/history/history.ts';
import type { CaracasDay, Instant } from '../../domain/time.ts';
import type { Settlement } from './held.ts';
import type { Lease } from './lease.ts';
import type { Provenance } from './provenance.ts';

/** A quote as stored: the market by its id, the observation time beside the source's. */
export interface StoredQuote {
  readonly market: string;
  readonly mid: number;
  readonly ask?: number;
  readonly bid?: number;
  readonly updatedAt: Instant;
  readonly capturedAt: Instant;
  /** Value date of an official rate. */
  readonly effectiveDate?: CaracasDay;
  /** Of an official rate: when it was read, for `capturedAt` is not before it takes effect. */
  readonly observedAt?: Instant;
  /** Of a current quote without value dates: the source whose batch brought it. */
  readonly source?: string;
}

/**
 * One checked record on its way into the store. A publication comes with the captures of the
 * official markets that follow from it; their `capturedAt` is when they take effect at the earliest.
 */
export interface Entry {
  readonly captures: readonly StoredQuote[];
  readonly publication?: Publication;
  readonly bankTable?: BankTable;
}

export interface BatchOrigin {
  /** Name of the source, `operator` for pushed records. */
  readonly source: string;
  readonly receivedAt: Instant;
  /** Where the records come from; pushed ones come from nowhere that could be named. */
  readonly provenance?: Provenance;
  /** The collectors' lease under which the batch is made; see `LeaseLost`. */
  readonly lease?: Lease;
}

/** What one source said of a market last. */
export interface SourceReading {
  readonly source: string;
  readonly quote: StoredQuote;
}

/** A capture with where it stands and what brought it. */
export interface TracedCapture {
  readonly quote: StoredQuote;
  /** Id of its batch, and its place in it. */
  readonly batch: number;
  readonly line: number;
  /** Absent once the batch is forgotten. */
  readonly origin?: Omit<BatchOrigin, 'lease'>;
}

/** A quote, and since when it has had the same figures. */
export interface StandingQuote {
  readonly market: string;
  readonly updatedAt: Instant;
  /** Captured first with these figures, without others in between. */
  readonly unchangedSince: Instant;
}

/** A publication with what became of it. */
export interface StoredPublication extends Publication {
  readonly state: 'published' | 'replaced' | 'withdrawn';
}

/** Which publications are listed: of these value dates, both ends included. */
export interface ListedPublications {
  readonly from?: CaracasDay;
  readonly to?: CaracasDay;
  readonly limit: number;
}

/** A publication with the source that brought it; undefined once its batch is forgotten. */
export interface TracedPublication extends StoredPublication {
  readonly source: string | undefined;
}

export interface BatchCounts {
  /** Entries of which something was new. */
  readonly stored: number;
  /** Entries that were stored already, to the last field. */
  readonly duplicate: number;
}

/** All that a snapshot is made of, read at one instant. */
export interface CurrentRecords {
  /** Grows with every batch that stored something. */
  readonly version: number;
  /** When the newest batch was received; undefined before the first. */
  readonly fetchedAt: Instant | undefined;
  /**
   * The last capture of every market without value dates, and of what has them the newest
   * observation of the value date in force, of the one before and of each later one. The
   * currencies of a publication that no market quotes are here too, by their code.
   */
  readonly quotes: readonly StoredQuote[];
  /** The publication of the newest value date that has one of the other currencies. */
  readonly publication: Publication | undefined;
  readonly bankTable: BankTable | undefined;
}

/** Quotes, publications and bank tables. Every write is durable when its promise resolves. */
export interface RecordStore {
  /**
   * Stores a batch whole or not at all. `confirm` is asked after the last entry and before the
   * commit; false undoes everything. The counts are the same either way.
   * @throws LeaseLost when the origin has a lease that is no longer the current one.
   */
  appendBatch(
    origin: BatchOrigin,
    entries: AsyncIterable<Entry> | Iterable<Entry>,
    confirm: () => boolean | Settlement,
  ): Promise<BatchCounts>;
  /** `today` is the Caracas day of the snapshot. */
  currentRecords(today: CaracasDay): Promise<CurrentRecords>;
  /** The last capture before `before`, exclusive. */
  lastCaptureBefore(market: string, before: Instant): Promise<Capture | undefined>;
  /**
   * The last capture of each of these markets before `before`, exclusive, in no order. Markets
   * without one are absent.
   */
  lastQuotesBefore(markets: readonly string[], before: Instant): Promise<readonly StoredQuote[]>;
  /** The captures of a market of exactly that time, the one that counts last. */
  capturesAt(market: string, capturedAt: Instant): Promise<readonly TracedCapture[]>;
  /** The last capture of a market by each source since `since`, inclusive, newest first. */
  readingsBySource(market: string, since: Instant): Promise<readonly SourceReading[]>;
  /** The official rate of the newest value date up to `date`, inclusive. */
  officialRateUpTo(market: string, date: CaracasDay): Promise<StoredQuote | undefined>;
  /** The value dates of an official market from `since` on, inclusive, in order. */
  valueDatesSince(market: string, since: CaracasDay): Promise<readonly CaracasDay[]>;
  /** The last publication captured before `before`, exclusive. */
  lastPublicationBefore(before: Instant): Promise<Publication | undefined>;
  /** Every publication for the value date, oldest reading first, whatever became of it. */
  publicationsFor(valueDate: CaracasDay): Promise<readonly StoredPublication[]>;
  /** The publications of the newest value dates, those of a date by reading, newest first. */
  listPublications(listed: ListedPublications): Promise<readonly TracedPublication[]>;
  /** Those with other currencies than the dollar that were read in `[start, end]`, oldest first. */
  publicationsRead(start: Instant, end: Instant): Promise<readonly StoredPublication[]>;
  /** The last `limit` bank tables captured before `before`, exclusive, newest first. */
  bankTablesBefore(before: Instant, limit: number): Promise<readonly BankTable[]>;
  /** When the newest batch of a source was received. */
  lastBatchOf(source: string): Promise<Instant | undefined>;
  /** The markets without value dates whose last capture a source brought. */
  standingQuotes(source: string): Promise<readonly StandingQuote[]>;
  /** The last capture of each UTC day in `[start, end)`, oldest first. */
  lastCaptureOfEachDay(market: string, start: Instant, end: Instant): Promise<readonly Capture[]>;
  /**
   * The candle of each UTC day of the captures in `[start, end)`, oldest first; `start` is the start
   * of a day. Captures that were thinned since count on.
   */
  dayCandles(market: string, start: Instant, end: Instant): Promise<readonly DayCandle[]>;
  /** The most recent `limit` captures in `[start, end)`, oldest first. */
  latestCaptures(
    market: string,
    range: { readonly start: Instant; readonly end: Instant },
    limit: number,
  ): Promise<readonly Capture[]>;
  /**
   * Makes the captures of a market those of the id that the catalogue gives it now, where they are
   * under one of its other names. @returns what was renamed.
   */
  renameMarkets(
    names: readonly { readonly id: string; readonly aliases: readonly string[] }[],
  ): Promise<readonly { readonly from: string; readonly to: string }[]>;
}
