import type { CallOptions, Current, OnDate } from './calls.ts';
import type {
  AsOf,
  Conversion,
  ConvertOptions,
  Index,
  OfficialRates,
  PastConversion,
  PastRate,
  Rate,
  RateOptions,
  Rates,
} from './types.ts';

/** What a client of a static copy takes and answers. */

/** The age of a rate by the caller's clock. */
export interface Age {
  /** Age of the quote in seconds. */
  readonly staleness_sec: number;
  /** Whether the quote is older than the maximum age of its market. */
  readonly stale: boolean;
}

/** A rate with its age, until when it is not stale, and whether nothing confirms it yet. */
export type StaticRate = Rate & Age & { readonly stale_at: string; readonly in_doubt?: true };
export type StaticRates = Omit<Rates, 'rates'> & { readonly rates: readonly StaticRate[] };

/** A copy does not say when the rate of a past day was read. */
interface FromCopy {
  readonly as_of: Omit<AsOf, 'captured_at'>;
}
export type StaticPastRate = Omit<PastRate, 'as_of'> & FromCopy;
export type StaticPastConversion = Omit<PastConversion, 'as_of'> & FromCopy;

/** The official rate of a day in Caracas. */
export interface OfficialOnDay {
  readonly currency: string;
  readonly date: string;
  readonly rate: number;
  /** The day on which the rate took effect. */
  readonly value_date: string;
  /** Whether the banks work on the day. */
  readonly business_day: boolean;
  /** Days from the value date to the day; 0 when the value date is not before it. */
  readonly carried_days: number;
  /**
   * The days since then, until today, from which one new bolívar is several old ones, oldest first:
   * the rate is in the bolívar of `date`. Absent when there is none.
   */
  readonly unit_changes?: AsOf['unit_changes'];
}

/** How the rate of a day without banks is chosen. */
export type OfficialRule = NonNullable<ConvertOptions['rule']>;

export interface OfficialOnOptions extends CallOptions {
  /** On a day without banks: `value_date`, the default, or `next_banking_day`. */
  readonly rule?: OfficialRule | undefined;
  /** Three letters; by default USD. */
  readonly currency?: string | undefined;
}

/** The methods of a client of a static copy. Markets have their ids only, no aliases. */
export interface StaticVesfx {
  rates(options?: CallOptions): Promise<StaticRates>;
  /** With `date`, only an official market. */
  rate(market: string, options: Omit<RateOptions, 'details'> & OnDate): Promise<StaticPastRate>;
  rate(market: string, options?: CallOptions & Current): Promise<StaticRate>;
  official(options?: CallOptions): Promise<OfficialRates>;
  officialOn(date: string, options?: OfficialOnOptions): Promise<OfficialOnDay>;
  index(options?: CallOptions): Promise<Index>;
  /** With `date`, only at an official market. */
  convert(options: ConvertOptions & OnDate): Promise<StaticPastConversion>;
  convert(options: ConvertOptions & Current): Promise<Conversion>;
}
