import { type CaracasDay, caracasDayOf } from '../../core/domain/time.ts';
import { knownCurrencies, storedNameOf } from './cross-rates.ts';
import type { ForeignCall } from './foreign-endpoint.ts';
import { pairTable } from './frankfurter-pairs.ts';
import { LOCAL } from './frankfurter-rates.ts';

/** The currencies as Frankfurter describes them: number of ISO 4217, name, symbol. */
const CURRENCIES: Readonly<
  Record<string, readonly [numeric: string, name: string, symbol: string]>
> = {
  ANG: ['532', 'Netherlands Antillean Gulden', 'ƒ'],
  ARS: ['032', 'Argentine Peso', '$'],
  AUD: ['036', 'Australian Dollar', '$'],
  BOB: ['068', 'Bolivian Boliviano', 'Bs.'],
  BRL: ['986', 'Brazilian Real', 'R$'],
  CAD: ['124', 'Canadian Dollar', '$'],
  CHF: ['756', 'Swiss Franc', 'CHF'],
  CLP: ['152', 'Chilean Peso', '$'],
  CNY: ['156', 'Chinese Renminbi Yuan', '¥'],
  COP: ['170', 'Colombian Peso', '$'],
  CUP: ['192', 'Cuban Peso', '$'],
  DKK: ['208', 'Danish Krone', 'kr.'],
  DOP: ['214', 'Dominican Peso', '$'],
  EUR: ['978', 'Euro', '€'],
  GBP: ['826', 'British Pound', '£'],
  INR: ['356', 'Indian Rupee', '₹'],
  JPY: ['392', 'Japanese Yen', '¥'],
  MXN: ['484', 'Mexican Peso', '$'],
  NIO: ['558', 'Nicaraguan Córdoba', 'C$'],
  NOK: ['578', 'Norwegian Krone', 'kr'],
  PEN: ['604', 'Peruvian Sol', 'S/'],
  RUB: ['643', 'Russian Ruble', '₽'],
  SEK: ['752', 'Swedish Krona', 'kr'],
  TRY: ['949', 'Turkish Lira', '₺'],
  TTD: ['780', 'Trinidad and Tobago Dollar', '$'],
  USD: ['840', 'United States Dollar', '$'],
  UYU: ['858', 'Uruguayan Peso', '$U'],
  [LOCAL]: ['928', 'Venezuelan Bolívar', 'Bs.'],
};

/** A range before every value date. */
const NO_DAYS = { from: caracasDayOf(0), to: caracasDayOf(0) };

const described = (code: string) => {
  const [iso_numeric = null, name = code, symbol = null] = CURRENCIES[code] ?? [];
  return { iso_code: code, iso_numeric, name, symbol };
};

/** The bolívar and the currencies with a rate of the newest date, by code, with their names. */
export async function currentCurrencies(call: ForeignCall) {
  const request = { base: LOCAL, quotes: undefined, amount: 1 };
  const { rates } = await pairTable(call, request);
  return [LOCAL, ...rates.keys()].sort().map((code) => [code, described(code).name] as const);
}

/** The bolívar and the currencies with a stored rate, by code, with the first and the last day that has one. */
export async function currencyList(call: ForeignCall) {
  const days: (readonly [code: string, first: CaracasDay, last: CaracasDay])[] = [];
  for (const [code, last] of knownCurrencies(call)) {
    const [first] = await call.services.store.officialSeries(storedNameOf(code), NO_DAYS);
    days.push([code, first?.valueDate ?? last, last]);
  }
  const [start] = days.map(([, first]) => first).sort();
  const end = days
    .map(([, , last]) => last)
    .sort()
    .at(-1);
  return [
    ...days.map(([code, start_date, end_date]) => ({ ...described(code), start_date, end_date })),
    { ...described(LOCAL), start_date: start ?? null, end_date: end ?? null },
  ].sort((a, b) => (a.iso_code < b.iso_code ? -1 : 1));
}
