import type { Migration } from '../table.ts';

/**
 * All that judgement remembers of a market, as one value. No released version knows the columns that
 * it replaces.
 */
export const quoteMemory = {
  name: '008-quote-memory',
  release: '0.3.0',
  columns: {
    /** JSON of what is remembered of a market; null until its next quote. It replaces single columns. */
    quote_state: { memory: 'text' },
    /** Whether an operator has checked the records of a batch. */
    batch: { trusted: 'smallint not null default 0' },
  },
  statements: () =>
    ['supported_mid', 'supported_at', 'drifted_at', 'step'].map(
      (column) => `alter table quote_state drop column ${column}`,
    ),
} as const satisfies Migration;
