/** What may go wrong, by the code of the error. */
export const FAILURE_NAMES = [
  'network_error',
  'timeout',
  'invalid_api_key',
  'account_suspended',
  'rate_limit_exceeded',
  'quota_exceeded',
  'feature_not_in_plan',
  'already_exists',
  'markup_not_found',
  'resource_not_found',
  'invalid_format',
  'other',
] as const;
export type FailureName = (typeof FAILURE_NAMES)[number];
