import { sql } from 'kysely';
import type { AccountUse } from '../../../app/ports/accounts.ts';
import type { Store } from '../../../app/ports/store.ts';
import { utcMonthOf } from '../../../domain/time.ts';
import type { Queries } from '../../engine.ts';

interface UseRow {
  readonly id: string;
  readonly used: number;
  readonly keys: number;
  readonly last_used_at: number | null;
}

/** See `AccountStore.accountUses`. */
export async function accountUses(
  db: Queries,
  { now, id, limit }: Parameters<Store['accountUses']>[0],
): Promise<readonly AccountUse[]> {
  const { start } = utcMonthOf(now);
  const one = id === undefined ? sql`` : sql`and a.id = ${id}`;
  const most = limit === undefined ? sql`` : sql`limit ${limit}`;
  const { rows } = await sql<UseRow>`
    select a.id,
      coalesce((
        select u.taken from usage u
        where u.account_id = a.id and u."window" = 'month' and u.opened_at = ${start}
      ), 0) as used,
      (
        select count(*) from api_key k where k.account_id = a.id and k.revoked_at is null
          and (k.expires_at is null or k.expires_at > ${now})
      ) as keys,
      (select max(k.last_used_at) from api_key k where k.account_id = a.id) as last_used_at
    from account a where a.deleted = 0 ${one}
    order by used desc, a.id ${most}`.execute(db);
  return rows.map((row) => ({
    accountId: row.id,
    unitsUsed: Number(row.used),
    liveKeys: Number(row.keys),
    ...(row.last_used_at !== null && { lastUsedAt: Number(row.last_used_at) }),
  }));
}
