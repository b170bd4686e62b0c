import { clusteredTable } from '../../table.ts';

/** What is remembered of the published quotes of each market without value dates (contract §8). */
export const QUOTE_STATE = clusteredTable(['market'], {
  market: 'text not null',
  /** When the current figures were first read. */
  unchanged_since: 'bigint not null',
  /** The last figure that a second voice supported, and when; null without any. */
  supported_mid: 'double precision',
  supported_at: 'bigint',
  /** When a figure that drifted too far was read last; null when the current one did not. */
  drifted_at: 'bigint',
  /** JSON of the step of its origin that no other has followed; null without one. */
  step: 'text',
});
