import type { Store } from '../../../app/ports/store.ts';
import type {
  AccountUnits,
  UnitsAsk,
  UnitsGrant,
  UnitsReport,
  UnitsShare,
} from '../../../app/ports/usage.ts';
import {
  BLOCK_SHARE,
  HOLDER_FORGOTTEN_MS,
  UNITS_LEASE_MS,
} from '../../../app/quota/lease-limits.ts';
import { HOUR_MS, type Instant, MINUTE_MS, utcMonthOf } from '../../../domain/time.ts';
import type { Engine, Queries } from '../../engine.ts';
import type { Tables } from '../../schema.ts';
import { partsOf, upsert } from '../upsert.ts';

const WINDOW_MS = { minute: MINUTE_MS, hour: HOUR_MS, account: MINUTE_MS } as const;

const LEASES_PER_UPDATE = 100;

/** The store's methods for units, counted exactly over all processes. */
export function usage(engine: Engine) {
  return {
    takeUnits: (holder, asks, options) =>
      engine.write({ usageOf: accountsOf(asks) }, async (db) => {
        await upsert(db, 'holder', [{ id: holder, seen_at: options.now }]);
        const grants: UnitsGrant[] = [];
        for (const ask of asks) grants.push(await take(db, holder, ask, options));
        return grants;
      }),
    returnUnits: (holder, returns) =>
      engine.write({ usageOf: accountsOf(returns) }, async (db) => {
        for (const units of returns) await giveBack(db, holder, units);
      }),
    renewHolder: (holder, reports, now) =>
      engine.write({ usageOf: accountsOf(reports) }, async (db) => {
        await upsert(db, 'holder', [{ id: holder, seen_at: now }]);
        const shares: (UnitsShare | undefined)[] = [];
        for (const part of partsOf(reports, LEASES_PER_UPDATE)) {
          shares.push(...(await divide(db, holder, part)));
        }
        await db
          .deleteFrom('holder')
          .where('seen_at', '<', now - HOLDER_FORGOTTEN_MS)
          .execute();
        const { holders } = await db
          .selectFrom('holder')
          .select((the) => the.fn.countAll<number>().as('holders'))
          .where('seen_at', '>', now - UNITS_LEASE_MS)
          .executeTakeFirstOrThrow();
        return { holders: Number(holders), shares };
      }),
    wantedFrom: (holder) =>
      engine.read(async (db) => {
        const rows = await db
          .selectFrom('lease')
          .innerJoin('usage', (join) =>
            join
              .onRef('usage.account_id', '=', 'lease.account_id')
              .onRef('usage.window', '=', 'lease.window')
              .onRef('usage.opened_at', '=', 'lease.opened_at'),
          )
          .select(['lease.account_id', 'lease.window'])
          .where((the) => the.and({ 'lease.holder': holder, 'usage.wanted': 1 }))
          .execute();
        return rows.map(({ account_id, window }) => ({ accountId: account_id, window }));
      }),
    monthUsage: (holder, accountId, now) =>
      engine.read(async (db) => {
        const openedAt = utcMonthOf(now).start;
        const row = await db
          .selectFrom('usage')
          .select('taken')
          .where((the) => the.and({ account_id: accountId, window: 'month', opened_at: openedAt }))
          .executeTakeFirst();
        const leases = await leasesOf(db, { accountId, window: 'month' }, openedAt);
        const others = leases.filter((lease) => lease.holder !== holder);
        const reserve = reservesOf(leases) - reservesOf(others);
        const heldElsewhere = unspentOf(others, now);
        return { openedAt, taken: row?.taken ?? 0, heldElsewhere, reserve };
      }),
  } satisfies Partial<Store>;
}

function accountsOf(list: readonly { readonly accountId: string }[]): readonly string[] {
  return list.map(({ accountId }) => accountId);
}

type OpenWindow = Pick<Tables['usage'], 'opened_at' | 'taken' | 'wanted'>;

interface Lease extends Pick<Tables['lease'], 'holder' | 'units' | 'allowance'> {
  readonly seen_at: Instant | null;
}

async function take(
  db: Queries,
  holder: string,
  ask: UnitsAsk,
  { now, reclaim }: Parameters<Store['takeUnits']>[2],
): Promise<UnitsGrant> {
  const { limit, need, want, most, held, owed } = ask;
  const open =
    (await currentWindow(db, ask, now)) ?? (await openWindow(db, ask, owed?.since ?? now));
  const { opened_at: openedAt } = open;
  const leases = await leasesOf(db, ask, openedAt);
  const others = leases.filter((lease) => lease.holder !== holder);
  const dead = reclaim ? others.filter((lease) => isDead(lease, now)) : [];
  for (const lease of dead) await dropLease(db, ask, lease.holder);
  const living = others.filter((lease) => !dead.includes(lease));

  // Without a lease row the reserve went to others. The allowance has always counted as spent.
  const own = leases.find((lease) => lease.holder === holder);
  const balance = (own?.units ?? 0) + (held?.openedAt === openedAt ? held.allowance : 0);
  const kept = Math.max(0, balance);
  let taken = Math.max(0, open.taken - reservesOf(dead)) + (owed?.units ?? 0) + (kept - balance);

  const remaining = Math.max(0, limit - taken);
  // Near the limit a grant covers only waiting calls: the rest goes where it is needed.
  const block = Math.min(want, Math.floor(remaining / BLOCK_SHARE[ask.window]));
  const granted = Math.min(remaining, Math.max(need - kept, block));
  taken += granted;
  const units = kept + granted;
  const share = shareOf(units, most);
  // Waiting calls spend their units at once.
  const isListed = units > need;

  const mayComeBack = living.length > 0;
  const wanted = need > 0 && units === 0 && mayComeBack ? 1 : open.wanted;
  const { accountId: account_id, window } = ask;
  const identity = { account_id, window, opened_at: openedAt };
  await upsert(db, 'usage', [{ ...identity, taken, wanted }]);
  if (isListed) {
    const allowance = Math.max(0, share.allowance - need);
    await upsert(db, 'lease', [{ holder, ...identity, units: share.reserve, allowance }]);
  } else if (own !== undefined) {
    await dropLease(db, ask, holder);
  }
  const heldElsewhere = unspentOf(living, now);
  return { openedAt, granted, ...share, isListed, taken, heldElsewhere, mayComeBack };
}

