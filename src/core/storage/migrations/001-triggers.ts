import { DAY_MS } from '../../domain/time.ts';
import type { Dialect } from '../table.ts';

/** The remainder is taken twice because it is negative for instants before 1970. */
const startOfDay = (instant: string) =>
  `${instant} - ((${instant} % ${DAY_MS}) + ${DAY_MS}) % ${DAY_MS}`;

/** The columns that order the captures of a market, and the figure. */
const CAPTURE = ['captured_at', 'updated_at', 'observed_at', 'batch', 'line', 'mid'];
const COLUMNS = CAPTURE.join(', ');
/** The same columns for the first capture of a day. */
const FIRST = ['open_at', 'open_updated_at', 'open_observed_at', 'open_batch', 'open_line', 'open'];
const ALL = ['market', 'day_start', ...CAPTURE, ...FIRST, 'high', 'low', 'captures'].join(', ');

/** The ordering columns of a table as a row value. */
const orderOf = (table: string, columns: readonly string[]) =>
  `(${columns
    .slice(0, -1)
    .map((column) => `${table}.${column}`)
    .join(', ')})`;

const IS_LATER = `${orderOf('excluded', CAPTURE)} > ${orderOf('capture_day', CAPTURE)}`;
const IS_EARLIER = `${orderOf('excluded', FIRST)} < ${orderOf('capture_day', FIRST)}`;

const takenWhen = (columns: readonly string[], when: string) =>
  columns
    .map(
      (column) =>
        `${column} = case when ${when} then excluded.${column} else capture_day.${column} end`,
    )
    .join(', ');

/** Adds new captures to the row of their day. */
const FOLDS_IN = `
  on conflict (market, day_start) do update set
    ${takenWhen(CAPTURE, IS_LATER)},
    ${takenWhen(FIRST, IS_EARLIER)},
    ${takenWhen(['high'], 'excluded.high > capture_day.high')},
    ${takenWhen(['low'], 'excluded.low < capture_day.low')},
    captures = capture_day.captures + excluded.captures`;

/** A capture that is read again later may become the last one of its day. */
const KEEPS_LAST = `
  on conflict (market, day_start) do update set
    ${CAPTURE.map((column) => `${column} = excluded.${column}`).join(', ')}
  where ${IS_LATER}`;

/** It may also change which capture of its instant is the first. */
const firstOfInstant = (market: string, capturedAt: string) => `
  update capture_day set (${FIRST.slice(1).join(', ')}) = (
    select ${CAPTURE.slice(1).join(', ')} from capture c
    where c.market = ${market} and c.captured_at = ${capturedAt}
    order by c.updated_at, c.observed_at, c.batch, c.line limit 1
  )`;

/** SQLite has only triggers for each row. */
function ofSqlite(): readonly string[] {
  const values = CAPTURE.map((column) => `new.${column}`).join(', ');
  const day = startOfDay('new.captured_at');
  return [
    `create trigger capture_day_insert after insert on capture begin
      insert into capture_day (${ALL})
      values (new.market, ${day}, ${values}, ${values}, new.mid, new.mid, 1)
      ${FOLDS_IN};
    end`,
    `create trigger capture_day_update after update on capture begin
      insert into capture_day (market, day_start, ${COLUMNS})
      values (new.market, ${day}, ${values})
      ${KEEPS_LAST};
      ${firstOfInstant('new.market', 'new.captured_at')}
      where market = new.market and day_start = ${day} and open_at = new.captured_at;
    end`,
  ];
}

/** PostgreSQL passes all rows of a statement to one trigger call. A move copies the days itself. */
function ofPostgres(): readonly string[] {
  const last = CAPTURE.map((column) => `max(${column}) filter (where place = of_day)`).join(', ');
  const first = CAPTURE.map((column) => `max(${column}) filter (where place = 1)`).join(', ');
  const order = CAPTURE.slice(0, -1);
  const day = `market, ${startOfDay('captured_at')}`;
  return [
    `create function keep_capture_day() returns trigger language plpgsql as $$
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
      insert into capture_day (market, day_start, ${COLUMNS})
      select distinct on (${day}) ${day}, ${COLUMNS} from stored
      order by ${day}, ${order.map((column) => `${column} desc`).join(', ')}
      ${KEEPS_LAST};
      ${firstOfInstant('capture_day.market', 'capture_day.open_at')}
      where (market, open_at) in (select market, captured_at from stored);
      return null;
    end $$`,
    ...['insert', 'update'].map(
      (event) => `create trigger capture_day_${event} after ${event} on capture
      referencing new table as stored
      for each statement execute function keep_capture_day()`,
    ),
  ];
}

/**
 * They maintain `capture_day`, the last capture and the candle of each UTC day, for every way of
 * storing captures, so that a year is read from a few pages instead of hundreds. Pruned captures
 * still count, and the last one of a day is never pruned.
 */
export const triggers: Readonly<Record<Dialect, readonly string[]>> = {
  sqlite: ofSqlite(),
  postgres: ofPostgres(),
};
