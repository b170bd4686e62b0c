import type { Publication } from '../../domain/bcv.ts';
import type { CaracasDay, Instant } from '../../domain/time.ts';

/** A record as on a line of NDJSON (contract §7). Ingestion checks it; a source need not. */
export type SourceRecord = Readonly<Record<string, unknown>> & {
  readonly kind: 'quote' | 'official' | 'bank_table';
};

export interface UpstreamRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON by POST; without it the request is a GET. */
  readonly json?: unknown;
  /** Accepted media types of the answer. Any other is a failure. */
  readonly accept: readonly string[];
}

/** A body after decoding its transfer and content encodings, in its original charset. */
export interface UpstreamBody {
  readonly url: string;
  readonly bytes: Uint8Array;
  /** The `Content-Type` header. */
  readonly contentType?: string;
}

/**
 * Sends one request.
 * @throws SourceFailure for anything but a complete answer with status 200.
 */
export type Fetch = (request: UpstreamRequest) => Promise<UpstreamBody>;

/** When a source is read: a five-field cron pattern in Caracas time. */
export interface ScheduleRule {
  readonly cron: string;
  /** Only on business days, and only until the publication expected that day is stored. */
  readonly whileExpected: boolean;
}

/** One upstream, with its schedule and its parser. */
export interface Source {
  readonly name: string;
  readonly kind: string;
  readonly enabled: boolean;
  /** A witness publishes nothing: its official rates only confirm or contradict publications. */
  readonly role?: 'witness';
  /** Why it is off, when the operator did not switch it off. */
  readonly whyOff?: string;
  readonly url: string;
  /**
   * Where the figures of a subject (a market id, `bcv.official` or `bcv.banks`) are first
   * published. Sources with the same origin do not confirm each other.
   */
  origin(subject: string): string;
  /**
   * The lowest and highest plausible rate of a market, in the unit of the day of a reading;
   * undefined for official figures.
   */
  between(market: string, readAt: Instant): readonly [number, number] | undefined;
  readonly schedule: readonly ScheduleRule[];
  /** Most random delay of a reading, in milliseconds, so that not all start at once. */
  readonly jitterMs: number;
  /** Timeout of one request, from the name look-up to the last byte. */
  readonly timeoutMs: number;
  /** Read only when the source of that name failed at its last turn. */
  readonly fallbackFor?: string;
  /** While it works, quotes of its markets from the source of that name are left out. */
  readonly rankedBefore?: string;
  /** Ids of the markets that it quotes; empty for the tables of the central bank. */
  readonly markets: readonly string[];
  /** Grows with every change that makes the same body give other records. */
  readonly parserVersion: number;
  /** Fetches the bodies of one reading, in order. Amounts asked for are in the unit of its day. */
  read(fetch: Fetch, readAt: Instant): Promise<readonly UpstreamBody[]>;
  /**
   * Parses the bodies of one reading. The result depends only on them and on the unit of its day.
   * @throws SourceFailure `content` when the bodies are not in the source's format, or take too
   *   much time or memory to parse.
   */
  parse(bodies: readonly UpstreamBody[], readAt: Instant): Promise<readonly SourceRecord[]>;
  /** The archive of a source with past data. */
  archive?(fetch: Fetch): Archive;
}

/** A publication of an archive, in today's bolívares. */
export interface ArchivedPublication extends Publication {
  /** True when it was published in an older bolívar. */
  readonly isConverted: boolean;
}

/** A part of a workbook that is not accepted, and the reason. */
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
  /** The value dates that it may contain; any when absent. */
  readonly span?: DaySpan;
  /** @throws SourceFailure when it cannot be fetched or read. */
  body(): Promise<UpstreamBody>;
}

/** An inclusive range of days. A missing end means no limit. */
export interface DaySpan {
  readonly from?: CaracasDay;
  readonly to?: CaracasDay;
}

export interface Archive {
  /** Grows with every change that makes the same file give other rates. */
  readonly parserVersion: number;
  /** The files upstream, in loading order. */
  list(): Promise<readonly ArchiveFile[]>;
  /** @throws SourceFailure `content` when the file does not belong to the archive. */
  read(file: UpstreamBody): Promise<ArchivedWorkbook>;
}
