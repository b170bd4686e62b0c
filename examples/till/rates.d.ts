/** The gravest thing that is known of the rate, from the gravest on. */
export type RateState = 'none' | 'stale' | 'clock' | 'in_doubt' | 'unpublished' | 'current';

/** `marked`: sell, and show that the rate is an earlier one. `ask`: a supervisor decides. */
export type Sell = 'yes' | 'marked' | 'ask' | 'no';

export interface NextRate {
  readonly rate: string;
  readonly valueDate: string;
  /** When the till begins to use it, in milliseconds. */
  readonly begins: number;
  readonly isInDoubt: boolean;
}

export interface HeldRate {
  readonly rate: string;
  readonly valueDate: string;
  readonly reasons: readonly string[];
}

export interface Quote {
  readonly state: RateState;
  readonly sell: Sell;
  readonly reasons: readonly RateState[];
  /** The digits of the rate; null when there is none. */
  readonly rate: string | null;
  readonly valueDate: string | null;
  readonly next: NextRate | null;
  /** What the bank shows and nothing confirms: never to be used. */
  readonly held: HeldRate | null;
  /** The value date that has begun and of which no rate is known. */
  readonly expected: string | null;
  readonly readAt: number | null;
  /** The code of the failure of the last reading. */
  readonly trouble: string | null;
  readonly isSaved: boolean;
}

export interface RateStorage {
  load(): string | null | Promise<string | null>;
  save(text: string): void | Promise<void>;
}

export interface RateSettings {
  readonly url: string;
  readonly key: string;
  readonly storage: RateStorage;
  readonly currency?: 'USD' | 'EUR';
  readonly rule?: 'value_date' | 'next_banking_day';
  readonly now?: () => number;
  readonly fetch?: typeof fetch;
}

export const SELL: Readonly<Record<RateState, Sell>>;
export const READ_EVERY_MS: number;
export const READ_OFTEN_MS: number;
export const RETRY_MS: number;
export const REFUSED_MS: number;

export class Rates {
  static open(settings: RateSettings): Promise<Rates>;
  nextReadingAt(): number;
  online(): void;
  readIfDue(): Promise<void>;
  read(): Promise<void>;
  quote(now?: number): Quote;
}
