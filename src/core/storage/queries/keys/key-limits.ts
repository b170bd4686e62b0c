import { sql } from 'kysely';
import type { ApiKey, KeyLimits } from '../../../app/ports/accounts.ts';
import { isInGrace, isLive } from '../../../domain/keys.ts';
import { addUtcDays, instantAfter, startOfUtcDay, utcDayOf } from '../../../domain/time.ts';
import type { Queries } from '../../engine.ts';
import { upsert } from '../upsert.ts';

/** `isLive` for the rows of a query. */
export const liveRow = (now: number) =>
  sql<boolean>`revoked_at is null and (expires_at is null or expires_at > ${now})`;

/** The limit of keys that one more would exceed. */
export async function refusalOfNew(
  db: Queries,
  key: ApiKey,
  now: number,
  { maxLive, maxPerDay }: KeyLimits,
): Promise<'too_many_keys' | 'too_many_today' | undefined> {
  if (maxLive !== null && (await liveKeys(db, key, now)).count >= maxLive) return 'too_many_keys';
  const isOver = maxPerDay !== null && (await keysMadeToday(db, key)) >= maxPerDay;
  return isOver ? 'too_many_today' : undefined;
}

interface Rotation {
  readonly oldId: string;
  readonly oldExpiresAt: number;
  readonly next: ApiKey;
  readonly limits: KeyLimits;
}

/** @throws when the old key is missing, or not of the account. */
export async function checkRotation(
  db: Queries,
  old: ApiKey | undefined,
  { oldId, oldExpiresAt, next, limits: { maxLive, maxPerDay } }: Rotation,
) {
  if (old === undefined) throw new Error(`There is no key ${oldId}.`);
  if (old.accountId !== next.accountId) {
    throw new Error('A key is replaced by one of the same account.');
  }
  // The clock of the process that rotated the key before may be ahead of this one.
  const now = instantAfter(await newestKeyAt(db, next.accountId), next.createdAt);
  if (!isLive(old, now)) return { old, refusal: 'dead' } as const;
  if (maxLive !== null) {
    const live = await liveKeys(db, next, now);
    // One grace period may add a key to those of the plan.
    const isOneMore = oldExpiresAt > now && live.count > maxLive;
    // Or the old key has a successor already, and this one is another.
    const isSecond = isInGrace(old) && live.notInGrace >= maxLive;
    if (isOneMore || isSecond) return { old, refusal: 'too_many_keys' } as const;
  }
  const isOver = maxPerDay !== null && (await rotationsOfDay(db, next)) >= maxPerDay;
  return { old, refusal: isOver ? ('too_many_today' as const) : undefined };
}

/** Number of live keys of the account in the same quota: publishable or not. */
async function liveKeys(db: Queries, key: ApiKey, now: number) {
  const isPublishable = key.grant.kind === 'publishable';
  const inGrace = sql<boolean>`expires_at is not null and expires_at is distinct from lasts_until`;
  const rows = await db
    .selectFrom('api_key')
    .select(inGrace.as('in_grace'))
    .where('account_id', '=', key.accountId)
    .where('kind', isPublishable ? '=' : '<>', 'publishable')
    .where(liveRow(now))
    .execute();
  return { count: rows.length, notInGrace: rows.filter((row) => !row.in_grace).length };
}

/** When the newest key of the account was made; undefined without keys. */
async function newestKeyAt(db: Queries, accountId: string): Promise<number | undefined> {
  const { at } = await db
    .selectFrom('api_key')
    .select((eb) => eb.fn.max('created_at').as('at'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return at === null ? undefined : Number(at);
}

async function keysMadeToday(db: Queries, key: ApiKey): Promise<number> {
  const { count } = await db
    .selectFrom('api_key')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', key.accountId)
    .where('created_at', '>=', startOfUtcDay(utcDayOf(key.createdAt)))
    .executeTakeFirstOrThrow();
  return count;
}

/** Rotations by the account on the UTC day of the new key. */
async function rotationsOfDay(db: Queries, { accountId, createdAt }: ApiKey): Promise<number> {
  const counted = await db
    .selectFrom('key_rotation')
    .select('rotations')
    .where((eb) => eb.and({ account_id: accountId, day: utcDayOf(createdAt) }))
    .executeTakeFirst();
  return counted?.rotations ?? 0;
}

export async function countRotation(db: Queries, key: ApiKey): Promise<void> {
  const { accountId, createdAt } = key;
  const day = utcDayOf(createdAt);
  const rotations = (await rotationsOfDay(db, key)) + 1;
  // Keep the day before, because the clock of another process may still be in it.
  await db
    .deleteFrom('key_rotation')
    .where('account_id', '=', accountId)
    .where('day', '<', addUtcDays(day, -1))
    .execute();
  await upsert(db, 'key_rotation', [{ account_id: accountId, day, rotations }]);
}
