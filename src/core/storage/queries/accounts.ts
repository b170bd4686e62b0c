import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { nameAsRead } from '../../app/access/account-names.ts';
import { differing } from '../../app/audit/change.ts';
import type { Account } from '../../app/ports/accounts.ts';
import type { Store } from '../../app/ports/store.ts';
import type { KeptPlan } from '../../domain/plans.ts';
import type { Engine, Queries } from '../engine.ts';
import type { Tables } from '../schema.ts';
import { audited, type Note } from './audit/audited.ts';
import { keyOf, keyRow, noteNewKey, noteRemovedKey } from './keys/key-rows.ts';
import { noteRemovedRule } from './markup-rows.ts';
import { partsOf, upsert } from './upsert.ts';
import { accountUses } from './usage/account-uses.ts';
import { raiseVersion } from './versions.ts';

/** PostgreSQL holds no zero byte and fails when asked for one, so texts are checked first. */
export function isStorable(text: string): boolean {
  return !text.includes('\0');
}

const ACCOUNTS_PER_INSERT = 250;

/** The version of `access` has no time. */
const NO_TIME = 0;

/** Marks the account as changed, so that every process reads it again with its keys and rules. */
export async function announce(db: Queries, accountId: string): Promise<void> {
  const seq = await raiseVersion(db, 'access', NO_TIME);
  await db.updateTable('account').set({ changed_seq: seq }).where('id', '=', accountId).execute();
}

