import { actingAs, currentAuthor } from '../../../app/audit/author.ts';
import type { Author } from '../../../app/ports/audit.ts';
import type { Settlement } from '../../../app/ports/held.ts';
import type { IngestStore } from '../../../app/ports/ingest-store.ts';
import type { Lease } from '../../../app/ports/lease.ts';
import type { BatchOrigin, Entry } from '../../../app/ports/records.ts';
import type { Store } from '../../../app/ports/store.ts';
import type { Instant } from '../../../domain/time.ts';
import { type Queries, type Transactions, transactionsWithin } from '../../engine.ts';
import { GatheredEntries, type Placed } from '../../gathered-entries.ts';
import type { RecordPosition, Tables } from '../../schema.ts';
import { BatchChanges } from '../audit/batch-changes.ts';
import { requireLease } from '../collecting.ts';
import { ChangedRates, correctionRow, storeCorrections } from '../corrections.ts';
import { held, settle } from '../held.ts';
import { publications } from '../publications.ts';
import { quoteMemories } from '../quote-memories.ts';
import { bankTableRow, captureColumns, provenanceText, publicationRow } from '../record-rows.ts';
import { records } from '../records.ts';
import { judgedSoFar, raiseJudged, raiseVersion, versionOf } from '../versions.ts';
import {
  isOfficialRate,
  marketNumbers,
  observeOfficialRates,
  storeCaptures,
} from './batch-captures.ts';
import { placeLateRates } from './late-rates.ts';

type Append = Parameters<Store['appendBatch']>;

interface Asked {
  readonly origin: BatchOrigin;
  readonly gathered: GatheredEntries;
  readonly confirm: Append[2];
  readonly follow: (db: Queries) => Promise<void>;
  /** What the collector stores by itself is no change of an operator. */
  readonly author: Author | undefined;
}

const NOTHING = async () => undefined;

export function batches(engine: Transactions) {
  return {
    appendBatch: async (origin, entries, confirm, follow = NOTHING) => {
      const author = currentAuthor();
      const gathered = new GatheredEntries();
      const asked: Asked = {
        ...{ origin, gathered, confirm, author },
        follow: (db) => actingAs(author, () => follow(storeWithin(db))),
      };
      try {
        for await (const entry of entries) await gathered.add(entry);
        const write = gathered.isLarge ? engine.writeLarge : engine.write;
        const { counts } = await write(
          scopeOf(origin.lease),
          (db) => storeBatch(db, asked),
          ({ keep }) => keep,
        );
        return counts;
      } finally {
        gathered.close();
      }
    },
    writeTogether: (lease, work) => {
      const author = currentAuthor();
      return engine.write(scopeOf(lease), async (db) => {
        await requireLease(db, lease);
        return actingAs(author, () => work(storeWithin(db)));
      });
    },
  } satisfies Partial<Store>;
}

const scopeOf = (lease: Lease | undefined) => ({ records: true, collecting: lease !== undefined });

/** The store within a write: what it stores is part of the write. */
function storeWithin(db: Queries): IngestStore {
  const engine = transactionsWithin(db);
  return {
    ...batches(engine),
    ...held(engine),
    ...publications(engine),
    ...quoteMemories(engine),
    ...records(engine),
  };
}

/** A batch has a row and a version of its own only if it contains anything new. */
async function storeBatch(db: Queries, { origin, gathered, confirm, follow, author }: Asked) {
  await requireLease(db, origin.lease);
  const judged = await judgedSoFar(db);
  const batch = 1 + (await versionOf(db, 'records'));
  /** By number, of markets with new official rates: when the first of them counts from. */
  const officialSince = new Map<number, Instant>();
  const changed = new ChangedRates();
  const changes = new BatchChanges(origin, author);
  let stored = 0;
  for await (const piece of gathered.pieces()) {
    stored += await storePiece(db, batch, piece, { officialSince, changed, changes });
  }
  for (const [market, since] of officialSince) await placeLateRates(db, market, since);
  const counts = { stored, duplicate: gathered.count - stored };
  const settlement = confirm(judged);
  if (settlement === false) return { counts, keep: false };
  const isNews = await settle(db, origin, settlement, changed, changes);
  changes.corrected(await changed.store(db, origin.receivedAt));
  await changes.store(db, stored);
  if (stored > 0) await insertBatch(db, batch, origin);
  else {
    // Of what is settled only publications in doubt are news.
    if (isNews) await raiseVersion(db, 'records');
    if (changesAny(settlement)) await raiseJudged(db);
  }
  await follow(db);
  return { counts, keep: true };
}

