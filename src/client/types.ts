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
  'scope_missing',
  'origin_not_allowed',
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
  'rate_not_published',
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
  /** Country of the snapshot, VE. */
  country: string;
  /** Currency, as its three letters. */
  currency: 'VES';
  /** USD for the whole; the base of each row governs. */
  base: 'USD';
  /** The index, when it can be calculated. */
  index?: Index;
  /** ISO 8601, UTC, milliseconds. */
  fetched_at: string;
  /** A row for each market that has a quote. */
  rates: Array<Rate>;
}

export interface RateWithMarkup {
  /** Id of the market. */
  market: string;
  /** One of reference, parallel, p2p, remittance, exchange_house, cash; new ones may appear. */
  type: string;
  /** VES per unit of the base currency. */
  mid: number;
  /** VES per unit of the base currency. */
  ask?: number;
  /** VES per unit of the base currency. */
  bid?: number;
  /** ISO 8601, UTC, milliseconds. */
  updated_at: string;
  /** The rate with the markup, 4 decimals. */
  mid_with_markup?: number;
  /** The rule that was applied. */
  markup_applied?: {
    /** percent, or fixed in VES. */
    kind: 'percent' | 'fixed';
    /** The percentage, or VES. */
    value: number;
  };
}

export interface RatesWithMarkup {
  /** Country of the snapshot, VE. */
  country: string;
  /** Currency, as its three letters. */
  currency: 'VES';
  /** USD for the whole; the base of each row governs. */
  base: 'USD';
  /** The index, when it can be calculated. */
  index?: Index;
  /** ISO 8601, UTC, milliseconds. */
  fetched_at: string;
  /** A row for each market that has a quote. */
  rates: Array<RateWithMarkup>;
  /** The rule that was applied. */
  markup_applied: {
    /** Name of the rule: 1 to 32 of a-z, 0-9, _ and -. */
    tag: string;
    /** percent, or fixed in VES. */
    kind: 'percent' | 'fixed';
    /** The percentage, or VES. */
    value: number;
  };
}

export interface AsOfDay {
  /** The requested day, in Caracas. */
  date: string;
  /** How a day without banks was answered; official markets only. */
  rule: 'value_date' | 'next_banking_day';
  /** Whether the banks worked on that day. */
  business_day: boolean;
}

export interface AsOf {
  /** The requested day, in Caracas. */
  date: string;
  /** How a day without banks was answered; official markets only. */
  rule?: 'value_date' | 'next_banking_day';
  /** Whether the banks worked on that day. */
  business_day: boolean;
  /** Value date of the official rate in the answer. */
  value_date?: string;
  /** When the service read the rate. */
  captured_at: string;
  /** How many days older the official rate is than the requested day. */
  carried_days?: number;
}

export interface PastRate {
  /** Id of the market. */
  market: string;
  /** One of reference, parallel, p2p, remittance, exchange_house, cash; new ones may appear. */
  type: string;
  /** The quoted currency. */
  base: 'USD' | 'EUR';
  /** VES per unit of the base currency. */
  mid: number;
  /** VES per unit of the base currency. */
  ask?: number;
  /** VES per unit of the base currency. */
  bid?: number;
  /** ISO 8601, UTC, milliseconds. */
  updated_at: string;
  /** Value date of an official rate, in Caracas. */
  effective_date?: string;
  /** Seconds. */
  stale_after_sec: number;
  /** For a past day, the origin of the rate. */
  as_of: AsOf;
}

export interface PastRates {
  /** Country of the snapshot, VE. */
  country: string;
  /** Currency, as its three letters. */
  currency: 'VES';
  /** USD for the whole; the base of each row governs. */
  base: 'USD';
  /** ISO 8601, UTC, milliseconds. */
  fetched_at: string;
  /** For a past day, the origin of the rate. */
  as_of: AsOfDay;
  /** A row for each market that has a quote. */
  rates: Array<PastRate>;
}

export interface PastRateWithMarkup {
  /** Id of the market. */
  market: string;
  /** One of reference, parallel, p2p, remittance, exchange_house, cash; new ones may appear. */
  type: string;
  /** VES per unit of the base currency. */
  mid: number;
  /** VES per unit of the base currency. */
  ask?: number;
  /** VES per unit of the base currency. */
  bid?: number;
  /** ISO 8601, UTC, milliseconds. */
  updated_at: string;
  /** The rate with the markup, 4 decimals. */
  mid_with_markup?: number;
  /** The rule that was applied. */
  markup_applied?: {
    /** percent, or fixed in VES. */
    kind: 'percent' | 'fixed';
    /** The percentage, or VES. */
    value: number;
  };
  /** For a past day, the origin of the rate. */
  as_of: AsOf;
}

