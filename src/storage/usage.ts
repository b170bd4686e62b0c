import { UNITS_LEASE_MS } from '../app/allowances.ts';
import type { Store, UnitsAsk, UnitsGrant, UnitsReturn, UsageWindow } from '../app/ports.ts';
import { HOUR_MS, type Instant, MINUTE_MS, utcMonthOf } from '../domain/time.ts';
import type { Engine, Queries } from './engine.ts';

type Usage = Pick<Store, 'takeUnits' | 'returnUnits' | 'wantedFrom' | 'monthUsage'>;

const WINDOW_MS = { minute: MINUTE_MS, hour: HOUR_MS } as const;

/** The units of accounts, counted exactly over all processes. */
export function usage(engine: Engine): Usage {
  return {
    takeUnits: (holder, asks, now) =>
      engine.write({ usageOf: asks.map(({ accountId }) => accountId) }, async (db) => {
        const grants: UnitsGrant[] = [];
        for (const ask of asks) grants.push(await take(db, { holder, ask, now }));
        return grants;
      }),
    returnUnits: (holder, returns) =>
      engine.write({ usageOf: returns.map(({ accountId }) => accountId) }, async (db) => {
        for (const one of returns) await giveBack(db, holder, one);
      }),
    wantedFrom: (holder) => engine.read((db) => wantedFrom(db, holder)),
    monthUsage: (accountId, now) =>
      engine.read(async (db) => {
        const openedAt = utcMonthOf(now).start;
        const row = await db
          .selectFrom('usage')
          .select('taken')
          .where('account_id', '=', accountId)
          .where('window', '=', 'month')
          .where('opened_at', '=', openedAt)
          .executeTakeFirst();
        return { openedAt, taken: row?.taken ?? 0 };
      }),
  };
}

interface Take {
  readonly holder: string;
  readonly ask: UnitsAsk;
  readonly now: Instant;
}

interface OpenWindow {
  readonly opened_at: Instant;
  readonly taken: number;
  readonly wanted: number;
}

async function take(db: Queries, { holder, ask, now }: Take): Promise<UnitsGrant> {
  const open = (await currentWindow(db, ask, now)) ?? (await openWindow(db, ask, now));
  const { opened_at: openedAt } = open;
  const granted = Math.max(0, Math.min(ask.want, ask.limit - open.taken));
  const taken = open.taken + granted;
  const heldElsewhere = await unitsElsewhere(db, { holder, ask, now }, openedAt);
  const isAskedFor = ask.want > 0 && granted === 0 && heldElsewhere > 0;
  const wanted = isAskedFor ? 1 : open.wanted;
  const { accountId: account_id, window } = ask;
  await db
    .insertInto('usage')
    .values({ account_id, window, opened_at: openedAt, taken, wanted })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'window', 'opened_at']).doUpdateSet({ taken, wanted }),
    )
    .execute();
  const lease = { opened_at: openedAt, units: granted, expires_at: now + UNITS_LEASE_MS };
  await db
    .insertInto('lease')
    .values({ holder, account_id, window, ...lease })
    .onConflict((conflict) =>
      conflict.columns(['holder', 'account_id', 'window']).doUpdateSet(lease),
    )
    .execute();
  return { openedAt, granted, taken, heldElsewhere };
}

/**
 * The window that `now` falls in, if it is open. One that opened a little after `now` counts too:
 * a clock that was set back must not give the account a second window.
 */
async function currentWindow(
  db: Queries,
  { accountId, window }: UnitsAsk,
  now: Instant,
): Promise<OpenWindow | undefined> {
  const ofAccount = db
    .selectFrom('usage')
    .select(['opened_at', 'taken', 'wanted'])
    .where('account_id', '=', accountId)
    .where('window', '=', window);
  if (window === 'month') {
    return ofAccount.where('opened_at', '=', utcMonthOf(now).start).executeTakeFirst();
  }
  const length = WINDOW_MS[window];
  return ofAccount
    .where('opened_at', '>', now - length)
    .where('opened_at', '<', now + length)
    .orderBy('opened_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Clears away what the window replaces. Past months stay, as the account's record. */
async function openWindow(
  db: Queries,
  { accountId, window }: UnitsAsk,
  now: Instant,
): Promise<OpenWindow> {
  const opened_at = window === 'month' ? utcMonthOf(now).start : now;
  await db
    .deleteFrom('lease')
    .where('account_id', '=', accountId)
    .where('window', '=', window)
    .where('opened_at', '<>', opened_at)
    .execute();
  if (window !== 'month') {
    await db
      .deleteFrom('usage')
      .where('account_id', '=', accountId)
      .where('window', '=', window)
      .execute();
  }
  return { opened_at, taken: 0, wanted: 0 };
}

async function unitsElsewhere(
  db: Queries,
  { holder, ask, now }: Take,
  openedAt: Instant,
): Promise<number> {
  const { units } = await db
    .selectFrom('lease')
    .select((the) => the.fn.coalesce(the.fn.sum<number>('units'), the.lit(0)).as('units'))
    .where('account_id', '=', ask.accountId)
    .where('window', '=', ask.window)
    .where('opened_at', '=', openedAt)
    .where('holder', '<>', holder)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return units;
}

/** Units of a window that was replaced are lost with it: nothing is left to add them to. */
async function giveBack(
  db: Queries,
  holder: string,
  { accountId, window, openedAt, units }: UnitsReturn,
): Promise<void> {
  if (units > 0) {
    await db
      .updateTable('usage')
      .set((the) => ({
        taken: the
          .case()
          .when('taken', '>', units)
          .then(the('taken', '-', units))
          .else(0)
          .end(),
        wanted: 0,
      }))
      .where('account_id', '=', accountId)
      .where('window', '=', window)
      .where('opened_at', '=', openedAt)
      .execute();
  }
  await db
    .deleteFrom('lease')
    .where('holder', '=', holder)
    .where('account_id', '=', accountId)
    .where('window', '=', window)
    .where('opened_at', '=', openedAt)
    .execute();
}

async function wantedFrom(
  db: Queries,
  holder: string,
): Promise<readonly { accountId: string; window: UsageWindow }[]> {
  const rows = await db
    .selectFrom('lease')
    .innerJoin('usage', (join) =>
      join
        .onRef('usage.account_id', '=', 'lease.account_id')
        .onRef('usage.window', '=', 'lease.window')
        .onRef('usage.opened_at', '=', 'lease.opened_at'),
    )
    .select(['lease.account_id', 'lease.window'])
    .where('lease.holder', '=', holder)
    .where('usage.wanted', '=', 1)
    .execute();
  return rows.map(({ account_id, window }) => ({ accountId: account_id, window }));
}
