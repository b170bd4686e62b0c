import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import { LeaseLost } from '../../app/failures.ts';
import type { SourceState } from '../../app/ports/collecting.ts';
import type { Lease } from '../../app/ports/lease.ts';
import type { Store } from '../../app/ports/store.ts';
import type { SourceDay } from '../../domain/source-health.ts';
import { caracasDayOf, type Instant } from '../../domain/time.ts';
import type { Engine, Queries } from '../engine.ts';
import { storedDay, storedJson } from './record-rows.ts';
import { addCounts, upsert } from './upsert.ts';

const compressed = promisify(gzip);

export function collecting(engine: Engine) {
  return {
    leaseEnd: () =>
      engine.read(async (db) => {
        const row = await db.selectFrom('collector').select('expires_at').executeTakeFirstOrThrow();
        return row.expires_at;
      }),
    sourceStates: () =>
      engine.read(async (db) => {
        const rows = await db.selectFrom('source_state').select('state').execute();
        return rows.map(({ state }) => storedJson<SourceState>(state));
      }),
    saveSourceState: (state, lease) =>
      engine.write({ collecting: true }, async (db) => {
        await requireLease(db, lease);
        const { source, lastAttemptAt, pausedUntil } = state;
        await upsert(db, 'source_state', [{ source, state: JSON.stringify(state) }]);
        // A turn without a request does not count.
        if (lastAttemptAt === undefined || pausedUntil !== undefined) return;
        await countReading(db, state, lastAttemptAt);
      }),
    sourceDays: (since) =>
      engine.read(async (db) => {
        const rows = await db
          .selectFrom('source_day')
          .selectAll()
          .where('day', '>=', since)
          .orderBy('day')
          .orderBy('source')
          .execute();
        return rows.map((row): SourceDay => ({ ...row, day: storedDay(row.day) }));
      }),
    keepReading: async (reading, lease) => {
      // Before the lock, and off the event loop: two megabytes would block it for 0.1 s.
      const kept = await Promise.all(
        reading.bodies.map(async ({ url, bytes, contentType = '' }, place) => ({
          body: { digest: hash('sha256', bytes), bytes: await compressed(bytes) },
          place,
          url,
          contentType,
        })),
      );
      return engine.write({ collecting: true }, async (db) => {
        await requireLease(db, lease);
        for (const { body, place, url, contentType } of kept) {
          await db
            .insertInto('kept_body')
            .values(body)
            .onConflict((conflict) => conflict.doNothing())
            .execute();
          await db
            .insertInto('kept_reading')
            .values({
              source: reading.source,
              read_at: reading.readAt,
              place,
              url,
              content_type: contentType,
              digest: body.digest,
            })
            .onConflict((conflict) => conflict.doNothing())
            .execute();
        }
      });
    },
    keptReadingTimes: (source) =>
      engine.read(async (db) => {
        const rows = await db
          .selectFrom('kept_reading')
          .select('read_at')
          .distinct()
          .where('source', '=', source)
          .orderBy('read_at')
          .execute();
        return rows.map(({ read_at: readAt }) => readAt);
      }),
    keptReading: (source, readAt) =>
      engine.read(async (db) => {
        const rows = await db
          .selectFrom('kept_reading')
          .innerJoin('kept_body', 'kept_body.digest', 'kept_reading.digest')
          .select(['url', 'content_type', 'bytes'])
          .where((the) => the.and({ source, read_at: readAt }))
          .orderBy('place')
          .execute();
        if (rows.length === 0) return undefined;
        const bodies = rows.map(({ url, content_type: contentType, bytes }) => ({
          url,
          bytes: gunzipSync(bytes),
          ...(contentType !== '' && { contentType }),
        }));
        return { source, readAt, bodies };
      }),
    forgetBefore: (before, { firstDay, lease }) =>
      engine.write({ collecting: true }, async (db) => {
        await requireLease(db, lease);
        await db.deleteFrom('kept_reading').where('read_at', '<', before).execute();
        await db
          .deleteFrom('kept_body')
          .where((the) =>
            the.not(
              the.exists(
                the
                  .selectFrom('kept_reading')
                  .select('digest')
                  .whereRef('kept_reading.digest', '=', 'kept_body.digest'),
              ),
            ),
          )
          .execute();
        await db.deleteFrom('held').where('held_at', '<', before).execute();
        await db.deleteFrom('source_day').where('day', '<', firstDay).execute();
      }),
  } satisfies Partial<Store>;
}

/**
 * Called where `collecting` is claimed, so that nobody takes over the lease before the commit.
 * @throws LeaseLost when another process has taken it.
 */
export async function requireLease(db: Queries, lease: Lease | undefined): Promise<void> {
  if (lease === undefined) return;
  const { holder, token } = lease;
  const row = await db
    .selectFrom('collector')
    .select('token')
    .where((the) => the.and({ holder, token }))
    .executeTakeFirst();
  if (row === undefined) throw new LeaseLost();
}

/** Counts the reading behind `state` in its day. */
async function countReading(
  db: Queries,
  { source, failure, lastChangeAt }: SourceState,
  readAt: Instant,
): Promise<void> {
  const isGood = failure === undefined;
  const row = {
    source,
    day: caracasDayOf(readAt),
    successes: isGood ? 1 : 0,
    failures: isGood ? 0 : 1,
    changes: isGood && lastChangeAt === readAt ? 1 : 0,
  };
  await addCounts(db, 'source_day', [row]);
}
