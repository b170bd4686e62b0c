import { sql } from 'kysely';
import type { Dialect, Migration } from '../migrate.ts';
import { triggers } from './001-triggers.ts';

/** The schema of the first release. `schema.ts` says what the columns hold. */
export const baseline: Migration = {
  name: '001-baseline',
  async up(db, dialect) {
    const statements = [...tables(dialect), ...triggers[dialect]];
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

/** A table follows those that it refers to: `vesfx move` copies them in this order. */
function tables(dialect: Dialect): readonly string[] {
  // SQLite stores the rows in their key. PostgreSQL has no such tables.
  const clustered = dialect === 'sqlite' ? 'without rowid' : '';
  const bytes = dialect === 'sqlite' ? 'blob' : 'bytea';
  return [
    `create table batch (
      id bigint primary key,
      source text not null,
      received_at bigint not null,
      provenance text not null
    )`,
    'create index batch_source on batch (source, received_at)',
    `create table market (
      number integer primary key,
      id text not null unique
    )`,
    `create table capture (
      market integer not null,
      captured_at bigint not null,
      updated_at bigint not null,
      mid double precision not null,
      ask double precision not null,
      bid double precision not null,
      effective_date text not null,
      observed_at bigint not null,
      batch bigint not null,
      line bigint not null,
      primary key (market, captured_at, updated_at, mid, ask, bid, effective_date)
    ) ${clustered}`,
    // A capture that moves to a day without any gives the day only its last capture at first.
    `create table capture_day (
      market integer not null,
      day_start bigint not null,
      captured_at bigint not null,
      updated_at bigint not null,
      observed_at bigint not null,
      batch bigint not null,
      line bigint not null,
      mid double precision not null,
      open_at bigint not null default 0,
      open_updated_at bigint not null default 0,
      open_observed_at bigint not null default 0,
      open_batch bigint not null default 0,
      open_line bigint not null default 0,
      open double precision not null default 0,
      high double precision not null default 0,
      low double precision not null default 0,
      captures bigint not null default 0,
      primary key (market, day_start)
    ) ${clustered}`,
    `create table official_rate (
      market integer not null,
      effective_date text not null,
      captured_at bigint not null,
      updated_at bigint not null,
      mid double precision not null,
      ask double precision not null,
      bid double precision not null,
      observed_at bigint not null,
      primary key (market, effective_date)
    ) ${clustered}`,
    `create table publication (
      digest text not null primary key,
      value_date text not null,
      value_date_text text not null,
      captured_at bigint not null,
      rates text not null,
      has_others integer not null,
      state text not null,
      batch bigint not null,
      line bigint not null
    )`,
    `create index publication_order
      on publication (has_others, captured_at, value_date, batch, line)`,
    'create index publication_captured on publication (captured_at)',
    'create index publication_value_date on publication (value_date, captured_at)',
    `create table bank_table (
      digest text not null primary key,
      indicator_date text not null,
      captured_at bigint not null,
      rows text not null,
      batch bigint not null,
      line bigint not null
    )`,
    'create index bank_table_order on bank_table (captured_at, indicator_date, batch, line)',
    `create table version (
      topic text not null primary key,
      seq bigint not null,
      at bigint not null
    )`,
    "insert into version (topic, seq, at) values ('records', 0, 0), ('access', 0, 0)",
    `create table held (
      id text not null primary key,
      source text not null,
      subject text not null,
      record text not null,
      captured_at bigint not null,
      held_at bigint not null,
      reason text not null,
      message text not null,
      provenance text not null,
      status text not null,
      counts integer not null
    )`,
    'create index held_order on held (status, held_at, captured_at)',
    `create table source_state (
      source text not null primary key,
      state text not null
    )`,
    `create table source_day (
      source text not null,
      day text not null,
      successes integer not null,
      failures integer not null,
      changes integer not null,
      primary key (source, day)
    )`,
    `create table kept_body (
      digest text not null primary key,
      bytes ${bytes} not null
    )`,
    `create table kept_reading (
      source text not null,
      read_at bigint not null,
      place integer not null,
      url text not null,
      content_type text not null,
      digest text not null,
      primary key (source, read_at, place)
    )`,
    'create index kept_reading_body on kept_reading (digest)',
    `create table collector (
      token bigint not null,
      holder text not null,
      expires_at bigint not null
    )`,
    "insert into collector (token, holder, expires_at) values (0, '', 0)",
    `create table alert_told (
      id text not null primary key,
      told_at bigint not null
    )`,
    `create table alert_turn (
      id integer primary key,
      sent_at bigint not null
    )`,
    `create table account (
      id text not null primary key,
      name text not null,
      plan text not null,
      former_plan text,
      status text not null,
      created_at bigint not null,
      changed_seq bigint not null,
      deleted integer not null
    )`,
    'create index account_changed on account (changed_seq)',
    `create table kept_plan (
      name text not null primary key,
      plan text not null
    )`,
    `create table api_key (
      id text not null primary key,
      account_id text not null references account (id),
      digest text not null unique,
      created_at bigint not null,
      expires_at bigint,
      revoked_at bigint,
      kind text not null,
      label text,
      scopes text,
      origins text,
      allow_no_origin integer not null,
      requests_per_minute integer,
      lasts_until bigint
    )`,
    'create index api_key_account on api_key (account_id, created_at)',
    'create index api_key_kind on api_key (kind)',
    `create table key_rotation (
      account_id text not null,
      day text not null,
      rotations integer not null,
      primary key (account_id, day)
    )`,
    `create table markup (
      account_id text not null references account (id),
      tag text not null,
      kind text not null,
      value double precision not null,
      markets text not null,
      active integer not null,
      created_seq bigint not null,
      primary key (account_id, tag)
    )`,
    `create table usage (
      account_id text not null,
      "window" text not null,
      opened_at bigint not null,
      taken bigint not null,
      wanted integer not null,
      primary key (account_id, "window", opened_at)
    ) ${clustered}`,
    `create table holder (
      id text not null primary key,
      seen_at bigint not null
    )`,
    `create table lease (
      holder text not null,
      account_id text not null,
      "window" text not null,
      opened_at bigint not null,
      units bigint not null,
      allowance bigint not null,
      primary key (holder, account_id, "window")
    ) ${clustered}`,
    'create index lease_window on lease (account_id, "window")',
    `create table usage_day (
      account_id text not null,
      day text not null,
      endpoint text not null,
      calls bigint not null,
      units bigint not null,
      client_errors bigint not null,
      server_errors bigint not null,
      primary key (account_id, day, endpoint)
    )`,
    // Old days are deleted for all accounts at once.
    'create index usage_day_day on usage_day (day)',
  ];
}
