import type { UsageWindow } from '../app/ports/usage.ts';

/**
 * The types of the tables. Instants are milliseconds since the epoch, days are `YYYY-MM-DD`, flags
 * are 0 or 1, and lists are JSON text, so that both databases return the same values.
 */

/** Absent sides are 0 and an absent day is '': all but `observed_at` is in the key. */
export interface CaptureColumns {
  market: number;
  captured_at: number;
  updated_at: number;
  mid: number;
  ask: number;
  bid: number;
  effective_date: string;
  /**
   * When an official rate was last read, because it may be read before it takes effect. Of several
   * with the same effect the last read one wins. 0 for other quotes.
   */
  observed_at: number;
}

/** The position of a record: its batch, and its line in the batch. It orders captures of one instant. */
export interface RecordPosition {
  batch: number;
  line: number;
}

export type CaptureTable = CaptureColumns & RecordPosition;

/** The newest observation of each value date. */
export type OfficialRateTable = CaptureColumns;

export interface PublicationTable extends RecordPosition {
  /** SHA-256 of the whole content, which identifies it. */
  digest: string;
  value_date: string;
  /** '' when the source gave none. */
  value_date_text: string;
  captured_at: number;
  rates: string;
  /** 1 when it has a currency other than USD. */
  has_others: number;
  state: 'published' | 'replaced' | 'withdrawn';
}

export interface BankTableTable extends RecordPosition {
  /** SHA-256 of the whole content, which identifies it. */
  digest: string;
  indicator_date: string;
  captured_at: number;
  rows: string;
}

export interface VersionTable {
  topic: 'records' | 'access';
  seq: number;
  /** When the newest batch was received; 0 before the first. */
  at: number;
}

export interface ApiKeyTable {
  id: string;
  account_id: string;
  digest: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  kind: string;
  label: string | null;
  /** Words separated and surrounded by spaces; null for a full key. */
  scopes: string | null;
  /** Like `scopes`, for a publishable key. */
  origins: string | null;
  allow_no_origin: number;
  requests_per_minute: number | null;
  /** The requested end; `expires_at` is earlier after a rotation. */
  lasts_until: number | null;
}

export interface MarkupTable {
  account_id: string;
  tag: string;
  kind: 'percent' | 'fixed';
  value: number;
  /** JSON list of the ids of markets. */
  markets: string;
  active: number;
  /** Rises with each new rule of an account. */
  created_seq: number;
}

/** Calls of an account to one endpoint, of all processes together. */
export interface UsageDayTable {
  account_id: string;
  /** In UTC. */
  day: string;
  /** Method and path. */
  endpoint: string;
  calls: number;
  units: number;
  client_errors: number;
  server_errors: number;
}

export interface HeldTable {
  /** Digest of the whole content, which identifies it. */
  id: string;
  source: string;
  subject: string;
  /** JSON of the record, with its `captured_at`. */
  record: string;
  captured_at: number;
  held_at: number;
  reason: string;
  message: string;
  /** As in `batch`. */
  provenance: string;
  status: 'held' | 'released' | 'rejected' | 'withdrawn';
  /** 1 while it counts towards a confirmation: no later reading of its source has disagreed. */
  counts: number;
}

export interface Tables {
  /** A row for each problem that was reported. */
  alert_told: {
    id: string;
    /** Written only, because the column has no default. */
    told_at: number;
  };
  /** One row: when the last alert was sent. */
  alert_turn: {
    id: number;
    sent_at: number;
  };
  batch: {
    /** The version of the records that the batch created. */
    id: number;
    source: string;
    received_at: number;
    /** JSON of a `Provenance`; '' for records without one. */
    provenance: string;
  };
  /** Captures refer to a market by number, because there are millions of them. */
  market: {
    number: number;
    id: string;
  };
  capture: CaptureTable;
  /**
   * The last and the first capture of each UTC day with their ordering columns, the extremes and the
   * number of captures. Only triggers write it.
   */
  capture_day: {
    market: number;
    day_start: number;
    captured_at: number;
    updated_at: number;
    observed_at: number;
    batch: number;
    line: number;
    mid: number;
    open_at: number;
    open_updated_at: number;
    open_observed_at: number;
    open_batch: number;
    open_line: number;
    open: number;
    high: number;
    low: number;
    captures: number;
  };
  official_rate: OfficialRateTable;
  publication: PublicationTable;
  bank_table: BankTableTable;
  version: VersionTable;
  account: {
    id: string;
    name: string;
    plan: string;
    /** The plan before, the last one of those that a service ran with. */
    former_plan: string | null;
    status: 'active' | 'suspended';
    created_at: number;
    /** The version of `access` that last changed the account, its keys or its rules. */
    changed_seq: number;
    /** 1 for a deleted account, whose row stays so that every process learns of the deletion. */
    deleted: number;
  };
  /** Plans that services ran with; `plan` is a `KeptPlan` as JSON. */
  kept_plan: { name: string; plan: string };
  api_key: ApiKeyTable;
  markup: MarkupTable;
  usage: {
    account_id: string;
    window: UsageWindow;
    opened_at: number;
    taken: number;
    /** 1 when a process had no units left while others still held some. */
    wanted: number;
  };
  /** Units of a process in a window, by its last report; see `UnitsShare`. */
  lease: {
    holder: string;
    account_id: string;
    window: UsageWindow;
    opened_at: number;
    /** The reserve. */
    units: number;
    allowance: number;
  };
  /** A process that holds units. */
  holder: {
    id: string;
    seen_at: number;
  };
  /** Number of key rotations of an account, by UTC day. */
  key_rotation: {
    account_id: string;
    day: string;
    rotations: number;
  };
  usage_day: UsageDayTable;
  held: HeldTable;
  source_state: {
    source: string;
    /** JSON of a `SourceState`. */
    state: string;
  };
  /** Readings of a source on a Caracas day. */
  source_day: {
    source: string;
    day: string;
    successes: number;
    failures: number;
    /** Successes with other figures than the reading before. */
    changes: number;
  };
  /** A compressed raw body. Equal bodies share a row. */
  kept_body: {
    digest: string;
    bytes: Uint8Array;
  };
  kept_reading: {
    source: string;
    read_at: number;
    /** Position of the body in the reading. */
    place: number;
    url: string;
    /** '' when the answer had none. */
    content_type: string;
    digest: string;
  };
  /** One row: the holder of the lease, and its end. */
  collector: {
    token: number;
    holder: string;
    expires_at: number;
  };
}
