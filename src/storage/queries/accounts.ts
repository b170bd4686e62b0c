import type { Selectable } from 'kysely';
import type { Account, ApiKey } from '../../app/ports/accounts.ts';
import type { Store } from '../../app/ports/store.ts';
import type { MarkupRule } from '../../domain/markup.ts';
import type { Engine, Queries } from '../engine.ts';
import type { ApiKeyTable, MarkupTable } from '../schema.ts';
import { raiseVersion, readVersions } from './versions.ts';

type Accounts = Pick<
  Store,
  | 'createAccount'
  | 'listAccounts'
  | 'countAccounts'
  | 'findAccount'
  | 'updateAccount'
  | 'deleteAccount'
>;
type Keys = Pick<
  Store,
  'createKey' | 'listKeys' | 'findKey' | 'revokeKey' | 'rotateKey' | 'findKeyHolder'
>;
type Markups = Pick<Store, 'listMarkups' | 'saveMarkup' | 'deleteMarkup'>;
type Changes = Pick<Store, 'versions' | 'accountsChangedSince'>;

/** The version says only that something changed; nobody asks when. */
const NO_TIME = 0;

/** Tells every process of a change to the account, its keys or its rules. */
async function announce(db: Queries, accountId: string): Promise<void> {
  const seq = await raiseVersion(db, 'access', NO_TIME);
  await db.updateTable('account').set({ changed_seq: seq }).where('id', '=', accountId).execute();
}

async function findAccount(db: Queries, id: string): Promise<Account | undefined> {
  const row = await liveAccounts(db).where('id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : accountOf(row);
}

/** @throws when there is no such account: keys and rules belong to one. */
async function requireAccount(db: Queries, id: string): Promise<void> {
  if ((await findAccount(db, id)) === undefined) throw new Error(`There is no account ${id}.`);
}

function liveAccounts(db: Queries) {
  return db
    .selectFrom('account')
    .select(['id', 'name', 'plan', 'status', 'created_at'])
    .where('deleted', '=', 0);
}

function accountOf(row: Omit<Account, 'createdAt'> & { readonly created_at: number }): Account {
  const { id, name, plan, status } = row;
  return { id, name, plan, status, createdAt: row.created_at };
}

function keyOf(row: Selectable<ApiKeyTable>): ApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    digest: row.digest,
    createdAt: row.created_at,
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
    ...(row.revoked_at !== null && { revokedAt: row.revoked_at }),
  };
}

function keyRow(key: ApiKey): ApiKeyTable {
  return {
    id: key.id,
    account_id: key.accountId,
    digest: key.digest,
    created_at: key.createdAt,
    expires_at: key.expiresAt ?? null,
    revoked_at: key.revokedAt ?? null,
  };
}

/** The column holds only what `markupRow` wrote. */
function storedMarkets(text: string): readonly string[] {
  return JSON.parse(text) as readonly string[];
}

function ruleOf(row: MarkupTable): MarkupRule {
  const { tag, kind, value } = row;
  return { tag, kind, value, markets: storedMarkets(row.market_ids), active: row.active === 1 };
}

function markupRow(accountId: string, rule: MarkupRule): MarkupTable {
  return {
    account_id: accountId,
    tag: rule.tag,
    kind: rule.kind,
    value: rule.value,
    markets: '',
    market_ids: JSON.stringify(rule.markets),
    active: rule.active ? 1 : 0,
  };
}

/** The accounts themselves. */
export function accounts(engine: Engine): Accounts {
  return {
    createAccount: (account) => engine.write({ access: true }, (db) => createAccount(db, account)),
    listAccounts: () =>
      engine.read(async (db) => {
        const rows = await liveAccounts(db).orderBy('created_at').orderBy('id').execute();
        return rows.map(accountOf);
      }),
    countAccounts: () =>
      engine.read(async (db) => {
        const rows = await db
          .selectFrom('account')
          .select(['plan', (the) => the.fn.countAll<number>().as('accounts')])
          .where('deleted', '=', 0)
          .groupBy('plan')
          .orderBy('plan')
          .execute();
        return new Map(rows.map(({ plan, accounts: count }) => [plan, Number(count)]));
      }),
    findAccount: (id) => engine.read((db) => findAccount(db, id)),
    updateAccount: (id, change) =>
      engine.write({ access: true }, async (db) => {
        if ((await findAccount(db, id)) === undefined) return false;
        if (change.plan === undefined && change.status === undefined) return true;
        await db
          .updateTable('account')
          .set({
            ...(change.plan !== undefined && { plan: change.plan }),
            ...(change.status !== undefined && { status: change.status }),
          })
          .where('id', '=', id)
          .execute();
        await announce(db, id);
        return true;
      }),
    deleteAccount: (id) =>
      engine.write({ access: true }, async (db) => {
        if ((await findAccount(db, id)) === undefined) return false;
        await db.deleteFrom('api_key').where('account_id', '=', id).execute();
        await db.deleteFrom('markup').where('account_id', '=', id).execute();
        await db.deleteFrom('usage_day').where('account_id', '=', id).execute();
        await db
          .updateTable('account')
          .set({ deleted: 1, name: '' })
          .where('id', '=', id)
          .execute();
        await announce(db, id);
        return true;
      }),
  };
}

