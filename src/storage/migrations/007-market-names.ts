import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Dialect, Migration } from '../migrate.ts';

/** The former and the current id of each P2P market. */
const RENAMED = [
  ['p2p_market_1', 'binance'],
  ['p2p_market_2', 'bingx'],
  ['p2p_market_3', 'bitget'],
  ['p2p_market_4', 'bybit'],
  ['p2p_market_5', 'mexc'],
  ['p2p_market_6', 'okx'],
  ['p2p_market_7', 'saldo'],
] as const;

type Pairs = readonly (readonly [from: string, to: string])[];

/** A column or another piece of SQL. */
const raw = (text: string): RawBuilder<string> => sql.raw(text);

/** The renamed id of a column, or the same id when it was not renamed. */
function renamed(column: string, pairs: Pairs): RawBuilder<string> {
  const cases = pairs.map(([from, to]) => `when '${from}' then '${to}'`);
  return raw(cases.length === 0 ? column : `case ${column} ${cases.join(' ')} else ${column} end`);
}

/** The text of a column in which each piece `written(from)` is replaced by `written(to)`. */
function rewritten(
  column: string,
  pairs: Pairs,
  written: (id: string) => string,
): RawBuilder<string> {
  return raw(
    pairs.reduce(
      (text, [from, to]) => `replace(${text}, '${written(from)}', '${written(to)}')`,
      column,
    ),
  );
}

/** Ids in JSON: in a list, as the market of a record, as the key of a figure. */
const inList = (id: string) => `"${id}"`;
const inRecord = (id: string) => `"market":"${id}"`;
const asKey = (id: string) => `"${id}":{`;

const swapped = (pairs: Pairs): Pairs => pairs.map(([from, to]) => [to, from]);

/**
 * `id` and `markets` keep the former names, because processes of the previous version read and
 * write them. `name` and `market_ids` have the current names. A writer sets one of each pair and
 * leaves the other empty or unchanged; the triggers fill it in.
 */
async function addColumns(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('market')
    .addColumn('name', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await db.schema
    .alterTable('markup')
    .addColumn('market_ids', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
}

/** SQLite fills in the column after the insert. */
async function keepOnSqlite(db: Kysely<unknown>, pairs: Pairs): Promise<void> {
  const back = swapped(pairs);
  await sql`
    create trigger market_name_insert after insert on market when new.name = '' or new.id = ''
    begin
      update market set
        name = case new.name when '' then ${renamed('new.id', pairs)} else new.name end,
        id = case new.id when '' then ${renamed('new.name', back)} else new.id end
      where number = new.number;
    end`.execute(db);
  const key = raw('account_id = new.account_id and tag = new.tag');
  const former = rewritten('new.market_ids', back, inList);
  const current = rewritten('new.markets', pairs, inList);
  await sql`
    create trigger markup_markets_insert after insert on markup
    when new.market_ids = '' or new.markets = ''
    begin
      update markup set
        market_ids = case new.market_ids when '' then ${current} else new.market_ids end,
        markets = case new.markets when '' then ${former} else new.markets end
      where ${key};
    end`.execute(db);
  await sql`
    create trigger markup_markets_update after update of markets on markup
    when new.markets = ''
    begin
      update markup set markets = ${former} where ${key};
    end`.execute(db);
  await sql`
    create trigger markup_market_ids_update after update of markets on markup
    when new.markets <> '' and old.markets <> '' and new.markets <> old.markets
      and new.market_ids = old.market_ids
    begin
      update markup set market_ids = ${current} where ${key};
    end`.execute(db);
}

/** PostgreSQL fills in the column before the insert. */
async function keepOnPostgres(db: Kysely<unknown>, pairs: Pairs): Promise<void> {
  const back = swapped(pairs);
  await sql`
    create function fill_market_name() returns trigger language plpgsql as $$
    begin
      if new.name = '' then
        new.name := ${renamed('new.id', pairs)};
      elsif new.id = '' then
        new.id := ${renamed('new.name', back)};
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger market_name before insert on market
    for each row execute function fill_market_name()`.execute(db);
  await sql`
    create function fill_markup_markets() returns trigger language plpgsql as $$
    begin
      if new.markets = '' then
        new.markets := ${rewritten('new.market_ids', back, inList)};
      elsif new.market_ids = '' then
        new.market_ids := ${rewritten('new.markets', pairs, inList)};
      elsif tg_op = 'UPDATE' then
        if new.markets <> old.markets and new.market_ids = old.market_ids then
          new.market_ids := ${rewritten('new.markets', pairs, inList)};
        end if;
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger markup_markets before insert or update on markup
    for each row execute function fill_markup_markets()`.execute(db);
}

/** Pairs whose new id is not already the id of another market in the database. */
async function pairsFor(db: Kysely<unknown>): Promise<Pairs> {
  const { rows } = await sql<{ id: string }>`select id from market`.execute(db);
  const taken = new Set(rows.map(({ id }) => id));
  return RENAMED.filter(([, to]) => !taken.has(to));
}

async function rewrite(db: Kysely<unknown>, pairs: Pairs): Promise<void> {
  await sql`update market set name = ${renamed('id', pairs)}`.execute(db);
  // The trigger leaves both columns unchanged here, because the former names did not change.
  await sql`update markup set market_ids = ${rewritten('markets', pairs, inList)}`.execute(db);
  await sql`update held set subject = ${renamed('subject', pairs)},
    record = ${rewritten('record', pairs, inRecord)}`.execute(db);
  await sql`update source_state set state = ${rewritten('state', pairs, asKey)}`.execute(db);
}

async function lockOnPostgres(db: Kysely<unknown>): Promise<void> {
  // Lock all tables at once, beginning with the one that a batch uses first, so that no batch waits
  // with half of its work done.
  await sql`lock table market, markup, held, source_state in access exclusive mode`.execute(db);
}

/**
 * Renames P2P markets after their providers. Captures refer to a market's number and stay
 * unchanged. Processes of the previous version keep working: they read and write the former names
 * in their columns. Former names that they write into held records and source states are resolved
 * by the aliases of the catalogue (`app/market-names.ts`).
 */
export const marketNames: Migration = {
  name: '007-market-names',
  async up(db, dialect: Dialect) {
    if (dialect === 'postgres') await lockOnPostgres(db);
    const pairs = await pairsFor(db);
    await addColumns(db);
    await (dialect === 'sqlite' ? keepOnSqlite(db, pairs) : keepOnPostgres(db, pairs));
    await rewrite(db, pairs);
    await db.schema.createIndex('market_name').on('market').columns(['name']).unique().execute();
  },
};