export interface PastRatesWithMarkup {
  /** Country of the snapshot, VE. */
  country: string;
  /** Currency, as its three letters. */
  currency: 'VES';
  /** USD for the whole; the base of each row governs. */
  base: 'USD';
  /** ISO 8601, UTC, milliseconds. */
  fetched_at: string;
  /** For a past day, the origin of the rate. */
  as_of: AsOfDay;
  /** A row for each market that has a quote. */
  rates: Array<PastRateWithMarkup>;
  /** The rule that was applied. */
  markup_applied: {
    /** Name of the rule: 1 to 32 of a-z, 0-9, _ and -. */
    tag: string;
    /** percent, or fixed in VES. */
    kind: 'percent' | 'fixed';
    /** The percentage, or VES. */
    value: number;
  };
}

export type AnyRates = Rates | RatesWithMarkup | PastRates | PastRatesWithMarkup;

export interface Rate {
  /** Id of the market. */
  market: string;
  /** One of reference, parallel, p2p, remittance, exchange_house, cash; new ones may appear. */
  type: string;
  /** The quoted currency. */
  base: 'USD' | 'EUR';
  /** VES per unit of the base currency. */
  mid: number;
  /** VES per unit of the base currency. */
  ask?: number;
  /** VES per unit of the base currency. */
  bid?: number;
  /** ISO 8601, UTC, milliseconds. */
  updated_at: string;
  /** Value date of an official rate, in Caracas. */
  effective_date?: string;
  /** Seconds. */
  stale_after_sec: number;
}

export interface RateWithDetails {
  /** Id of the market. */
  market: string;
  /** One of reference, parallel, p2p, remittance, exchange_house, cash; new ones may appear. */
  type: string;
  /** The quoted currency. */
  base: 'USD' | 'EUR';
  /** VES per unit of the base currency. */
  mid: number;
  /** VES per unit of the base currency. */
  ask?: number;
  /** VES per unit of the base currency. */
  bid?: number;
  /** ISO 8601, UTC, milliseconds. */
  updated_at: string;
  /** Value date of an official rate, in Caracas. */
  effective_date?: string;
  /** Seconds. */
  stale_after_sec: number;
  /** Name of the source of the rate. */
  source?: string;
  /** How many independent sources agree within 2%, including its own. */
  sources: number;
  /** When the service read the rate. */
  observed_at: string;
  /** A newer reading that is held and not published; null when there is none. */
  held: {
    /** When the held reading was taken. */
    captured_at: string;
    /** Why it is held, in one word. */
    reason: string;
    /** Why it is held, in a sentence. */
    message: string;
  } | null;
  /** Id of the figure, for the command `vesfx evidence`. */
  evidence: string;
}

export type AnyRate = Rate | RateWithDetails | PastRate;

export interface HistoryPoint {
  /** Id of the market. */
  market: string;
  /** The day, in UTC. */
  date: string;
  /** VES per unit of the base currency. */
  rate: number;
  /** ISO 8601, UTC, milliseconds. */
  updated_at: string;
  /** ISO 8601, UTC, milliseconds. */
  captured_at: string;
}

export interface CapturedRate {
  /** The day, in UTC. */
  date: string;
  /** VES per unit of the base currency. */
  rate: number;
  /** ISO 8601, UTC, milliseconds. */
  updated_at: string;
  /** ISO 8601, UTC, milliseconds. */
  captured_at: string;
}

export interface HistoryCollection {
  /** Id of the market. */
  market: string;
  /** First day, included. */
  from: string;
  /** Last day, included. */
  to: string;
  /** daily or raw. */
  granularity: 'daily' | 'raw';
  /** How many there are. */
  count: number;
  /** In order of time. */
  points: Array<CapturedRate>;
  /** Only the newest points are included. */
  truncated?: true;
}

export type History = HistoryPoint | HistoryCollection;

export interface Candle {
  /** First day of the period, in UTC. */
  date: string;
  /** VES per unit of the base currency. */
  open: number;
  /** VES per unit of the base currency. */
  high: number;
  /** VES per unit of the base currency. */
  low: number;
  /** The last rate: the point of the daily history. */
  close: number;
  /** Stored captures. They are readings, not trades. */
  captures: number;
  /** When the first capture was made. */
  opened_at: string;
  /** When the last capture was made. */
  closed_at: string;
  /** False while the period is still running, or when the range or the plan cuts it. */
  complete: boolean;
}

export interface Candles {
  /** Id of the market. */
  market: string;
  /** Period of the candles. */
  interval: 'day' | 'week' | 'month';
  /** First day, included. */
  from: string;
  /** Last day, included. */
  to: string;
  /** How many there are. */
  count: number;
  /** Oldest first. */
  candles: Array<Candle>;
}