function shareOf(units: number, most: number): UnitsShare {
  const allowance = Math.min(units, most);
  return { allowance, reserve: units - allowance };
}

/** A heartbeat from the future is of a clock that was set back, and says as little as an old one. */
function isDead({ seen_at: seenAt }: Lease, now: Instant): boolean {
  return seenAt === null || Math.abs(now - seenAt) >= UNITS_LEASE_MS;
}

/** The window of `now`, or one just after it: a clock set back gives no second window. */
async function currentWindow(
  db: Queries,
  { accountId, window }: UnitsAsk,
  now: Instant,
): Promise<OpenWindow | undefined> {
  const ofAccount = db
    .selectFrom('usage')
    .select(['opened_at', 'taken', 'wanted'])
    .where((the) => the.and({ account_id: accountId, window }));
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

/**
 * Opens a window and removes those that it replaces. A month replaces none: a process whose clock
 * is behind may still spend units of the month before, and its count is the account's record.
 */
async function openWindow(
  db: Queries,
  { accountId, window }: UnitsAsk,
  from: Instant,
): Promise<OpenWindow> {
  const leases = db.deleteFrom('lease').where((the) => the.and({ account_id: accountId, window }));
  if (window === 'month') {
    const { start } = utcMonthOf(from);
    await leases.where('opened_at', '<', utcMonthOf(start - 1).start).execute();
    return { opened_at: start, taken: 0, wanted: 0 };
  }
  await leases.where('opened_at', '<>', from).execute();
  await db
    .deleteFrom('usage')
    .where((the) => the.and({ account_id: accountId, window }))
    .execute();
  return { opened_at: from, taken: 0, wanted: 0 };
}

type WindowOf = Pick<UnitsAsk, 'accountId' | 'window'>;

/** The units of every process in the window, with the time of its last report. */
async function leasesOf(
  db: Queries,
  { accountId, window }: WindowOf,
  openedAt: Instant,
): Promise<readonly Lease[]> {
  return db
    .selectFrom('lease')
    .leftJoin('holder', 'holder.id', 'lease.holder')
    .select(['lease.holder', 'lease.units', 'lease.allowance', 'holder.seen_at'])
    .where('lease.account_id', '=', accountId)
    .where('lease.window', '=', window)
    .where('lease.opened_at', '=', openedAt)
    .execute();
}

function reservesOf(leases: readonly Lease[]): number {
  return leases.reduce((sum, { units }) => sum + units, 0);
}

/** Unspent units by the last reports. The allowance of a dead process counts as spent. */
function unspentOf(leases: readonly Lease[], now: Instant): number {
  const living = leases.filter((lease) => !isDead(lease, now));
  return living.reduce((sum, { allowance }) => sum + allowance, reservesOf(leases));
}

async function dropLease(
  db: Queries,
  { accountId, window }: WindowOf,
  holder: string,
): Promise<void> {
  await db
    .deleteFrom('lease')
    .where((the) => the.and({ holder, account_id: accountId, window }))
    .execute();
}

/** Units of a replaced window are lost, because its row is gone. */
async function giveBack(
  db: Queries,
  holder: string,
  { accountId, window, openedAt, allowance }: AccountUnits,
): Promise<void> {
  const lease = await db
    .deleteFrom('lease')
    .where((the) => the.and({ holder, account_id: accountId, window, opened_at: openedAt }))
    .returning('units')
    .executeTakeFirst();
  const back = (lease?.units ?? 0) + allowance;
  await db
    .updateTable('usage')
    .set((the) => ({
      taken: the
        .case()
        .when('taken', '>', back)
        .then(the('taken', '-', back))
        .else(0)
        .end(),
      wanted: 0,
    }))
    .where((the) => the.and({ account_id: accountId, window, opened_at: openedAt }))
    .execute();
}

/** Divides unspent units into allowance and reserve, and records the reserves. */
async function divide(
  db: Queries,
  holder: string,
  reports: readonly UnitsReport[],
): Promise<readonly (UnitsShare | undefined)[]> {
  const known = await db
    .selectFrom('lease')
    .select(['account_id', 'window', 'opened_at', 'units'])
    .where('holder', '=', holder)
    .where(
      'account_id',
      'in',
      reports.map(({ accountId }) => accountId),
    )
    .execute();
  const reserves = new Map(
    known.map((row) => [`${row.account_id} ${row.window} ${row.opened_at}`, row.units]),
  );
  const rows: Tables['lease'][] = [];
  const shares = reports.map(({ accountId, window, openedAt, allowance, most }) => {
    const reserve = reserves.get(`${accountId} ${window} ${openedAt}`);
    if (reserve === undefined || reserve + allowance < 0) return undefined;
    const share = shareOf(reserve + allowance, most);
    const identity = { holder, account_id: accountId, window, opened_at: openedAt };
    rows.push({ ...identity, units: share.reserve, allowance: share.allowance });
    return share;
  });
  if (rows.length > 0) await upsert(db, 'lease', rows);
  return shares;
}
