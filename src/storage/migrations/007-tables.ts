import { clusteredTable } from '../table.ts';

/** What is remembered of the published quotes of each market without value dates (decisions §8). */
export const QUOTE_STATE = clusteredTable(['market'], {
  market: 'text not null',
  /** When the current figures were first read. */
  unchanged_since: 'bigint not null',
  /** The last figure that a second voice supported, and when; null without any. */
  supported_mid: 'double precision',
  supported_at: 'bigint',
  /** Since when its figures drifted too far; null when they did not. */
  drift_since: 'bigint',
  /** JSON of the step of its origin that no other has followed; null without one. */
  step: 'text',
});