export interface Change {
  /** Id of the market. */
  market: string;
  /** VES per unit of the base currency. */
  rate: number;
  /** ISO 8601, UTC, milliseconds. */
  updated_at: string;
  /** The last capture up to the start of the period, if there is one. */
  before?: {
    /** VES per unit of the base currency. */
    rate: number;
    /** When the service read it. */
    captured_at: string;
  };
  /** Compared with the previous rate. */
  change?: {
    /** In VES, compared with the previous rate. */
    amount: number;
    /** In percent, 4 decimals. */
    percent: number;
  };
}

export interface Changes {
  /** How far back the comparison goes. */
  period: '1d' | '7d' | '30d' | '90d' | '365d';
  /** A row for each market that has a quote now. */
  changes: Array<Change>;
}

export interface Market {
  /** Its id. */
  id: string;
  /** Its name. */
  name: string;
  /** One of reference, parallel, p2p, remittance, exchange_house, cash; new ones may appear. */
  type: string;
  /** The quoted currency. */
  base: 'USD' | 'EUR';
  /** Other names that you may use for it. */
  aliases: Array<string>;
  /** Seconds. */
  stale_after_sec: number;
  /** Whether your plan includes it. */
  available: boolean;
  /** The cheapest plan that includes it; null if every plan does. */
  required_plan: string | null;
}

export interface Markets {
  /** In the order of the catalogue. */
  markets: Array<Market>;
}

export interface Money {
  /** Currency, as its three letters. */
  currency: string;
  /** The amount. */
  amount: number;
}

export interface Conversion {
  /** The input. */
  from: Money;
  /** The output, 2 decimals. */
  to: Money;
  /** VES per unit of the base currency. */
  rate: number;
  /** Id of the market. */
  market: string;
  /** One of reference, parallel, p2p, remittance, exchange_house, cash; new ones may appear. */
  type: string;
  /** ISO 8601, UTC, milliseconds. */
  updated_at: string;
  /** Value date of an official rate, in Caracas. */
  effective_date?: string;
  /** Seconds. */
  staleness_sec: number;
  /** Whether it is older than its market allows. */
  stale: boolean;
}

export interface PastConversion {
  /** The input. */
  from: Money;
  /** The output, 2 decimals. */
  to: Money;
  /** VES per unit of the base currency. */
  rate: number;
  /** Id of the market. */
  market: string;
  /** One of reference, parallel, p2p, remittance, exchange_house, cash; new ones may appear. */
  type: string;
  /** ISO 8601, UTC, milliseconds. */
  updated_at: string;
  /** Value date of an official rate, in Caracas. */
  effective_date?: string;
  /** For a past day, the origin of the rate. */
  as_of: AsOf;
}

export type AnyConversion = Conversion | PastConversion;

export interface BulkConversion {
  /** VES per unit of the base currency. */
  rate: number;
  /** Id of the market. */
  market: string;
  /** One of reference, parallel, p2p, remittance, exchange_house, cash; new ones may appear. */
  type: string;
  /** ISO 8601, UTC, milliseconds. */
  updated_at: string;
  /** In the order of the amounts. */
  results: Array<{
    /** The amount. */
    amount: number;
    /** The converted amount, 2 decimals. */
    result: number;
  }>;
  /** Sum of the amounts. */
  total_in: number;
  /** Sum of the results. */
  total_out: number;
  /** For a past day, the origin of the rate. */
  as_of?: AsOf;
}

export interface RouteEntry {
  /** Id of the market. */
  market: string;
  /** One of reference, parallel, p2p, remittance, exchange_house, cash; new ones may appear. */
  type: string;
  /** VES per unit of the base currency. */
  rate: number;
  /** The resulting amount, in the other currency. */
  amount: number;
  /** ISO 8601, UTC, milliseconds. */
  updated_at: string;
  /** Seconds. */
  staleness_sec: number;
}

export interface Route {
  /** The input. */
  from: Money;
  /** As requested. */
  direction: 'send' | 'receive';
  /** The market that yields the most. */
  best: RouteEntry;
  /** The others, best first. */
  alternatives: Array<RouteEntry>;
  /** The markets that are left out. */
  skipped?: Array<{
    /** Id of the market. */
    market: string;
    /** Why it is left out, in one word. */
    reason: string;
  }>;
  /** ISO 8601, UTC, milliseconds. */
  fetched_at: string;
}

