import type { Generated } from 'kysely';

/**
 * The tables as the queries see them. Instants are milliseconds since the epoch, days are
 * `YYYY-MM-DD`, flags are 0 or 1, and lists are JSON text, so that both databases read alike.
 */

export interface BatchTable {
  /** The version of the records that the batch made. */
  id: number;
  source: string;
  received_at: number;
  /** JSON of a `Provenance`; '' for records that come from nowhere that could be named. */
  provenance: string;
}

/** Captures hold a market's number, not its id: they are millions. */
export interface MarketTable {
  number: number;
  /** The market's id as the version before 0.2 knows it; '' on insert, and a trigger fills it in. */
  id: string;
  /** The market's id. */
  name: string;
}

/** Absent sides are 0 and an absent day is '': every column but `observed_at` is in the key. */
export interface CaptureColumns {
  market: number;
  captured_at: number;
  updated_at: number;
  mid: number;
  ask: number;
  bid: number;
  effective_date: string;
  /**
   * When an official rate was last read so, for it counts from its effect although it was read
   * before: of those that wait for one effect the last read wins. 0 for other quotes.
   */
  observed_at: number;
}

export interface CaptureTable extends CaptureColumns {
  batch: number;
  /** Place within the batch: with `batch` it decides between captures of one instant. */
  line: number;
}

/**
 * The last capture of each UTC day with all by which captures are ordered, the first one likewise,
 * the extremes and the number of captures. Triggers keep it: nothing else writes it.
 */
export interface CaptureDayTable {
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
}

/** The newest observation of each value date. */
export interface OfficialRateTable {
  market: number;
  effective_date: string;
  captured_at: number;
  updated_at: number;
  mid: number;
  ask: number;
  bid: number;
  observed_at: number;
}

export interface PublicationTable {
  /** SHA-256 of all the content, which is its identity. */
  digest: string;
  value_date: string;
  /** '' when the source gave none. */
  value_date_text: string;
  captured_at: number;
  rates: string;
  /** 1 when it has a currency besides the dollar. */
  has_others: number;
  state: 'published' | 'replaced' | 'withdrawn';
  batch: number;
  line: number;
}

export interface BankTableTable {
  /** SHA-256 of all the content, which is its identity. */
  digest: string;
  indicator_date: string;
  captured_at: number;
  rows: string;
  batch: number;
  line: number;
}

export interface VersionTable {
  topic: 'records' | 'access';
  seq: number;
  /** When the newest batch was received; 0 before the first. */
  at: number;
}

export interface AccountTable {
  id: string;
  name: string;
  plan: string;
  status: 'active' | 'suspended';
  created_at: number;
  /** The version of `access` that last changed the account, its keys or its rules. */
  changed_seq: number;
  /** 1 for what is left of a deleted account, so that every process hears of the deletion. */
  deleted: number;
}

export interface ApiKeyTable {
  id: string;
  account_id: string;
  digest: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  kind: Generated<string>;
  label: string | null;
  /** Words with spaces between and around them; null for a full key. */
  scopes: string | null;
  /** As `scopes`, of a publishable key. */
  origins: string | null;
  allow_no_origin: Generated<number>;
  requests_per_minute: number | null;
  /** When its maker lets it end; `expires_at` is sooner when it was rotated before. */
  lasts_until: number | null;
}

/** How often an account put new keys in the place of old ones, by UTC day. */
export interface KeyRotationTable {
  account_id: string;
  day: string;
  rotations: number;
}

export interface MarkupTable {
  account_id: string;
  tag: string;
  kind: 'percent' | 'fixed';
  value: number;
  /** As `market_ids`, with former ids; '' where that is written, and a trigger fills it in. */
  markets: string;
  active: number;
  /** JSON list of the ids of markets. */
  market_ids: string;
  /** Rises with each new rule of an account; 0 where the version before wrote it. */
  created_seq: Generated<number>;
}

export type WindowName = 'minute' | 'hour' | 'month' | 'account';

export interface UsageTable {
  account_id: string;
  window: WindowName;
  opened_at: number;
  taken: number;
  /** 1 when a process ran out while others still held units. */
  wanted: number;
}

/** What a process has unspent of a window, as it last said. */
export interface LeaseTable {
  holder: string;
  account_id: string;
  window: WindowName;
  opened_at: number;
  units: number;
}

/** A process that holds units. */
export interface HolderTable {
  id: string;
  seen_at: number;
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
  /** Made of all the content, which is its identity. */
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
  /** 1 while later readings of its source agree with it, none was in between that did not. */
  counts: number;
}

export interface SourceStateTable {
  source: string;
  /** JSON of a `SourceState`. */
  state: string;
}

/** Readings of a source on a day of Caracas. */
export interface SourceDayTable {
  source: string;
  day: string;
  successes: number;
  failures: number;
  /** Successes that brought other figures than the one before. */
  changes: number;
}

/** A raw body, compressed; equal ones are one. */
export interface KeptBodyTable {
  digest: string;
  bytes: Uint8Array;
}

export interface KeptReadingTable {
  source: string;
  read_at: number;
  /** Of the body among those of the reading. */
  place: number;
  url: string;
  /** '' when the answer did not say. */
  content_type: string;
  digest: string;
}

/** One row: who collects, and until when nobody else may. */
export interface CollectorTable {
  token: number;
  holder: string;
  expires_at: number;
}

export interface AlertToldTable {
  id: string;
  told_at: number;
}

/** One row: when the last message about problems went out. */
export interface AlertTurnTable {
  id: number;
  sent_at: number;
}

export interface Tables {
  alert_told: AlertToldTable;
  alert_turn: AlertTurnTable;
  batch: BatchTable;
  market: MarketTable;
  capture: CaptureTable;
  capture_day: CaptureDayTable;
  official_rate: OfficialRateTable;
  publication: PublicationTable;
  bank_table: BankTableTable;
  version: VersionTable;
  account: AccountTable;
  api_key: ApiKeyTable;
  markup: MarkupTable;
  usage: UsageTable;
  lease: LeaseTable;
  holder: HolderTable;
  key_rotation: KeyRotationTable;
  usage_day: UsageDayTable;
  held: HeldTable;
  source_state: SourceStateTable;
  source_day: SourceDayTable;
  kept_body: KeptBodyTable;
  kept_reading: KeptReadingTable;
  collector: CollectorTable;
}

/** A capture before its batch is stored; the market's number is the stage's own. */
export interface StagedCaptureTable extends CaptureColumns {
  line: number;
}

/** An entry of more than one part, kept as JSON until its batch is stored. */
export interface StagedEntryTable {
  line: number;
  entry: string;
}

/** What a large batch's own connection sees: the tables, and its temporary ones. */
export interface StageTables extends Tables {
  staged_capture: StagedCaptureTable;
  staged_entry: StagedEntryTable;
}
