import { sql } from 'kysely';
import type { Store } from '../../../app/ports/store.ts';
import type { CountedCalls } from '../../../app/ports/usage.ts';
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
        const byEndpoint = sumsBy(counts, ({ endpoint }) => endpoint).map(endpointRow);
        for (const part of partsOf(byEndpoint, COUNTS_PER_INSERT)) {
          await addCounts(db, 'usage_day', part);
        }
        const byKey = sumsBy(counts, ({ keyId }) => keyId).map(keyRow);
        for (const part of partsOf(byKey, COUNTS_PER_INSERT)) await addCounts(db, 'key_day', part);
      }),
    usageDays: (accountId, { from, to }, keysMax) =>
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
        const { rows: keys } = await sql<{ id: string; calls: number; units: number }>`
          select key_id as id, sum(calls) as calls, sum(units) as units from key_day
          where account_id = ${accountId} and day >= ${from} and day <= ${to}
          group by key_id order by sum(calls) desc, key_id limit ${keysMax}`.execute(db);
        return {
          days: rows.map((row) => ({ ...row, day: storedDay(row.day) })),
          // PostgreSQL adds to a type that its client reads as text.
          keys: keys.map(({ id, calls, units }) => ({
            ...{ keyId: id, calls: Number(calls), units: Number(units) },
          })),
        };
      }),
    forgetUsageDaysBefore: (first) =>
      engine.write({}, async (db) => {
        for (const table of ['usage_day', 'key_day'] as const) {
          await db.deleteFrom(table).where('day', '<', first).execute();
        }
      }),
  } satisfies Partial<Store>;
}

/** The sums of each day and of what `nameOf` names: a statement may name a row only once. */
function sumsBy(
  counts: readonly CountedCalls[],
  nameOf: (count: CountedCalls) => string,
): readonly CountedCalls[] {
  const sums = new Map<string, CountedCalls>();
  for (const count of counts) {
    const name = `${count.accountId} ${count.day} ${nameOf(count)}`;
    const sum = sums.get(name);
    sums.set(name, sum === undefined ? count : added(sum, count));
  }
  // All processes update rows in the same order, so they never deadlock.
  return [...sums].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, sum]) => sum);
}

function added(sum: CountedCalls, more: CountedCalls): CountedCalls {
  return {
    ...sum,
    calls: sum.calls + more.calls,
    units: sum.units + more.units,
    clientErrors: sum.clientErrors + more.clientErrors,
    serverErrors: sum.serverErrors + more.serverErrors,
  };
}

function endpointRow(count: CountedCalls): Tables['usage_day'] {
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

function keyRow({ accountId, day, keyId, calls, units }: CountedCalls): Tables['key_day'] {
  return { account_id: accountId, day, key_id: keyId, calls, units };
}

function storedDay(text: string): UtcDay {
  const day = parseUtcDay(text);
  if (day === undefined) throw new Error(`usage_day holds the day "${text}".`);
  return day;
}