export interface Index {
  /** VES per unit of the base currency. */
  value: number;
  /** Version of the methodology. */
  version: string;
  /** ISO 8601, UTC, milliseconds. */
  as_of: string;
  /** Weights that were used; they sum to 1. */
  weights: {
    /** Weight of the official dollar rate. */
    bcv: number;
    /** Weight of the parallel rate. */
    paralelo: number;
    /** Weight of the median of the P2P markets. */
    p2p: number;
  };
  /** Values that were used. */
  components: {
    /** VES per unit of the base currency. */
    bcv?: number;
    /** VES per unit of the base currency. */
    paralelo?: number;
    /** VES per unit of the base currency. */
    p2p?: number;
  };
  /** VES per unit of the base currency. */
  p2p_median?: number;
  /** P2P markets left after the outliers. */
  p2p_count: number;
  /** Warnings about this value; empty when there are none. */
  flags: {
    /** The official rate is too old; its weight is 0. */
    bcv_stale?: true;
    /** Few P2P quotes are left. */
    degraded?: true;
    /** Components without a value; their weights are 0. */
    missing_sources?: Array<'bcv' | 'paralelo' | 'p2p'>;
    /** P2P markets that were left out. */
    outliers_excluded?: Array<string>;
  };
  /** How it is calculated. */
  methodology_url: string;
}

export interface SpreadSide {
  /** Id of the market. */
  market: string;
  /** VES per unit of the base currency. */
  value: number;
  /** ISO 8601, UTC, milliseconds. */
  updated_at: string;
}

export interface Spread {
  /** The official dollar rate. */
  reference: SpreadSide;
  /** The other market. */
  compared: SpreadSide;
  /** The premium of the compared market over the official rate. */
  spread: {
    /** Compared rate minus official rate, in VES, 4 decimals. */
    absolute: number;
    /** As a percentage of the official rate, 2 decimals. */
    percentage: number;
    /** Whether the compared rate is higher, lower or equal. */
    direction: 'higher' | 'lower' | 'equal';
  };
  /** ISO 8601, UTC, milliseconds. */
  fetched_at: string;
}

export interface BankRate {
  /** The name, as published. */
  bank: string;
  /** VES per unit of the base currency. */
  buy?: number;
  /** VES per unit of the base currency. */
  sell?: number;
  /** The day of the row. */
  date: string;
  /** Whether the row is from a day other than the publication. */
  stale: boolean;
  /** Days between the row and the publication. */
  days_behind: number;
}

export interface BankTable {
  /** The day of the publication. */
  indicator_date: string;
  /** A row for each bank, those of the day first. */
  bank_rates: Array<BankRate>;
  /** ISO 8601, UTC, milliseconds. */
  captured_at: string;
}

export interface BcvCurrencies {
  /** The value date; it may be in the future. */
  reference_value_date: string;
  /** The value date in words, as published. */
  reference_value_date_text: string;
  /** By currency, VES for one unit. Those that were published. */
  rates: {
    /** VES per unit of the base currency. */
    EUR?: number;
    /** VES per unit of the base currency. */
    CNY?: number;
    /** VES per unit of the base currency. */
    TRY?: number;
    /** VES per unit of the base currency. */
    RUB?: number;
  };
  /** ISO 8601, UTC, milliseconds. */
  captured_at: string;
}

export interface OfficialRateWithChange {
  /** VES per unit of the base currency. */
  rate: number;
  /** The day it takes effect, in Caracas. */
  value_date: string;
  /** ISO 8601, UTC, milliseconds. */
  effective_at: string;
  /** Compared with the previous rate. */
  change?: {
    /** In VES, compared with the previous rate. */
    amount: number;
    /** In percent, 4 decimals. */
    percent: number;
  };
}

export interface OfficialRate {
  /** VES per unit of the base currency. */
  rate: number;
  /** The day it takes effect, in Caracas. */
  value_date: string;
  /** ISO 8601, UTC, milliseconds. */
  effective_at: string;
}

export interface OfficialCurrency {
  /** The rate in force now. */
  in_force?: OfficialRateWithChange;
  /** The previous rate. */
  previous?: OfficialRate;
  /** The next rate, once it is published. */
  next?: OfficialRateWithChange;
}

export interface OfficialRates {
  /** By currency. Those that were ever published. */
  rates: {
    /** Dollar. */
    USD?: OfficialCurrency;
    /** Euro. */
    EUR?: OfficialCurrency;
    /** Yuan. */
    CNY?: OfficialCurrency;
    /** Turkish lira. */
    TRY?: OfficialCurrency;
    /** Rouble. */
    RUB?: OfficialCurrency;
  };
  /** ISO 8601, UTC, milliseconds. */
  fetched_at: string;
}

export interface CalendarDay {
  /** The day. */
  date: string;
  /** Whether the banks work. */
  business_day: boolean;
  /** Its name, in Spanish. */
  holiday?: string;
  /** Value date of the rate that the central bank publishes on that day. */
  next_value_date: string;
  /** The day is after `announced_until`: `business_day` is computed from the holiday rules, and the regulator may decide otherwise. */
  computed?: true;
}

export interface Calendar {
  /** First day, included. */
  from: string;
  /** Last day, included. */
  to: string;
  /** How many there are. */
  count: number;
  /** In order. */
  days: Array<CalendarDay>;
  /** Last day announced by the regulator; later days are computed. */
  announced_until: string;
}

