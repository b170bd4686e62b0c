/*
 * Made by scripts/client-types.ts from the OpenAPI document. Do not edit: change the declaration of
 * the endpoint and run the script.
 */

import type { AsText, CallOptions, Current, OnDate, Send, WithMarkup } from './calls.ts';

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
  'key_in_grace',
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
  /** Country of the quotes: always VE. */
  country: string;
  /** Three-letter code of the currency. */
  currency: 'VES';
  /** Always USD. A row may quote another currency: see its `base`. */
  base: 'USD';
  /** The weighted index; absent when it cannot be calculated. */
  index?: Index;
  /** When the service last received figures. */
  fetched_at: string;
  /** A row for each market that has a quote. */
  rates: Array<Rate>;
}

export interface RateWithMarkup {
  /** Id of the market. */
  market: string;
  /** Type of market: `reference`, `parallel`, `p2p`, `remittance`, `exchange_house`, `cash`; new ones may appear. */
  type: string;
  /** Rate of the market: VES per unit of the base currency. */
  mid: number;
  /** What buying one unit of the base currency costs, in VES; absent when the market does not say. */
  ask?: number;
  /** What selling one unit of the base currency yields, in VES; absent when the market does not say. */
  bid?: number;
  /** Time of the quote: that of its source or, without one, of its reading. For an official rate, 00:00 in Caracas on its value date. */
  updated_at: string;
  /** `mid` with the markup, in VES with 4 decimals; absent in a row that the rule does not cover. */
  mid_with_markup?: number;
  /** The rule that was applied; absent in a row that it does not cover. */
  markup_applied?: {
    /** What the rule adds: a percentage (`percent`) or an amount of VES (`fixed`). */
    kind: 'percent' | 'fixed';
    /** The percentage, or the VES to add to the rate; negative to lower it. */
    value: number;
  };
}

export interface RatesWithMarkup {
  /** Country of the quotes: always VE. */
  country: string;
  /** Three-letter code of the currency. */
  currency: 'VES';
  /** Always USD. A row may quote another currency: see its `base`. */
  base: 'USD';
  /** The weighted index; absent when it cannot be calculated. */
  index?: Index;
  /** When the service last received figures. */
  fetched_at: string;
  /** A row for each market that has a quote. */
  rates: Array<RateWithMarkup>;
  /** The rule that was applied; absent in a row that it does not cover. */
  markup_applied: {
    /** Name of the rule: 1 to 32 characters of a-z, 0-9, _ and -. */
    tag: string;
    /** What the rule adds: a percentage (`percent`) or an amount of VES (`fixed`). */
    kind: 'percent' | 'fixed';
    /** The percentage, or the VES to add to the rate; negative to lower it. */
    value: number;
  };
}

export interface UnitChange {
  /** From this day on, in Caracas, rates are in the new unit. */
  on: string;
  /** How many old bolívares one new one is. */
  factor: number;
}

export interface AsOfDay {
  /** The requested day, in Caracas. */
  date: string;
  /** How a day without banks was answered; only for official markets. */
  rule: 'value_date' | 'next_banking_day';
  /** Whether the banks worked on that day. */
  business_day: boolean;
  /** The days since then, until today, from which one new bolívar is several old ones, oldest first: rates are in the unit of the requested day. Absent when there is none, and with `adjusted=true`. */
  unit_changes?: Array<UnitChange>;
}

export interface PastRates {
  /** Country of the quotes: always VE. */
  country: string;
  /** Three-letter code of the currency. */
  currency: 'VES';
  /** Always USD. A row may quote another currency: see its `base`. */
  base: 'USD';
  /** When the service last received figures. */
  fetched_at: string;
  /** How the requested day was answered; only with `date`. */
  as_of: AsOfDay;
  /** A row for each market that has a quote. */
  rates: Array<PastRate>;
}

export interface AsOf {
  /** The requested day, in Caracas. */
  date: string;
  /** How a day without banks was answered; only for official markets. */
  rule?: 'value_date' | 'next_banking_day';
  /** Whether the banks worked on that day. */
  business_day: boolean;
  /** Value date of the official rate; only for official markets. */
  value_date?: string;
  /** When the service read the rate; for an official rate, not before it took effect. */
  captured_at: string;
  /** How many days older the official rate is than the requested day; only for official markets. */
  carried_days?: number;
  /** The days since then, until today, from which one new bolívar is several old ones, oldest first: rates are in the unit of the requested day. Absent when there is none, and with `adjusted=true`. */
  unit_changes?: Array<UnitChange>;
}

export interface PastRateWithMarkup {
  /** Id of the market. */
  market: string;
  /** Type of market: `reference`, `parallel`, `p2p`, `remittance`, `exchange_house`, `cash`; new ones may appear. */
  type: string;
  /** Rate of the market: VES per unit of the base currency. */
  mid: number;
  /** What buying one unit of the base currency costs, in VES; absent when the market does not say. */
  ask?: number;
  /** What selling one unit of the base currency yields, in VES; absent when the market does not say. */
  bid?: number;
  /** Time of the quote: that of its source or, without one, of its reading. For an official rate, 00:00 in Caracas on its value date. */
  updated_at: string;
  /** `mid` with the markup, in VES with 4 decimals; absent in a row that the rule does not cover. */
  mid_with_markup?: number;
  /** The rule that was applied; absent in a row that it does not cover. */
  markup_applied?: {
    /** What the rule adds: a percentage (`percent`) or an amount of VES (`fixed`). */
    kind: 'percent' | 'fixed';
    /** The percentage, or the VES to add to the rate; negative to lower it. */
    value: number;
  };
  /** Where the rate of the requested day comes from; only with `date`. */
  as_of: AsOf;
}

export interface PastRatesWithMarkup {
  /** Country of the quotes: always VE. */
  country: string;
  /** Three-letter code of the currency. */
  currency: 'VES';
  /** Always USD. A row may quote another currency: see its `base`. */
  base: 'USD';
  /** When the service last received figures. */
  fetched_at: string;
  /** How the requested day was answered; only with `date`. */
  as_of: AsOfDay;
  /** A row for each market that has a quote. */
  rates: Array<PastRateWithMarkup>;
  /** The rule that was applied; absent in a row that it does not cover. */
  markup_applied: {
    /** Name of the rule: 1 to 32 characters of a-z, 0-9, _ and -. */
    tag: string;
    /** What the rule adds: a percentage (`percent`) or an amount of VES (`fixed`). */
    kind: 'percent' | 'fixed';
    /** The percentage, or the VES to add to the rate; negative to lower it. */
    value: number;
  };
}

export type AnyRates = Rates | RatesWithMarkup | PastRates | PastRatesWithMarkup;

export interface Rate {
  /** Id of the market. */
  market: string;
  /** Type of market: `reference`, `parallel`, `p2p`, `remittance`, `exchange_house`, `cash`; new ones may appear. */
  type: string;
  /** The quoted currency. */
  base: 'USD' | 'EUR';
  /** Rate of the market: VES per unit of the base currency. */
  mid: number;
  /** What buying one unit of the base currency costs, in VES; absent when the market does not say. */
  ask?: number;
  /** What selling one unit of the base currency yields, in VES; absent when the market does not say. */
  bid?: number;
  /** Time of the quote: that of its source or, without one, of its reading. For an official rate, 00:00 in Caracas on its value date. */
  updated_at: string;
  /** Value date of an official rate, in Caracas; absent for other markets. */
  effective_date?: string;
  /** Maximum age of a quote, in seconds; an older one is stale. */
  stale_after_sec: number;
}

export interface RateWithDetails {
  /** Id of the market. */
  market: string;
  /** Type of market: `reference`, `parallel`, `p2p`, `remittance`, `exchange_house`, `cash`; new ones may appear. */
  type: string;
  /** The quoted currency. */
  base: 'USD' | 'EUR';
  /** Rate of the market: VES per unit of the base currency. */
  mid: number;
  /** What buying one unit of the base currency costs, in VES; absent when the market does not say. */
  ask?: number;
  /** What selling one unit of the base currency yields, in VES; absent when the market does not say. */
  bid?: number;
  /** Time of the quote: that of its source or, without one, of its reading. For an official rate, 00:00 in Caracas on its value date. */
  updated_at: string;
  /** Value date of an official rate, in Caracas; absent for other markets. */
  effective_date?: string;
  /** Maximum age of a quote, in seconds; an older one is stale. */
  stale_after_sec: number;
  /** Until when the rate is not stale: its time plus the threshold. */
  stale_at: string;
  /** Whether the quote is older than the maximum age of its market. */
  stale: boolean;
  /** Present when the rate moved far and no second source confirms it, or a witness contradicts an official one. */
  in_doubt?: true;
  /** When the current figures were first read; absent when it is not known. */
  unchanged_since?: string;
  /** Whether the figures have been the same for longer than a market of its type stands still: 24 hours of the parallel market, 6 hours of P2P, never for official rates. */
  frozen: boolean;
  /** Name of the source of the rate; absent when it is not known. */
  source?: string;
  /** How many independent sources agree within 2%, including its own. */
  sources: number;
  /** When the service read the rate. */
  observed_at: string;
  /** A newer reading that is held and not published; `null` when there is none. */
  held: {
    /** When the held reading was taken. */
    captured_at: string;
    /** Why it is held: a rule of judgement, `other_unit`, `out_of_band`, `first_quote`, `venues_differ`, `parallel_differs`, `side_apart`, `moved`, `other_figure`, `page_returned`, `date_closed`, `date_ahead`, `date_back`, `cross_moved`, `figure_repeated`, `figures_unrelated`, `witness_differs`, `currency_lost`, `figure_changed`; new ones may appear. The methodology explains each. */
    reason: string;
    /** Why it is held, in a sentence. */
    message: string;
  } | null;
  /** Id of the figure, for the command `vesfx evidence`. */
  evidence: string;
}

