/** Columns that the keys gain. */
export const ADDED_KEY_COLUMNS = {
  /** The minute of the last call; null before the first. */
  last_used_at: 'bigint',
} as const;