export interface CalculatorRow {
  /** Id of the market. */
  market: string;
  /** Its name. */
  name: string;
  /** One of reference, parallel, p2p, remittance, exchange_house, cash; new ones may appear. */
  type: string;
  /** Only if it is not the requested currency. */
  base?: 'USD' | 'EUR';
  /** VES per unit of the base currency. */
  rate: number;
  /** The amount in the other currency, with 2 decimals. */
  result?: number;
  /** ISO 8601, UTC, milliseconds. */
  updated_at: string;
  /** Value date of an official rate, in Caracas. */
  effective_date?: string;
  /** Whether it is older than its market allows. */
  stale: boolean;
}

export interface Calculation {
  /** The amount. */
  amount: number;
  /** Currency of the amount. */
  from: string;
  /** Currency of the results. */
  to: string;
  /** A row for each open market that has a quote. */
  results: Array<CalculatorRow>;
  /** ISO 8601, UTC, milliseconds. */
  fetched_at: string;
}

export interface Account {
  /** Its id. */
  id: string;
  /** Its name. */
  name: string;
  /** Name of the plan. */
  plan: string;
  /** active or suspended. */
  status: 'active' | 'suspended';
  /** Limits of the plan; null means no limit. */
  limits: {
    /** Units in a UTC month. */
    units_per_month: number | null;
    /** Requests in a minute. */
    requests_per_minute: number | null;
    /** Batches in an hour. */
    bulk_calls_per_hour: number | null;
    /** How many days back the history reaches. */
    history_days: number | null;
    /** Formats of answers. */
    formats: Array<'json' | 'csv' | 'xml'>;
    /** Maximum of live keys. */
    keys_max: number | null;
    /** Maximum of live publishable keys. */
    public_keys_max: number | null;
    /** Maximum of markup rules. */
    markups_max: number | null;
    /** Further features of the plan. */
    features: Array<'markets' | 'spread' | 'bulk_convert' | 'route' | 'markup'>;
  };
  /** Units of the current month. */
  usage: {
    /** The UTC month. */
    month: string;
    /** Units spent. */
    units_used: number;
    /** Units left; null if there is no limit. */
    units_remaining: number | null;
    /** ISO 8601, UTC, milliseconds. */
    resets_at: string;
  };
  /** Keys of the account, without their secrets. */
  keys: Array<Key>;
  /** Start of the next page of keys; null on the last page. */
  keys_next: string | null;
}

export interface UsageOfADay {
  /** In UTC. */
  date: string;
  /** Method and path. */
  endpoint: string;
  /** Answered or not. */
  calls: number;
  /** Cost of the answered requests. */
  units: number;
  /** Answered with a 4xx status. */
  client_errors: number;
  /** Answered with a 5xx status. */
  server_errors: number;
}

export interface Usage {
  /** First day, included. */
  from: string;
  /** Last day, included. */
  to: string;
  /** All requests in the range. */
  total_calls: number;
  /** All units in the range. */
  total_units: number;
  /** How many there are. */
  count: number;
  /** In order. */
  days: Array<UsageOfADay>;
}

export interface Keys {
  /** Keys of the account, without their secrets. */
  keys: Array<Key>;
  /** Start of the next page; null on the last page. */
  next: string | null;
}

export interface CreatedKey {
  /** Its id. */
  id: string;
  /** Kind of key. */
  kind: 'full' | 'restricted' | 'publishable';
  /** The name its account gave it; null if none. */
  label: string | null;
  /** Permissions of the key. */
  scopes: Array<
    'rates' | 'history' | 'official' | 'stream' | 'mcp' | 'account.read' | 'account.write'
  >;
  /** Origins whose pages may use a publishable key. */
  origins: Array<string>;
  /** Whether requests without an Origin may use a publishable key. */
  allow_no_origin: boolean;
  /** For a publishable key, requests allowed per minute. */
  requests_per_minute: number | null;
  /** Whether this request was made with it. */
  current: boolean;
  /** ISO 8601, UTC, milliseconds. */
  created_at: string;
  /** When it expires; null if it does not. */
  expires_at: string | null;
  /** When it was revoked; null if it was not. */
  revoked_at: string | null;
  /** The key itself: keep it safe. */
  key: string;
}

