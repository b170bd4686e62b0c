/** Columns that the counts of units gain. */
export const ADDED_USAGE_COLUMNS = {
  /** Units that processes had and did not spend, by their last transactions. */
  spare: 'bigint not null default 0',
  /** When one last took more than its calls waited for. */
  spare_at: 'bigint not null default 0',
} as const;