export async function findAccount(db: Queries, id: string): Promise<Account | undefined> {
  if (!isStorable(id)) return undefined;
  const row = await liveAccounts(db).where('id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : accountOf(row);
}

/** @throws when there is no such account. */
export async function requireAccount(db: Queries, id: string): Promise<void> {
  if ((await findAccount(db, id)) === undefined) throw new Error(`There is no account ${id}.`);
}

function liveAccounts(db: Queries) {
  return db
    .selectFrom('account')
    .select(['id', 'name', 'plan', 'former_plan', 'status', 'created_at'])
    .where('deleted', '=', 0);
}

function accountOf({
  created_at: createdAt,
  former_plan: formerPlan,
  ...row
}: Omit<Tables['account'], 'changed_seq' | 'deleted'>): Account {
  return { ...row, createdAt, ...(formerPlan !== null && { formerPlan }) };
}

export function accounts(engine: Engine) {
  return {
    createAccount: ({ id, name, plan, status, createdAt }) =>
      audited(engine, { access: true }, async (db, note) => {
        if ((await findAccount(db, id)) !== undefined) {
          throw new Error(`There is an account ${id} already.`);
        }
        // The id of a deleted account may be used again.
        const row = { id, name, plan, former_plan: null, status, created_at: createdAt };
        await upsert(db, 'account', [{ ...row, changed_seq: 0, deleted: 0 }]);
        await announce(db, id);
        noteNewAccount(note, { id, name, plan, status });
      }),
    createAccounts: (made, beforeCommit) =>
      audited(engine, { access: true }, async (db, note) => {
        const names = new Set(made.map(({ account }) => nameAsRead(account.name)));
        const stored = await liveAccounts(db).execute();
        const taken = stored.filter(({ name }) => names.has(nameAsRead(name)));
        if (taken.length > 0) return taken.map(accountOf);
        const changed_seq = await raiseVersion(db, 'access', NO_TIME);
        for (const part of partsOf(made, ACCOUNTS_PER_INSERT)) {
          const rows = part.map(({ account: { id, name, plan, status, createdAt } }) => ({
            ...{ id, name, plan, former_plan: null, status, created_at: createdAt },
            ...{ changed_seq, deleted: 0 },
          }));
          await db.insertInto('account').values(rows).execute();
          await db
            .insertInto('api_key')
            .values(part.map(({ record }) => keyRow(record)))
            .execute();
        }
        for (const { account, record } of made) {
          noteNewAccount(note, account);
          noteNewKey(note, record);
        }
        await beforeCommit();
        return [];
      }),
    accountUses: (wanted) => engine.read((db) => accountUses(db, wanted)),
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
    keptPlans: () =>
      engine.read(async (db) => {
        const rows = await db.selectFrom('kept_plan').select('plan').orderBy('name').execute();
        // The cast is safe: only keepPlans writes there.
        return rows.map(({ plan }) => JSON.parse(plan) as KeptPlan);
      }),
    keepPlans: async (kept) => {
      const rows = kept.map((plan) => ({ name: plan.plan.name, plan: JSON.stringify(plan) }));
      const keptRows = await engine.read((db) => db.selectFrom('kept_plan').selectAll().execute());
      const isKept = (row: (typeof rows)[number]) =>
        keptRows.some((keptRow) => isDeepStrictEqual(keptRow, row));
      // A start writes nothing, unless the catalogue has changed.
      if (rows.every(isKept)) return;
      await engine.write({ access: true }, async (db) => {
        await db
          .deleteFrom('kept_plan')
          .where(sql<boolean>`name not in (select plan from account where deleted = 0)`)
          .where(sql<boolean>`name not in (select coalesce(former_plan, '') from account)`)
          .execute();
        await upsert(db, 'kept_plan', rows);
      });
    },
    findAccount: (id) => engine.read((db) => findAccount(db, id)),
    updateAccount: (id, change) =>
      audited(engine, { access: true }, async (db, note) => {
        const account = await findAccount(db, id);
        if (account === undefined) return false;
        if (change.plan === undefined && change.status === undefined) return true;
        await db
          .updateTable('account')
          .set(change)
          .$if(change.plan !== undefined, (update) => update.set('former_plan', PLAN_OF_A_SERVICE))
          .where('id', '=', id)
          .execute();
        await announce(db, id);
        const { plan, status } = account;
        const difference = differing({ plan, status }, { plan, status, ...change });
        if (difference !== undefined) note({ what: 'account', id, accountId: id, ...difference });
        return true;
      }),
    deleteAccount: (id) =>
      audited(engine, { access: true }, async (db, note) => {
        const account = await findAccount(db, id);
        if (account === undefined) return false;
        const { name, plan, status } = account;
        await removeWhatIsOf(db, id, note);
        for (const table of ['key_rotation', 'usage_day', 'key_day'] as const) {
          await db.deleteFrom(table).where('account_id', '=', id).execute();
        }
        await db
          .updateTable('account')
          .set({ deleted: 1, name: '' })
          .where('id', '=', id)
          .execute();
        await announce(db, id);
        note({ what: 'account', id, accountId: id, before: { name, plan, status }, after: null });
        return true;
      }),
  } satisfies Partial<Store>;
}

async function removeWhatIsOf(db: Queries, accountId: string, note: Note): Promise<void> {
  const keys = await db
    .deleteFrom('api_key')
    .where('account_id', '=', accountId)
    .returningAll()
    .execute();
  const rules = await db
    .deleteFrom('markup')
    .where('account_id', '=', accountId)
    .returningAll()
    .execute();
  const webhooks = await db
    .deleteFrom('webhook_endpoint')
    .where('account_id', '=', accountId)
    .returning(['id', 'url'])
    .execute();
  for (const row of keys.toSorted((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1)))
    noteRemovedKey(note, keyOf(row));
  for (const row of rules.toSorted((a, b) => a.created_seq - b.created_seq))
    noteRemovedRule(note, row);
  for (const { id, url } of webhooks.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    note({ what: 'webhook', id, accountId, before: { url }, after: null });
}

function noteNewAccount(note: Note, { id, name, plan, status }: Omit<Account, 'createdAt'>): void {
  note({ what: 'account', id, accountId: id, before: null, after: { name, plan, status } });
}

/** The account's plan if a service ran with it, else the one that was such a plan before. */
const PLAN_OF_A_SERVICE = sql<
  string | null
>`case when plan in (select name from kept_plan) then plan else former_plan end`;
