import { isDeepStrictEqual } from 'node:util';
import type { Store } from '../../app/ports/store.ts';
import type { MarkupRule } from '../../domain/markup.ts';
import type { Engine, Queries } from '../engine.ts';
import { announce, isStorable, requireAccount } from './accounts.ts';
import { audited } from './audit/audited.ts';
import { markupRow, noteRemovedRule, storedRule } from './markup-rows.ts';

export function markups(engine: Engine) {
  return {
    listMarkups: (accountId) => engine.read((db) => markupsOf(db, accountId, 'tag')),
    saveMarkup: async (accountId, rule, mode, max) => {
      const checkedIn = async (db: Queries) => {
        const rules = await markupsOf(db, accountId, 'tag');
        const former = rules.find(({ tag }) => tag === rule.tag);
        const isFull = max !== null && rules.length >= max;
        return { former, refusal: refusalOf(mode, { exists: former !== undefined, isFull }) };
      };
      const { refusal } = await engine.read(checkedIn, accountId);
      if (refusal !== undefined) return refusal;
      return audited(engine, { access: true, account: accountId }, async (db, note) => {
        await requireAccount(db, accountId);
        const { former, refusal: refused } = await checkedIn(db);
        if (refused !== undefined) return refused;
        const row = markupRow(accountId, rule);
        await db
          .insertInto('markup')
          .values({ ...row, created_seq: await nextSeq(db, accountId) })
          .onConflict((conflict) => conflict.columns(['account_id', 'tag']).doUpdateSet(row))
          .execute();
        await announce(db, accountId);
        if (!isDeepStrictEqual(former, rule)) {
          const after = { ...rule };
          note({
            what: 'markup',
            id: rule.tag,
            accountId,
            before: former ? { ...former } : null,
            after,
          });
        }
        return 'saved';
      });
    },
    deleteMarkup: async (accountId, tag) => {
      if (!isStorable(tag)) return false;
      const rules = await engine.read((db) => markupsOf(db, accountId, 'tag'), accountId);
      if (!rules.some((rule) => rule.tag === tag)) return false;
      return audited(engine, { access: true, account: accountId }, async (db, note) => {
        const row = await db
          .deleteFrom('markup')
          .where((the) => the.and({ account_id: accountId, tag }))
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return false;
        await announce(db, accountId);
        noteRemovedRule(note, row);
        return true;
      });
    },
  } satisfies Partial<Store>;
}

function refusalOf(
  mode: Parameters<Store['saveMarkup']>[2],
  { exists, isFull }: { readonly exists: boolean; readonly isFull: boolean },
): 'exists' | 'missing' | 'full' | undefined {
  if (exists) return mode === 'create' ? 'exists' : undefined;
  if (mode === 'replace') return 'missing';
  return isFull ? 'full' : undefined;
}

async function nextSeq(db: Queries, accountId: string): Promise<number> {
  const { last } = await db
    .selectFrom('markup')
    .select((the) => the.fn.max('created_seq').as('last'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(last ?? 0) + 1;
}

/** With `created_seq` oldest first: after a downgrade of the plan those rules apply (contract §6). */
export async function markupsOf(
  db: Queries,
  accountId: string,
  order: 'created_seq' | 'tag',
): Promise<readonly MarkupRule[]> {
  const rows = await db
    .selectFrom('markup')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy(order)
    .orderBy('tag')
    .execute();
  return rows.map(storedRule);
}
