import { clusteredTable } from '../../table.ts';

/** How many streams of an account each process has open (contract §23). */
export const OPEN_STREAM = clusteredTable(['account_id', 'holder'], {
  account_id: 'text not null',
  /** Identifies the process. */
  holder: 'text not null',
  streams: 'integer not null',
  /** When the process last said so; one that is silent for long has ended. */
  said_at: 'bigint not null',
});
