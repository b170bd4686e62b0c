import { plainTable } from '../../table.ts';

/** Columns that official rates gain. */
export const ADDED_RATE_COLUMNS = {
  /** When a publication with this figure was first read; 0 for rates of before the column. */
  read_at: 'bigint not null default 0',
} as const;

/** What was published and is no longer true (contract §21). Nothing ever changes or removes a row. */
export const CORRECTION = plainTable(['id'], {
  /** Digest of the whole content, which identifies it. */
  id: 'text not null',
  /** `publication` or `quote`. */
  kind: 'text not null',
  /** The id of a market, or the code of a currency without one. */
  market: 'text not null',
  /** '' for a quote. */
  value_date: 'text not null',
  was: 'double precision not null',
  /** Null when it was withdrawn. */
  is_now: 'double precision',
  corrected_at: 'bigint not null',
  /** A code. */
  why: 'text not null',
});

/** One row: which process writes the static copy, and until when. */
export const EXPORTER = plainTable([], {
  token: 'bigint not null',
  holder: 'text not null',
  expires_at: 'bigint not null',
});
