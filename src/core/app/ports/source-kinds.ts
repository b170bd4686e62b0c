import type { z } from 'zod';
import type { Archive, Fetch, SourceRecord, UpstreamBody } from './sources.ts';

/** A kind of source. The entries of `catalog/sources.json` use it. */
export interface SourceKind<Feed> {
  /** Grows with every change that makes the same body give other records. */
  readonly parserVersion: number;
  /** The columns of an entry that are specific to this kind. */
  readonly feed: z.ZodType<Feed>;
  /** Ids of the markets that an entry quotes; empty for the tables of the central bank. */
  markets(feed: Feed): readonly string[];
  /** The lowest and highest plausible rate of a market, for a kind that quotes markets. */
  between?(feed: Feed, market: string): readonly [number, number] | undefined;
  /** Fetches the bodies of one reading, in order. */
  read(fetch: Fetch, url: string, feed: Feed): Promise<readonly UpstreamBody[]>;
  /** The archive of a kind with past data, for `vesfx backfill`. */
  archive?(fetch: Fetch, url: string, feed: Feed): Archive;
}

/**
 * Parses the bodies of one reading; a pure function. The records have no `captured_at`, which the
 * reader adds. Only records of an archive have a time, that of their publication.
 * @throws SourceFailure `content` when the bodies are not in the source's format.
 */
export type Parser<Feed> = (bodies: readonly UpstreamBody[], feed: Feed) => readonly SourceRecord[];

/** A kind with its parser, which runs in a thread so that a hostile body cannot stop the service. */
export interface ThreadedKind<Feed = unknown> extends SourceKind<Feed> {
  /** Like `Parser`. Exceeding time or memory is also a `content` failure. */
  parse(bodies: readonly UpstreamBody[], feed: Feed): Promise<readonly SourceRecord[]>;
}