export interface Key {
  /** Its id. */
  id: string;
  /** Kind of key. */
  kind: 'full' | 'restricted' | 'publishable';
  /** The name its account gave it; null if none. */
  label: string | null;
  /** Permissions of the key. */
  scopes: Array<
    'rates' | 'history' | 'official' | 'stream' | 'mcp' | 'account.read' | 'account.write'
  >;
  /** Origins whose pages may use a publishable key. */
  origins: Array<string>;
  /** Whether requests without an Origin may use a publishable key. */
  allow_no_origin: boolean;
  /** For a publishable key, requests allowed per minute. */
  requests_per_minute: number | null;
  /** Whether this request was made with it. */
  current: boolean;
  /** ISO 8601, UTC, milliseconds. */
  created_at: string;
  /** When it expires; null if it does not. */
  expires_at: string | null;
  /** When it was revoked; null if it was not. */
  revoked_at: string | null;
}

export interface RotatedKey {
  /** Its id. */
  id: string;
  /** The key itself: keep it safe. */
  key: string;
  /** ISO 8601, UTC, milliseconds. */
  created_at: string;
  /** Id of the old key. */
  replaces: string;
  /** When the old key stops working. */
  replaced_expires_at: string;
}

export interface Markups {
  /** In order of their tags. */
  markups: Array<Markup>;
}

export interface Markup {
  /** Name of the rule: 1 to 32 of a-z, 0-9, _ and -. */
  tag: string;
  /** percent, or fixed in VES. */
  kind: 'percent' | 'fixed';
  /** The percentage, or VES. */
  value: number;
  /** Ids of the markets it applies to; empty for all. */
  markets: Array<string>;
  /** Whether it may be used. */
  active: boolean;
}

export interface StatusReason {
  /** Never renamed; new ones may appear. */
  name:
    | 'no_figures'
    | 'official_stale'
    | 'all_quotes_stale'
    | 'official_missing'
    | 'publications_missed'
    | 'quotes_stale'
    | 'quotes_missing'
    | 'all_sources_failing'
    | 'sources_failing'
    | 'sources_frozen'
    | 'collecting_stopped'
    | 'database_unavailable';
  /** One sentence for people. */
  message: string;
  /** When it began, if known. */
  since?: string;
  /** Ids of the affected markets. */
  markets?: Array<string>;
  /** Names of the affected sources. */
  sources?: Array<string>;
  /** Overdue publications. */
  count?: number;
}

export interface SourceDay {
  /** A day in Caracas. */
  date: string;
  /** Readings that gave records. */
  successes: number;
  /** Readings that failed. */
  failures: number;
  /** Readings with figures other than the previous one. */
  changes: number;
}

export interface SourceStatus {
  /** Its name. */
  name: string;
  /** How it is read. */
  kind: string;
  /** Whether it is switched on. */
  enabled: boolean;
  /** Ids of the markets it quotes. */
  markets: Array<string>;
  /** The source that it replaces when that one fails. */
  stands_in_for?: string;
  /** Its state, in one word. */
  state: 'ok' | 'failing' | 'frozen' | 'late' | 'incomplete' | 'waiting' | 'off' | 'standby';
  /** One sentence for people. */
  why: string;
  /** Why the last reading failed, in one word; new ones may appear. */
  failure?: string;
  /** ISO 8601, UTC, milliseconds. */
  last_success?: string;
  /** When its figures last changed; a new time alone does not count. */
  last_change?: string;
  /** Readings that failed since the last good one. */
  consecutive_failures: number;
  /** Overdue publications of the central bank, by its calendar. */
  publications_missed?: number;
  /** Value dates of the last 30 days that are not stored. */
  value_dates_missing?: Array<string>;
  /** Its markets without a new quote for 30 minutes. */
  missing_markets?: Array<string>;
  /** Its page shows an earlier publication again. */
  page_went_back?: true;
  /** ISO 8601, UTC, milliseconds. */
  next_run?: string;
  /** Doubtful records, which are not published. */
  held: number;
  /** The last 90 days, those on which it was read, oldest first. */
  days: Array<SourceDay>;
}

export interface Status {
  /** How far you can rely on the figures: `failing` when nothing fresh is published or the official rate is stale, `degraded` when only part of them has problems. */
  status: 'ok' | 'degraded' | 'failing';
  /** The problems, those of figures first; empty when `ok`. */
  reasons: Array<StatusReason>;
  /** When this was checked. */
  checked_at: string;
  /** While the database does not respond, the rest is the last known state. */
  database: 'ok' | 'unavailable';
  /** When the service last received anything. */
  fetched_at?: string;
  /** Whether the sources are being read on schedule. */
  collecting: boolean;
  /** In the order of the catalogue. */
  sources: Array<SourceStatus>;
}

export interface BulkConversionRequest {
  /** USD, EUR or VES, in any letter case. */
  from: string;
  /** USD, EUR or VES, in any letter case. */
  to: string;
  /** 1 to 50 numbers greater than 0 and at most one trillion (10^12). */
  amounts: Array<number>;
  /** Id or alias of a market. */
  market?: string;
  /** A day in Caracas: answers with the rates of that day. */
  date?: string;
  /** With `date`, for official markets on a day without banks: `value_date` (the default) takes the rate in force, `next_banking_day` the rate of the next business day. */
  rule?: 'value_date' | 'next_banking_day';
}