/** Whether one of its lists names anything. */
function changesAny(settlement: Settlement): boolean {
  const lists: readonly (readonly unknown[])[] = Object.values(settlement);
  return lists.some((changes) => changes.length > 0);
}

/** Its id is the version of the records that it makes. */
async function insertBatch(db: Queries, id: number, origin: BatchOrigin): Promise<void> {
  await raiseVersion(db, 'records', origin.receivedAt);
  const row = {
    id,
    source: origin.source,
    received_at: origin.receivedAt,
    provenance: provenanceText(origin.provenance),
    trusted: origin.trusted === true ? 1 : 0,
  };
  await db.insertInto('batch').values(row).execute();
}

interface Gathered {
  readonly officialSince: Map<number, Instant>;
  readonly changed: ChangedRates;
  readonly changes: BatchChanges;
}

/** Stores some entries of a batch, and returns how many were new. */
async function storePiece(
  db: Queries,
  batch: number,
  piece: readonly Placed[],
  { officialSince, changed, changes }: Gathered,
): Promise<number> {
  const markets = piece.flatMap(({ entry }) => entry.captures.map(({ market }) => market));
  const numberOf = await marketNumbers(db, new Set(markets));
  const captures = piece.flatMap(({ entry, line }) =>
    entry.captures.map((quote, index) => ({
      market: quote.market,
      row: { ...captureColumns(quote, numberOf(quote.market)), batch, line: line + index },
      why: entry.why ?? (entry.insisted === true ? 'insisted' : 'confirmed'),
    })),
  );
  const newLines = await storeCaptures(
    db,
    captures.map(({ row }) => row),
  );
  const news = captures.filter(({ row }) => newLines.has(row.line));
  for (const { market, row } of news) changes.stored(market, row);
  const official = news.flatMap(({ row, why }) => (isOfficialRate(row) ? [{ ...row, why }] : []));
  await observeOfficialRates(db, official, changed);
  for (const { market, captured_at: at } of official) {
    officialSince.set(market, Math.min(at, officialSince.get(market) ?? at));
  }
  const restored = piece.filter(({ line }) => newLines.has(line)).flatMap(restorationOf);
  await storeCorrections(db, restored);
  changes.corrected(restored);
  let stored = 0;
  for (const { entry, line } of piece) {
    const hasNewDocument = await insertDocuments(db, entry, { batch, line });
    if (hasNewDocument || entry.captures.some((_, index) => newLines.has(line + index))) {
      stored += 1;
    }
  }
  return stored;
}

/** The correction by a quote that is restored. A quote is the only capture of its entry. */
function restorationOf({ entry }: Placed): readonly Tables['correction'][] {
  const { captures, restoredFrom: was, why = 'restored' } = entry;
  const [quote] = captures;
  if (quote === undefined || was === undefined) return [];
  const { market, mid, capturedAt: corrected_at } = quote;
  const content = { kind: 'quote' as const, market, value_date: '', was, is_now: mid };
  return [correctionRow({ ...content, corrected_at, why })];
}

/** Stores publication and bank table of an entry, and returns whether either was new. */
async function insertDocuments(
  db: Queries,
  { publication, bankTable, insisted = false }: Entry,
  position: RecordPosition,
): Promise<boolean> {
  const inserts = [
    publication &&
      db
        .insertInto('publication')
        .values(publicationRow(publication, { ...position, insisted: insisted ? 1 : 0 })),
    bankTable && db.insertInto('bank_table').values(bankTableRow(bankTable, position)),
  ];
  let added = 0n;
  for (const insert of inserts) {
    const result = await insert?.onConflict((conflict) => conflict.doNothing()).executeTakeFirst();
    added += result?.numInsertedOrUpdatedRows ?? 0n;
  }
  return added > 0n;
}
