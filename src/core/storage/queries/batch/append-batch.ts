import { currentAuthor } from '../../../app/audit/author.ts';
import type { Author } from '../../../app/ports/audit.ts';
import type { Settlement } from '../../../app/ports/held.ts';
import type { BatchCounts, BatchOrigin, Entry } from '../../../app/ports/records.ts';
import type { Store } from '../../../app/ports/store.ts';
import type { CorrectionReason } from '../../../domain/history/corrections.ts';
import type { Instant } from '../../../domain/time.ts';
import type { Engine, Queries } from '../../engine.ts';
import { GatheredEntries, type Placed } from '../../gathered-entries.ts';
import type { RecordPosition, Tables } from '../../schema.ts';
import { BatchChanges } from '../audit/batch-changes.ts';
import { requireLease } from '../collecting.ts';
import { ChangedRates, correctionRow, storeCorrections } from '../corrections.ts';
import { settle } from '../held.ts';
import { bankTableRow, captureColumns, provenanceText, publicationRow } from '../record-rows.ts';
import { raiseVersion } from '../versions.ts';
import {
  isOfficialRate,
  marketNumbers,
  observeOfficialRates,
  storeCaptures,
} from './batch-captures.ts';
import { placeLateRates } from './late-rates.ts';

interface Made {
  readonly counts: BatchCounts;
  /** Whether the batch contains anything new. Other batches are not stored. */
  readonly keep: boolean;
  /** What is left to settle of a batch that is not stored. Only publications in doubt are news. */
  readonly rest?: Settlement | undefined;
}

export function batches(engine: Engine) {
  return {
    appendBatch: async (origin, entries, confirm) => {
      // What the collector stores by itself is no change of an operator.
      const author = currentAuthor();
      const gathered = new GatheredEntries();
      try {
        for await (const entry of entries) await gathered.add(entry);
        const scope = { records: true, collecting: origin.lease !== undefined };
        const write = gathered.isLarge ? engine.writeLarge : engine.write;
        const { counts, rest } = await write(
          scope,
          (db) => storeBatch(db, origin, { gathered, confirm, author }),
          ({ keep }) => keep,
        );
        if (rest !== undefined) {
          await engine.write(scope, async (db) => {
            await requireLease(db, origin.lease);
            const changed = new ChangedRates();
            const changes = new BatchChanges(origin, author);
            const isNews = await settle(db, origin, rest, changed, changes);
            if (isNews) await raiseVersion(db, 'records');
            changes.corrected(await changed.store(db, origin.receivedAt));
            await changes.store(db, 0);
          });
        }
        return counts;
      } finally {
        gathered.close();
      }
    },
  } satisfies Partial<Store>;
}

interface Asked {
  readonly gathered: GatheredEntries;
  readonly confirm: Parameters<Store['appendBatch']>[2];
  readonly author: Author | undefined;
}

async function storeBatch(
  db: Queries,
  origin: BatchOrigin,
  { gathered, confirm, author }: Asked,
): Promise<Made> {
  await requireLease(db, origin.lease);
  const batch = await beginBatch(db, origin);
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
  const confirmed = confirm();
  const settlement = typeof confirmed === 'boolean' ? undefined : confirmed;
  if (confirmed === false || stored === 0) return { counts, keep: false, rest: settlement };
  if (settlement !== undefined) await settle(db, origin, settlement, changed, changes);
  changes.corrected(await changed.store(db, origin.receivedAt));
  await changes.store(db, stored);
  return { counts, keep: true };
}

/** @returns the batch's id, which is also the new version of the records. */
async function beginBatch(db: Queries, origin: BatchOrigin): Promise<number> {
  const id = await raiseVersion(db, 'records', origin.receivedAt);
  const row = {
    id,
    source: origin.source,
    received_at: origin.receivedAt,
    provenance: provenanceText(origin.provenance),
    trusted: origin.trusted === true ? 1 : 0,
  };
  await db.insertInto('batch').values(row).execute();
  return id;
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
  const quotes = piece.flatMap(({ entry }) => entry.captures);
  const numberOf = await marketNumbers(db, new Set(quotes.map(({ market }) => market)));
  const captures = piece.flatMap(({ entry, line }) =>
    entry.captures.map((quote, index) => ({
      ...captureColumns(quote, numberOf(quote.market)),
      batch,
      line: line + index,
    })),
  );
  const newLines = await storeCaptures(db, captures);
  for (const [place, row] of captures.entries()) {
    if (newLines.has(row.line)) changes.stored(quotes[place]?.market ?? '', row);
  }
  const whyOf = reasonsOf(piece);
  const official = captures
    .filter((row) => isOfficialRate(row) && newLines.has(row.line))
    .map((row) => ({ ...row, why: whyOf.get(row.line) ?? 'confirmed' }));
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

/** By line, why official rates may correct stored ones. */
function reasonsOf(piece: readonly Placed[]): ReadonlyMap<number, CorrectionReason> {
  const reasons = new Map<number, CorrectionReason>();
  for (const { entry, line } of piece) {
    const why = entry.why ?? (entry.insisted === true ? 'insisted' : undefined);
    if (why === undefined) continue;
    for (const index of entry.captures.keys()) reasons.set(line + index, why);
  }
  return reasons;
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
