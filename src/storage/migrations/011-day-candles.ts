import { type Kysely, sql } from 'kysely';
import { DAY_MS } from '../../domain/time.ts';
import type { Dialect, Migration } from '../migrate.ts';

/** The remainder is taken twice because it is negative for instants before 1970. */
const startOfDay = (instant: string) =>
  `${instant} - ((${instant} % ${DAY_MS}) + ${DAY_MS}) % ${DAY_MS}`;

/** The columns that order the captures of a market, and the figure. */
const CAPTURE = ['captured_at', 'updated_at', 'observed_at', 'batch', 'line', 'mid'];
/** The same columns for the first capture of a day. */
const FIRST = ['open_at', 'open_updated_at', 'open_observed_at', 'open_batch', 'open_line', 'open'];
const ALL = ['market', 'day_start', ...CAPTURE, ...FIRST, 'high', 'low', 'captures'].join(', ');

/** The ordering columns of a table as a row value. */
const orderOf = (table: string, columns: readonly string[]) =>
  `(${columns
    .slice(0, -1)
    .map((column) => `${table}.${column}`)
    .join(', ')})`;

const taken = (columns: readonly string[], when: string) =>
  columns
    .map(
      (column) =>
        `${column} = case when ${when} then excluded.${column} else capture_day.${column} end`,
    )
    .join(', ');

const IS_LATER = `${orderOf('excluded', CAPTURE)} > ${orderOf('capture_day', CAPTURE)}`;
const IS_EARLIER = `${orderOf('excluded', FIRST)} < ${orderOf('capture_day', FIRST)}`;

/** Adds new captures to the row of their day. */
const FOLDS_IN = `
  on conflict (market, day_start) do update set
    ${taken(CAPTURE, IS_LATER)},
    ${taken(FIRST, IS_EARLIER)},
    ${taken(['high'], 'excluded.high > capture_day.high')},
    ${taken(['low'], 'excluded.low < capture_day.low')},
    captures = capture_day.captures + excluded.captures`;

/** A capture that is read again later may change which capture of its instant is the first. */
const firstOfInstant = (row: string) => `
  update capture_day set (${FIRST.slice(1).join(', ')}) = (
    select ${CAPTURE.slice(1).join(', ')} from capture c
    where c.market = ${row}.market and c.captured_at = ${row}.captured_at
    order by c.updated_at, c.observed_at, c.batch, c.line limit 1
  )`;

/** SQLite has only triggers for each row. */
async function keepOnSqlite(db: Kysely<unknown>): Promise<void> {
  const values = CAPTURE.map((column) => `new.${column}`).join(', ');
  await sql`drop trigger capture_day_insert`.execute(db);
  await sql
    .raw(`
      create trigger capture_day_insert after insert on capture begin
        insert into capture_day (${ALL})
        values (new.market, ${startOfDay('new.captured_at')}, ${values}, ${values}, new.mid,
          new.mid, 1)
        ${FOLDS_IN};
      end`)
    .execute(db);
  await sql
    .raw(`
      create trigger capture_day_open after update on capture begin
        ${firstOfInstant('new')}
        where market = new.market and day_start = ${startOfDay('new.captured_at')}
          and open_at = new.captured_at;
      end`)
    .execute(db);
}

/**
 * PostgreSQL passes all rows of a statement to one trigger call. The triggers stay and only their
 * function is replaced, because dropping a trigger would block readers.
 */
