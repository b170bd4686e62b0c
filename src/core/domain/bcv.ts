import { divide, RATE_DECIMALS, toNumber } from './decimal.ts';
import { type CaracasDay, daysBetween, type Instant } from './time.ts';

/** The currencies of an official publication, in the order in which answers list them. */
export const PUBLISHED_CURRENCIES = ['USD', 'EUR', 'CNY', 'TRY', 'RUB'] as const;
export type PublishedCurrency = (typeof PUBLISHED_CURRENCIES)[number];

/** VES for one unit of each currency, by its three-letter code. Workbooks have some twenty of them. */
export type CurrencyRates = Readonly<Partial<Record<PublishedCurrency | (string & {}), number>>>;

/** The codes, first those of a page in its order, then the others by name. */
export function currenciesOf(rates: CurrencyRates): readonly string[] {
  const others = Object.keys(rates).filter((code) => !PUBLISHED.includes(code));
  return [...PUBLISHED.filter((code) => rates[code] !== undefined), ...others.sort()];
}

const PUBLISHED: readonly string[] = PUBLISHED_CURRENCIES;

/** Whether the bank's page shows the currency. */
export function isPublishedDaily(currency: string): boolean {
  return PUBLISHED.includes(currency);
}

/** The currencies of `/bcv/currencies` (§2.9). USD is not listed: it has its own market. */
export const OTHER_CURRENCIES = ['EUR', 'CNY', 'TRY', 'RUB'] as const;

/** Decimals with which the bank publishes the dollar. It computes the others with twice as many. */
export const DOLLAR_DECIMALS = 4;

/** The day on which five zeros were removed from the bolívar. */
export const FIRST_SOBERANO_DAY = '2018-08-20';

/** The day on which six zeros were removed from it. */
export const FIRST_DIGITAL_DAY = '2021-10-01';

/** The dollar cost at least 6 fuertes, then 60 soberanos, then less than 6 digital bolívares. */
const LEAST_DOLLAR_IN_FUERTES = 6;
const LEAST_DOLLAR_IN_SOBERANOS = 50;

/** What the dollar cost at least on a day of before `FIRST_DIGITAL_DAY`, in the bolívar of that day. */
export function leastDollarOn(day: CaracasDay): number {
  return day < FIRST_SOBERANO_DAY ? LEAST_DOLLAR_IN_FUERTES : LEAST_DOLLAR_IN_SOBERANOS;
}

/** What neither it nor the euro ever cost before that day, in the bolívar of that day. */
export const MOST_DOLLAR_BEFORE_DIGITAL = 6;

/** The central bank's terms, which everything that leaves the service names (contract §22). */
export const BANK_NOTICE = {
  es: 'Tasas oficiales: Banco Central de Venezuela (www.bcv.org.ve). Sus términos permiten reproducirlas sin fines de lucro nombrando la fuente; otros usos necesitan su consentimiento.',
  en: 'Official rates: Banco Central de Venezuela (www.bcv.org.ve). Its terms allow non-profit reproduction that names the source; other uses need its consent.',
} as const;

/** In which bolívar the figures of an export are: those that are stored. */
export const STORED_UNIT_NOTICE =
  'Rates are in the bolívar that is in force since the day in unit_since; those of before 1 October 2021 are in the bolívar of that day.';

/** In which bolívar those of a static copy are. */
export const UNIT_NOTICE = {
  es: 'Cada tasa está en el bolívar de su día; unit_since dice desde cuándo rige ese bolívar.',
  en: 'Each rate is in the bolívar of its day; unit_since says since when that bolívar is in force.',
} as const;

/** A currency, EUR by default, over USD; undefined when one is absent. */
export function crossOf(rates: CurrencyRates, name = 'EUR'): number | undefined {
  const [usd, other] = [rates.USD, rates[name]];
  return usd === undefined || other === undefined
    ? undefined
    : toNumber(divide(other, usd, RATE_DECIMALS));
}

/** One publication of the central bank: VES per unit of each currency, for a value date. */
export interface Publication {
  readonly valueDate: CaracasDay;
  /** The label as published, in the source's language. */
  readonly valueDateText?: string;
  readonly rates: CurrencyRates;
  readonly capturedAt: Instant;
}

/** The buy and sell rates of one bank, as the central bank lists them. */
export interface BankRow {
  readonly bank: string;
  /** VES per USD; a side the bank did not publish is absent, never zero. */
  readonly buy?: number;
  readonly sell?: number;
  readonly date: CaracasDay;
}

/** The central bank's table of bank rates. */
export interface BankTable {
  readonly indicatorDate: CaracasDay;
  readonly rows: readonly BankRow[];
  readonly capturedAt: Instant;
}

/** Marks rows of another date than `indicatorDate` as stale, and sorts them last (§2.8). */
export function judgeBankRows(table: BankTable) {
  const rows = table.rows.map((row) => ({
    ...row,
    stale: row.date !== table.indicatorDate,
    daysBehind: Math.max(0, daysBetween({ from: row.date, to: table.indicatorDate })),
  }));
  return rows.sort((a, b) => Number(a.stale) - Number(b.stale) || a.daysBehind - b.daysBehind);
}
