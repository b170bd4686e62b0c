import type { Migration } from '../table.ts';

/** When each key was last used. */
export const keyUse = {
  name: '003-key-use',
  release: '0.3.0',
  columns: {
    api_key: {
      /** The minute of the last call; null before the first. */
      last_used_at: 'bigint',
    },
  },
} as const satisfies Migration;
