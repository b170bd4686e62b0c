import { clusteredTable, type Migration } from '../table.ts';

/** What judgement knew at some instants. A late reading is judged from the last one before it. */
export const quoteCheckpoints = {
  name: '013-quote-checkpoint',
  release: '0.5.0',
  tables: {
    quote_checkpoint: clusteredTable(['at'], {
      /** Up to when readings made it. */
      at: 'bigint not null',
      /** JSON of what was known of the markets without value dates. */
      markets: 'text not null',
    }),
  },
  statements: () => [
    // Quotes that count at an earlier instant than they were read.
    `create index capture_placed on capture (observed_at)
      where effective_date = '' and observed_at > captured_at`,
  ],
} as const satisfies Migration;
