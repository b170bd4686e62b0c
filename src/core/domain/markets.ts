import { PUBLISHED_CURRENCIES, type PublishedCurrency } from './bcv.ts';

/**
 * Markets are data (`catalog/markets.json`) and their ids are opaque text. Only these three have a
 * meaning in the code, and only this file names them.
 */
export const OFFICIAL_USD = 'reference';
export const OFFICIAL_EUR = 'eur_reference';
export const PARALLEL_MARKET = 'parallel';

/** The name under which an official rate is stored: a market id, else the currency code. */
export const OFFICIAL_RATES: Readonly<Record<PublishedCurrency, string>> = {
  USD: OFFICIAL_USD,
  EUR: OFFICIAL_EUR,
  CNY: 'CNY',
  TRY: 'TRY',
  RUB: 'RUB',
};

/** The name under which the official rate of a currency, or of a market without one, is stored. */
export function officialNameOf(name: string): string {
  const known: Readonly<Record<string, string>> = OFFICIAL_RATES;
  return known[name] ?? name;
}

/** The currency whose official rate is stored under that name, if it is one. */
export function currencyOf(name: string): PublishedCurrency | undefined {
  return PUBLISHED_CURRENCIES.find((currency) => OFFICIAL_RATES[currency] === name);
}

/** Market types in the order in which the catalogue lists them (§2.1). */
export const MARKET_TYPES = [
  'reference',
  'parallel',
  'p2p',
  'remittance',
  'exchange_house',
  'cash',
] as const;
export type MarketType = (typeof MARKET_TYPES)[number];

export const BASES = ['USD', 'EUR'] as const;
/** The currency that a market quotes in VES. */
export type Base = (typeof BASES)[number];

export interface Market {
  readonly id: string;
  /** Display name in Spanish. */
  readonly name: string;
  readonly nameEn: string;
  readonly type: MarketType;
  readonly base: Base;
  readonly aliases: readonly string[];
  /** Names elsewhere and in everyday speech. They only give hints; requests never accept them. */
  readonly alsoKnownAs: readonly string[];
  /** The market's name at CriptoYa, when it is not its id. */
  readonly criptoyaName?: string;
  readonly staleAfterSec: number;
  /** A quote older than this leaves the snapshot. Undefined for official markets. */
  readonly dropAfterSec: number | undefined;
  /** Name of the cheapest plan that includes the market; undefined when every plan does. */
  readonly requiredPlan: string | undefined;
}

export type Markets = ReturnType<typeof markets>;

/** Builds the list, ordered by type and then by the given order. */
export function markets(given: readonly Market[]) {
  const rank = (market: Market) => MARKET_TYPES.indexOf(market.type);
  const list = Object.freeze([...given].sort((a, b) => rank(a) - rank(b)));
  const byName = new Map<string, Market>();
  for (const market of list) {
    for (const name of [market.id, ...market.aliases]) byName.set(name, market);
  }
  return Object.freeze({
    /** In catalogue order: official, parallel, P2P, remittances, exchange houses, cash. */
    list,
    /** By id or alias, byte for byte; undefined when no market has that name. */
    find: (name: string) => byName.get(name),
  });
}

/** Whether the market with that id has value dates, where only the id is known. */
export function hasValueDates(id: string): boolean {
  return id === OFFICIAL_USD || id === OFFICIAL_EUR;
}

/** Whether the market's quotes have value dates. Such quotes never leave the snapshot. */
export function isOfficial(market: Market): boolean {
  return market.type === 'reference';
}

/** Whether one could trade in the market: official and parallel rates are references (§2.6). */
export function isExecutable(market: Market): boolean {
  return market.type !== 'reference' && market.type !== 'parallel';
}

/** Whether the market converts only to VES, as remittances do (§4.5). */
export function onlyToVes(market: Market): boolean {
  return market.type === 'remittance';
}
