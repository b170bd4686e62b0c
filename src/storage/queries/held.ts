import type { HeldRecord, Settlement, Suspect } from '../../app/ports/held.ts';
import type { BatchOrigin } from '../../app/ports/records.ts';
import type { Store } from '../../app/ports/store.ts';
import { middle } from '../../domain/decimal.ts';
import type { InsistedQuote } from '../../domain/judgement/in-doubt.ts';
import { PUBLICATIONS } from '../../domain/judgement.ts';
import type { Engine, Queries } from '../engine.ts';
import type { Tables } from '../schema.ts';
import { audited } from './audit/audited.ts';
import { type BatchChanges, settledChange } from './audit/batch-changes.ts';
import type { ChangedRates } from './corrections.ts';
import { supersede } from './publications.ts';
import { stateRow } from './quote-states.ts';
import { digestOf, provenanceText, storedJson, storedProvenance } from './record-rows.ts';
import { partsOf, upsert } from './upsert.ts';
import { raiseVersion } from './versions.ts';

/** Digits of a held record's id: short enough to copy, long enough to be unique. */
const ID_LENGTH = 16;

/** Most held records that count towards a confirmation. Further ones wait for the operator. */
const MAX_COUNTING_HELD = 10_000;

/** Most held publications that answers are made from. Their sources repeat them. */
const MAX_DOUBTFUL_PUBLICATIONS = 500;

const IDS_PER_UPDATE = 500;

export function held(engine: Engine) {
  return {
    listHeld: (status, limit) =>
      engine.read(async (db) => {
        const rows = await db
          .selectFrom('held')
          .selectAll()
          .where('status', '=', status)
          .orderBy('held_at', 'desc')
          .orderBy('captured_at', 'desc')
          .orderBy('id')
          .limit(limit)
          .execute();
        return rows.map(heldOf);
      }),
    countingHeld: () =>
      engine.read(async (db) => {
        const rows = await db
          .selectFrom('held')
          .selectAll()
          .where((the) => the.and({ status: 'held', counts: 1 }))
          .orderBy('held_at', 'desc')
          .orderBy('captured_at', 'desc')
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
        for (const row of rejected) note(settledChange(row));
        return rejected.length > 0;
      }),
  } satisfies Partial<Store>;
}

/** Most insisted quotes of a snapshot. There is one for each jump of a market. */
const MAX_INSISTED = 100;

/** The newest quotes that were published by insistence alone. */
export async function insistedQuotes(db: Queries): Promise<readonly InsistedQuote[]> {
  const rows = await db
    .selectFrom('held')
    .select(['subject', 'record', 'captured_at'])
    .where('status', '=', 'insisted')
    .orderBy('held_at', 'desc')
    .limit(MAX_INSISTED)
    .execute();
  return rows.map(({ subject: market, record, captured_at: capturedAt }) => {
    const { mid, ask, bid } = storedJson<Partial<Record<'mid' | 'ask' | 'bid', number>>>(record);
    return { market, mid: mid ?? middle(ask ?? 0, bid ?? 0), capturedAt };
  });
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
    hold,
    release,
    insisted = [],
    discount,
    withdraw = [],
    supersede: superseded = [],
    states = [],
  }: Settlement,
  changed: ChangedRates,
  changes?: BatchChanges,
): Promise<boolean> {
  for (const suspect of hold) {
    const { numInsertedOrUpdatedRows: held } = await db
      .insertInto('held')
      .values(heldRow(suspect, origin))
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    changes?.held(Number(held ?? 0));
  }
  const settled = [
    ...(await change(db, insisted, { status: 'insisted', counts: 0 })),
    ...(await change(db, release, { status: 'released', counts: 0 })),
    ...(await change(db, withdraw, { status: 'withdrawn', counts: 0 })),
  ];
  changes?.settled(settled);
  const discounted = await change(db, discount, { counts: 0 });
  for (const publication of superseded) {
    await supersede(db, publication, origin.receivedAt, changed);
  }
  if (states.length > 0) await upsert(db, 'quote_state', states.map(stateRow));
  return [...hold, ...settled, ...discounted].some(isPublication);
}

function isPublication({ subject }: Pick<Suspect, 'subject'>): boolean {
  return subject === PUBLICATIONS;
}

/** The publications that still count as in doubt, newest reading first. */
export async function doubtfulPublications(db: Queries): Promise<readonly HeldRecord[]> {
  const rows = await db
    .selectFrom('held')
    .selectAll()
    .where((the) => the.and({ status: 'held', counts: 1, subject: PUBLICATIONS }))
    .orderBy('held_at', 'desc')
    .orderBy('captured_at', 'desc')
    .limit(MAX_DOUBTFUL_PUBLICATIONS)
    .execute();
  return rows.map(heldOf);
}

/** @returns the changed records, as they are now. */
async function change(
  db: Queries,
  ids: readonly string[],
  values: { readonly status?: HeldRecord['status']; readonly counts: number },
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
  return {
    // The same record of the same source is held only once.
    id: digestOf(origin.source, record).slice(0, ID_LENGTH),
    source: origin.source,
    subject: suspect.subject,
    record,
    captured_at: suspect.capturedAt,
    held_at: origin.receivedAt,
    reason: suspect.reason,
    message: suspect.message,
    reasons: (suspect.reasons ?? []).join(' '),
    provenance: provenanceText(origin.provenance),
    status: 'held',
    counts: suspect.counts ? 1 : 0,
  };
}

function heldOf(row: Tables['held']): HeldRecord {
  const provenance = storedProvenance(row.provenance);
  return {
    id: row.id,
    source: row.source,
    subject: row.subject,
    record: storedJson(row.record),
    capturedAt: row.captured_at,
    heldAt: row.held_at,
    reason: row.reason,
    message: row.message,
    reasons: (row.reasons || row.reason).split(' '),
    ...(provenance !== undefined && { provenance }),
    status: row.status,
    counts: row.counts === 1,
  };
}
