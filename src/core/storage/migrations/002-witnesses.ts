import { clusteredTable, type Migration } from '../table.ts';

/** Readings of witnesses, how a publication came in, and every doubt about a held record. */
export const witnesses = {
  name: '002-witnesses',
  release: '0.3.0',
  columns: {
    publication: {
      /** 1 when only repeated readings released it. */
      insisted: 'integer not null default 0',
    },
    held: {
      /** Codes of all its doubts with spaces between; '' for a record of before. */
      reasons: "text not null default ''",
    },
  },
  tables: {
    /** The newest reading of each witness for each value date. */
    witness_reading: clusteredTable(['source', 'value_date'], {
      source: 'text not null',
      value_date: 'text not null',
      read_at: 'bigint not null',
      rates: 'text not null',
    }),
  },
} as const satisfies Migration;
