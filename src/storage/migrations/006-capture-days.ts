import { type Kysely, sql } from 'kysely';
import { DAY_MS } from '../../domain/time.ts';
import type { Migration } from '../migrate.ts';

/** The remainder is taken twice because it is negative for instants before 1970. */
const startOfDay = (instant: string) =>
  sql.raw(`${instant} - ((${instant} % ${DAY_MS}) + ${DAY_MS}) % ${DAY_MS}`);

const COLUMNS = sql.raw(
  'market, day_start, captured_at, updated_at, observed_at, batch, line, mid',
);

const KEEPS_LAST = sql`
  on conflict (market, day_start) do update set
    captured_at = excluded.captured_at, updated_at = excluded.updated_at,
    observed_at = excluded.observed_at, batch = excluded.batch, line = excluded.line,
    mid = excluded.mid
  where (excluded.captured_at, excluded.updated_at, excluded.observed_at, excluded.batch,
      excluded.line)
    > (capture_day.captured_at, capture_day.updated_at, capture_day.observed_at,
      capture_day.batch, capture_day.line)`;

const ORDER = sql.raw('captured_at desc, updated_at desc, observed_at desc, batch desc, line desc');

/** Fills the table by jumping from the last capture of a day to the last one before that day. */
async function fill(db: Kysely<unknown>): Promise<void> {
  await sql`
    with recursive last(market, at) as (
      select number, (
        select captured_at from capture where market = number order by captured_at desc limit 1
      )
      from market
      union all
      select market, (
        select c.captured_at from capture c
        where c.market = last.market and c.captured_at < ${startOfDay('last.at')}
        order by c.captured_at desc limit 1
      )
      from last where at is not null
    )
    insert into capture_day (${COLUMNS})
    select market, ${startOfDay('captured_at')}, captured_at, updated_at, observed_at, batch,
      line, mid
    from (
      select c.*, row_number() over (partition by c.market, c.captured_at order by ${ORDER}) as place
      from last
      cross join capture c
      where c.market = last.market and c.captured_at = last.at
    ) as newest
    where place = 1`.execute(db);
}

/** SQLite has only triggers for each row. */
async function keepOnSqlite(db: Kysely<unknown>): Promise<void> {
  for (const event of ['insert', 'update'] as const) {
    await sql`
      create trigger capture_day_${sql.raw(event)} after ${sql.raw(event)} on capture begin
        insert into capture_day (${COLUMNS})
        values (new.market, ${startOfDay('new.captured_at')}, new.captured_at, new.updated_at,
          new.observed_at, new.batch, new.line, new.mid)
        ${KEEPS_LAST};
      end`.execute(db);
  }
}

/** PostgreSQL passes all rows of a statement to one trigger call. */
async function keepOnPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function keep_capture_day() returns trigger language plpgsql as $$
    begin
      insert into capture_day (${COLUMNS})
      select distinct on (market, ${startOfDay('captured_at')})
        market, ${startOfDay('captured_at')}, captured_at, updated_at, observed_at, batch, line, mid
      from stored
      order by market, ${startOfDay('captured_at')}, ${ORDER}
      ${KEEPS_LAST};
      return null;
    end $$`.execute(db);
  for (const event of ['insert', 'update'] as const) {
    await sql`
      create trigger capture_day_${sql.raw(event)} after ${sql.raw(event)} on capture
      referencing new table as stored
      for each statement execute function keep_capture_day()`.execute(db);
  }
}

/**
 * The last capture of each UTC day, so that a year is read from a few pages instead of hundreds.
 * Triggers maintain the table for every writer, including processes of the previous version.
 * Pruning never removes the last capture of a day.
 */
export const captureDays: Migration = {
  name: '006-capture-days',
  async up(db, dialect) {
    await db.schema
      .createTable('capture_day')
      .addColumn('market', 'integer', (column) => column.notNull())
      .addColumn('day_start', 'bigint', (column) => column.notNull())
      .addColumn('captured_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('observed_at', 'bigint', (column) => column.notNull())
      .addColumn('batch', 'bigint', (column) => column.notNull())
      .addColumn('line', 'bigint', (column) => column.notNull())
      .addColumn('mid', 'double precision', (column) => column.notNull())
      .addPrimaryKeyConstraint('capture_day_identity', ['market', 'day_start'])
      .$call((table) => (dialect === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table))
      .execute();
    // Create the triggers first: this waits for writers and blocks new ones, so no capture is
    // missed.
    await (dialect === 'sqlite' ? keepOnSqlite(db) : keepOnPostgres(db));
    await fill(db);
  },
};