export interface PastRate {
  /** Id of the market. */
  market: string;
  /** Type of market: `reference`, `parallel`, `p2p`, `remittance`, `exchange_house`, `cash`; new ones may appear. */
  type: string;
  /** The quoted currency. */
  base: 'USD' | 'EUR';
  /** Rate of the market: VES per unit of the base currency. */
  mid: number;
  /** What buying one unit of the base currency costs, in VES; absent when the market does not say. */
  ask?: number;
  /** What selling one unit of the base currency yields, in VES; absent when the market does not say. */
  bid?: number;
  /** Time of the quote: that of its source or, without one, of its reading. For an official rate, 00:00 in Caracas on its value date. */
  updated_at: string;
  /** Value date of an official rate, in Caracas; absent for other markets. */
  effective_date?: string;
  /** Maximum age of a quote, in seconds; an older one is stale. */
  stale_after_sec: number;
  /** Where the rate of the requested day comes from; only with `date`. */
  as_of: AsOf;
}

export type AnyRate = Rate | RateWithDetails | PastRate;

export interface HistoryPoint {
  /** Id of the market. */
  market: string;
  /** The UTC day; with `group`, the first day of the period. */
  date: string;
  /** The rate: VES per unit of the base currency. */
  rate: number;
  /** Time of the quote: that of its source or, without one, of its reading. For an official rate, 00:00 in Caracas on its value date. */
  updated_at: string;
  /** When the service read the rate; for an official rate, not before it took effect. */
  captured_at: string;
  /** The days since then, until today, from which one new bolívar is several old ones, oldest first: rates are in the unit of the requested day. Absent when there is none, and with `adjusted=true`. */
  unit_changes?: Array<UnitChange>;
}

export interface CapturedRate {
  /** The UTC day; with `group`, the first day of the period. */
  date: string;
  /** The rate: VES per unit of the base currency. */
  rate: number;
  /** Time of the quote: that of its source or, without one, of its reading. For an official rate, 00:00 in Caracas on its value date. */
  updated_at: string;
  /** When the service read the rate; for an official rate, not before it took effect. */
  captured_at: string;
}

export interface HistoryCollection {
  /** Id of the market. */
  market: string;
  /** First day of the range, included. */
  from: string;
  /** Last day of the range, included. */
  to: string;
  /** One point per day (`daily`) or every capture (`raw`). */
  granularity: 'daily' | 'raw';
  /** How many items the list has. */
  count: number;
  /** The days since the first day of the range, until today or a later end of it, from which one new bolívar is several old ones, oldest first: each rate is in the unit of its day. Absent when there is none, and with `adjusted=true`. */
  unit_changes?: Array<UnitChange>;
  /** The captured rates, oldest first. */
  points: Array<CapturedRate>;
  /** Present when there were more points than fit: only the newest are included. */
  truncated?: true;
}

export type History = HistoryPoint | HistoryCollection;

export interface Candle {
  /** First UTC day of the period. */
  date: string;
  /** First rate of the period: VES per unit of the base currency. */
  open: number;
  /** Highest rate of the period, in VES. */
  high: number;
  /** Lowest rate of the period, in VES. */
  low: number;
  /** Last rate of the period, in VES, as in the daily history. */
  close: number;
  /** How many captures the period has. They are readings, not trades. */
  captures: number;
  /** When the first capture of the period was made. */
  opened_at: string;
  /** When the last capture of the period was made. */
  closed_at: string;
  /** `false` while the period is still running, or when the range or the plan cuts it. */
  complete: boolean;
}

export interface Candles {
  /** Id of the market. */
  market: string;
  /** Length of each candle. */
  interval: 'day' | 'week' | 'month';
  /** First day of the range, included. */
  from: string;
  /** Last day of the range, included. */
  to: string;
  /** How many items the list has. */
  count: number;
  /** The days since the first day of the range, until today or a later end of it, from which one new bolívar is several old ones, oldest first: each rate is in the unit of its day. Absent when there is none, and with `adjusted=true`. */
  unit_changes?: Array<UnitChange>;
  /** The candles, oldest first. */
  candles: Array<Candle>;
}

export interface Change {
  /** Id of the market. */
  market: string;
  /** The rate: VES per unit of the base currency. */
  rate: number;
  /** Time of the quote: that of its source or, without one, of its reading. For an official rate, 00:00 in Caracas on its value date. */
  updated_at: string;
  /** The last capture up to the start of the period; absent when there is none. */
  before?: {
    /** The rate: VES per unit of the base currency. */
    rate: number;
    /** When the service read the compared rate. */
    captured_at: string;
  };
  /** Difference from the earlier rate; absent when there is none. */
  change?: {
    /** The difference in VES; negative when the rate fell. */
    amount: number;
    /** The difference in percent, with 4 decimals. */
    percent: number;
  };
}

export interface Changes {
  /** How far back the comparison goes. */
  period: '1d' | '7d' | '30d' | '90d' | '365d';
  /** The days since the first day of the range, until today or a later end of it, from which one new bolívar is several old ones, oldest first: each rate is in the unit of its day. Absent when there is none, and with `adjusted=true`. */
  unit_changes?: Array<UnitChange>;
  /** A row for each market that has a quote now. */
  changes: Array<Change>;
}

export interface MissingDays {
  /** First missing day, included. */
  from: string;
  /** Last missing day, included. */
  to: string;
}

export interface Coverage {
  /** Id of the market. */
  market: string;
  /** First day that is stored, as far as your plan reaches; `null` without one. */
  first_date: string | null;
  /** Last day that is stored; `null` without one. */
  last_date: string | null;
  /** How many days are stored. */
  days: number;
  /** The days that are missing up to yesterday, oldest first; of an official market only business days. */
  missing: Array<MissingDays>;
}

export interface MarketCoverage {
  /** A row for each market with a stored day, and for each market that the request names. */
  markets: Array<Coverage>;
}

export interface Correction {
  /** `publication`: an official rate, one row for each currency. `quote`: a rate of another market. */
  kind: 'publication' | 'quote';
  /** Id of the market; absent for a currency without one. */
  market?: string;
  /** Currency of the publication; absent for a quote. */
  currency?: string;
  /** Value date of the publication, in Caracas; absent for a quote. */
  value_date?: string;
  /** The figure that no longer holds, in VES. */
  was: number;
  /** The figure that took its place, in VES; `null` when it was withdrawn. */
  is: number | null;
  /** When the service corrected it; of a quote, when it read what corrected it. */
  corrected_at: string;
  /** Why it no longer holds; new codes may appear. */
  why:
    | 'insisted'
    | 'confirmed'
    | 'page_returned'
    | 'wrong_date'
    | 'witness_differs'
    | 'archive'
    | 'operator'
    | 'restored';
}

export interface Corrections {
  /** First day of the list, in Caracas. */
  since: string;
  /** How many items the list has. */
  count: number;
  /** The corrections, newest first. */
  corrections: Array<Correction>;
}

export interface Market {
  /** Id of the market; answers always use it. */
  id: string;
  /** Name of the market, in Spanish. */
  name: string;
  /** Type of market: `reference`, `parallel`, `p2p`, `remittance`, `exchange_house`, `cash`; new ones may appear. */
  type: string;
  /** The quoted currency. */
  base: 'USD' | 'EUR';
  /** Other names that requests may use for the market. */
  aliases: Array<string>;
  /** Maximum age of a quote, in seconds; an older one is stale. */
  stale_after_sec: number;
  /** Whether your plan includes the market. */
  available: boolean;
  /** The cheapest plan that includes the market; `null` if every plan does. */
  required_plan: string | null;
}

export interface Markets {
  /** The markets, in the order of the catalogue. */
  markets: Array<Market>;
}

export interface Money {
  /** Three-letter code of the currency. */
  currency: string;
  /** The amount, in that currency. */
  amount: number;
}

export interface Conversion {
  /** What is converted. */
  from: Money;
  /** What it is worth, with 2 decimals. */
  to: Money;
  /** The rate: VES per unit of the base currency. */
  rate: number;
  /** Id of the market. */
  market: string;
  /** Type of market: `reference`, `parallel`, `p2p`, `remittance`, `exchange_house`, `cash`; new ones may appear. */
  type: string;
  /** Time of the quote: that of its source or, without one, of its reading. For an official rate, 00:00 in Caracas on its value date. */
  updated_at: string;
  /** Value date of an official rate, in Caracas; absent for other markets. */
  effective_date?: string;
  /** Age of the quote, in seconds. */
  staleness_sec: number;
  /** Whether the quote is older than the maximum age of its market. */
  stale: boolean;
}

export interface PastConversion {
  /** What is converted. */
  from: Money;
  /** What it is worth, with 2 decimals. */
  to: Money;
  /** The rate: VES per unit of the base currency. */
  rate: number;
  /** Id of the market. */
  market: string;
  /** Type of market: `reference`, `parallel`, `p2p`, `remittance`, `exchange_house`, `cash`; new ones may appear. */
  type: string;
  /** Time of the quote: that of its source or, without one, of its reading. For an official rate, 00:00 in Caracas on its value date. */
  updated_at: string;
  /** Value date of an official rate, in Caracas; absent for other markets. */
  effective_date?: string;
  /** Where the rate of the requested day comes from; only with `date`. */
  as_of: AsOf;
}

export type AnyConversion = Conversion | PastConversion;

