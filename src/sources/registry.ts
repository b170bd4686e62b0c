import type { SourceRecord, UpstreamBody } from '../app/ports/sources.ts';
import { bcvBanks } from './bcv/bcv-banks.ts';
import { bcvOfficial } from './bcv/bcv-official.ts';
import { bcvArchive } from './bcv-archive/bcv-archive.ts';
import { criptoya } from './feeds/criptoya.ts';
import { jsonFeed } from './feeds/json-feed.ts';
import type { SourceKind, ThreadedKind } from './kind.ts';
import { p2pOffers } from './p2p/p2p-offers.ts';
import { inParserThread } from './parser/parser-pool.ts';

const KINDS: ReadonlyMap<string, SourceKind<unknown>> = new Map<string, SourceKind<unknown>>([
  ['bcv-official', bcvOfficial],
  ['bcv-banks', bcvBanks],
  ['bcv-archive', bcvArchive],
  ['criptoya', criptoya],
  ['p2p-offers', p2pOffers],
  ['json-feed', jsonFeed],
]);

/**
 * What the parser of a kind makes of the bodies of one reading.
 * @throws SourceFailure `content` when they are not what the source publishes.
 */
export function recordsOfKind(
  kind: string,
  bodies: readonly UpstreamBody[],
  feed: unknown,
): readonly SourceRecord[] {
  return KINDS.get(kind)?.parse(bodies, feed) ?? [];
}

const parseInThread = inParserThread(import.meta.url, recordsOfKind);

/**
 * Every kind of source, by the name that entries of `catalog/sources.json` have in `kind`. Each is
 * only ever given a feed that its own schema has checked. Its parser runs in a thread.
 */
export const SOURCE_KINDS: ReadonlyMap<string, ThreadedKind> = new Map(
  [...KINDS].map(([name, kind]): [string, ThreadedKind] => [
    name,
    { ...kind, parse: (bodies, feed) => parseInThread(name, bodies, feed) },
  ]),
);
