/**
 * The version before the P2P markets were named after their providers, as its database and its
 * statements were recorded: the data for an upgrade, and the writes of processes beside it.
 */

/** Undoes the migration, so that the database is as that version left it. */
export function undoMarketNames(engine: string): string {
  const triggers =
    engine === 'SQLite'
      ? `drop trigger market_name_insert;
        drop trigger markup_markets_insert;
        drop trigger markup_markets_update;
        drop trigger markup_market_ids_update;`
      : 'drop function fill_market_name cascade; drop function fill_markup_markets cascade;';
  return `${triggers}
    drop index market_name;
    alter table market drop column name;
    alter table markup drop column market_ids;
    delete from migration where name = '007-market-names';`;
}

/** Stores a quote's capture with its batch. The market gets its number first. */
export function storesQuote(
  { market, number }: { readonly market: string; readonly number: number },
  { batch, capturedAt, mid }: { batch: number; capturedAt: number; mid: number },
): string {
  return `
    update "version" set "seq" = ${batch}, "at" = ${capturedAt} where "topic" = 'records';
    insert into "batch" ("id", "source", "received_at", "provenance")
      values (${batch}, 'criptoya', ${capturedAt}, '');
    insert into "market" ("id", "number") values ('${market}', ${number})
      on conflict do nothing;
    insert into "capture" ("market", "captured_at", "updated_at", "mid", "ask", "bid",
        "effective_date", "observed_at", "batch", "line")
      select "number", ${capturedAt}, ${capturedAt}, ${mid}, 0, 0, '', 0, ${batch}, 1
      from "market" where "id" = '${market}';`;
}

/** That version's statements for a new or changed markup rule. */
export function savesRule(accountId: string, tag: string, markets: readonly string[]): string {
  const list = JSON.stringify(markets);
  return `
    insert into "markup" ("account_id", "tag", "kind", "value", "markets", "active")
    values ('${accountId}', '${tag}', 'percent', 3.5, '${list}', 1)
    on conflict ("account_id", "tag") do update set
      "account_id" = '${accountId}', "tag" = '${tag}', "kind" = 'percent', "value" = 3.5,
      "markets" = '${list}', "active" = 1;`;
}

/** That version's statement for a held quote. */
export function holdsQuote(id: string, market: string, mid: number): string {
  const record = JSON.stringify({
    kind: 'quote',
    market,
    mid,
    captured_at: '2026-11-20T12:00:00Z',
  });
  return `
    insert into "held" ("id", "source", "subject", "record", "captured_at", "held_at", "reason",
      "message", "provenance", "status", "counts")
    values ('${id}', 'criptoya', '${market}', '${record}', 1000, 1000, 'moved',
      'mid 2000 is not within 30% of mid, 900', '', 'held', 1);`;
}

/** That version's statement for the state of a source. */
export function savesState(source: string, standing: Readonly<Record<string, object>>): string {
  const state = JSON.stringify({ source, lastAttemptAt: 1000, standing, consecutiveFailures: 0 });
  return `
    insert into "source_state" ("source", "state") values ('${source}', '${state}')
    on conflict ("source") do update set "state" = '${state}';`;
}

/** The data that it reads: its markets by number, and the rule's markets. */
export const READS_MARKETS = 'select "id", "number" from "market" order by "number"';
export const READS_RULES = 'select "tag", "markets" from "markup" order by "tag"';

/** The form of keys that the version before kinds of keys looked up. It refused all others. */
export const KEY_BEFORE_KINDS = /^vfx_live_[0-9A-Za-z]{38}$/;

/** That version's statements for storing and revoking a key. */
export function storesKey(id: string, accountId: string, digest: string): string {
  return `insert into "api_key"
    ("id", "account_id", "digest", "created_at", "expires_at", "revoked_at")
    values ('${id}', '${accountId}', '${digest}', 1000, null, null);`;
}

export function revokesKey(id: string, at: number): string {
  return `update "api_key" set "revoked_at" = ${at} where "id" = '${id}';`;
}