export interface BulkConversion {
  /** The rate: VES per unit of the base currency. */
  rate: number;
  /** Id of the market. */
  market: string;
  /** Type of market: `reference`, `parallel`, `p2p`, `remittance`, `exchange_house`, `cash`; new ones may appear. */
  type: string;
  /** Time of the quote: that of its source or, without one, of its reading. For an official rate, 00:00 in Caracas on its value date. */
  updated_at: string;
  /** The results, in the order of the amounts. */
  results: Array<{
    /** The amount, as sent. */
    amount: number;
    /** What the amount is worth, in the currency of `to`, with 2 decimals. */
    result: number;
  }>;
  /** Sum of the amounts, in the currency of `from`. */
  total_in: number;
  /** Sum of the results, in the currency of `to`. */
  total_out: number;
  /** Where the rate of the requested day comes from; only with `date`. */
  as_of?: AsOf;
}

export interface RouteEntry {
  /** Id of the market. */
  market: string;
  /** Type of market: `reference`, `parallel`, `p2p`, `remittance`, `exchange_house`, `cash`; new ones may appear. */
  type: string;
  /** The rate: VES per unit of the base currency. */
  rate: number;
  /** What the conversion yields, in the other currency, with 2 decimals. */
  amount: number;
  /** Time of the quote: that of its source or, without one, of its reading. For an official rate, 00:00 in Caracas on its value date. */
  updated_at: string;
  /** Age of the quote, in seconds. */
  staleness_sec: number;
}

export interface Route {
  /** What is converted. */
  from: Money;
  /** The direction in the request; it changes nothing else. */
  direction: 'send' | 'receive';
  /** The market that yields the most. */
  best: RouteEntry;
  /** The other markets, best first. */
  alternatives: Array<RouteEntry>;
  /** The markets that are left out; absent when there are none. */
  skipped?: Array<{
    /** Id of the market. */
    market: string;
    /** Why it is left out, in one word; new ones may appear. */
    reason: string;
  }>;
  /** When the service last received figures. */
  fetched_at: string;
}

export interface Index {
  /** The index: VES per dollar. */
  value: number;
  /** Version of the methodology. */
  version: string;
  /** When the service last received figures. */
  as_of: string;
  /** The weights that were used; they sum to 1. */
  weights: {
    /** Weight of the official dollar rate. */
    bcv: number;
    /** Weight of the parallel rate. */
    paralelo: number;
    /** Weight of the median of the P2P markets. */
    p2p: number;
  };
  /** The values that were used. */
  components: {
    /** Official dollar rate, in VES; absent when not used. */
    bcv?: number;
    /** Parallel rate, in VES; absent when not used. */
    paralelo?: number;
    /** Median of the P2P markets, in VES; absent when not used. */
    p2p?: number;
  };
  /** Median of the P2P markets that were used, in VES; absent when there are none. */
  p2p_median?: number;
  /** How many P2P markets were used, without outliers. */
  p2p_count: number;
  /** Warnings about this value; empty when there are none. */
  flags: {
    /** Present when the official rate is too old; its weight is then 0. */
    bcv_stale?: true;
    /** Present when only 1 to 3 P2P quotes are left. */
    degraded?: true;
    /** Components without a value, whose weights are 0; absent when there are none. */
    missing_sources?: Array<'bcv' | 'paralelo' | 'p2p'>;
    /** Ids of the P2P markets that were left out; absent when there are none. */
    outliers_excluded?: Array<string>;
  };
  /** Address of the page that explains the calculation. */
  methodology_url: string;
}

export interface SpreadSide {
  /** Id of the market. */
  market: string;
  /** Its rate: VES per dollar. */
  value: number;
  /** Time of the quote: that of its source or, without one, of its reading. For an official rate, 00:00 in Caracas on its value date. */
  updated_at: string;
}

export interface Spread {
  /** The official dollar rate. */
  reference: SpreadSide;
  /** The market that is compared. */
  compared: SpreadSide;
  /** The premium of the compared market over the official rate. */
  spread: {
    /** Compared rate minus official rate, in VES with 4 decimals. */
    absolute: number;
    /** The same as a percentage of the official rate, with 2 decimals. */
    percentage: number;
    /** Whether the compared rate is above the official one (`higher`), below it (`lower`) or the same (`equal`). */
    direction: 'higher' | 'lower' | 'equal';
  };
  /** When the service last received figures. */
  fetched_at: string;
}

export interface BankRate {
  /** Name of the bank, as published. */
  bank: string;
  /** VES that the bank pays per dollar; absent when not published. */
  buy?: number;
  /** VES that the bank charges per dollar; absent when not published. */
  sell?: number;
  /** The day that the row is for. */
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
  /** When the service read the publication. */
  captured_at: string;
}

export interface BcvCurrencies {
  /** The value date; it may be in the future. */
  reference_value_date: string;
  /** The value date in words, as published. */
  reference_value_date_text: string;
  /** The official rates of the publication, by currency. */
  rates: {
    /** VES per euro; absent when not published. */
    EUR?: number;
    /** VES per Chinese yuan; absent when not published. */
    CNY?: number;
    /** VES per Turkish lira; absent when not published. */
    TRY?: number;
    /** VES per Russian rouble; absent when not published. */
    RUB?: number;
  };
  /** When the service read the publication. */
  captured_at: string;
}

export interface OfficialRateWithChange {
  /** The rate: VES per unit of the base currency. */
  rate: number;
  /** The day it takes effect, in Caracas. */
  value_date: string;
  /** The moment it takes effect: 00:00 in Caracas on its value date. */
  effective_at: string;
  /** Difference from the earlier rate; absent when there is none. */
  change?: {
    /** The difference in VES; negative when the rate fell. */
    amount: number;
    /** The difference in percent, with 4 decimals. */
    percent: number;
  };
}

export interface OfficialRate {
  /** The rate: VES per unit of the base currency. */
  rate: number;
  /** The day it takes effect, in Caracas. */
  value_date: string;
  /** The moment it takes effect: 00:00 in Caracas on its value date. */
  effective_at: string;
}

export interface OfficialCurrency {
  /** The rate in force now; absent until a rate takes effect. */
  in_force?: OfficialRateWithChange;
  /** The rate before the one in force; absent when none is stored. */
  previous?: OfficialRate;
  /** The next rate; absent until it is published. */
  next?: OfficialRateWithChange;
}

export interface RateInDoubt {
  /** The currency. */
  currency: 'USD' | 'EUR' | 'CNY' | 'TRY' | 'RUB';
  /** The day from which it is in force, or would be, in Caracas. */
  value_date: string;
  /** The rate: VES per unit of the base currency. */
  rate: number;
  /** Why it is in doubt: one rule of judgement or more, the gravest first, of `other_unit`, `moved`, `other_figure`, `page_returned`, `date_closed`, `date_ahead`, `date_back`, `cross_moved`, `figure_repeated`, `figures_unrelated`, `witness_differs`, `currency_lost`, `figure_changed`; new ones may appear. The methodology explains each. */
  reasons: Array<string>;
  /** The first reading in a row that showed it. */
  since: string;
}

export interface NextPublication {
  /** The first business day after the newest value date that is stored. */
  value_date: string;
  /** When the central bank is expected to publish it at the earliest. */
  expected_from: string;
  /** When it is expected at the latest. */
  expected_until: string;
  /** Whether that moment has passed. */
  overdue: boolean;
}

export interface OfficialRates {
  /** The official rates, by currency. */
  rates: {
    /** US dollar; absent until its first publication. */
    USD?: OfficialCurrency;
    /** Euro; absent until its first publication. */
    EUR?: OfficialCurrency;
    /** Chinese yuan; absent until its first publication. */
    CNY?: OfficialCurrency;
    /** Turkish lira; absent until its first publication. */
    TRY?: OfficialCurrency;
    /** Russian rouble; absent until its first publication. */
    RUB?: OfficialCurrency;
  };
  /** Rates that are not confirmed: of held publications, for value dates that are not in force, and published ones that a witness contradicts, which are under `rates` too; absent when there is none. */
  in_doubt?: Array<RateInDoubt>;
  /** The next rate of the dollar that is not stored yet; absent until a first one is. */
  next_publication?: NextPublication;
  /** When the service last received figures. */
  fetched_at: string;
}

export interface OfficialDay {
  /** The day, in Caracas. */
  date: string;
  /** VES for one unit of the currency. */
  rate: number;
  /** The value date of the rate: the day on which it took effect. */
  value_date: string;
  /** Whether the banks work on that day. */
  business_day: boolean;
  /** Days from the value date to the day; 0 on the value date. */
  carried_days: number;
  /** When the service first read the publication. */
  captured_at: string;
  /** Value date of the rate by the rule `next_banking_day`: on a day without banks the next business day, on a business day `value_date`. Null while that rate is not published; only with `days=all`. */
  next_banking_day?: string | null;
  /** That rate, in the unit of `date`. Null while it is not published; only with `days=all`. */
  next_banking_day_rate?: number | null;
}

export interface OfficialHistory {
  /** Three-letter code of the currency. */
  currency: string;
  /** First day of the range, included. */
  from: string;
  /** Last day of the range, included. */
  to: string;
  /** Which days have a row. */
  days: 'value' | 'all';
  /** How many items the list has. */
  count: number;
  /** The days since the first day of the range, until today or a later end of it, from which one new bolívar is several old ones, oldest first: each rate is in the unit of its day. Absent when there is none, and with `adjusted=true`. */
  unit_changes?: Array<UnitChange>;
  /** The days, oldest first. Days before the first stored rate have none. */
  rows: Array<OfficialDay>;
  /** Business days of the range, after the first stored value date, for which no publication is stored. From such a day to the next value date no day has a row. */
  missing: Array<string>;
}

