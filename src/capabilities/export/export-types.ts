import type { BankTable } from '../../core/domain/bcv.ts';
import type { StoredPublication } from '../../core/domain/judgement/value-dates.ts';
import type { CaracasDay, Instant } from '../../core/domain/time.ts';

/** A stored quote or official rate as a file has it. */
export interface ExportedQuote {
  readonly mid: number;
  /** 0 when there is none, like `bid`. */
  readonly ask: number;
  readonly bid: number;
  readonly updatedAt: Instant;
  /** When it was read. */
  readonly capturedAt: Instant;
  /** Only of official rates. */
  readonly valueDate?: CaracasDay;
}

/** An official rate with the id of its market, or the code of a currency without one. */
export interface ExportedRate extends ExportedQuote {
  readonly market: string;
  readonly valueDate: CaracasDay;
}

/** Its place in the order in which records came. */
export interface Arrival {
  readonly batch: number;
  readonly line: number;
}

/** What is stored about the official rates of some value dates. */
export interface OfficialRecords {
  /** The version of the records: what later batches bring is left out of an export. */
  readonly version: number;
  /** In any state. */
  readonly publications: readonly (StoredPublication & Arrival)[];
  /** The rate of each value date, by market and value date. */
  readonly rates: readonly (ExportedRate & {
    /** When a publication with this figure was first read. */
    readonly firstReadAt: Instant;
  })[];
  /** Every reading of a rate, by market and instant from which it counts. */
  readonly captures: readonly (ExportedRate & Arrival)[];
}

/** A part of a market's captures. */
export interface ExportedPart {
  readonly quotes: readonly ExportedQuote[];
  /** Where the next part begins; undefined at the end. */
  readonly next: PlaceInCaptures | undefined;
}

/** Captures after this one follow. */
export type PlaceInCaptures = readonly [capturedAt: Instant, updatedAt: Instant];

/** The captures of a market without value dates in `[start, end)`, up to a version. */
export interface ExportedSpan {
  readonly market: string;
  readonly start: Instant;
  readonly end: Instant;
  readonly version: number;
}

/**
 * Reads everything that an export writes, in parts. Each part is a short transaction, so that nobody
 * waits for an export.
 */
export interface ExportStore {
  /** The official rates of the value dates from `from` to `to`, read in one transaction. */
  officialRecords(range: {
    readonly from: CaracasDay;
    readonly to: CaracasDay;
  }): Promise<OfficialRecords>;
  /** The next captures, oldest first and those of one instant in the order in which they came. */
  capturesAfter(span: ExportedSpan, place: PlaceInCaptures | undefined): Promise<ExportedPart>;
  /** The next last captures of UTC days, oldest first. */
  closesAfter(span: ExportedSpan, place: PlaceInCaptures | undefined): Promise<ExportedPart>;
  /** The time of the last capture. */
  lastCaptureIn(span: ExportedSpan): Promise<Instant | undefined>;
  /** The next bank tables with an indicator date in that range, in the order of their readings. */
  bankTablesAfter(
    range: { readonly from: CaracasDay; readonly to: CaracasDay; readonly version: number },
    skip: number,
  ): Promise<readonly BankTable[]>;
}
