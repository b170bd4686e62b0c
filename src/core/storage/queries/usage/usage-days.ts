import type { Store } from '../../../app/ports/store.ts';
import type { UsageDay } from '../../../app/ports/usage.ts';
import { parseUtcDay, type UtcDay } from '../../../domain/time.ts';
import type { Engine } from '../../engine.ts';
import type { Tables } from '../../schema.ts';
import { addCounts, partsOf } from '../upsert.ts';

const COUNTS_PER_INSERT = 500;

/** The store's methods for calls by day. They are for information, separate from the units. */
export function usageDays(engine: Engine) {
  return {
    addUsageDays: (counts) =>
      engine.write({}, async (db) => {
        // All processes update rows in the same order, so they never deadlock.
        const rows = counts.map(rowOf).sort(byIdentity);
        for (const part of partsOf(rows, COUNTS_PER_INSERT)) {
          await addCounts(db, 'usage_day', part);
        }
      }),
    usageDays: (accountId, { from, to }) =>
      engine.read(async (db) => {
        const rows = await db
          .selectFrom('usage_day')
          .select(['account_id as accountId', 'day', 'endpoint', 'calls', 'units'])
          .select(['client_errors as clientErrors', 'server_errors as serverErrors'])
          .where('account_id', '=', accountId)
          .where('day', '>=', from)
          .where('day', '<=', to)
          .orderBy('day')
          .orderBy('endpoint')
          .execute();
        return rows.map((row) => ({ ...row, day: storedDay(row.day) }));
      }),
    forgetUsageDaysBefore: (first) =>
      engine.write({}, async (db) => {
        await db.deleteFrom('usage_day').where('day', '<', first).execute();
      }),
  } satisfies Partial<Store>;
}

function rowOf(count: UsageDay): Tables['usage_day'] {
  return {
    account_id: count.accountId,
    day: count.day,
    endpoint: count.endpoint,
    calls: count.calls,
    units: count.units,
    client_errors: count.clientErrors,
    server_errors: count.serverErrors,
  };
}

function byIdentity(a: Tables['usage_day'], b: Tables['usage_day']): number {
  const [left, right] = [a, b].map((row) => `${row.account_id} ${row.day} ${row.endpoint}`);
  return (left ?? '') < (right ?? '') ? -1 : 1;
}

function storedDay(text: string): UtcDay {
  const day = parseUtcDay(text);
  if (day === undefined) throw new Error(`usage_day holds the day "${text}".`);
  return day;
}
