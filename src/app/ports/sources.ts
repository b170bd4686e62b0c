import type { Publication } from '../../domain/bcv.ts';
import type { CaracasDay } from '../../domain/time.ts';

/**
 * A record as it stands on a line of NDJSON (decisions §7). Ingestion checks it whichever source made it, so
 * a source need not.
 */
export type SourceRecord = Readonly<Record<string, unknown>> & {
  readonly kind: 'quote' | 'official' | 'bank_table';
};

export interface UpstreamRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON by POST; without it the request is a GET. */
  readonly json?: unknown;
  /** Media types an answer may have; any other is a failure. */
  readonly accept: readonly string[];
}

/** A body as it came, without its transfer and content coding, in its own charset. */
export interface UpstreamBody {
  readonly url: string;
  readonly bytes: Uint8Array;
  /** The `Content-Type` header. */
  readonly contentType?: string;
}

/** Makes one request. @throws SourceFailure for all but a whole answer of status 200. */
export type Fetch = (request: UpstreamRequest) => Promise<UpstreamBody>;

/** When a source is read: times in Caracas, as five-field cron patterns. */
export interface ScheduleRule {
  readonly cron: string;
  /** Only on business days, and only until the publication expected that day has been seen. */
  readonly whileExpected: boolean;
}

/** What is read: one upstream, its records and when. */
export interface Source {
  readonly name: string;
  readonly kind: string;
  readonly enabled: boolean;
  /** Why it is off, when that is not the operator's switch. */
  readonly whyOff?: string;
  readonly url: string;
  /**
   * By subject (the id of a market, `bcv.official` or `bcv.banks`): the place where its figures are
   * first published. Sources with one origin do not confirm each other.
   */
  origin(subject: string): string;
  /** The lowest and highest rate of a market that it can mean; undefined for official figures. */
  bounds(market: string): readonly [number, number] | undefined;
  readonly schedule: readonly ScheduleRule[];
  /** Most milliseconds a reading starts after its time, so that not all start at once. */
  readonly jitterMs: number;
  /** Whole of one request, from name to last byte. */
  readonly timeoutMs: number;
  /** Read only when the source of that name failed at its last turn. */
  readonly fallbackFor?: string;
  /** Ids of the markets it quotes; empty for the tables of the central bank. */
  readonly markets: readonly string[];
  /** Grows whenever the same body would give other records. */
  readonly parserVersion: number;
  /** Asks for the bodies of one reading, in order. */
  read(fetch: Fetch): Promise<readonly UpstreamBody[]>;
  /**
   * The records of the bodies of one reading, which depend on them alone.
   * @throws SourceFailure `content` when the bodies are not what the source publishes, or take too
   * much time or memory to parse.
   */
  parse(bodies: readonly UpstreamBody[]): Promise<readonly SourceRecord[]>;
  /** Of a source that has the past: its files. */
  archive?(fetch: Fetch): Archive;
}

/** A publication of an archive, in today's bolívares. */
export interface ArchivedPublication extends Publication {
  /** True when it was published in an older bolívar. */
  readonly isConverted: boolean;
}

/** A place of a workbook that is not believed, and why. */
export interface WorkbookFault {
  readonly place: string;
  readonly problem: string;
}

export interface ArchivedWorkbook {
  /** Oldest first, one for each value date. */
  readonly publications: readonly ArchivedPublication[];
  readonly faults: readonly WorkbookFault[];
}

/** A file of an archive, on this machine or upstream. */
export interface ArchiveFile {
  readonly name: string;
  /** The value dates it may have; any, when not given. */
  readonly span?: DaySpan;
  /** @throws SourceFailure when it cannot be had. */
  body(): Promise<UpstreamBody>;
}

/** Days from the first to the last, both included; without one there is no limit on that side. */
export interface DaySpan {
  readonly from?: CaracasDay;
  readonly to?: CaracasDay;
}

/** An archive of official rates. */
export interface Archive {
  /** Grows whenever the same file would give other rates. */
  readonly parserVersion: number;
  /** Files upstream, in the order in which they are to be loaded. */
  list(): Promise<readonly ArchiveFile[]>;
  /** @throws SourceFailure `content` when the file is none of the archive's. */
  read(file: UpstreamBody): Promise<ArchivedWorkbook>;
}
