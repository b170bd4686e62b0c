import type { z } from 'zod';
import type { Archive, Fetch, SourceRecord, UpstreamBody } from '../app/ports/sources.ts';

/** A way to read an upstream; `catalog/sources.json` has the entries that use it. */
export interface SourceKind<Feed> {
  /** Grows whenever the same body would give other records. */
  readonly parserVersion: number;
  /** The columns of an entry that only this kind has. */
  readonly feed: z.ZodType<Feed>;
  /** Ids of the markets that an entry quotes; empty for the tables of the central bank. */
  markets(feed: Feed): readonly string[];
  /** Of a kind that quotes markets: the lowest and highest rate of one that can be meant. */
  bounds?(feed: Feed, market: string): readonly [number, number] | undefined;
  /** Asks for the bodies of one reading, in order. */
  read(fetch: Fetch, url: string, feed: Feed): Promise<readonly UpstreamBody[]>;
  /** Of a kind that has the past: its files, for `vesfx backfill`. */
  archive?(fetch: Fetch, url: string, feed: Feed): Archive;
}

/**
 * The records of the bodies of one reading. Pure. They have no `captured_at`, which the reader of the
 * bodies adds. Only records of an archive carry a time: that of their publication.
 * @throws SourceFailure `content` when the bodies are not what the source publishes.
 */
export type Parser<Feed> = (bodies: readonly UpstreamBody[], feed: Feed) => readonly SourceRecord[];

/** A kind with its parser, which runs in a thread so that a hostile body cannot stop the service. */
export interface ThreadedKind extends SourceKind<unknown> {
  /** As `Parser`; too much time or memory is a failure `content` as well. */
  parse(bodies: readonly UpstreamBody[], feed: unknown): Promise<readonly SourceRecord[]>;
}
