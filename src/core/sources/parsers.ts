import type { Parser } from '../app/ports/source-kinds.ts';
import type { SourceRecord, UpstreamBody } from '../app/ports/sources.ts';
import { parseBcvBanks } from './bcv/bcv-banks-page.ts';
import { parseBcvOfficial } from './bcv/bcv-official-page.ts';
import { parseCriptoya } from './feeds/criptoya.ts';
import { parseJsonFeed } from './feeds/json-feed.ts';
import { parseP2pOffers } from './p2p/p2p-offers.ts';

/** Only a parser's thread loads this file: the library for HTML is large. */

export { hasNextPage } from './bcv/bcv-banks-page.ts';

/** Parsers by kind. Each receives only feeds that its kind's schema has checked. */
const PARSERS = {
  'bcv-official': parseBcvOfficial,
  'bcv-banks': parseBcvBanks,
  criptoya: parseCriptoya,
  'p2p-offers': parseP2pOffers,
  'json-feed': parseJsonFeed,
} satisfies Readonly<Record<string, Parser<never>>>;

export type ParsedKind = keyof typeof PARSERS;

/** @throws SourceFailure `content` when the bodies are not in the source's format. */
export function recordsOfKind(
  kind: ParsedKind,
  bodies: readonly UpstreamBody[],
  feed: unknown,
): readonly SourceRecord[] {
  const parse: Parser<never> = PARSERS[kind];
  return parse(bodies, feed as never);
}
