/** Columns that the keys gain. */
export const HINT_COLUMN = {
  /** How the key begins and ends; null for keys of before the column. */
  hint: 'text',
} as const;
