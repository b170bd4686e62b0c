import { type Migration, plainTable } from '../table.ts';

/** When each official rate was first read, corrections, and the lease of the static copy. */
export const dataThatLeaves = {
  name: '004-official-days',
  release: '0.3.0',
  columns: {
    official_rate: {
      /** When a publication with this figure was first read; 0 for rates of before the column. */
      read_at: 'bigint not null default 0',
    },
  },
  tables: {
    /** What was published and is no longer true (contract §21). Nothing ever changes or removes a row. */
    correction: plainTable(['id'], {
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
    }),
    /** One row: which process writes the static copy, and until when. */
    exporter: plainTable([], {
      token: 'bigint not null',
      holder: 'text not null',
      expires_at: 'bigint not null',
    }),
  },
  statements: () => [
    // Of rates of before only the last reading is known.
    'update official_rate set read_at = observed_at',
    'create index correction_time on correction (corrected_at)',
    "insert into exporter (token, holder, expires_at) values (0, '', 0)",
  ],
} as const satisfies Migration;
