import type { Queries } from '../engine.ts';
import type { Tables } from '../schema.ts';

/** Raises the version of a topic that the transaction has locked, and returns it. */
export async function raiseVersion(
  db: Queries,
  topic: Tables['version']['topic'],
  at: number,
): Promise<number> {
  const { seq } = await db
    .updateTable('version')
    .set((the) => ({ seq: the('seq', '+', 1), at }))
    .where('topic', '=', topic)
    .returning('seq')
    .executeTakeFirstOrThrow();
  return seq;
}

export async function readVersions(db: Queries): Promise<{ records: number; access: number }> {
  const rows = await db.selectFrom('version').select(['topic', 'seq']).execute();
  const seqOf = (topic: Tables['version']['topic']) =>
    rows.find((row) => row.topic === topic)?.seq ?? 0;
  return { records: seqOf('records'), access: seqOf('access') };
}

/** Writes what is there already, to find out whether the database can be written. */
export async function rewriteVersion(db: Queries): Promise<void> {
  await db
    .updateTable('version')
    .set((the) => ({ at: the.ref('at') }))
    .where('topic', '=', 'access')
    .execute();
}
