import type { Store } from '../../app/ports/store.ts';
import type { Engine, Queries } from '../engine.ts';
import type { Tables } from '../schema.ts';

type Topic = Tables['version']['topic'];

/**
 * Raises the version of a topic that the transaction has locked, and returns it.
 * @param at When the newest batch was received; unchanged without one.
 */
export async function raiseVersion(db: Queries, topic: Topic, at?: number): Promise<number> {
  const { seq } = await db
    .updateTable('version')
    .set((the) => ({ seq: the('seq', '+', 1), at: at ?? the.ref('at') }))
    .where('topic', '=', topic)
    .returning('seq')
    .executeTakeFirstOrThrow();
  return seq;
}

/** The sum of the versions of some topics. */
export async function versionOf(db: Queries, ...topics: readonly Topic[]): Promise<number> {
  const rows = await db.selectFrom('version').select('seq').where('topic', 'in', topics).execute();
  return rows.reduce((sum, { seq }) => sum + seq, 0);
}

/** The version of all that judgement is made from: the records, and what `raiseJudged` is for. */
export function judgedSoFar(db: Queries): Promise<number> {
  return versionOf(db, 'records', 'judgement');
}

/** For what no answer is made from, such as held quotes. The first one makes the row. */
export async function raiseJudged(db: Queries): Promise<void> {
  await db
    .insertInto('version')
    .values({ topic: 'judgement', seq: 1, at: 0 })
    .onConflict((conflict) =>
      conflict.column('topic').doUpdateSet((the) => ({ seq: the('version.seq', '+', 1) })),
    )
    .execute();
}

/** The store's methods that detect changes by other processes, or that none is possible. */
export function versions(engine: Engine) {
  return {
    versions: () =>
      engine.read(async (db) => {
        const rows = await db.selectFrom('version').select(['topic', 'seq']).execute();
        const seqOf = (topic: Topic) => rows.find((row) => row.topic === topic)?.seq ?? 0;
        return { records: seqOf('records'), access: seqOf('access') };
      }),
    accountsChangedSince: (access) =>
      engine.read(async (db) => {
        const rows = await db
          .selectFrom('account')
          .select('id')
          .where('changed_seq', '>', access)
          .orderBy('changed_seq')
          .execute();
        return rows.map(({ id }) => id);
      }),
    tryWrite: ({ really }) =>
      engine.write({}, async (db) => {
        if (!really) return;
        // Writes what is there already.
        const rewrite = db.updateTable('version').set((the) => ({ at: the.ref('at') }));
        await rewrite.where('topic', '=', 'access').execute();
      }),
  } satisfies Partial<Store>;
}