export interface CalendarDay {
  /** The day, in Caracas. */
  date: string;
  /** Whether the banks work on that day. */
  business_day: boolean;
  /** Name of the bank holiday, in Spanish; absent on other days. */
  holiday?: string;
  /** Value date of the rate that the central bank publishes on that day. */
  next_value_date: string;
  /** Present when the day is after `announced_until`: `business_day` is computed from the holiday rules, and the regulator may decide otherwise. */
  computed?: true;
}

export interface Calendar {
  /** First day of the range, included. */
  from: string;
  /** Last day of the range, included. */
  to: string;
  /** How many items the list has. */
  count: number;
  /** The days, in order. */
  days: Array<CalendarDay>;
  /** Last day announced by the regulator; later days are computed. */
  announced_until: string;
}

export interface CalculatorRow {
  /** Id of the market. */
  market: string;
  /** Name of the market, in Spanish. */
  name: string;
  /** Type of market: `reference`, `parallel`, `p2p`, `remittance`, `exchange_house`, `cash`; new ones may appear. */
  type: string;
  /** The quoted currency; only in a row that quotes another currency than the requested one. */
  base?: 'USD' | 'EUR';
  /** The rate: VES per unit of the base currency. */
  rate: number;
  /** The amount in the other currency, with 2 decimals; absent in a row that has a `base`. */
  result?: number;
  /** Time of the quote: that of its source or, without one, of its reading. For an official rate, 00:00 in Caracas on its value date. */
  updated_at: string;
  /** Value date of an official rate, in Caracas; absent for other markets. */
  effective_date?: string;
  /** Whether the quote is older than the maximum age of its market. */
  stale: boolean;
}

export interface Calculation {
  /** The amount, as sent. */
  amount: number;
  /** Currency of the amount. */
  from: string;
  /** Currency of the results. */
  to: string;
  /** A row for each market of the cheapest plan that has a quote. */
  results: Array<CalculatorRow>;
  /** When the service last received figures. */
  fetched_at: string;
}

export interface Account {
  /** Id of the account. */
  id: string;
  /** Name of the account. */
  name: string;
  /** Name of its plan. */
  plan: string;
  /** Whether its keys work (`active`) or not (`suspended`). */
  status: 'active' | 'suspended';
  /** Limits of the plan; `null` means no limit. */
  limits: {
    /** Units that the account may use in a UTC month. */
    units_per_month: number | null;
    /** Requests that the account may make in a minute. */
    requests_per_minute: number | null;
    /** Batches that the account may convert in an hour. */
    bulk_calls_per_hour: number | null;
    /** How many days back the history reaches. */
    history_days: number | null;
    /** How many days back a past date of an official rate reaches. */
    official_days: number | null;
    /** Formats that an answer may have. */
    formats: Array<'json' | 'csv' | 'xml'>;
    /** Maximum of live keys, without counting publishable ones. */
    keys_max: number | null;
    /** Maximum of live publishable keys. */
    public_keys_max: number | null;
    /** Maximum of markup rules. */
    markups_max: number | null;
    /** What else the plan includes. */
    features: Array<'markets' | 'spread' | 'bulk_convert' | 'route' | 'markup'>;
  };
  /** Units of the current month. */
  usage: {
    /** The UTC month, `YYYY-MM`. */
    month: string;
    /** Units spent in the month. */
    units_used: number;
    /** Units left in the month; `null` if there is no limit. */
    units_remaining: number | null;
    /** When the next month begins, with all its units. */
    resets_at: string;
  };
  /** Keys of the account, without their secrets. */
  keys: Array<Key>;
  /** Start of the next page of keys; `null` on the last page. */
  keys_next: string | null;
}

export interface UsageOfADay {
  /** The UTC day of the requests. */
  date: string;
  /** Method and path of the endpoint. */
  endpoint: string;
  /** How many requests, including those answered with an error. */
  calls: number;
  /** Units that these requests cost. */
  units: number;
  /** Requests answered with a 4xx status. */
  client_errors: number;
  /** Requests answered with a 5xx status. */
  server_errors: number;
}

export interface Usage {
  /** First day of the range, included. */
  from: string;
  /** Last day of the range, included. */
  to: string;
  /** Requests in the range, of all endpoints. */
  total_calls: number;
  /** Units in the range, of all endpoints. */
  total_units: number;
  /** How many items the list has. */
  count: number;
  /** The requests by day and endpoint, oldest day first. */
  days: Array<UsageOfADay>;
}

export interface Keys {
  /** Keys of the account, without their secrets. */
  keys: Array<Key>;
  /** Start of the next page; `null` on the last page. */
  next: string | null;
}

export interface CreatedKey {
  /** Id of the key, which is not secret. */
  id: string;
  /** How the key begins and ends; `null` for a key of an older version. */
  hint: string | null;
  /** Kind of key; only a full one may do everything. */
  kind: 'full' | 'restricted' | 'publishable';
  /** Name that the account gave the key; `null` if none. */
  label: string | null;
  /** What the key may do. */
  scopes: Array<
    'rates' | 'history' | 'official' | 'stream' | 'mcp' | 'account.read' | 'account.write'
  >;
  /** Origins whose pages may use a publishable key; empty for other kinds. */
  origins: Array<string>;
  /** Whether requests without an `Origin` may use a publishable key; `false` for other kinds. */
  allow_no_origin: boolean;
  /** Requests per minute of a publishable key; `null` for other kinds. */
  requests_per_minute: number | null;
  /** Whether this request was made with the key. */
  current: boolean;
  /** When the key was created. */
  created_at: string;
  /** When the key expires; `null` if it does not. */
  expires_at: string | null;
  /** The minute in which the key was last accepted; `null` if it never was. */
  last_used_at: string | null;
  /** When the key was revoked; `null` if it was not. */
  revoked_at: string | null;
  /** The key itself: keep it safe. */
  key: string;
}

export interface Key {
  /** Id of the key, which is not secret. */
  id: string;
  /** How the key begins and ends; `null` for a key of an older version. */
  hint: string | null;
  /** Kind of key; only a full one may do everything. */
  kind: 'full' | 'restricted' | 'publishable';
  /** Name that the account gave the key; `null` if none. */
  label: string | null;
  /** What the key may do. */
  scopes: Array<
    'rates' | 'history' | 'official' | 'stream' | 'mcp' | 'account.read' | 'account.write'
  >;
  /** Origins whose pages may use a publishable key; empty for other kinds. */
  origins: Array<string>;
  /** Whether requests without an `Origin` may use a publishable key; `false` for other kinds. */
  allow_no_origin: boolean;
  /** Requests per minute of a publishable key; `null` for other kinds. */
  requests_per_minute: number | null;
  /** Whether this request was made with the key. */
  current: boolean;
  /** When the key was created. */
  created_at: string;
  /** When the key expires; `null` if it does not. */
  expires_at: string | null;
  /** The minute in which the key was last accepted; `null` if it never was. */
  last_used_at: string | null;
  /** When the key was revoked; `null` if it was not. */
  revoked_at: string | null;
}

export interface RotatedKey {
  /** Id of the new key. */
  id: string;
  /** The new key itself: keep it safe. */
  key: string;
  /** When the key was created. */
  created_at: string;
  /** Id of the old key. */
  replaces: string;
  /** When the old key stops working. */
  replaced_expires_at: string;
}

export interface Markups {
  /** The rules, in the order of their tags. */
  markups: Array<Markup>;
}

export interface Markup {
  /** Name of the rule: 1 to 32 characters of a-z, 0-9, _ and -. */
  tag: string;
  /** What the rule adds: a percentage (`percent`) or an amount of VES (`fixed`). */
  kind: 'percent' | 'fixed';
  /** The percentage, or the VES to add to the rate; negative to lower it. */
  value: number;
  /** Ids of the markets it applies to; empty for all. */
  markets: Array<string>;
  /** Whether requests may use the rule. */
  active: boolean;
}

export interface Ingested {
  /** Records that were stored. */
  accepted: number;
  /** Doubtful records, which are not published. */
  held: number;
  /** Records that were refused. */
  refused: number;
  /** Records that had already been stored, or are passed over. */
  duplicate: number;
  /** The first 1,000 quotes that are older than the current one and outside of the band; absent when there are none. */
  passed_over?: Array<{
    /** Line of the body, from 1. */
    line: number;
    /** Why the record is neither stored nor held. */
    reason: string;
  }>;
}

export interface StatusReason {
  /** Name of the problem; it never changes, but new ones may appear. */
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
    | 'database_unavailable'
    | 'database_not_writable';
  /** The problem in one sentence, for people. */
  message: string;
  /** When the problem began; absent when that is not known. */
  since?: string;
  /** Ids of the affected markets; absent when the problem is not about markets. */
  markets?: Array<string>;
  /** Names of the affected sources; absent when the problem is not about sources. */
  sources?: Array<string>;
  /** How many publications are overdue; only with `publications_missed`. */
  count?: number;
}

export interface SourceDay {
  /** The day, in Caracas. */
  date: string;
  /** Readings that gave records. */
  successes: number;
  /** Readings that failed. */
  failures: number;
  /** Readings with figures other than the previous one. */
  changes: number;
}

