import { hash } from 'node:crypto';
import type { Columns, ColumnType } from '../postgres/rows.ts';
import type { Tables } from '../schema.ts';

/** A table as it is copied from one database to another: whole rows, in the order of its key. */
export interface CopiedTable {
  readonly table: string;
  readonly columns: Columns;
  /** What tells its rows apart, in the order in which they are read. */
  readonly key: readonly string[];
  /** Rows that go together in one statement. */
  readonly rowsAtOnce: number;
}

/** Most rows that are copied by one transaction. */
const ROWS_PER_COPY = 5_000;

/** The same of raw bodies, which may have a megabyte each. */
const BODIES_PER_COPY = 20;

type Plan = {
  readonly [T in keyof Tables]: {
    readonly key: readonly (keyof Tables[T])[];
    readonly columns: { readonly [C in keyof Tables[T]]: ColumnType };
  };
};

const integer = 'integer';
const bigint = 'bigint';
const double = 'double precision';
const text = 'text';

const QUOTE = {
  market: integer,
  captured_at: bigint,
  updated_at: bigint,
  mid: double,
  ask: double,
  bid: double,
  effective_date: text,
  observed_at: bigint,
} as const;
const PLACE = { batch: bigint, line: bigint } as const;

/** Every table, with those first that others refer to. The compiler holds it to the schema. */
const PLAN: Plan = {
  market: { key: ['number'], columns: { number: integer, id: text, name: text } },
  batch: {
    key: ['id'],
    columns: { id: bigint, source: text, received_at: bigint, provenance: text },
  },
  capture_day: {
    key: ['market', 'day_start'],
    columns: {
      market: integer,
      day_start: bigint,
      captured_at: bigint,
      updated_at: bigint,
      observed_at: bigint,
      ...PLACE,
      mid: double,
      open_at: bigint,
      open_updated_at: bigint,
      open_observed_at: bigint,
      open_batch: bigint,
      open_line: bigint,
      open: double,
      high: double,
      low: double,
      captures: bigint,
    },
  },
  capture: {
    key: ['market', 'captured_at', 'updated_at', 'mid', 'ask', 'bid', 'effective_date'],
    columns: { ...QUOTE, ...PLACE },
  },
  official_rate: { key: ['market', 'effective_date'], columns: QUOTE },
  publication: {
    key: ['digest'],
    columns: {
      digest: text,
      value_date: text,
      value_date_text: text,
      captured_at: bigint,
      rates: text,
      has_others: integer,
      state: text,
      ...PLACE,
    },
  },
  bank_table: {
    key: ['digest'],
    columns: { digest: text, indicator_date: text, captured_at: bigint, rows: text, ...PLACE },
  },
  version: { key: ['topic'], columns: { topic: text, seq: bigint, at: bigint } },
  account: {
    key: ['id'],
    columns: {
      id: text,
      name: text,
      plan: text,
      status: text,
      created_at: bigint,
      changed_seq: bigint,
      deleted: integer,
    },
  },
  api_key: {
    key: ['id'],
    columns: {
      id: text,
      account_id: text,
      digest: text,
      created_at: bigint,
      expires_at: bigint,
      revoked_at: bigint,
    },
  },
  markup: {
    key: ['account_id', 'tag'],
    columns: {
      account_id: text,
      tag: text,
      kind: text,
      value: double,
      markets: text,
      active: integer,
      market_ids: text,
      created_seq: bigint,
    },
  },
  usage: {
    key: ['account_id', 'window', 'opened_at'],
    columns: { account_id: text, window: text, opened_at: bigint, taken: bigint, wanted: integer },
  },
  lease: {
    key: ['holder', 'account_id', 'window'],
    columns: { holder: text, account_id: text, window: text, opened_at: bigint, units: bigint },
  },
  holder: { key: ['id'], columns: { id: text, seen_at: bigint } },
  usage_day: {
    key: ['account_id', 'day', 'endpoint'],
    columns: {
      account_id: text,
      day: text,
      endpoint: text,
      calls: bigint,
      units: bigint,
      client_errors: bigint,
      server_errors: bigint,
    },
  },
  key_rotation: {
    key: ['account_id', 'day'],
    columns: { account_id: text, day: text, rotations: integer },
  },
  held: {
    key: ['id'],
    columns: {
      id: text,
      source: text,
      subject: text,
      record: text,
      captured_at: bigint,
      held_at: bigint,
      reason: text,
      message: text,
      provenance: text,
      status: text,
      counts: integer,
    },
  },
  source_state: { key: ['source'], columns: { source: text, state: text } },
  source_day: {
    key: ['source', 'day'],
    columns: { source: text, day: text, successes: integer, failures: integer, changes: integer },
  },
  kept_body: { key: ['digest'], columns: { digest: text, bytes: 'bytea' } },
  kept_reading: {
    key: ['source', 'read_at', 'place'],
    columns: {
      source: text,
      read_at: bigint,
      place: integer,
      url: text,
      content_type: text,
      digest: text,
    },
  },
  alert_told: { key: ['id'], columns: { id: text, told_at: bigint } },
  alert_turn: { key: ['id'], columns: { id: integer, sent_at: bigint } },
  collector: { key: ['token'], columns: { token: bigint, holder: text, expires_at: bigint } },
};

export const COPIED_TABLES: readonly CopiedTable[] = Object.entries(PLAN).map(
  ([table, { key, columns }]) => ({
    table,
    key,
    columns: Object.entries(columns),
    rowsAtOnce: table === 'kept_body' ? BODIES_PER_COPY : ROWS_PER_COPY,
  }),
);

/** The values of a row, in the order of the table's columns. */
export type Row = readonly unknown[];

/** The key of a row, as the next read begins behind it. */
export function keyOf({ columns, key }: CopiedTable, row: Row): readonly unknown[] {
  return key.map((name) => row[columns.findIndex(([column]) => column === name)]);
}

/** The `select` of the next rows behind a key; with `after` 0 of the first rows. */
export function selectOf(
  { table, columns, key, rowsAtOnce }: CopiedTable,
  after: number,
  place: (index: number) => string,
): string {
  const names = (list: readonly string[]) => list.map((name) => `"${name}"`).join(', ');
  const marks = Array.from({ length: after }, (_, index) => place(index)).join(', ');
  const behind = after === 0 ? '' : `where (${names(key)}) > (${marks})`;
  return `select ${names(columns.map(([name]) => name))} from "${table}" ${behind}
    order by ${names(key)} limit ${rowsAtOnce}`;
}

const LANES = 4;

/**
 * What all rows of a table come to, in whatever order they are read: the SHA-256 of each, added up
 * in four lanes of 32 bits. The databases sort text each in its own way.
 */
export class TableSum {
  #rows = 0;
  readonly #lanes = new Uint32Array(LANES);

  add(row: Row): void {
    const text = JSON.stringify(row.map((value) => (isBytes(value) ? digestOf(value) : value)));
    const digest = hash('sha256', text, 'buffer');
    for (let lane = 0; lane < LANES; lane += 1) {
      this.#lanes[lane] = (this.#lanes[lane] ?? 0) + digest.readUInt32BE(lane * 4);
    }
    this.#rows += 1;
  }

  get rows(): number {
    return this.#rows;
  }

  get digest(): string {
    return [...this.#lanes].map((lane) => lane.toString(16).padStart(8, '0')).join('');
  }
}

function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array;
}

function digestOf(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}
