import type { SourceKind, ThreadedKind } from '../app/ports/source-kinds.ts';
import { bcvBanks } from './bcv/bcv-banks.ts';
import { bcvOfficial } from './bcv/bcv-official.ts';
import { criptoya } from './feeds/criptoya.ts';
import { jsonFeed } from './feeds/json-feed.ts';
import { p2pOffers } from './p2p/p2p-offers.ts';
import { inParserThread } from './parser/parser-pool.ts';
import type { ParsedKind } from './parsers.ts';

const parseInThread = inParserThread('recordsOfKind');

const KINDS: Readonly<Record<ParsedKind, SourceKind<unknown>>> = {
  'bcv-official': bcvOfficial,
  'bcv-banks': bcvBanks,
  criptoya,
  'p2p-offers': p2pOffers,
  'json-feed': jsonFeed,
};

/** The cast is safe: the names are those of the parsers. */
const NAMES = Object.keys(KINDS) as ParsedKind[];

/** By `kind` in `catalog/sources.json`. Each receives only feeds that its schema has checked. */
export const SOURCE_KINDS: ReadonlyMap<string, ThreadedKind> = new Map(
  NAMES.map((name): [string, ThreadedKind] => [
    name,
    { ...KINDS[name], parse: (bodies, feed) => parseInThread(name, bodies, feed) },
  ]),
);