export interface KeyRequest {
  /** One of full, restricted, publishable. */
  kind: string;
  /** For a restricted key, some of rates, history, official, stream, mcp, account.read, account.write. For a publishable key, some of rates, history, official, stream; by default all of these. A full key has every scope. */
  scopes?: Array<string>;
  /** For a publishable key, at most 10 exact origins whose pages may use it. */
  origins?: Array<string>;
  /** For a publishable key, whether requests without an Origin, such as those of spreadsheets, may use it. */
  allow_no_origin?: boolean;
  /** For a publishable key, from 1 to 60; 60 by default. */
  requests_per_minute?: number;
  /** The name its account gave it; null if none. */
  label?: string | null;
  /** When it expires, at most two years from now: a time in ISO 8601 with its zone. */
  expires_at?: string | null;
}

export interface KeyChange {
  /** The current kind of the key; any other is refused. */
  kind?: string;
  /** For a restricted key, some of rates, history, official, stream, mcp, account.read, account.write. For a publishable key, some of rates, history, official, stream; by default all of these. A full key has every scope. */
  scopes?: Array<string>;
  /** For a publishable key, at most 10 exact origins whose pages may use it. */
  origins?: Array<string>;
  /** For a publishable key, whether requests without an Origin, such as those of spreadsheets, may use it. */
  allow_no_origin?: boolean;
  /** For a publishable key, from 1 to 60; 60 by default. */
  requests_per_minute?: number;
  /** The name its account gave it; null if none. */
  label?: string | null;
  /** When it expires, at most two years from now: a time in ISO 8601 with its zone. */
  expires_at?: string | null;
}

export interface Rotation {
  /** How long the old key keeps working, in seconds; 0 by default. */
  grace_sec?: number;
}

export interface NewMarkup {
  /** percent, or fixed in VES. */
  kind: 'percent' | 'fixed';
  /** The percentage, or VES. */
  value: number;
  /** Ids of the markets it applies to; empty or absent for all. */
  markets?: Array<string>;
  /** Whether it may be used. */
  active?: boolean;
  /** Name of the rule: 1 to 32 of a-z, 0-9, _ and -. */
  tag: string;
}

export interface MarkupReplacement {
  /** percent, or fixed in VES. */
  kind: 'percent' | 'fixed';
  /** The percentage, or VES. */
  value: number;
  /** Ids of the markets it applies to; empty or absent for all. */
  markets?: Array<string>;
  /** Whether it may be used. */
  active?: boolean;
  /** Name of the rule: 1 to 32 of a-z, 0-9, _ and -. */
  tag?: string;
}

export interface ListRatesQuery {
  /** A day in Caracas: answers with the rates of that day. */
  date?: string | undefined;
  /** With `date`, for official markets on a day without banks: `value_date` (the default) takes the rate in force, `next_banking_day` the rate of the next business day. */
  rule?: 'value_date' | 'next_banking_day' | undefined;
  /** Tag of a saved markup rule. */
  markup?: string | undefined;
}

export interface GetRateQuery {
  /** `true` adds the source, how many sources agree and any held reading. Not with `date`. */
  details?: 'true' | 'false' | undefined;
  /** A day in Caracas: answers with the rates of that day. */
  date?: string | undefined;
  /** With `date`, for official markets on a day without banks: `value_date` (the default) takes the rate in force, `next_banking_day` the rate of the next business day. */
  rule?: 'value_date' | 'next_banking_day' | undefined;
}

export interface GetHistoryQuery {
  /** The day of the point, a UTC day. */
  date?: string | undefined;
  /** First day of the range, a UTC day. */
  from?: string | undefined;
  /** Last day of the range, a UTC day. */
  to?: string | undefined;
  /** `daily` by default. */
  granularity?: 'daily' | 'raw' | undefined;
  /** Only the last point of each ISO week or calendar month, dated by its first day; daily series only. */
  group?: 'week' | 'month' | undefined;
}

export interface GetCandlesQuery {
  /** UTC days, ISO weeks from Monday, or calendar months; `day` by default. */
  interval?: 'day' | 'week' | 'month' | undefined;
  /** First day of the range, a UTC day. */
  from?: string | undefined;
  /** Last day of the range, a UTC day. */
  to?: string | undefined;
}

export interface ListChangesQuery {
  /** How far back to compare; `1d` by default. */
  period?: '1d' | '7d' | '30d' | '90d' | '365d' | undefined;
  /** Ids or aliases of markets, separated by commas; all markets in the plan by default. */
  markets?: string | undefined;
}

