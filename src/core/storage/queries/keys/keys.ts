import { sql } from 'kysely';
import { differing } from '../../../app/audit/change.ts';
import type { ApiKey, KeyChange } from '../../../app/ports/accounts.ts';
import type { Store } from '../../../app/ports/store.ts';
import { isInGrace, isLive } from '../../../domain/keys.ts';
import type { Engine, Queries } from '../../engine.ts';
import { announce, findAccount, isStorable, requireAccount } from '../accounts.ts';
import { audited, type Note } from '../audit/audited.ts';
import { markupsOf } from '../markups.ts';
import { partsOf } from '../upsert.ts';
import { checkRotation, countRotation, liveRow, refusalOfNew } from './key-limits.ts';
import { grantColumns, keyOf, keyRow, keyState, listed, noteNewKey } from './key-rows.ts';

const DEAD_KEYS_PER_TRANSACTION = 500;
const KEYS_PER_UPDATE = 500;

export function keys(engine: Engine) {
  return {
    createKey: async (key, now, limits) => {
      const refusalIn = (db: Queries) => refusalOfNew(db, key, now, limits);
      const refusal = await engine.read(refusalIn, key.accountId);
      if (refusal !== undefined) return refusal;
      return audited(engine, { access: true, account: key.accountId }, async (db, note) => {
        await requireAccount(db, key.accountId);
        const refused = await refusalIn(db);
        if (refused !== undefined) return refused;
        await db.insertInto('api_key').values(keyRow(key)).execute();
        await announce(db, key.accountId);
        noteNewKey(note, key);
        return 'created';
      });
    },
    listKeys: (accountId, { now, limit, after }) =>
      engine.read(async (db) => {
        if (!isStorable(after ?? '')) return undefined;
        const order = sql<number>`case when ${liveRow(now)} then 0 else 1 end`;
        const ofAccount = db.selectFrom('api_key').where('account_id', '=', accountId);
        const last =
          after === undefined
            ? undefined
            : await ofAccount
                .select(['created_at', 'id', order.as('place')])
                .where('id', '=', after)
                .executeTakeFirst();
        if (after !== undefined && last === undefined) return undefined;
        const rows = await ofAccount
          .selectAll()
          .$if(last !== undefined, (query) =>
            query.where(
              sql<boolean>`(${order}, created_at, id) > (${last?.place}, ${last?.created_at}, ${last?.id})`,
            ),
          )
          .orderBy(order)
          .orderBy('created_at')
          .orderBy('id')
          .limit(limit + 1)
          .execute();
        const keys = rows.slice(0, limit).map(keyOf);
        return { keys, next: rows.length > limit ? keys.at(-1)?.id : undefined };
      }),
    findKey: (id) => engine.read((db) => findKey(db, id)),
    changeKey: async (id, change, now) => {
      const liveIn = async (db: Queries) => {
        const key = await findKey(db, id);
        return key !== undefined && isLive(key, now) ? key : undefined;
      };
      const account = (await engine.read(liveIn))?.accountId;
      if (account === undefined) return false;
      return audited(engine, { access: true, account }, async (db, note) => {
        const key = await liveIn(db);
        if (key === undefined) return false;
        await changeKey(db, key, change);
        await announce(db, account);
        noteChanged(note, key, await findKey(db, id));
        return true;
      });
    },
    isKeyOrigin: (origin, now) =>
      engine.read(async (db) => {
        // A superset, because `_` in an origin matches any character here.
        const rows = await db
          .selectFrom('api_key')
          .select('origins')
          .where('kind', '=', 'publishable')
          .where('origins', 'like', `% ${origin} %`)
          .where(liveRow(now))
          .execute();
        return rows.some(({ origins }) => listed(origins).includes(origin));
      }),
    revokeKey: async (id, at) => {
      const found = await engine.read((db) => findKey(db, id));
      if (found === undefined) return false;
      return audited(engine, { access: true, account: found.accountId }, async (db, note) => {
        const key = await findKey(db, id);
        if (key === undefined) return false;
        if (key.revokedAt !== undefined) return true;
        await db.updateTable('api_key').set({ revoked_at: at }).where('id', '=', id).execute();
        await announce(db, key.accountId);
        noteChanged(note, key, { ...key, revokedAt: at });
        return true;
      });
    },
    rotateKey: async (oldId, oldExpiresAt, next, limits) => {
      const rotation = { oldId, oldExpiresAt, next, limits };
      const checkedIn = async (db: Queries) =>
        checkRotation(db, await findKey(db, oldId), rotation);
      const { refusal } = await engine.read(checkedIn, next.accountId);
      if (refusal !== undefined) return refusal;
      return audited(engine, { access: true, account: next.accountId }, async (db, note) => {
        // Again inside the transaction: of two concurrent rotations the second finds the key dead.
        const { old, refusal: refused } = await checkedIn(db);
        if (refused !== undefined) return refused;
        if (limits.maxPerDay !== null) await countRotation(db, next);
        // A rotation never extends a key that expires sooner.
        const expiresAt = Math.min(old.expiresAt ?? oldExpiresAt, oldExpiresAt);
        await db
          .updateTable('api_key')
          .set({ expires_at: expiresAt })
          .where('id', '=', oldId)
          .execute();
        await db.insertInto('api_key').values(keyRow(next)).execute();
        await announce(db, next.accountId);
        noteChanged(note, old, { ...old, expiresAt });
        noteNewKey(note, next, { replaces: oldId });
        return 'rotated';
      });
    },
    forgetDeadKeys: (before) =>
      engine.write({ access: true }, async (db) => {
        const dead = await db
          .selectFrom('api_key')
          .select('id')
          .where((eb) => eb.or([eb('revoked_at', '<', before), eb('expires_at', '<', before)]))
          .limit(DEAD_KEYS_PER_TRANSACTION)
          .execute();
        if (dead.length === 0) return 0;
        const ids = dead.map(({ id }) => id);
        await db.deleteFrom('api_key').where('id', 'in', ids).execute();
        // Publishable keys have their own minute window.
        await db.deleteFrom('usage').where('account_id', 'in', ids).execute();
        return ids.length;
      }),
    noteKeyUse: (ids, at) =>
      engine.write({ access: true }, async (db) => {
        for (const part of partsOf(ids, KEYS_PER_UPDATE)) {
          await db
            .updateTable('api_key')
            .set({ last_used_at: at })
            .where('id', 'in', part)
            .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', at)]))
            .execute();
        }
      }),
    findKeyHolder: (digest) =>
      engine.read(async (db) => {
        const row = await db
          .selectFrom('api_key')
          .selectAll()
          .where('digest', '=', digest)
          .executeTakeFirst();
        if (row === undefined) return undefined;
        const account = await findAccount(db, row.account_id);
        if (account === undefined) return undefined;
        return {
          key: keyOf(row),
          account,
          markups: await markupsOf(db, account.id, 'created_seq'),
        };
      }),
  } satisfies Partial<Store>;
}

function noteChanged(note: Note, key: ApiKey, changed: ApiKey = key): void {
  const { id, accountId } = key;
  const difference = differing(keyState(key), keyState(changed));
  if (difference !== undefined) note({ what: 'key', id, accountId, ...difference });
}

async function findKey(db: Queries, id: string): Promise<ApiKey | undefined> {
  if (!isStorable(id)) return undefined;
  const row = await db.selectFrom('api_key').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : keyOf(row);
}

async function changeKey(
  db: Queries,
  key: ApiKey,
  { label, grant, lastsUntil: next }: KeyChange,
): Promise<void> {
  const { id, expiresAt = Infinity } = key;
  // A key in its grace period stays in it: its end never equals the one that was asked for.
  const ends = isInGrace(key) ? Math.min(expiresAt, (next ?? Infinity) - 1) : next;
  const set = {
    ...(label !== undefined && { label }),
    ...(grant !== undefined && grantColumns(grant)),
    ...(next !== undefined && { lasts_until: next, expires_at: ends ?? null }),
  };
  if (Object.keys(set).length === 0) return;
  await db.updateTable('api_key').set(set).where('id', '=', id).execute();
}
