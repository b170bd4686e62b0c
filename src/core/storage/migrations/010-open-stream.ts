import { clusteredTable, type Migration } from '../table.ts';

/** The open streams of each account, which count over all processes. */
export const openStreams = {
  name: '010-open-stream',
  release: '0.4.0',
  tables: {
    /** How many streams of an account each process has open (contract §23). */
    open_stream: clusteredTable(['account_id', 'holder'], {
      account_id: 'text not null',
      /** Identifies the process. */
      holder: 'text not null',
      streams: 'integer not null',
      /** When the process last said so; one that is silent for long has ended. */
      said_at: 'bigint not null',
    }),
  },
} as const satisfies Migration;
