/*
 * Made by scripts/client-types.ts from the OpenAPI document. Do not edit: change the declaration of
 * the endpoint and run the script.
 */

/** Every code that the service answers with. */
export const ERROR_CODES = [
  'invalid_request',
  'missing_field',
  'invalid_format',
  'unknown_parameter',
  'invalid_base',
  'invalid_against',
  'missing_api_key',
  'invalid_api_key',
  'feature_not_in_plan',
  'account_suspended',
  'history_out_of_retention',
  'resource_not_found',
  'markup_not_found',
  'bcv_snapshot_unavailable',
  'method_not_allowed',
  'request_timeout',
  'already_exists',
  'payload_too_large',
  'uri_too_long',
  'unsupported_media_type',
  'expectation_failed',
  'no_route',
  'reference_unavailable',
  'compared_unavailable',
  'rate_limit_exceeded',
  'quota_exceeded',
  'headers_too_large',
  'internal_error',
  'service_unavailable',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export interface Rates {
  country: string;
  currency: 'VES';
  base: 'USD';
  index?: Index;
  /** ISO 8601, UTC, milliseconds. */
  fetched_at: string;
  rates: Array<Rate>;
}

export interface RateWithMarkup {
  market: string;
  /** One of reference, parallel, p2p, remittance, exchange_house, cash; new ones may appear. */
  type: string;
  /** VES for one unit of the base currency. */
  mid: number;
  /** VES for one unit of the base currency. */
  ask?: number;
  /** VES for one unit of the base currency. */
  bid?: number;
  /** ISO 8601, UTC, milliseconds. */
  updated_at: string;
  mid_with_markup?: number;
  markup_applied?: {
    kind: 'percent' | 'fixed';
    value: number;
  };
}

export interface RatesWithMarkup {
  country: string;
  currency: 'VES';
  base: 'USD';
  index?: Index;
  /** ISO 8601, UTC, milliseconds. */
  fetched_at: string;
  rates: Array<RateWithMarkup>;
  markup_applied: {
    tag: string;
    kind: 'percent' | 'fixed';
    value: number;
  };
}

export type AnyRates = Rates | RatesWithMarkup;

export interface Rate {
  market: string;
  /** One of reference, parallel, p2p, remittance, exchange_house, cash; new ones may appear. */
  type: string;
  base: 'USD' | 'EUR';
  /** VES for one unit of the base currency. */
  mid: number;
  /** VES for one unit of the base currency. */
  ask?: number;
  /** VES for one unit of the base currency. */
  bid?: number;
  /** ISO 8601, UTC, milliseconds. */
  updated_at: string;
  effective_date?: string;
  /** Seconds. */
  stale_after_sec: number;
}

export interface HistoryPoint {
  market: string;
  date: string;
  /** VES for one unit of the base currency. */
  rate: number;
  /** ISO 8601, UTC, milliseconds. */
  updated_at: string;
  /** ISO 8601, UTC, milliseconds. */
  captured_at: string;
}

export interface CapturedRate {
  date: string;
  /** VES for one unit of the base currency. */
  rate: number;
  /** ISO 8601, UTC, milliseconds. */
  updated_at: string;
  /** ISO 8601, UTC, milliseconds. */
  captured_at: string;
}

export interface HistoryCollection {
  market: string;
  from: string;
  to: string;
  granularity: 'daily' | 'raw';
  count: number;
  points: Array<CapturedRate>;
  truncated?: true;
}

export type History = HistoryPoint | HistoryCollection;

export interface Market {
  id: string;
  name: string;
  /** One of reference, parallel, p2p, remittance, exchange_house, cash; new ones may appear. */
  type: string;
  base: 'USD' | 'EUR';
  aliases: Array<string>;
  /** Seconds. */
  stale_after_sec: number;
  available: boolean;
  required_plan: string | null;
}

export interface Markets {
  markets: Array<Market>;
}

export interface Money {
  currency: string;
  amount: number;
}

export interface Conversion {
  from: Money;
  to: Money;
  /** VES for one unit of the base currency. */
  rate: number;
  market: string;
  /** One of reference, parallel, p2p, remittance, exchange_house, cash; new ones may appear. */
  type: string;
  /** ISO 8601, UTC, milliseconds. */
  updated_at: string;
  effective_date?: string;
  /** Seconds. */
  staleness_sec: number;
  stale: boolean;
}

export interface BulkConversion {
  /** VES for one unit of the base currency. */
  rate: number;
  market: string;
  /** One of reference, parallel, p2p, remittance, exchange_house, cash; new ones may appear. */
  type: string;
  /** ISO 8601, UTC, milliseconds. */
  updated_at: string;
  results: Array<{
    amount: number;
    result: number;
  }>;
  total_in: number;
  total_out: number;
}

export interface RouteEntry {
  market: string;
  /** One of reference, parallel, p2p, remittance, exchange_house, cash; new ones may appear. */
  type: string;
  /** VES for one unit of the base currency. */
  rate: number;
  amount: number;
  /** ISO 8601, UTC, milliseconds. */
  updated_at: string;
  /** Seconds. */
  staleness_sec: number;
}

export interface Route {
  from: Money;
  direction: 'send' | 'receive';
  best: RouteEntry;
  alternatives: Array<RouteEntry>;
  skipped?: Array<{
    market: string;
    reason: string;
  }>;
  /** ISO 8601, UTC, milliseconds. */
  fetched_at: string;
}

export interface Index {
  /** VES for one unit of the base currency. */
  value: number;
  version: string;
  /** ISO 8601, UTC, milliseconds. */
  as_of: string;
  weights: {
    bcv: number;
    paralelo: number;
    p2p: number;
  };
  components: {
    /** VES for one unit of the base currency. */
    bcv?: number;
    /** VES for one unit of the base currency. */
    paralelo?: number;
    /** VES for one unit of the base currency. */
    p2p?: number;
  };
  /** VES for one unit of the base currency. */
  p2p_median?: number;
  p2p_count: number;
  flags: {
    bcv_stale?: true;
    degraded?: true;
    missing_sources?: Array<'bcv' | 'paralelo' | 'p2p'>;
    outliers_excluded?: Array<string>;
  };
  methodology_url: string;
}

export interface SpreadSide {
  market: string;
  /** VES for one unit of the base currency. */
  value: number;
  /** ISO 8601, UTC, milliseconds. */
  updated_at: string;
}

export interface Spread {
  reference: SpreadSide;
  compared: SpreadSide;
  spread: {
    absolute: number;
    percentage: number;
    direction: 'higher' | 'lower' | 'equal';
  };
  /** ISO 8601, UTC, milliseconds. */
  fetched_at: string;
}

export interface BankRate {
  bank: string;
  /** VES for one unit of the base currency. */
  buy?: number;
  /** VES for one unit of the base currency. */
  sell?: number;
  date: string;
  stale: boolean;
  days_behind: number;
}

export interface BankTable {
  indicator_date: string;
  bank_rates: Array<BankRate>;
  /** ISO 8601, UTC, milliseconds. */
  captured_at: string;
}

export interface BcvCurrencies {
  reference_value_date: string;
  reference_value_date_text: string;
  rates: {
    /** VES for one unit of the base currency. */
    EUR?: number;
    /** VES for one unit of the base currency. */
    CNY?: number;
    /** VES for one unit of the base currency. */
    TRY?: number;
    /** VES for one unit of the base currency. */
    RUB?: number;
  };
  /** ISO 8601, UTC, milliseconds. */
  captured_at: string;
}

export interface OfficialRateWithChange {
  /** VES for one unit of the base currency. */
  rate: number;
  value_date: string;
  /** ISO 8601, UTC, milliseconds. */
  effective_at: string;
  change?: {
    /** VES, against the rate before it. */
    amount: number;
    percent: number;
  };
}

export interface OfficialRate {
  /** VES for one unit of the base currency. */
  rate: number;
  value_date: string;
  /** ISO 8601, UTC, milliseconds. */
  effective_at: string;
}

export interface OfficialCurrency {
  in_force?: OfficialRateWithChange;
  previous?: OfficialRate;
  next?: OfficialRateWithChange;
}

export interface OfficialRates {
  rates: {
    USD?: OfficialCurrency;
    EUR?: OfficialCurrency;
    CNY?: OfficialCurrency;
    TRY?: OfficialCurrency;
    RUB?: OfficialCurrency;
  };
  /** ISO 8601, UTC, milliseconds. */
  fetched_at: string;
}

export interface CalendarDay {
  date: string;
  business_day: boolean;
  /** Its name, in Spanish. */
  holiday?: string;
  /** Value date of what the central bank publishes on that day. */
  next_value_date: string;
}

export interface Calendar {
  from: string;
  to: string;
  count: number;
  days: Array<CalendarDay>;
  /** After it only weekends and holidays with a fixed rule are known. */
  announced_until: string;
}

export interface AccountKey {
  id: string;
  /** Whether this request was made with it. */
  current: boolean;
  /** ISO 8601, UTC, milliseconds. */
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
}

export interface Account {
  id: string;
  name: string;
  plan: string;
  status: 'active' | 'suspended';
  limits: {
    units_per_month: number | null;
    requests_per_minute: number | null;
    bulk_calls_per_hour: number | null;
    history_days: number | null;
    formats: Array<'json' | 'csv' | 'xml'>;
    keys_max: number | null;
    markups_max: number | null;
    features: Array<'markets' | 'spread' | 'bulk_convert' | 'route' | 'markup'>;
  };
  usage: {
    month: string;
    units_used: number;
    units_remaining: number | null;
    /** ISO 8601, UTC, milliseconds. */
    resets_at: string;
  };
  keys: Array<AccountKey>;
}

export interface UsageOfADay {
  /** In UTC. */
  date: string;
  endpoint: string;
  /** Answered or not. */
  calls: number;
  /** What the answered ones cost. */
  units: number;
  /** Answered with a 4xx status. */
  client_errors: number;
  /** Answered with a 5xx status. */
  server_errors: number;
}

export interface Usage {
  from: string;
  to: string;
  total_calls: number;
  total_units: number;
  count: number;
  days: Array<UsageOfADay>;
}

export interface RotatedKey {
  id: string;
  /** The key itself: keep it safe. */
  key: string;
  /** ISO 8601, UTC, milliseconds. */
  created_at: string;
  /** Id of the old key. */
  replaces: string;
  /** When the old key ends. */
  replaced_expires_at: string;
}

export interface Markups {
  markups: Array<Markup>;
}

export interface Markup {
  tag: string;
  kind: 'percent' | 'fixed';
  value: number;
  markets: Array<string>;
  active: boolean;
}

export interface SourceDay {
  /** A day in Caracas. */
  date: string;
  /** Readings that gave records. */
  successes: number;
  /** Readings that failed. */
  failures: number;
  /** Readings that brought other figures than the one before. */
  changes: number;
}

export interface SourceStatus {
  name: string;
  kind: string;
  enabled: boolean;
  /** Ids of the markets it quotes. */
  markets: Array<string>;
  /** The source instead of which it is read, when that fails. */
  stands_in_for?: string;
  state: 'ok' | 'failing' | 'frozen' | 'late' | 'waiting' | 'off' | 'standby';
  /** One sentence for people. */
  why: string;
  /** Why the last reading failed, in one word; new ones may appear. */
  failure?: string;
  /** ISO 8601, UTC, milliseconds. */
  last_success?: string;
  /** When its figures last changed; a new time alone is no change. */
  last_change?: string;
  consecutive_failures: number;
  /** Of the central bank, by its calendar. */
  publications_missed?: number;
  /** Value dates of the last 30 days that are not stored. */
  value_dates_missing?: Array<string>;
  /** ISO 8601, UTC, milliseconds. */
  next_run?: string;
  /** Records in doubt, which are not published. */
  held: number;
  /** The last 30 days, those on which it was read, oldest first. */
  days: Array<SourceDay>;
}

export interface Status {
  status: 'ok' | 'degraded';
  /** When this was found out. */
  checked_at: string;
  /** While the database does not answer, the rest is what was known last. */
  database: 'ok' | 'unavailable';
  /** When the service last took anything in. */
  fetched_at?: string;
  /** Whether the sources are read when they should. */
  collecting: boolean;
  sources: Array<SourceStatus>;
}

export interface BulkConversionRequest {
  /** USD, EUR or VES, in any letter case. */
  from: string;
  /** USD, EUR or VES, in any letter case. */
  to: string;
  /** 1 to 50 numbers greater than 0 and at most 1e12. */
  amounts: Array<number>;
  /** Id or alias of a market. */
  market?: string;
}

export interface Rotation {
  /** How long the old key goes on working, in seconds; 0 when absent. */
  grace_sec?: number;
}

export interface NewMarkup {
  kind: 'percent' | 'fixed';
  value: number;
  markets?: Array<string>;
  active?: boolean;
  tag: string;
}

export interface MarkupReplacement {
  kind: 'percent' | 'fixed';
  value: number;
  markets?: Array<string>;
  active?: boolean;
  tag?: string;
}

export interface ListRatesQuery {
  /** Tag of a saved markup rule. */
  markup?: string | undefined;
}

export interface GetHistoryQuery {
  /** The day of the point, a UTC day. */
  date?: string | undefined;
  /** First day of the range, a UTC day. */
  from?: string | undefined;
  /** Last day of the range, a UTC day. */
  to?: string | undefined;
  /** daily when absent. */
  granularity?: 'daily' | 'raw' | undefined;
}

export interface ConvertQuery {
  /** USD, EUR or VES, in any letter case. */
  from: string;
  /** USD, EUR or VES, in any letter case. */
  to: string;
  /** A number in the JSON grammar, greater than 0 and at most 1e12. */
  amount: string;
  /** Id or alias of a market. */
  via?: string | undefined;
  /** Id or alias of a market. */
  market?: string | undefined;
}

export interface CompareMarketsQuery {
  /** USD, EUR or VES, in any letter case. */
  from: string;
  /** USD, EUR or VES, in any letter case. */
  to: string;
  /** A number in the JSON grammar, greater than 0 and at most 1e12. */
  amount: string;
  /** send when absent; echoed, it changes nothing else. */
  direction?: 'send' | 'receive' | undefined;
  /** Leaves out quotes older than this many seconds; 0 leaves out none. */
  max_staleness?: string | undefined;
}

export interface GetSpreadQuery {
  /** Id or alias of a market. */
  against?: string | undefined;
  /** Only USD. */
  base?: string | undefined;
}

export interface GetCalendarQuery {
  /** First day, in Caracas; today when absent. */
  from?: string | undefined;
  /** Last day, included; 30 days after the first when absent. */
  to?: string | undefined;
}

export interface GetUsageQuery {
  /** First day, included; the first that is kept when absent, a UTC day. */
  from?: string | undefined;
  /** Last day, included; today when absent, a UTC day. */
  to?: string | undefined;
}
