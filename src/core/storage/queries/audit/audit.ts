import { sql } from 'kysely';
import type { AuditedChange } from '../../../app/ports/audit.ts';
import type { Store } from '../../../app/ports/store.ts';
import type { Engine } from '../../engine.ts';
import type { Tables } from '../../schema.ts';
import { storedJson } from '../record-rows.ts';
import { audited } from './audited.ts';

// limit: Audited changes removed at once | 1,000, and those of an instant | another transaction
const CHANGES_PER_TRANSACTION = 1_000;

/** The store's methods for the audit log. */
export function audit(engine: Engine) {
  return {
    auditPage: ({ since, after, limit }) =>
      engine.read(async (db) => {
        const rows = await db
          .selectFrom('audit')
          .selectAll()
          .where('at', '>=', since)
          .$if(after !== undefined, (query) =>
            query.where(
              sql<boolean>`(at, id, place) > (${after?.at}, ${after?.id}, ${after?.place})`,
            ),
          )
          .orderBy('at')
          .orderBy('id')
          .orderBy('place')
          .limit(limit + 1)
          .execute();
        const page = rows.slice(0, limit);
        const last = page.at(-1);
        const next = rows.length > limit && last !== undefined ? last : undefined;
        return {
          changes: page.map(changeOf),
          next: next && { at: next.at, id: next.id, place: next.place },
        };
      }),
    noteChange: (change, apply) =>
      audited(engine, {}, async (_db, note) => {
        note(change);
        return apply();
      }),
    noteSettings: (change, { since, actor }) =>
      // Two processes must not look at the same time.
      audited(engine, { access: true }, async (db, note) => {
        const newest = await db
          .selectFrom('audit')
          .select(['was', 'is_now'])
          .where((the) => the.and({ what: 'settings', actor }))
          .where('at', '>=', since)
          .orderBy('at', 'desc')
          .limit(1)
          .executeTakeFirst();
        const isSame =
          newest?.was === JSON.stringify(change.before) &&
          newest.is_now === JSON.stringify(change.after);
        if (!isSame) note(change);
      }),
    forgetAudit: (before) =>
      engine.write({}, async (db) => {
        const last = await db
          .selectFrom('audit')
          .select('at')
          .where('at', '<', before)
          .orderBy('at')
          .offset(CHANGES_PER_TRANSACTION - 1)
          .limit(1)
          .executeTakeFirst();
        const result = await db
          .deleteFrom('audit')
          .where('at', '<', before)
          // All changes of an instant go at once.
          .$if(last !== undefined, (query) => query.where('at', '<=', last?.at ?? before))
          .executeTakeFirst();
        return Number(result.numDeletedRows);
      }),
  } satisfies Partial<Store>;
}

function changeOf(row: Tables['audit']): AuditedChange {
  const { at, kind, via, actor, what, target: id, account_id: accountId } = row;
  return {
    ...{ at, kind, via, actor, what, id },
    ...(accountId !== '' && { accountId }),
    before: row.was === null ? null : storedJson(row.was),
    after: row.is_now === null ? null : storedJson(row.is_now),
  };
}
