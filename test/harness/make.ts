import { MARKET_TYPES } from '../../src/core/domain/markets.ts';
import type { Instant } from '../../src/core/domain/time.ts';
import { START } from './service.ts';

/** Builders of incoming records (contract §7). Each test sets the fields that matter to it. */

export const iso = (instant: Instant): string => new Date(instant).toISOString();

export function quote(market: string, mid: number, more: object = {}): object {
  return { kind: 'quote', market, mid, updated_at: iso(START), captured_at: iso(START), ...more };
}

/** A quote of the parallel market, captured at its own time. */
export function capture(mid: number, at: string, more: object = {}): object {
  return quote('parallel', mid, { updated_at: at, captured_at: at, ...more });
}

/** Quotes of markets that were read together, with that time of their source. */
export function quotesAt(at: Instant, mids: Readonly<Record<string, number>>): readonly object[] {
  const times = { updated_at: iso(at), captured_at: iso(at) };
  return Object.entries(mids).map(([market, mid]) => quote(market, mid, times));
}

export function official(
  valueDate: string,
  rates: Readonly<Record<string, number>>,
  more: object = {},
): object {
  return { kind: 'official', value_date: valueDate, rates, captured_at: iso(START), ...more };
}

export function bankTable(
  indicatorDate: string,
  rows: readonly object[],
  more: object = {},
): object {
  return {
    kind: 'bank_table',
    indicator_date: indicatorDate,
    rows,
    captured_at: iso(START),
    ...more,
  };
}

export const P2P = ['binance', 'bingx', 'bitget', 'bybit', 'mexc', 'okx', 'saldo'];
export const FIVE = P2P.slice(0, 5);
export const REMITTANCES = ['remittance_market_1', 'remittance_market_2', 'extended_market_4'];
export const EXCHANGE_HOUSES = ['extended_market_1', 'extended_market_2', 'extended_market_3'];
export const CASH = ['cash', 'cucuta'];
export const TYPES: readonly string[] = MARKET_TYPES;

/** One fresh quote in every market, each with its own rate, around 800 VES per dollar. */
export function fullMarket(): object[] {
  const others = ['parallel', ...P2P, ...REMITTANCES, ...EXCHANGE_HOUSES, ...CASH];
  return [
    official('2026-11-20', { USD: 800.5, EUR: 920.25, CNY: 110.1, TRY: 19.5, RUB: 9.9 }),
    ...others.map((market, position) =>
      quote(market, 850 + position, { ask: 851 + position, bid: 849 + position }),
    ),
  ];
}