async function createAccount(db: Queries, account: Account): Promise<void> {
  const { id, name, plan, status } = account;
  const fresh = { name, plan, status, created_at: account.createdAt, changed_seq: 0, deleted: 0 };
  const result = await db
    .insertInto('account')
    .values({ id, ...fresh })
    // The id of a deleted account may be used again; its changes went on counting.
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(fresh).where('account.deleted', '=', 1),
    )
    .executeTakeFirst();
  if (result.numInsertedOrUpdatedRows !== 1n) throw new Error(`There is an account ${id} already.`);
  await announce(db, id);
}

/** The keys of accounts. */
export function keys(engine: Engine): Keys {
  return {
    createKey: (key, maxLive, now) =>
      engine.write({ access: true }, async (db) => {
        await requireAccount(db, key.accountId);
        if (maxLive !== null && (await liveKeys(db, key.accountId, now)) >= maxLive) return false;
        await db.insertInto('api_key').values(keyRow(key)).execute();
        await announce(db, key.accountId);
        return true;
      }),
    listKeys: (accountId) =>
      engine.read(async (db) => {
        const rows = await db
          .selectFrom('api_key')
          .selectAll()
          .where('account_id', '=', accountId)
          .orderBy('created_at')
          .orderBy('id')
          .execute();
        return rows.map(keyOf);
      }),
    findKey: (id) => engine.read((db) => findKey(db, id)),
    revokeKey: (id, at) =>
      engine.write({ access: true }, async (db) => {
        const key = await findKey(db, id);
        if (key === undefined) return false;
        if (key.revokedAt !== undefined) return true;
        await db.updateTable('api_key').set({ revoked_at: at }).where('id', '=', id).execute();
        await announce(db, key.accountId);
        return true;
      }),
    rotateKey: (oldId, oldExpiresAt, next, maxLive) =>
      engine.write({ access: true }, async (db) => {
        const old = await findKey(db, oldId);
        if (old === undefined) throw new Error(`There is no key ${oldId}.`);
        if (old.accountId !== next.accountId) {
          throw new Error('A key is replaced by one of the same account.');
        }
        const { createdAt: now } = next;
        // Looked at here and not before: of two rotations at once the second finds the key dead.
        if (old.revokedAt !== undefined || (old.expiresAt ?? Infinity) <= now) return 'dead';
        if (maxLive !== null && (await liveKeys(db, old.accountId, now)) >= maxLive) return 'full';
        // A rotation never prolongs the life of a key that ends sooner.
        const expiresAt = Math.min(old.expiresAt ?? oldExpiresAt, oldExpiresAt);
        await db
          .updateTable('api_key')
          .set({ expires_at: expiresAt })
          .where('id', '=', oldId)
          .execute();
        await db.insertInto('api_key').values(keyRow(next)).execute();
        await announce(db, next.accountId);
        return 'rotated';
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
        return { key: keyOf(row), account, markups: await listMarkups(db, account.id) };
      }),
  };
}

async function findKey(db: Queries, id: string): Promise<ApiKey | undefined> {
  const row = await db.selectFrom('api_key').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : keyOf(row);
}

async function liveKeys(db: Queries, accountId: string, now: number): Promise<number> {
  const { count } = await db
    .selectFrom('api_key')
    .select((the) => the.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where((the) => the.or([the('expires_at', 'is', null), the('expires_at', '>', now)]))
    .executeTakeFirstOrThrow();
  return count;
}

/** The markup rules of accounts. */
export function markups(engine: Engine): Markups {
  return {
    listMarkups: (accountId) => engine.read((db) => listMarkups(db, accountId)),
    saveMarkup: (accountId, rule, mode, max) =>
      engine.write({ access: true }, async (db) => {
        await requireAccount(db, accountId);
        const rules = await listMarkups(db, accountId);
        const exists = rules.some(({ tag }) => tag === rule.tag);
        if (exists && mode === 'create') return 'exists';
        if (!exists && mode === 'replace') return 'missing';
        if (!exists && max !== null && rules.length >= max) return 'full';
        const row = markupRow(accountId, rule);
        await db
          .insertInto('markup')
          .values(row)
          .onConflict((conflict) => conflict.columns(['account_id', 'tag']).doUpdateSet(row))
          .execute();
        await announce(db, accountId);
        return 'saved';
      }),
    deleteMarkup: (accountId, tag) =>
      engine.write({ access: true }, async (db) => {
        const result = await db
          .deleteFrom('markup')
          .where('account_id', '=', accountId)
          .where('tag', '=', tag)
          .executeTakeFirst();
        if (result.numDeletedRows === 0n) return false;
        await announce(db, accountId);
        return true;
      }),
  };
}

async function listMarkups(db: Queries, accountId: string): Promise<readonly MarkupRule[]> {
  const rows = await db
    .selectFrom('markup')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('tag')
    .execute();
  return rows.map(ruleOf);
}

/** What tells a process that others have changed something. */
export function changes(engine: Engine): Changes {
  return {
    versions: () => engine.read(readVersions),
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
  };
}
