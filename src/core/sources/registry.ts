import type { SourceKind, ThreadedKind } from '../app/ports/source-kinds.ts';
import { bcvBanks } from './bcv/bcv-banks.ts';
import { bcvOfficial } from './bcv/bcv-official.ts';
import { bcvArchive } from './bcv-archive/bcv-archive.ts';
import { criptoya } from './feeds/criptoya.ts';
import { jsonFeed } from './feeds/json-feed.ts';
import { p2pOffers } from './p2p/p2p-offers.ts';
import { inParserThread } from './parser/parser-pool.ts';

const parseInThread = inParserThread('recordsOfKind');

const KINDS: readonly (readonly [string, SourceKind<unknown>])[] = [
  ['bcv-official', bcvOfficial],
  ['bcv-banks', bcvBanks],
  ['bcv-archive', bcvArchive],
  ['criptoya', criptoya],
  ['p2p-offers', p2pOffers],
  ['json-feed', jsonFeed],
];

/** By `kind` in `catalog/sources.json`. Each receives only feeds that its schema has checked. */
export const SOURCE_KINDS: ReadonlyMap<string, ThreadedKind> = new Map(
  KINDS.map(([name, kind]): [string, ThreadedKind] => [
    name,
    { ...kind, parse: (bodies, feed) => parseInThread(name, bodies, feed) },
  ]),
);
