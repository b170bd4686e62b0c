import { clusteredTable, type Dialect, type Migration, plainTable } from '../table.ts';
import { triggers } from './001-triggers.ts';

/**
 * The tables of the first release. Instants are milliseconds since the epoch, days are `YYYY-MM-DD`,
 * flags are 0 or 1, and lists are JSON text, so that both databases return the same values.
 */

/** Of several captures of one instant the batch and the line in it say which came first. */
const POSITION = {
  batch: 'bigint not null',
  line: 'bigint not null',
} as const;

const CONTENT_DIGEST = {
  /** SHA-256 of the whole content, which identifies it. */
  digest: 'text not null',
} as const;

/** A table follows those that it refers to: `vesfx move` copies them in this order. */
const tables = {
  batch: plainTable(['id'], {
    /** The version of the records that the batch created. */
    id: 'bigint not null',
    source: 'text not null',
    received_at: 'bigint not null',
    /** JSON of a `Provenance`; '' for records without one. */
    provenance: 'text not null',
  }),
  /** Captures refer to a market by number, because there are millions of them. */
  market: plainTable(['number'], {
    number: 'integer not null',
    id: 'text not null unique',
  }),
  /** Absent sides are 0 and an absent day is '': all but `observed_at` is in the key. */
  capture: clusteredTable(
    ['market', 'captured_at', 'updated_at', 'mid', 'ask', 'bid', 'effective_date'],
    {
      market: 'integer not null',
      captured_at: 'bigint not null',
      updated_at: 'bigint not null',
      mid: 'double precision not null',
      ask: 'double precision not null',
      bid: 'double precision not null',
      effective_date: 'text not null',
      /**
       * When an official rate was last read, because it may be read before it takes effect. Of
       * several with the same effect the last read one wins. 0 for other quotes.
       */
      observed_at: 'bigint not null',
      ...POSITION,
    },
  ),
  /**
   * The last and the first capture of each UTC day with their ordering columns, the extremes and the
   * number of captures. Only triggers write it. A capture that moves to a day without any gives the
   * day only its last capture at first.
   */
  capture_day: clusteredTable(['market', 'day_start'], {
    market: 'integer not null',
    day_start: 'bigint not null',
    captured_at: 'bigint not null',
    updated_at: 'bigint not null',
    observed_at: 'bigint not null',
    ...POSITION,
    mid: 'double precision not null',
    open_at: 'bigint not null default 0',
    open_updated_at: 'bigint not null default 0',
    open_observed_at: 'bigint not null default 0',
    open_batch: 'bigint not null default 0',
    open_line: 'bigint not null default 0',
    open: 'double precision not null default 0',
    high: 'double precision not null default 0',
    low: 'double precision not null default 0',
    captures: 'bigint not null default 0',
  }),
  /** The newest observation of each value date, with the columns of a capture. */
  official_rate: clusteredTable(['market', 'effective_date'], {
    market: 'integer not null',
    effective_date: 'text not null',
    captured_at: 'bigint not null',
    updated_at: 'bigint not null',
    mid: 'double precision not null',
    ask: 'double precision not null',
    bid: 'double precision not null',
    observed_at: 'bigint not null',
  }),
  publication: plainTable(['digest'], {
    ...CONTENT_DIGEST,
    value_date: 'text not null',
    /** '' when the source gave none. */
    value_date_text: 'text not null',
    captured_at: 'bigint not null',
    rates: 'text not null',
    /** 1 when it has a currency other than USD. */
    has_others: 'integer not null',
    state: 'text not null',
    ...POSITION,
  }),
  bank_table: plainTable(['digest'], {
    ...CONTENT_DIGEST,
    indicator_date: 'text not null',
    captured_at: 'bigint not null',
    rows: 'text not null',
    ...POSITION,
  }),
  version: plainTable(['topic'], {
    topic: 'text not null',
    seq: 'bigint not null',
    /** When the newest batch was received; 0 before the first. */
    at: 'bigint not null',
  }),
  held: plainTable(['id'], {
    /** Digest of the whole content, which identifies it. */
    id: 'text not null',
    source: 'text not null',
    subject: 'text not null',
    /** JSON of the record, with its `captured_at`. */
    record: 'text not null',
    captured_at: 'bigint not null',
    held_at: 'bigint not null',
    reason: 'text not null',
    message: 'text not null',
    /** As in `batch`. */
    provenance: 'text not null',
    status: 'text not null',
    /** 1 while it counts towards a confirmation: no later reading of its source has disagreed. */
    counts: 'integer not null',
  }),
  source_state: plainTable(['source'], {
    source: 'text not null',
    /** JSON of a `SourceState`. */
    state: 'text not null',
  }),
  /** Readings of a source on a Caracas day. */
  source_day: plainTable(['source', 'day'], {
    source: 'text not null',
    day: 'text not null',
    successes: 'integer not null',
    failures: 'integer not null',
    /** Successes with other figures than the reading before. */
    changes: 'integer not null',
  }),
  /** A compressed raw body. Equal bodies share a row. */
  kept_body: plainTable(['digest'], {
    digest: 'text not null',
    bytes: 'bytes not null',
  }),
  kept_reading: plainTable(['source', 'read_at', 'place'], {
    source: 'text not null',
    read_at: 'bigint not null',
    /** Position of the body in the reading. */
    place: 'integer not null',
    url: 'text not null',
    /** '' when the answer had none. */
    content_type: 'text not null',
    digest: 'text not null',
  }),
  /** One row: the holder of the lease, and its end. */
  collector: plainTable([], {
    token: 'bigint not null',
    holder: 'text not null',
    expires_at: 'bigint not null',
  }),
  /** A row for each problem that was reported. */
  alert_told: plainTable(['id'], {
    id: 'text not null',
    /** Nothing reads it. */
    told_at: 'bigint not null',
  }),
  /** One row: when the last alert was sent. */
  alert_turn: plainTable(['id'], {
    id: 'integer not null',
    sent_at: 'bigint not null',
  }),
  account: plainTable(['id'], {
    id: 'text not null',
    name: 'text not null',
    plan: 'text not null',
    /** The plan before, the last one of those that a service ran with. */
    former_plan: 'text',
    status: 'text not null',
    created_at: 'bigint not null',
    /** The version of `access` that last changed the account, its keys or its rules. */
    changed_seq: 'bigint not null',
    /** 1 for a deleted account, whose row stays so that every process learns of the deletion. */
    deleted: 'integer not null',
  }),
  /** Plans that services ran with; `plan` is a `KeptPlan` as JSON. */
  kept_plan: plainTable(['name'], {
    name: 'text not null',
    plan: 'text not null',
  }),
  api_key: plainTable(['id'], {
    id: 'text not null',
    account_id: 'text not null references account (id)',
    digest: 'text not null unique',
    created_at: 'bigint not null',
    expires_at: 'bigint',
    revoked_at: 'bigint',
    kind: 'text not null',
    label: 'text',
    /** Words separated and surrounded by spaces; null for a full key. */
    scopes: 'text',
    /** Like `scopes`, for a publishable key. */
    origins: 'text',
    allow_no_origin: 'integer not null',
    requests_per_minute: 'integer',
    /** The requested end; `expires_at` is earlier after a rotation. */
    lasts_until: 'bigint',
  }),
  /** Number of key rotations of an account, by UTC day. */
  key_rotation: plainTable(['account_id', 'day'], {
    account_id: 'text not null',
    day: 'text not null',
    rotations: 'integer not null',
  }),
  markup: plainTable(['account_id', 'tag'], {
    account_id: 'text not null references account (id)',
    tag: 'text not null',
    kind: 'text not null',
    value: 'double precision not null',
    /** JSON list of the ids of markets. */
    markets: 'text not null',
    active: 'integer not null',
    /** Rises with each new rule of an account. */
    created_seq: 'bigint not null',
  }),
  usage: clusteredTable(['account_id', 'window', 'opened_at'], {
    account_id: 'text not null',
    window: 'text not null',
    opened_at: 'bigint not null',
    taken: 'bigint not null',
    /** 1 when a process had no units left while others still held some. */
    wanted: 'integer not null',
  }),
  /** A process that holds units. */
  holder: plainTable(['id'], {
    id: 'text not null',
    seen_at: 'bigint not null',
  }),
  /** Units of a process in a window, by its last report; see `UnitsShare`. */
  lease: clusteredTable(['holder', 'account_id', 'window'], {
    holder: 'text not null',
    account_id: 'text not null',
    window: 'text not null',
    opened_at: 'bigint not null',
    /** The reserve. */
    units: 'bigint not null',
    allowance: 'bigint not null',
  }),
  /** Calls of an account to one endpoint on a UTC day, of all processes together. */
  usage_day: plainTable(['account_id', 'day', 'endpoint'], {
    account_id: 'text not null',
    day: 'text not null',
    /** Method and path. */
    endpoint: 'text not null',
    calls: 'bigint not null',
    units: 'bigint not null',
    client_errors: 'bigint not null',
    server_errors: 'bigint not null',
  }),
};

const INDEXES = [
  'create index batch_source on batch (source, received_at)',
  `create index publication_order
    on publication (has_others, captured_at, value_date, batch, line)`,
  'create index publication_captured on publication (captured_at)',
  'create index publication_value_date on publication (value_date, captured_at)',
  'create index bank_table_order on bank_table (captured_at, indicator_date, batch, line)',
  'create index held_order on held (status, held_at, captured_at)',
  'create index kept_reading_body on kept_reading (digest)',
  'create index account_changed on account (changed_seq)',
  'create index api_key_account on api_key (account_id, created_at)',
  'create index api_key_kind on api_key (kind)',
  'create index lease_window on lease (account_id, "window")',
  // Old days are deleted for all accounts at once.
  'create index usage_day_day on usage_day (day)',
];

const FIRST_ROWS = [
  "insert into version (topic, seq, at) values ('records', 0, 0), ('access', 0, 0)",
  "insert into collector (token, holder, expires_at) values (0, '', 0)",
];

/** The schema of the first release. */
export const baseline = {
  name: '001-baseline',
  release: '0.2.0',
  tables,
  statements: (dialect: Dialect) => [...INDEXES, ...FIRST_ROWS, ...triggers[dialect]],
} satisfies Migration;
