import { heldIdOf } from '../../app/ingest/held-id.ts';
import type { HeldRecord, SettledRecord, Settlement, Suspect } from '../../app/ports/held.ts';
import type { BatchOrigin } from '../../app/ports/records.ts';
import type { Store } from '../../app/ports/store.ts';
import { PUBLICATIONS } from '../../domain/judgement.ts';
import type { Queries, Transactions } from '../engine.ts';
import type { Tables } from '../schema.ts';
import { audited } from './audit/audited.ts';
import { type BatchChanges, settledChange } from './audit/batch-changes.ts';
import type { ChangedRates } from './corrections.ts';
import { supersede } from './publications.ts';
import { memoryRow, storeCheckpoints, unpublishQuotes } from './quote-memories.ts';
import { heldOf, provenanceText } from './record-rows.ts';
import { partsOf, upsert } from './upsert.ts';
import { raiseJudged, raiseVersion } from './versions.ts';

/** Most held records that count towards a confirmation. Further ones wait for the operator. */
// limit: Held records that readings can release | 10,000 | older ones wait for the operator
const MAX_COUNTING_HELD = 10_000;

/** Most held publications that answers are made from. Their sources repeat them. */
// limit: Held publications shown | 500 | not older ones
const MAX_DOUBTFUL_PUBLICATIONS = 500;

const IDS_PER_UPDATE = 500;

export function held(engine: Transactions) {
  return {
    listHeld: (status, limit) =>
      engine.read(async (db) => {
        const newest = newestHeld(db).orderBy('id').limit(limit);
        const rows = await newest.where('status', '=', status).execute();
        return rows.map(heldOf);
      }),
    countingHeld: () =>
      engine.read(async (db) => {
        const rows = await newestHeld(db)
          .where((the) => the.and({ status: 'held', counts: 1 }))
          .limit(MAX_COUNTING_HELD)
          .execute();
        return rows.map(heldOf).sort((a, b) => a.capturedAt - b.capturedAt);
      }),
    findHeld: (id) =>
      engine.read(async (db) => {
        const row = await db.selectFrom('held').selectAll().where('id', '=', id).executeTakeFirst();
        return row === undefined ? undefined : heldOf(row);
      }),
    countHeld: () =>
      engine.read(async (db) => {
        const rows = await db
          .selectFrom('held')
          .select(['source', (the) => the.fn.countAll<number>().as('records')])
          .where('status', '=', 'held')
          .groupBy('source')
          .execute();
        return new Map(rows.map(({ source, records }) => [source, Number(records)]));
      }),
    rejectHeld: (id) =>
      audited(engine, { records: true }, async (db, note) => {
        const rejected = await change(db, [id], { status: 'rejected', counts: 0 });
        if (rejected.some(isPublication)) await raiseVersion(db, 'records');
        if (rejected.length > 0) await raiseJudged(db);
        for (const row of rejected) {
          note(settledChange(row));
          if (isPublication(row)) continue;
          // It waits there.
          await storeCheckpoints(db, { outdated: [row.captured_at, Number.MAX_SAFE_INTEGER] });
        }
        return rejected.length > 0;
      }),
  } satisfies Partial<Store>;
}

/**
 * See `Settlement`. `changed` has the rates that the batch changed so far, `changes` what the audit
 * log tells of it.
 * @returns whether a publication is or was in doubt, which answers show.
 */
export async function settle(
  db: Queries,
  origin: BatchOrigin,
  {
    hold = [],
    settle: settled = [],
    supersede: superseded = [],
    unpublish = [],
    memories = [],
    ...checkpoints
  }: Settlement,
  changed: ChangedRates,
  changes?: BatchChanges,
): Promise<boolean> {
  for (const suspect of hold) {
    const { numInsertedOrUpdatedRows: held } = await db
      .insertInto('held')
      .values(heldRow(suspect, origin))
      // One that was released may be in doubt again, when older readings arrive.
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet({ status: 'held', counts: suspect.counts ? 1 : 0, ...whyOf(suspect) })
          .where('held.status', 'in', ['released', 'insisted']),
      )
      .executeTakeFirstOrThrow();
    changes?.held(Number(held ?? 0));
  }
  const rows: Tables['held'][] = [];
  const withoutId = ({ id: _id, ...become }: SettledRecord) => JSON.stringify(become);
  for (const alike of Map.groupBy(settled, withoutId).values()) {
    const [{ id: _id, counts = false, reasons, ...become } = { id: '' }] = alike;
    const values = { ...become, ...(reasons && { reasons: reasons.join(' ') }) };
    const ids = alike.map(({ id }) => id);
    rows.push(...(await change(db, ids, { ...values, counts: counts ? 1 : 0 })));
  }
  changes?.settled(rows.filter(({ status }) => status !== 'held'));
  for (const publication of superseded) {
    await supersede(db, publication, origin.receivedAt, changed);
  }
  await unpublishQuotes(db, unpublish, origin.receivedAt);
  if (memories.length > 0) await upsert(db, 'quote_state', memories.map(memoryRow));
  await storeCheckpoints(db, checkpoints);
  return [...hold, ...rows].some(isPublication);
}

function isPublication({ subject }: Pick<Suspect, 'subject'>): boolean {
  return subject === PUBLICATIONS;
}

function newestHeld(db: Queries) {
  return db
    .selectFrom('held')
    .selectAll()
    .orderBy('held_at', 'desc')
    .orderBy('captured_at', 'desc');
}

/** The publications that still count as in doubt, newest reading first. */
export async function doubtfulPublications(db: Queries): Promise<readonly HeldRecord[]> {
  const rows = await newestHeld(db)
    .where((the) => the.and({ status: 'held', counts: 1, subject: PUBLICATIONS }))
    .limit(MAX_DOUBTFUL_PUBLICATIONS)
    .execute();
  return rows.map(heldOf);
}

/** @returns the changed records, as they are now. */
async function change(
  db: Queries,
  ids: readonly string[],
  values: Partial<Tables['held']>,
): Promise<readonly Tables['held'][]> {
  const changed: Tables['held'][] = [];
  for (const part of partsOf(ids, IDS_PER_UPDATE)) {
    const rows = await db
      .updateTable('held')
      .set(values)
      .where('id', 'in', part)
      .where('status', '=', 'held')
      .returningAll()
      .execute();
    changed.push(...rows);
  }
  return changed;
}

function heldRow(suspect: Suspect, origin: BatchOrigin): Tables['held'] {
  const record = JSON.stringify(suspect.record);
  const { source = origin.source } = suspect;
  return {
    id: heldIdOf(source, suspect.record),
    source,
    subject: suspect.subject,
    record,
    captured_at: suspect.capturedAt,
    held_at: origin.receivedAt,
    ...whyOf(suspect),
    provenance: provenanceText(origin.provenance),
    status: 'held',
    counts: suspect.counts ? 1 : 0,
  };
}

function whyOf({ reason, message, reasons = [] }: Suspect) {
  return { reason, message, reasons: reasons.join(' ') };
}
