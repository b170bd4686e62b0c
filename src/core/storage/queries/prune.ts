import { type RawBuilder, sql } from 'kysely';
import type { Lease } from '../../app/ports/lease.ts';
import type { Store } from '../../app/ports/store.ts';
import { DAY_MS } from '../../domain/time.ts';
import type { Engine, LockScope, Queries } from '../engine.ts';
import { numberOf, startOfNextPart } from './captures.ts';
import { requireLease } from './collecting.ts';

/** Captures processed in one transaction, which takes some milliseconds. */
const ROWS_PER_TRANSACTION = 1_000;
// limit: Thinned in a transaction: batches, captures | 500, 1,000 (or one instant's) | another | ROWS_PER_TRANSACTION
const BATCHES_PER_TRANSACTION = 500;

export function pruning(engine: Engine) {
  return {
    firstCaptures: () =>
      engine.read(async (db) => {
        const { rows } = await sql<{ id: string; at: number | null }>`
          select m.id, (
            select c.captured_at from capture c
            where c.market = m.number order by c.captured_at limit 1
          ) as at
          from market m order by m.number`.execute(db);
        return new Map(rows.flatMap(({ id, at }) => (at === null ? [] : [[id, at] as const])));
      }),
    thinCaptures: async (place, { dryRun, lease }) => {
      const { counts, ...stretch } = await engine.read(async (db) => {
        const ofMarket = { ...place, market: numberOf(place.market) };
        const next = await startOfNextPart(db, ofMarket, ROWS_PER_TRANSACTION);
        const known = { ...ofMarket, until: next ?? place.before };
        return { ...known, next, counts: await countStretch(db, known) };
      });
      if (!dryRun && counts.thinned > 0) {
        counts.thinned = await engine.write(scopeUnder(lease), async (db) => {
          await requireLease(db, lease);
          const result = await sql`
            delete from capture as c where ${within(stretch)} and ${IS_FOLLOWED}`.execute(db);
          return Number(result.numAffectedRows ?? 0n);
        });
      }
      return { ...counts, next: stretch.next };
    },
    // Captures after the instant belong to later batches, except official rates, which count from
    // their effect.
    referencedBatches: async (before) => {
      const referenced = new Set<number>();
      const markets = await engine.read(async (db) => {
        for (const table of ['publication', 'bank_table'] as const) {
          for (const { batch } of await db.selectFrom(table).select('batch').execute())
            referenced.add(batch);
        }
        return (
          await sql<{ number: number; dated: number }>`
            select number, case when exists (
              select 1 from official_rate o where o.market = m.number
            ) then 1 else 0 end as dated
            from market m`.execute(db)
        ).rows;
      });
      for (const { number: market, dated } of markets) {
        const end = dated === 1 ? Number.MAX_SAFE_INTEGER : before;
        let from: number | undefined = Number.MIN_SAFE_INTEGER;
        while (from !== undefined) {
          const start: number = from;
          from = await engine.read(async (db) => {
            const part = { market: sql.val(market), from: start, before: end };
            const next = await startOfNextPart(db, part, ROWS_PER_TRANSACTION);
            const rows = await db
              .selectFrom('capture')
              .select('batch')
              .distinct()
              .where('market', '=', market)
              .where('captured_at', '>=', start)
              .where('captured_at', '<', next ?? end)
              .execute();
            for (const { batch } of rows) referenced.add(batch);
            return next;
          });
        }
      }
      return referenced;
    },
    forgetBatches: ({ after, before, keep, lease }) =>
      engine.write(scopeUnder(lease), async (db) => {
        await requireLease(db, lease);
        const rows = await db
          .selectFrom('batch')
          .select(['id', 'received_at', 'source'])
          .where('id', '>', after)
          .orderBy('id')
          .limit(BATCHES_PER_TRANSACTION)
          .execute();
        const newest = await newestOf(db, new Set(rows.map(({ source }) => source)));
        const ids = rows
          .filter(({ id, received_at: at }) => at < before && !keep.has(id) && !newest.has(id))
          .map(({ id }) => id);
        if (ids.length > 0) await db.deleteFrom('batch').where('id', 'in', ids).execute();
        const last = rows.at(-1);
        const isEnd =
          rows.length < BATCHES_PER_TRANSACTION || (last?.received_at ?? before) >= before;
        return { forgotten: ids.length, next: isEnd ? undefined : last?.id };
      }),
  } satisfies Partial<Store>;
}

/** Without a lease no lock is needed: the last capture of a day stays in any case. */
function scopeUnder(lease: Lease | undefined): LockScope {
  return lease === undefined ? {} : { collecting: true };
}

interface Stretch {
  readonly market: RawBuilder<number>;
  readonly from: number;
  readonly until: number;
}

function within({ market, from, until }: Stretch): RawBuilder<boolean> {
  return sql`c.market = ${market} and c.captured_at >= ${from} and c.captured_at < ${until}`;
}

const DAY = sql.lit(DAY_MS);

/**
 * Whether another capture of the same UTC day and value date follows `c` in the order of captures.
 * The remainder is taken twice because it is negative for instants before 1970.
 */
const IS_FOLLOWED = sql<boolean>`exists (
  select 1 from capture l
  where l.market = c.market and l.effective_date = c.effective_date
    and l.captured_at >= c.captured_at
    and l.captured_at < c.captured_at - ((c.captured_at % ${DAY}) + ${DAY}) % ${DAY} + ${DAY}
    and (l.captured_at, l.updated_at, l.observed_at, l.batch, l.line)
      > (c.captured_at, c.updated_at, c.observed_at, c.batch, c.line))`;

async function countStretch(
  db: Queries,
  stretch: Stretch,
): Promise<{ captures: number; thinned: number }> {
  const { rows } = await sql<{ captures: number; thinned: number | null }>`
    select count(*) as captures, sum(case when ${IS_FOLLOWED} then 1 else 0 end) as thinned
    from capture c where ${within(stretch)}`.execute(db);
  return { captures: Number(rows[0]?.captures), thinned: Number(rows[0]?.thinned) };
}

/** Keep the newest batch of each source, which shows when it was last received. */
async function newestOf(db: Queries, sources: ReadonlySet<string>): Promise<ReadonlySet<number>> {
  const newest = new Set<number>();
  for (const source of sources) {
    const row = await db
      .selectFrom('batch')
      .select('id')
      .where('source', '=', source)
      .orderBy('received_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) newest.add(row.id);
  }
  return newest;
}