export interface ConvertQuery {
  /** USD, EUR or VES, in any letter case. */
  from: string;
  /** USD, EUR or VES, in any letter case. */
  to: string;
  /** A number in the JSON grammar, greater than 0 and at most one trillion (10^12). */
  amount: string;
  /** Id or alias of a market. */
  via?: string | undefined;
  /** Id or alias of a market. */
  market?: string | undefined;
  /** A day in Caracas: answers with the rates of that day. */
  date?: string | undefined;
  /** With `date`, for official markets on a day without banks: `value_date` (the default) takes the rate in force, `next_banking_day` the rate of the next business day. */
  rule?: 'value_date' | 'next_banking_day' | undefined;
}

export interface CompareMarketsQuery {
  /** USD, EUR or VES, in any letter case. */
  from: string;
  /** USD, EUR or VES, in any letter case. */
  to: string;
  /** A number in the JSON grammar, greater than 0 and at most one trillion (10^12). */
  amount: string;
  /** `send` by default; the answer repeats it and nothing else changes. */
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
  /** First day, in Caracas; today by default. */
  from?: string | undefined;
  /** Last day, included; 30 days after the first by default. */
  to?: string | undefined;
}

export interface CalculateQuery {
  /** A number in the JSON grammar, greater than 0 and at most one trillion (10^12). */
  amount: string;
  /** USD, EUR or VES, in any letter case. */
  from: string;
  /** USD, EUR or VES, in any letter case. */
  to: string;
}

export interface GetAccountQuery {
  /** `keys_next` of the previous answer, for the next page of keys. */
  keys_after?: string | undefined;
}

export interface GetUsageQuery {
  /** First day, included; the first one kept by default, a UTC day. */
  from?: string | undefined;
  /** Last day, included; today by default, a UTC day. */
  to?: string | undefined;
}

export interface ListKeysQuery {
  /** `next` of the previous answer, for the next page. */
  after?: string | undefined;
}

/** What each read of the reference takes and answers, by its operation id. */
export interface Reads {
  listRates: { parameters: ListRatesQuery; answer: AnyRates };
  getRate: { parameters: { market: string } & GetRateQuery; answer: AnyRate };
  getHistory: { parameters: { market: string } & GetHistoryQuery; answer: History };
  getCandles: { parameters: { market: string } & GetCandlesQuery; answer: Candles };
  listChanges: { parameters: ListChangesQuery; answer: Changes };
  listMarkets: { parameters: object; answer: Markets };
  convert: { parameters: ConvertQuery; answer: AnyConversion };
  compareMarkets: { parameters: CompareMarketsQuery; answer: Route };
  getIndex: { parameters: object; answer: Index };
  getSpread: { parameters: GetSpreadQuery; answer: Spread };
  listBankRates: { parameters: object; answer: BankTable };
  listBcvCurrencies: { parameters: object; answer: BcvCurrencies };
  listOfficialRates: { parameters: object; answer: OfficialRates };
  getCalendar: { parameters: GetCalendarQuery; answer: Calendar };
  calculate: { parameters: CalculateQuery; answer: Calculation };
  getAccount: { parameters: GetAccountQuery; answer: Account };
  getUsage: { parameters: GetUsageQuery; answer: Usage };
  listKeys: { parameters: ListKeysQuery; answer: Keys };
  listMarkups: { parameters: object; answer: Markups };
  getStatus: { parameters: object; answer: Status };
}

/** Where each of them stands, and whether it needs no key. */
export const READS: Readonly<
  Record<keyof Reads, { readonly path: string; readonly open: boolean }>
> = {
  listRates: { path: '/v1/fx/rates', open: false },
  getRate: { path: '/v1/fx/rates/{market}', open: false },
  getHistory: { path: '/v1/fx/rates/{market}/history', open: false },
  getCandles: { path: '/v1/fx/rates/{market}/candles', open: false },
  listChanges: { path: '/v1/fx/changes', open: false },
  listMarkets: { path: '/v1/fx/markets', open: false },
  convert: { path: '/v1/fx/convert', open: false },
  compareMarkets: { path: '/v1/fx/route', open: false },
  getIndex: { path: '/v1/fx/index', open: false },
  getSpread: { path: '/v1/fx/spread', open: false },
  listBankRates: { path: '/v1/fx/bcv/banks', open: false },
  listBcvCurrencies: { path: '/v1/fx/bcv/currencies', open: false },
  listOfficialRates: { path: '/v1/fx/official', open: false },
  getCalendar: { path: '/v1/fx/calendar', open: false },
  calculate: { path: '/v1/fx/public/calculator', open: true },
  getAccount: { path: '/v1/account', open: false },
  getUsage: { path: '/v1/account/usage', open: false },
  listKeys: { path: '/v1/account/keys', open: false },
  listMarkups: { path: '/v1/account/markups', open: false },
  getStatus: { path: '/v1/status', open: true },
};
