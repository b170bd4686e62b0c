/**
 * What can be wrong with the service, in the order of reports: the figures first, then their
 * sources. Callers compare these names, so none is ever renamed.
 */
export const STATE_REASONS = [
  'no_figures',
  'official_stale',
  'all_quotes_stale',
  'official_missing',
  'publications_missed',
  'quotes_stale',
  'quotes_missing',
  'all_sources_failing',
  'sources_failing',
  'sources_frozen',
  'collecting_stopped',
  'database_unavailable',
  'database_not_writable',
] as const;
export type StateReasonName = (typeof STATE_REASONS)[number];

export const SERVICE_STATES = ['ok', 'degraded', 'failing'] as const;
export type ServiceStateName = (typeof SERVICE_STATES)[number];
