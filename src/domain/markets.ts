import type { PublishedCurrency } from './bcv.ts';

/**
 * Markets are data (`catalog/markets.json`) and their ids are opaque text. Only the three below
 * have a meaning of their own, and only this file names them.
 */
export const OFFICIAL_USD = 'reference';
export const OFFICIAL_EUR = 'eur_reference';
export const FREE_MARKET = 'parallel';

/**
 * The name under which the official rate of a currency is kept: its market's, or else the
 * currency's own code, which no market can have.
 */
export const OFFICIAL_RATES: Readonly<Record<PublishedCurrency, string>> = {
  USD: OFFICIAL_USD,
  EUR: OFFICIAL_EUR,
  CNY: 'CNY',
  TRY: 'TRY',
  RUB: 'RUB',
};

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
  /** As it is shown, in Spanish. */
  readonly name: string;
  /** The same in English. */
  readonly nameEn: string;
  readonly type: MarketType;
  readonly base: Base;
  readonly aliases: readonly string[];
  /** Names of other services and of everyday speech: hints for who looks for it, never accepted. */
  readonly alsoKnownAs: readonly string[];
  /** The name under which CriptoYa has it; its id, unless the catalogue says otherwise. */
  readonly criptoyaName?: string;
  readonly staleAfterSec: number;
  /** A quote older than this leaves the snapshot; undefined for official markets, which keep it. */
  readonly dropAfterSec: number | undefined;
  /** Name of the cheapest plan that includes it; undefined when every plan does. */
  readonly requiredPlan: string | undefined;
}

export interface Markets {
  /** In catalogue order: official, parallel, P2P, remittances, exchange houses, cash. */
  readonly list: readonly Market[];
  /** By id or alias, byte for byte; undefined when no market has that name. */
  find(name: string): Market | undefined;
}

/** Orders the markets by type, keeping the given order within a type. */
export function markets(given: readonly Market[]): Markets {
  const rank = (market: Market) => MARKET_TYPES.indexOf(market.type);
  const list = Object.freeze([...given].sort((a, b) => rank(a) - rank(b)));
  const byName = new Map<string, Market>();
  for (const market of list) {
    for (const name of [market.id, ...market.aliases]) byName.set(name, market);
  }
  return Object.freeze({ list, find: (name: string) => byName.get(name) });
}

/** The official rate's market for a currency: what a conversion uses when none is named (§4.5). */
export function officialMarketOf(base: Base): string {
  return base === 'EUR' ? OFFICIAL_EUR : OFFICIAL_USD;
}

/** An official market's quotes have value dates; they never leave the snapshot. */
export function isOfficial(market: Market): boolean {
  return market.type === 'reference';
}

/** A market one could trade in; the official and the free-market references are not (§2.6). */
export function isExecutable(market: Market): boolean {
  return market.type !== 'reference' && market.type !== 'parallel';
}

/** Remittances only send money to Venezuela: they convert to VES and never from it (§4.5). */
export function onlyToVes(market: Market): boolean {
  return market.type === 'remittance';
}