async function keepOnPostgres(db: Kysely<unknown>): Promise<void> {
  const last = CAPTURE.map((column) => `max(${column}) filter (where place = of_day)`).join(', ');
  const first = CAPTURE.map((column) => `max(${column}) filter (where place = 1)`).join(', ');
  const order = CAPTURE.slice(0, -1);
  const descending = order.map((column) => `${column} desc`).join(', ');
  const day = `market, ${startOfDay('captured_at')}`;
  const columns = CAPTURE.join(', ');
  await sql
    .raw(`
      create or replace function keep_capture_day() returns trigger language plpgsql as $$
      begin
        if current_setting('vesfx.copies_days', true) = 'on' then
          return null;
        end if;
        if tg_op = 'INSERT' then
          insert into capture_day (${ALL})
          select market, day_start, ${last}, ${first}, max(mid), min(mid), count(*)
          from (
            select s.*, ${startOfDay('captured_at')} as day_start,
              row_number() over (partition by ${day} order by ${order.join(', ')}) as place,
              count(*) over (partition by ${day}) as of_day
            from stored s
          ) as placed
          group by market, day_start
          ${FOLDS_IN};
          return null;
        end if;
        insert into capture_day (market, day_start, ${columns})
        select distinct on (${day}) ${day}, ${columns} from stored
        order by ${day}, ${descending}
        on conflict (market, day_start) do update set
          ${CAPTURE.map((column) => `${column} = excluded.${column}`).join(', ')}
        where ${IS_LATER};
        ${firstOfInstant('capture_day').replaceAll('capture_day.captured_at', 'capture_day.open_at')}
        where (market, open_at) in (select market, captured_at from stored);
        return null;
      end $$`)
    .execute(db);
}

const ADDED = [
  ...FIRST.slice(0, -1).map((column) => [column, 'bigint'] as const),
  ...['open', 'high', 'low'].map((column) => [column, 'double precision'] as const),
  ['captures', 'bigint'] as const,
];

/** The remaining captures of a day. */
const WITHIN_DAY = `c.market = d.market and c.captured_at >= d.day_start
  and c.captured_at < d.day_start + ${DAY_MS}`;

/** The days with their figures. Each capture is read once by its key. */
const FIGURES: Readonly<Record<Dialect, string>> = {
  sqlite: `
    select d.market, d.day_start, max(c.mid) as high, min(c.mid) as low, count(*) as captures
    from capture_day d cross join capture c where ${WITHIN_DAY}
    group by d.market, d.day_start`,
  postgres: `
    select d.market, d.day_start, figures.* from capture_day d cross join lateral (
      select max(c.mid) as high, min(c.mid) as low, count(*) as captures
      from capture c where ${WITHIN_DAY}
    ) as figures`,
};

/**
 * Reads the existing captures into a temporary table, while others can still read the table of
 * days.
 */
async function readDays(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const first = CAPTURE.map(
    (column, index) => `(
      select c.${column} from capture c where ${WITHIN_DAY}
      order by c.captured_at, c.updated_at, c.observed_at, c.batch, c.line limit 1
    ) as ${FIRST[index]}`,
  );
  await sql
    .raw(`
      create temporary table day_read as
      select d.*, ${first.join(', ')} from (${FIGURES[dialect]}) as d`)
    .execute(db);
}

async function fill(db: Kysely<unknown>): Promise<void> {
  for (const [column, type] of ADDED) {
    await sql
      .raw(`alter table capture_day add column ${column} ${type} not null default 0`)
      .execute(db);
  }
  const set = ADDED.map(([column]) => `${column} = r.${column}`).join(', ');
  await sql
    .raw(`
      update capture_day set ${set} from day_read r
      where r.market = capture_day.market and r.day_start = capture_day.day_start`)
    .execute(db);
  await sql`drop table day_read`.execute(db);
}

async function holdWritersUp(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  // On SQLite the migration is the only writer already.
  if (dialect === 'sqlite') return;
  await sql`lock table capture in share row exclusive mode`.execute(db);
}

/**
 * Adds the candle of each UTC day to its last capture, the close: the first capture, the extremes
 * and the count. The same triggers maintain it for every writer. Pruned captures still count. For
 * days that were pruned earlier, only the last capture is known.
 */
export const dayCandles: Migration = {
  name: '011-day-candles',
  async up(db, dialect) {
    await holdWritersUp(db, dialect);
    await readDays(db, dialect);
    await fill(db);
    await (dialect === 'sqlite' ? keepOnSqlite(db) : keepOnPostgres(db));
  },
};
