import type { CONSOLE_ERRORS_ES } from '../es/console-errors.ts';

export const CONSOLE_ERRORS_EN: typeof CONSOLE_ERRORS_ES = {
  failures: {
    network_error: 'The service did not answer. Check your connection and try again.',
    timeout: 'The service took too long to answer. Try again.',
    invalid_api_key:
      'That key does not work. Check that it is complete, or ask the operator of the service for another one.',
    account_suspended: 'The account is suspended. Contact the operator of the service.',
    key_in_grace:
      'You signed in with a key that was rotated: it can only revoke itself. Sign in with the new one.',
    scope_missing: 'Your key lacks a permission for this. Sign in with one that has it.',
    origin_not_allowed: 'Your key cannot be used on this page. Sign in with another one.',
    rate_limit_exceeded: 'Too many requests. Wait {wait} and try again.',
    quota_exceeded: 'The units of this month are used up.',
    feature_not_in_plan: 'Your plan does not include it.',
    already_exists: 'There is already a markup with that tag.',
    conflict: 'It is paused or disabled: resume it first.',
    markup_not_found:
      'That markup no longer exists: someone deleted it. If you need it, create another.',
    resource_not_found:
      'It no longer exists: someone deleted or revoked it. The list is up to date.',
    invalid_format: 'One of the values is not valid.',
    service_unavailable: 'The service is not available right now. Try again in a moment.',
    unexpected_answer:
      'The answer is not from this service: it may be from a proxy or the sign-in page of your network. Check your connection and try again.',
    other: 'Something went wrong in the service. Try again in a moment.',
  },
  fieldMissing: 'This is missing.',
  keyMissing: 'Write your key.',
  parameterRules: {
    amounts: 'Write 1 to 50 numbers greater than 0 and at most one trillion (10^12).',
    amount:
      'Write a number greater than 0 and at most one trillion (10^12), with a decimal point and nothing between thousands: 1234.56.',
  },
  valueRules: {
    future_day: 'Choose a day that has begun, written as YYYY-MM-DD.',
    wrong_pair: 'One of the two currencies must be VES, and the other a foreign one.',
    reversed_range: 'The day of `from` must not be after that of `to`.',
    not_a_day: 'Write a day that exists, as YYYY-MM-DD.',
    after_own_key: 'The key you signed in with expires sooner: choose an earlier day.',
    after_grace: 'The key was rotated: it cannot last longer than its grace period.',
    not_json: 'The body is not a valid JSON object. Check its commas and quotes.',
    not_an_object: 'The body is not a valid JSON object. Check its commas and quotes.',
  },
  nothingThatEarly: 'Nothing is stored up to that day. Choose a later one.',
  fieldRules: {
    expires_at: 'Choose a day from today on, within two years.',
    scopes: 'Tick at least one permission.',
    origins:
      'Write up to 10 exact origins: scheme and name, nothing more. For example: https://shop.example',
    tag: 'Use only lower-case letters (no accents), digits, hyphens and underscores; 32 at most.',
    value:
      'A percentage is from -99 to 1,000; a fixed amount, at most one trillion (10^12) VES. Up to 15 digits.',
    markets: 'One of the markets no longer exists. Close this form and open it again.',
  },
  scopeLacks: 'Your key lacks the permission “{name}”. Sign in with one that has it.',
  cannotChange:
    'Your key expires before the one you want to rotate, or no longer has the permission “Change the account”.',
  onlyFull: 'Only a full key can create or change another full key.',
  tooManyKeys:
    'Maximum keys of this kind in your plan: {max}, counting rotated ones that still work. Revoke or rotate one.',
  tooManyRules: 'Maximum markups in your plan: {max}. Delete one first.',
  morePlan: 'Plan {plan} allows more.',
  tooManyToday:
    'You have created all the keys that are allowed per day. Try again after 20:00, Caracas time.',
};
