import { clusteredTable } from '../../table.ts';

/** The newest reading of each witness for each value date. */
export const WITNESS_READING = clusteredTable(['source', 'value_date'], {
  source: 'text not null',
  value_date: 'text not null',
  read_at: 'bigint not null',
  rates: 'text not null',
});

/** Columns that tables of the baseline gain. */
export const ADDED_COLUMNS = {
  publication: {
    /** 1 when only repeated readings released it. */
    insisted: 'integer not null default 0',
  },
  held: {
    /** Codes of all its doubts with spaces between; '' for a record of before. */
    reasons: "text not null default ''",
  },
} as const;
