import type { Migration } from '../table.ts';

/** How each key begins and ends, by which its owner tells it from the others. */
export const keyHints = {
  name: '005-key-hint',
  release: '0.3.0',
  columns: {
    api_key: {
      /** How the key begins and ends; null for keys of before the column. */
      hint: 'text',
    },
  },
} as const satisfies Migration;