export interface SourceStatus {
  /** Name of the source. */
  name: string;
  /** Kind of source, which decides how it is read. */
  kind: string;
  /** Whether the source is switched on. */
  enabled: boolean;
  /** A witness publishes nothing: its official rates only confirm or contradict. Absent for other sources. */
  role?: 'witness';
  /** What the source adds while it is on: a second source for the official rate, or an origin of its market that is independent of the aggregator. Absent for other sources. */
  adds?: 'second_voice' | 'independent_origin';
  /** Ids of the markets that the source quotes; empty for the tables of the central bank. */
  markets: Array<string>;
  /** The source that this one replaces when that one fails; absent for a main source. */
  stands_in_for?: string;
  /** State of the source, in one word. */
  state: 'ok' | 'failing' | 'frozen' | 'late' | 'incomplete' | 'waiting' | 'off' | 'standby';
  /** The state in one sentence, for people. */
  why: string;
  /** Why the last reading failed, in one word; absent when it did not. New ones may appear. */
  failure?: string;
  /** When the source was last read without an error; absent before the first time. */
  last_success?: string;
  /** When its figures last changed; a new time alone does not count. Absent until they change. */
  last_change?: string;
  /** Readings that failed since the last good one. */
  consecutive_failures: number;
  /** Overdue publications of the central bank, by its calendar; only for the source of its official rates, or for `operator` while none is on. */
  publications_missed?: number;
  /** Value dates of the last 30 days that are not stored; only with `publications_missed`. */
  value_dates_missing?: Array<string>;
  /** Its markets without a new quote for 30 minutes; absent when there are none. */
  missing_markets?: Array<string>;
  /** Present when its page shows an earlier publication again. */
  page_went_back?: true;
  /** When the source is read next; absent when no reading is due. */
  next_run?: string;
  /** How many doubtful records of the source are held and not published. */
  held: number;
  /** Those of the last 90 days on which the source was read, oldest first. */
  days: Array<SourceDay>;
}

export interface Status {
  /** How far you can rely on the figures: `failing` when nothing fresh is published or the official rate is stale, `degraded` when only part of them has problems. */
  status: 'ok' | 'degraded' | 'failing';
  /** The problems, those of figures first; empty when `ok`. */
  reasons: Array<StatusReason>;
  /** When this state was determined. */
  checked_at: string;
  /** Whether the database responds; while it does not, the rest is the last known state. */
  database: 'ok' | 'unavailable';
  /** When the service last received figures; absent before the first time. */
  fetched_at?: string;
  /** Whether a process reads the sources. */
  collecting: boolean;
  /** When the clock of the answering machine was set by more than a minute; absent an hour after it. */
  clock_stepped?: string;
  /** The sources, in the order of the catalogue. */
  sources: Array<SourceStatus>;
}

export interface MissingMarket {
  /** Id of the market. */
  market: string;
  /** Name of the market, in Spanish. */
  name: string;
  /** Name of the market, in English. */
  name_en: string;
  /** Type of market: `reference`, `parallel`, `p2p`, `remittance`, `exchange_house`, `cash`; new ones may appear. */
  type: string;
  /** The quoted currency. */
  base: 'USD' | 'EUR';
}

export interface PremiumSide {
  /** Id of the market. */
  market: string;
  /** Its rate: VES per dollar. */
  value: number;
}

export interface Trend {
  /** Difference from 24 hours ago; absent when there is no earlier figure. */
  change?: {
    /** The difference, in VES. */
    amount: number;
    /** The difference in percent. */
    percent: number;
  };
  /** The figure at the close of each of the last 30 UTC days that has one, then the current one. */
  closes: Array<number>;
}

export interface PremiumTrend {
  /** Difference from 24 hours ago; absent when there is no earlier figure. */
  change?: {
    /** The difference, in percentage points. */
    amount: number;
  };
  /** The figure at the close of each of the last 30 UTC days that has one, then the current one. */
  closes: Array<number>;
}

export interface BoardRate {
  /** Id of the market. */
  market: string;
  /** Type of market: `reference`, `parallel`, `p2p`, `remittance`, `exchange_house`, `cash`; new ones may appear. */
  type: string;
  /** The quoted currency. */
  base: 'USD' | 'EUR';
  /** Rate of the market: VES per unit of the base currency. */
  mid: number;
  /** What buying one unit of the base currency costs, in VES; absent when the market does not say. */
  ask?: number;
  /** What selling one unit of the base currency yields, in VES; absent when the market does not say. */
  bid?: number;
  /** Time of the quote: that of its source or, without one, of its reading. For an official rate, 00:00 in Caracas on its value date. */
  updated_at: string;
  /** Value date of an official rate, in Caracas; absent for other markets. */
  effective_date?: string;
  /** Maximum age of a quote, in seconds; an older one is stale. */
  stale_after_sec: number;
  /** Name of the market, in Spanish. */
  name: string;
  /** Name of the market, in English. */
  name_en: string;
  /** Age of the quote, in seconds. */
  staleness_sec: number;
  /** Whether the quote is older than the maximum age of its market. */
  stale: boolean;
  /** Present when the rate moved far and no second source confirms it, or a witness contradicts an official one. */
  in_doubt?: true;
  /** When the current figures were first read; absent when it is not known. */
  unchanged_since?: string;
  /** Present when the figures have been the same for too long. */
  frozen?: true;
  /** Premium over the official dollar in percent; only in a row of another market in USD. */
  gap_percent?: number;
  /** Where the rate is from. */
  source: {
    /** Name of the source. */
    name: string;
    /** `official`, the kind of a source of the catalogue, or `operator` for a pushed record. */
    kind: string;
  };
  /** How reliable the rate is; absent while the database does not answer. */
  details?: {
    /** Name of the source of the rate; absent when it is not known. */
    source?: string;
    /** How many independent sources agree within 2%, including its own. */
    sources: number;
    /** When the service read the rate. */
    observed_at: string;
    /** A newer reading that is held and not published; `null` when there is none. */
    held: {
      /** When the held reading was taken. */
      captured_at: string;
      /** Why it is held: a rule of judgement, `other_unit`, `out_of_band`, `first_quote`, `venues_differ`, `parallel_differs`, `side_apart`, `moved`, `other_figure`, `page_returned`, `date_closed`, `date_ahead`, `date_back`, `cross_moved`, `figure_repeated`, `figures_unrelated`, `witness_differs`, `currency_lost`, `figure_changed`; new ones may appear. The methodology explains each. */
      reason: string;
      /** Why it is held, in a sentence. */
      message: string;
    } | null;
    /** Id of the figure, for the command `vesfx evidence`. */
    evidence: string;
  };
}

export interface Board {
  /** Changes when anything except an age changes. */
  version: string;
  /** When the ages were counted. */
  as_of: string;
  /** When the service last received figures. */
  fetched_at: string;
  /** How far you can rely on the figures. */
  state: {
    /** How far you can rely on the figures: `failing` when nothing fresh is published or the official rate is stale, `degraded` when only part of them has problems. */
    status: 'ok' | 'degraded' | 'failing';
    /** The problems, those of figures first; empty when `ok`. */
    reasons: Array<StatusReason>;
  };
  /** The markets that the reasons are about and that have no rate; absent when there are none. */
  missing?: Array<MissingMarket>;
  /** The official rates, by currency. */
  official: {
    /** US dollar; absent until its first publication. */
    USD?: OfficialCurrency;
    /** Euro; absent until its first publication. */
    EUR?: OfficialCurrency;
    /** Chinese yuan; absent until its first publication. */
    CNY?: OfficialCurrency;
    /** Turkish lira; absent until its first publication. */
    TRY?: OfficialCurrency;
    /** Russian rouble; absent until its first publication. */
    RUB?: OfficialCurrency;
  };
  /** Rates that are not confirmed: of held publications, for value dates that are not in force, and published ones that a witness contradicts, which are under `rates` too; absent when there is none. */
  in_doubt?: Array<RateInDoubt>;
  /** The days up to that of the next official rate, or of one in doubt, from which one new bolívar is several old ones: that rate is in the new one; absent when there is none. */
  unit_changes?: Array<UnitChange>;
  /** The P2P median of the index; absent when no P2P quote remains. */
  p2p?: {
    /** Median of the P2P markets, in VES per dollar. */
    median: number;
    /** How many markets it is the median of. */
    count: number;
    /** Time of the oldest of their quotes. */
    updated_at: string;
    /** How many of their quotes are stale. */
    stale_count: number;
  };
  /** The weighted index; absent when it cannot be calculated. */
  index?: Index;
  /** What of the index is stale or in doubt; absent when nothing is. */
  index_sources?: {
    /** Components, `paralelo` and `p2p`, whose quotes are all stale; absent when there are none. */
    stale?: Array<'bcv' | 'paralelo' | 'p2p'>;
    /** Components, `paralelo` and `p2p`, of whose quotes half or more are in doubt; absent when there are none. */
    in_doubt?: Array<'bcv' | 'paralelo' | 'p2p'>;
  };
  /** The premium of the parallel rate over the official one; absent without one of them. */
  gap?: {
    /** The official dollar rate. */
    reference: PremiumSide;
    /** The parallel rate. */
    compared: SpreadSide;
    /** The premium of the compared market over the official rate. */
    spread: {
      /** Compared rate minus official rate, in VES with 4 decimals. */
      absolute: number;
      /** The same as a percentage of the official rate, with 2 decimals. */
      percentage: number;
      /** Whether the compared rate is above the official one (`higher`), below it (`lower`) or the same (`equal`). */
      direction: 'higher' | 'lower' | 'equal';
    };
  };
  /** How the figures moved. */
  trends: {
    /** The parallel rate; absent without one. */
    parallel?: Trend;
    /** The P2P median; absent without one. */
    p2p?: Trend;
    /** The index; absent without one. */
    index?: Trend;
    /** The premium, in percent; absent without one. */
    gap?: PremiumTrend;
  };
  /** A row for each market of the cheapest plan that has a quote. */
  rates: Array<BoardRate>;
  /** The bank table; absent until one is stored. */
  banks?: BankTable;
  /** By market: the rate of 24 hours ago and the change; a market without one is absent. */
  changes: Record<string, unknown>;
  /** How many days back the history of the board reaches; 0 for none. */
  history_days: number;
}

