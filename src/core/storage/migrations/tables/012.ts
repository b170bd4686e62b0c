import { plainTable } from '../../table.ts';

/** The calls of each key by UTC day: those of `usage_day`, told apart by key. */
export const KEY_DAY = plainTable(['account_id', 'day', 'key_id'], {
  account_id: 'text not null',
  day: 'text not null',
  key_id: 'text not null',
  calls: 'bigint not null',
  units: 'bigint not null',
});
