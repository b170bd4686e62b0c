import { type Migration, plainTable } from '../table.ts';

/** What each key of an account used. */
export const keyDays = {
  name: '012-key-day',
  release: '0.4.0',
  tables: {
    /** The calls of each key by UTC day: those of `usage_day`, told apart by key. */
    key_day: plainTable(['account_id', 'day', 'key_id'], {
      account_id: 'text not null',
      day: 'text not null',
      key_id: 'text not null',
      calls: 'bigint not null',
      units: 'bigint not null',
    }),
  },
  // Old days are deleted for all accounts at once.
  statements: () => ['create index key_day_day on key_day (day)'],
} as const satisfies Migration;