export interface BulkConversionRequest {
  /** Currency of the amount: USD or VES, in any letter case. */
  from: 'USD' | 'VES';
  /** Currency of the result: USD or VES, in any letter case. */
  to: 'USD' | 'VES';
  /** 1 to 50 numbers greater than 0 and at most one trillion (10^12). */
  amounts: Array<number>;
  /** Id or alias of the market whose rate is used; by default, the official dollar rate. */
  market?: string;
  /** A day in Caracas, `YYYY-MM-DD`: the answer has the rates of that day. Official rates up to the newest value date, which may be a day to come; others up to today. By default, the current rates. */
  date?: string;
  /** With `date`, for official markets on a day without banks: `value_date` (the default) takes the rate in force, `next_banking_day` the rate of the next business day. */
  rule?: 'value_date' | 'next_banking_day';
  /** `true` gives every rate in the newest unit of the currency; by default each is in the unit of its day. */
  adjusted?: true | false | 'true' | 'false';
}

export interface KeyRequest {
  /** Kind of key: `full`, `restricted`, `publishable`. */
  kind: string;
  /** For a restricted key, some of `rates`, `history`, `official`, `account.read`, `account.write`. For a publishable key, some of `rates`, `history`, `official`; by default all of these. A full key has every scope. */
  scopes?: Array<string>;
  /** For a publishable key, at most 10 exact origins whose pages may use it. */
  origins?: Array<string>;
  /** For a publishable key, whether requests without an `Origin`, such as those of spreadsheets, may use it. */
  allow_no_origin?: boolean;
  /** Requests per minute of a publishable key, from 1 to 60; 60 by default. */
  requests_per_minute?: number;
  /** Your name for the key, at most 100 characters; `null` for none. */
  label?: string | null;
  /** When the key expires, at most two years from now: a time in ISO 8601 with its zone; `null` for never. */
  expires_at?: string | null;
}

export interface KeyChange {
  /** The current kind of the key; any other is refused. */
  kind?: string;
  /** For a restricted key, some of `rates`, `history`, `official`, `account.read`, `account.write`. For a publishable key, some of `rates`, `history`, `official`; by default all of these. A full key has every scope. */
  scopes?: Array<string>;
  /** For a publishable key, at most 10 exact origins whose pages may use it. */
  origins?: Array<string>;
  /** For a publishable key, whether requests without an `Origin`, such as those of spreadsheets, may use it. */
  allow_no_origin?: boolean;
  /** Requests per minute of a publishable key, from 1 to 60; 60 by default. */
  requests_per_minute?: number;
  /** Your name for the key, at most 100 characters; `null` for none. */
  label?: string | null;
  /** When the key expires, at most two years from now: a time in ISO 8601 with its zone; `null` for never. */
  expires_at?: string | null;
}

export interface Rotation {
  /** How long the old key keeps working, in seconds; 0 by default. */
  grace_sec?: number;
}

export interface NewMarkup {
  /** What the rule adds: a percentage (`percent`) or an amount of VES (`fixed`). */
  kind: 'percent' | 'fixed';
  /** The percentage, or the VES to add to the rate; negative to lower it. */
  value: number;
  /** Ids of the markets it applies to; empty or absent for all. */
  markets?: Array<string>;
  /** Whether requests may use the rule; `true` by default. */
  active?: boolean;
  /** Name of the rule: 1 to 32 characters of a-z, 0-9, _ and -. */
  tag: string;
}

export interface MarkupReplacement {
  /** What the rule adds: a percentage (`percent`) or an amount of VES (`fixed`). */
  kind: 'percent' | 'fixed';
  /** The percentage, or the VES to add to the rate; negative to lower it. */
  value: number;
  /** Ids of the markets it applies to; empty or absent for all. */
  markets?: Array<string>;
  /** Whether requests may use the rule; `true` by default. */
  active?: boolean;
  /** Only the tag in the address; it may be left out. */
  tag?: string;
}

export interface ListRatesQuery {
  /** A day in Caracas, `YYYY-MM-DD`: the answer has the rates of that day. Official rates up to the newest value date, which may be a day to come; others up to today. By default, the current rates. */
  date?: string | undefined;
  /** With `date`, for official markets on a day without banks: `value_date` (the default) takes the rate in force, `next_banking_day` the rate of the next business day. */
  rule?: 'value_date' | 'next_banking_day' | undefined;
  /** `true` gives every rate in the newest unit of the currency; by default each is in the unit of its day. */
  adjusted?: 'true' | 'false' | undefined;
  /** Tag of a saved markup rule. */
  markup?: string | undefined;
}

export interface GetRateQuery {
  /** `true` adds when the rate becomes stale, its source, how many sources agree and any held reading. Not with `date`. */
  details?: 'true' | 'false' | undefined;
  /** A day in Caracas, `YYYY-MM-DD`: the answer has the rates of that day. Official rates up to the newest value date, which may be a day to come; others up to today. By default, the current rates. */
  date?: string | undefined;
  /** With `date`, for official markets on a day without banks: `value_date` (the default) takes the rate in force, `next_banking_day` the rate of the next business day. */
  rule?: 'value_date' | 'next_banking_day' | undefined;
  /** `true` gives every rate in the newest unit of the currency; by default each is in the unit of its day. */
  adjusted?: 'true' | 'false' | undefined;
}

export interface GetHistoryQuery {
  /** A UTC day: the answer is the last capture before it ended, not a series. */
  date?: string | undefined;
  /** First UTC day of the range; by default, as far back as your plan reaches. */
  from?: string | undefined;
  /** Last UTC day of the range; today by default. */
  to?: string | undefined;
  /** `true` gives every rate in the newest unit of the currency; by default each is in the unit of its day. */
  adjusted?: 'true' | 'false' | undefined;
  /** `daily` (the default): the last capture of each UTC day. `raw`: every capture, at most the newest 5,000. */
  granularity?: 'daily' | 'raw' | undefined;
  /** Only the last point of each ISO week or calendar month, dated by its first day; daily series only. */
  group?: 'week' | 'month' | undefined;
}

export interface GetCandlesQuery {
  /** UTC days, ISO weeks from Monday, or calendar months; `day` by default. */
  interval?: 'day' | 'week' | 'month' | undefined;
  /** First UTC day of the range; by default, as far back as your plan reaches. */
  from?: string | undefined;
  /** Last UTC day of the range; today by default. */
  to?: string | undefined;
  /** `true` gives every rate in the newest unit of the currency; by default each is in the unit of its day. */
  adjusted?: 'true' | 'false' | undefined;
}

export interface ListChangesQuery {
  /** How far back to compare; `1d` by default. */
  period?: '1d' | '7d' | '30d' | '90d' | '365d' | undefined;
  /** Ids or aliases of markets, separated by commas; all markets in the plan by default. */
  markets?: string | undefined;
  /** `true` gives every rate in the newest unit of the currency; by default each is in the unit of its day. */
  adjusted?: 'true' | 'false' | undefined;
}

export interface GetCoverageQuery {
  /** Ids or aliases of markets, separated by commas; all markets in the plan by default. */
  markets?: string | undefined;
}

export interface ListCorrectionsQuery {
  /** First day, in Caracas; 30 days before today by default. */
  since?: string | undefined;
}

export interface ConvertQuery {
  /** Currency of the amount: USD, EUR or VES, in any letter case. */
  from: 'USD' | 'EUR' | 'VES';
  /** Currency of the result: USD, EUR or VES, in any letter case. */
  to: 'USD' | 'EUR' | 'VES';
  /** The amount to convert: greater than 0 and at most one trillion (10^12), with a point for decimals. */
  amount: number;
  /** Id or alias of the market whose rate is used; by default, the official rate of the currency. */
  via?: string | undefined;
  /** The same as `via`, which takes precedence. */
  market?: string | undefined;
  /** A day in Caracas, `YYYY-MM-DD`: the answer has the rates of that day. Official rates up to the newest value date, which may be a day to come; others up to today. By default, the current rates. */
  date?: string | undefined;
  /** With `date`, for official markets on a day without banks: `value_date` (the default) takes the rate in force, `next_banking_day` the rate of the next business day. */
  rule?: 'value_date' | 'next_banking_day' | undefined;
  /** `true` gives every rate in the newest unit of the currency; by default each is in the unit of its day. */
  adjusted?: 'true' | 'false' | undefined;
}

export interface CompareMarketsQuery {
  /** Currency of the amount: USD or VES, in any letter case. */
  from: 'USD' | 'VES';
  /** Currency of the result: USD or VES, in any letter case. */
  to: 'USD' | 'VES';
  /** The amount to convert: greater than 0 and at most one trillion (10^12), with a point for decimals. */
  amount: number;
  /** `send` by default; the answer repeats it and nothing else changes. */
  direction?: 'send' | 'receive' | undefined;
  /** Leaves out quotes older than this many seconds; 0, the default, leaves out none. */
  max_staleness?: number | undefined;
}

export interface GetSpreadQuery {
  /** Id or alias of the market to compare; `parallel` by default. */
  against?: string | undefined;
  /** The base currency: only USD, which is the default. */
  base?: 'USD' | undefined;
}

export interface GetOfficialHistoryQuery {
  /** Code of a currency of the central bank, three letters in any case; USD by default. */
  currency?: string | undefined;
  /** `value` (the default): a row for each value date. `all`: a row for each day, with the rate in force on it and that of the rule `next_banking_day`. */
  days?: 'value' | 'all' | undefined;
  /** First day of the range, in Caracas; 30 days before the last by default. */
  from?: string | undefined;
  /** Last day of the range, in Caracas; today by default. A day after the newest value date is capped there. */
  to?: string | undefined;
  /** `true` gives every rate in the newest unit of the currency; by default each is in the unit of its day. */
  adjusted?: 'true' | 'false' | undefined;
}

export interface GetCalendarQuery {
  /** First day of the range, in Caracas; today by default. */
  from?: string | undefined;
  /** Last day of the range, in Caracas; 30 days after the first by default. */
  to?: string | undefined;
}

export interface CalculateQuery {
  /** The amount to convert: greater than 0 and at most one trillion (10^12), with a point for decimals. */
  amount: number;
  /** Currency of the amount: USD, EUR or VES, in any letter case. */
  from?: 'USD' | 'EUR' | 'VES' | undefined;
  /** Currency of the result: USD, EUR or VES, in any letter case. */
  to?: 'USD' | 'EUR' | 'VES' | undefined;
}

export interface GetAccountQuery {
  /** `keys_next` of the previous answer, for the next page of keys. */
  keys_after?: string | undefined;
}

export interface GetUsageQuery {
  /** First UTC day of the range; the first one kept by default. */
  from?: string | undefined;
  /** Last UTC day of the range; today by default. */
  to?: string | undefined;
}

export interface ListKeysQuery {
  /** `next` of the previous answer, for the next page. */
  after?: string | undefined;
}

export interface PushRecordsQuery {
  /** `true` accepts the records that the checks would hold. */
  trust?: 'true' | 'false' | undefined;
}

/** What each read of the reference takes and answers, by its operation id. */
export interface Reads {
  listRates: { parameters: ListRatesQuery; answer: AnyRates };
  getRate: { parameters: { market: string } & GetRateQuery; answer: AnyRate };
  getHistory: { parameters: { market: string } & GetHistoryQuery; answer: History };
  getCandles: { parameters: { market: string } & GetCandlesQuery; answer: Candles };
  listChanges: { parameters: ListChangesQuery; answer: Changes };
  getCoverage: { parameters: GetCoverageQuery; answer: MarketCoverage };
  listCorrections: { parameters: ListCorrectionsQuery; answer: Corrections };
  listMarkets: { parameters: object; answer: Markets };
  convert: { parameters: ConvertQuery; answer: AnyConversion };
  compareMarkets: { parameters: CompareMarketsQuery; answer: Route };
  getIndex: { parameters: object; answer: Index };
  getSpread: { parameters: GetSpreadQuery; answer: Spread };
  listBankRates: { parameters: object; answer: BankTable };
  listBcvCurrencies: { parameters: object; answer: BcvCurrencies };
  listOfficialRates: { parameters: object; answer: OfficialRates };
  getOfficialHistory: { parameters: GetOfficialHistoryQuery; answer: OfficialHistory };
  getCalendar: { parameters: GetCalendarQuery; answer: Calendar };
  calculate: { parameters: CalculateQuery; answer: Calculation };
  getAccount: { parameters: GetAccountQuery; answer: Account };
  getUsage: { parameters: GetUsageQuery; answer: Usage };
  listKeys: { parameters: ListKeysQuery; answer: Keys };
  listMarkups: { parameters: object; answer: Markups };
  getStatus: { parameters: object; answer: Status };
  getBoard: { parameters: object; answer: Board };
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
  getCoverage: { path: '/v1/fx/coverage', open: false },
  listCorrections: { path: '/v1/fx/corrections', open: false },
  listMarkets: { path: '/v1/fx/markets', open: false },
  convert: { path: '/v1/fx/convert', open: false },
  compareMarkets: { path: '/v1/fx/route', open: false },
  getIndex: { path: '/v1/fx/index', open: false },
  getSpread: { path: '/v1/fx/spread', open: false },
  listBankRates: { path: '/v1/fx/bcv/banks', open: false },
  listBcvCurrencies: { path: '/v1/fx/bcv/currencies', open: false },
  listOfficialRates: { path: '/v1/fx/official', open: false },
  getOfficialHistory: { path: '/v1/fx/official/history', open: false },
  getCalendar: { path: '/v1/fx/calendar', open: false },
  calculate: { path: '/v1/fx/public/calculator', open: true },
  getAccount: { path: '/v1/account', open: false },
  getUsage: { path: '/v1/account/usage', open: false },
  listKeys: { path: '/v1/account/keys', open: false },
  listMarkups: { path: '/v1/account/markups', open: false },
  getStatus: { path: '/v1/status', open: true },
  getBoard: { path: '/board.json', open: true },
};

export type RatesOptions = ListRatesQuery & CallOptions;

export type RateOptions = GetRateQuery & CallOptions;

export type CandlesOptions = GetCandlesQuery & CallOptions;

export type ChangesOptions = Omit<ListChangesQuery, 'markets'> & {
  /** Ids or aliases of markets; all markets in the plan by default. */
  readonly markets?: readonly string[] | undefined;
} & CallOptions;

export type CoverageOptions = Omit<GetCoverageQuery, 'markets'> & {
  /** Ids or aliases of markets; all markets in the plan by default. */
  readonly markets?: readonly string[] | undefined;
} & CallOptions;

export type CorrectionsOptions = ListCorrectionsQuery & CallOptions;

export type ConvertOptions = Omit<ConvertQuery, 'amount'> & {
  /** The amount to convert: greater than 0 and at most one trillion (10^12), with a point for decimals. */
  readonly amount: number | string;
} & CallOptions;

export type RouteOptions = Omit<CompareMarketsQuery, 'amount'> & {
  /** The amount to convert: greater than 0 and at most one trillion (10^12), with a point for decimals. */
  readonly amount: number | string;
} & CallOptions;

export type SpreadOptions = GetSpreadQuery & CallOptions;

export type OfficialHistoryOptions = GetOfficialHistoryQuery & CallOptions;

export type CalendarOptions = GetCalendarQuery & CallOptions;

export type CalculateOptions = Omit<CalculateQuery, 'amount'> & {
  /** The amount to convert: greater than 0 and at most one trillion (10^12), with a point for decimals. */
  readonly amount: number | string;
} & CallOptions;

export type AccountOptions = GetAccountQuery & CallOptions;

export type UsageOptions = GetUsageQuery & CallOptions;

export type BulkConvertOptions = Omit<BulkConversionRequest, 'amounts'> &
  CallOptions & { readonly amounts: readonly number[] };

/** A method for each operation that writes or has a shorter name. */
export class ApiMethods {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** All rates. The quotes of every market in your plan. With `markup`, the service applies a saved rule of your account. With `date`, you get the rates of a day in Caracas, for the markets whose history your plan reaches. */
  rates(options: RatesOptions & AsText): Promise<string>;
  rates(options: RatesOptions & OnDate & WithMarkup): Promise<PastRatesWithMarkup>;
  rates(options: RatesOptions & OnDate): Promise<PastRates>;
  rates(options: RatesOptions & Current & WithMarkup): Promise<RatesWithMarkup>;
  rates(options?: RatesOptions & Current): Promise<Rates>;
  rates(options: RatesOptions): Promise<AnyRates>;
  rates({ signal, ...query }: RatesOptions = {}): Promise<unknown> {
    return this.#send({ path: '/v1/fx/rates', query, signal });
  }

  /** Rate by market. With `date`, the rate of a day in Caracas: for an official market, the rate in force on that day; for any other, the last capture before the day ended. History uses UTC days instead. */
  rate(market: string, options: RateOptions & AsText): Promise<string>;
  rate(market: string, options: RateOptions & OnDate): Promise<PastRate>;
  rate(market: string, options?: RateOptions & Current): Promise<Rate>;
  rate(market: string, options: RateOptions): Promise<AnyRate>;
  rate(market: string, { signal, ...query }: RateOptions = {}): Promise<unknown> {
    return this.#send({ path: `/v1/fx/rates/${encodeURIComponent(market)}`, query, signal });
  }

  /** Candles of a market. First, highest, lowest and last rate of each day, week or month in UTC. Periods without captures are absent. At most 1,000 candles. */
  candles(market: string, options: CandlesOptions & AsText): Promise<string>;
  candles(market: string, options?: CandlesOptions): Promise<Candles>;
  candles(market: string, { signal, ...query }: CandlesOptions = {}): Promise<unknown> {
    return this.#send({
      path: `/v1/fx/rates/${encodeURIComponent(market)}/candles`,
      query,
      signal,
    });
  }

  /** Changes of rates. Compares each current rate with the last one captured by the same time a day, a week, a month, a quarter or a year ago. */
  changes(options: ChangesOptions & AsText): Promise<string>;
  changes(options?: ChangesOptions): Promise<Changes>;
  changes({ signal, ...query }: ChangesOptions = {}): Promise<unknown> {
    return this.#send({ path: '/v1/fx/changes', query, signal });
  }

  /** Coverage of the history. Which days are stored: for each market those that its history has, as far as your plan reaches, and those that it lacks: UTC days with captures, or value dates of official markets. */
  coverage(options: CoverageOptions & AsText): Promise<string>;
  coverage(options?: CoverageOptions): Promise<MarketCoverage>;
  coverage({ signal, ...query }: CoverageOptions = {}): Promise<unknown> {
    return this.#send({ path: '/v1/fx/coverage', query, signal });
  }

  /** Corrections. Figures that were published and no longer hold, newest first: official rates that were replaced or withdrawn, and quotes that were restored. At most 1,000. */
  corrections(options: CorrectionsOptions & AsText): Promise<string>;
  corrections(options?: CorrectionsOptions): Promise<Corrections>;
  corrections({ signal, ...query }: CorrectionsOptions = {}): Promise<unknown> {
    return this.#send({ path: '/v1/fx/corrections', query, signal });
  }

  /** Market catalogue. Ids, names and aliases of all markets, including those that your plan does not include. */
  markets({ signal }: CallOptions = {}): Promise<Markets> {
    return this.#send({ path: '/v1/fx/markets', signal });
  }

  /** Convert an amount. Converts USD or EUR to VES, or back, at the `mid` of one market. Without `via` or `market`, at the official rate. With `date`, at the rate of a day in Caracas. */
  convert(options: ConvertOptions & AsText): Promise<string>;
  convert(options: ConvertOptions & OnDate): Promise<PastConversion>;
  convert(options: ConvertOptions & Current): Promise<Conversion>;
  convert(options: ConvertOptions): Promise<AnyConversion>;
  convert({ signal, ...query }: ConvertOptions): Promise<unknown> {
    return this.#send({ path: '/v1/fx/convert', query, signal });
  }

  /** Convert up to 50 amounts at one rate. Like a conversion, at the same rate for all amounts. Each result is rounded to 2 decimals, and the total is the sum of the rounded results. */
  bulkConvert({ signal, ...body }: BulkConvertOptions): Promise<BulkConversion> {
    return this.#send({ method: 'POST', path: '/v1/fx/bulk/convert', body, signal });
  }

  /** Compare executable markets. Ranks the markets by what a conversion would yield. It does not consider fees, liquidity or limits. */
  route(options: RouteOptions & AsText): Promise<string>;
  route(options: RouteOptions): Promise<Route>;
  route({ signal, ...query }: RouteOptions): Promise<unknown> {
    return this.#send({ path: '/v1/fx/route', query, signal });
  }

  /** Weighted reference index. The official, parallel and P2P rates in one figure. It is neither an official rate nor an executable quote. */
  index(options: CallOptions & AsText): Promise<string>;
  index(options?: CallOptions): Promise<Index>;
  index({ signal, ...query }: CallOptions = {}): Promise<unknown> {
    return this.#send({ path: '/v1/fx/index', query, signal });
  }

  /** Premium of a market over the official rate. How much more or less than the official dollar a dollar is worth on another market. It is not the gap between buying and selling. */
  spread(options: SpreadOptions & AsText): Promise<string>;
  spread(options?: SpreadOptions): Promise<Spread>;
  spread({ signal, ...query }: SpreadOptions = {}): Promise<unknown> {
    return this.#send({ path: '/v1/fx/spread', query, signal });
  }

  /** The central bank's table of banks. The rates at which each bank buys and sells USD. Source: Banco Central de Venezuela. */
  bcvBanks(options: CallOptions & AsText): Promise<string>;
  bcvBanks(options?: CallOptions): Promise<BankTable>;
  bcvBanks({ signal, ...query }: CallOptions = {}): Promise<unknown> {
    return this.#send({ path: '/v1/fx/bcv/banks', query, signal });
  }

  /** The central bank's other currencies. The latest captured publication; its value date may be in the future. Source: Banco Central de Venezuela. */
  bcvCurrencies(options: CallOptions & AsText): Promise<string>;
  bcvCurrencies(options?: CallOptions): Promise<BcvCurrencies>;
  bcvCurrencies({ signal, ...query }: CallOptions = {}): Promise<unknown> {
    return this.#send({ path: '/v1/fx/bcv/currencies', query, signal });
  }

  /** Official rates: in force, previous and next. Each with its value date and the moment it takes effect. Source: Banco Central de Venezuela. */
  official(options: CallOptions & AsText): Promise<string>;
  official(options?: CallOptions): Promise<OfficialRates>;
  official({ signal, ...query }: CallOptions = {}): Promise<unknown> {
    return this.#send({ path: '/v1/fx/official', query, signal });
  }

  /** Official rates by day. The rates of one currency by value date, or the rate in force on every day, without gaps at weekends. At most 3,700 days. Source: Banco Central de Venezuela. */
  officialHistory(options: OfficialHistoryOptions & AsText): Promise<string>;
  officialHistory(options?: OfficialHistoryOptions): Promise<OfficialHistory>;
  officialHistory({ signal, ...query }: OfficialHistoryOptions = {}): Promise<unknown> {
    return this.#send({ path: '/v1/fx/official/history', query, signal });
  }

  /** Business days and value dates. Which days banks work, and the value date of a rate published that day. At most 366 days. */
  calendar(options: CalendarOptions & AsText): Promise<string>;
  calendar(options?: CalendarOptions): Promise<Calendar>;
  calendar({ signal, ...query }: CalendarOptions = {}): Promise<unknown> {
    return this.#send({ path: '/v1/fx/calendar', query, signal });
  }

  /** Calculate without a key. Converts an amount to VES, or from VES, with each market of the cheapest plan; without `from` and `to`, USD to VES. From USD, the rows also include the official euro rate, with `base` and without a result. At most 60 requests per minute from one IP address; pages of any origin may read it. */
  calculate({ signal, ...query }: CalculateOptions): Promise<Calculation> {
    return this.#send({ path: '/v1/fx/public/calculator', query, signal, open: true });
  }

  /** Your plan, limits, usage and keys. Keys appear without their secrets: live ones first, at most 100 per answer. Keys that no longer work are listed for 30 days. */
  account({ signal, ...query }: AccountOptions = {}): Promise<Account> {
    return this.#send({ path: '/v1/account', query, signal });
  }

  /** Requests of your keys, by day and endpoint. The days with requests, of the last 90 UTC days. Requests that cost nothing do not count. The count may be a few seconds behind; the exact units of the month are in `/v1/account`. */
  usage(options: UsageOptions & AsText): Promise<string>;
  usage(options?: UsageOptions): Promise<Usage>;
  usage({ signal, ...query }: UsageOptions = {}): Promise<unknown> {
    return this.#send({ path: '/v1/account/usage', query, signal });
  }

  /** Rotate an API key. The answer is the only place that ever shows the new key. The old key stops working at once, or after `grace_sec` seconds. While an earlier grace period leaves the account with more live keys than its plan allows, the service refuses another one. It also refuses to rotate a key in its grace period again, unless the plan has room for one more key. An account can rotate keys at most 10 times per day (UTC). */
  rotateKey(id: string, { signal, ...body }: Rotation & CallOptions = {}): Promise<RotatedKey> {
    return this.#send({
      method: 'POST',
      path: `/v1/account/keys/${encodeURIComponent(id)}/rotate`,
      body,
      signal,
      once: true,
    });
  }

  /** State of the figures and the sources. Says how far you can rely on the published figures, with named reasons. For each source, it says whether it is read, when it last answered and changed, what is wrong with it, and how its readings ended in the last 90 days. While the database does not respond, the answer shows the last known state of the sources. */
  status({ signal }: CallOptions = {}): Promise<Status> {
    return this.#send({ path: '/v1/status', signal, open: true });
  }
}

/** The keys of the account. A key cannot create or change a key with more rights than its own. */
export class AccountKeys {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Your keys. Keys appear without their secrets: live ones first, at most 100 per answer. Keys that no longer work are listed for 30 days. */
  list({ signal, ...query }: ListKeysQuery & CallOptions = {}): Promise<Keys> {
    return this.#send({ path: '/v1/account/keys', query, signal });
  }

  /** Create an API key. The answer is the only place that ever shows the key. A key cannot create another with more permissions or a later end than its own. Publishable keys count apart from the others. An account can create at most 200 keys a day (UTC). */
  create(key: KeyRequest, { signal }: CallOptions = {}): Promise<CreatedKey> {
    return this.#send({ method: 'POST', path: '/v1/account/keys', body: key, signal, once: true });
  }

  /** Change an API key. Fields that the body does not name stay as they are. `null` removes a label or an expiry. The kind of a key never changes. */
  change(id: string, change: KeyChange, { signal }: CallOptions = {}): Promise<Key> {
    return this.#send({
      method: 'PATCH',
      path: `/v1/account/keys/${encodeURIComponent(id)}`,
      body: change,
      signal,
    });
  }

  /** Revoke an API key. The process that answers refuses the key at once; every process does so within 5 s. */
  revoke(id: string, { signal }: CallOptions = {}): Promise<void> {
    return this.#send({
      method: 'DELETE',
      path: `/v1/account/keys/${encodeURIComponent(id)}`,
      signal,
      once: true,
    });
  }
}

/** The markup rules of the account. */
export class MarkupRules {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Your markup rules. All your rules. Those beyond the number that your plan allows do not apply; the oldest ones count first. */
  list({ signal }: CallOptions = {}): Promise<Markups> {
    return this.#send({ path: '/v1/account/markups', signal });
  }

  /** Create a markup rule. A rule adds a percentage or a fixed amount to the rates. Apply it with `markup` on the rates. */
  create(rule: NewMarkup, { signal }: CallOptions = {}): Promise<Markup> {
    return this.#send({
      method: 'POST',
      path: '/v1/account/markups',
      body: rule,
      signal,
      once: true,
    });
  }

  /** Replace a markup rule. The body is the whole rule: fields that it does not name take their defaults. */
  replace(tag: string, rule: MarkupReplacement, { signal }: CallOptions = {}): Promise<Markup> {
    return this.#send({
      method: 'PUT',
      path: `/v1/account/markups/${encodeURIComponent(tag)}`,
      body: rule,
      signal,
    });
  }

  /** Delete a markup rule. Requests that use the rule then get the error `markup_not_found`. */
  delete(tag: string, { signal }: CallOptions = {}): Promise<void> {
    return this.#send({
      method: 'DELETE',
      path: `/v1/account/markups/${encodeURIComponent(tag)}`,
      signal,
      once: true,
    });
  }
}
