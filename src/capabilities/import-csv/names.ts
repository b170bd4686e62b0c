import {
  currencyOf,
  isOfficial,
  type Market,
  type Markets,
  officialNameOf,
} from '../../core/domain/markets.ts';

/** Whose figure it is: of a market, or an official rate of a currency that has no market. */
export type Subject = { readonly market: Market } | { readonly currency: string };

/** What a name in a table says. */
export interface Named {
  /** Whose figure it is, when nothing else is said. */
  readonly subject: Subject;
  /** The code, of a name that says a currency. */
  readonly currency?: string | undefined;
  /** Whether it says that it is a rate of the central bank. */
  readonly isOfficialRate?: boolean;
}

/** Words of everyday speech and what they mean. */
const CURRENCY_WORDS: Readonly<Record<string, string>> = {
  ...{ dolar: 'USD', dolares: 'USD', dollar: 'USD', dollars: 'USD', $: 'USD', us$: 'USD' },
  ...{ euro: 'EUR', euros: 'EUR', '€': 'EUR', yuan: 'CNY', yuanes: 'CNY' },
  ...{ lira: 'TRY', liras: 'TRY', rublo: 'RUB', rublos: 'RUB', ruble: 'RUB', rubles: 'RUB' },
};
/** They stand beside a name and do not change it. */
const FILLERS = new Set(
  (
    'tasa tasas rate rates precio price cambio tipo exchange bs bsd ves bolivares bolivar por en de del el la ' +
    'a to estadounidense estadounidenses americano turca chino ruso'
  ).split(' '),
);
/** They say that it is a rate of the central bank. */
const OFFICIAL_WORDS = new Set(['bcv', 'oficial', 'oficiales', 'official', 'banco', 'central']);

/** The bolívares, and the codes for none and for tests. */
const NO_CURRENCY = /^(?:VE[BDFS]|X[TX][SX])$/;
/** Codes that the central bank used in its time, and ISO 4217 does not have. */
const FORMER_CODES = ['MXP', 'PTR', 'DEG', 'CUC'];
let codes: ReadonlySet<string> | undefined;

/** Whether a text is the code of a currency that somebody may quote. */
export function isCurrencyCode(text: string): boolean {
  codes ??= new Set([...Intl.supportedValuesOf('currency'), ...FORMER_CODES]);
  return codes.has(text) && !NO_CURRENCY.test(text);
}

/** The words of a name without case, accents and what separates them. */
export function wordsOf(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9$€%]+/g, ' ')
    .trim();
}

/** What the name of a column or of a cell says; undefined when it says no rate. */
export function namedIn(name: string, markets: Pick<Markets, 'find'>): Named | undefined {
  const words = wordsOf(name).split(' ');
  const said = words.filter((word) => !FILLERS.has(word));
  const market = marketOf(said, markets) ?? marketOf(words, markets);
  if (market !== undefined) return marketOrCurrency(market, words);
  const codesSaid = new Set<string>();
  const rest: string[] = [];
  for (const word of said) {
    const code = CURRENCY_WORDS[word] ?? word.toUpperCase();
    if (isCurrencyCode(code)) codesSaid.add(code);
    else rest.push(word);
  }
  const [currency, ...more] = codesSaid;
  if (more.length > 0 || said.length === 0) return undefined;
  if (rest.every((word) => OFFICIAL_WORDS.has(word))) {
    const isOfficialRate = rest.length > 0;
    return { subject: officialSubject(currency ?? 'USD', markets), currency, isOfficialRate };
  }
  const other = marketOf(rest, markets);
  if (other === undefined || isOfficial(other)) return undefined;
  return currency === undefined || currency === other.base
    ? { subject: { market: other } }
    : undefined;
}

/** `euro` is an alias of an official rate, and says as little as `eur` whose figure it is. */
function marketOrCurrency(market: Market, words: readonly string[]): Named {
  const subject = { market };
  const currency = officialCurrencyOf(subject);
  if (currency === undefined) return { subject };
  const isOfficialRate =
    market.id === words.join('_') || words.some((word) => OFFICIAL_WORDS.has(word));
  return {
    subject,
    currency: isOfficialRate && currency === 'USD' ? undefined : currency,
    isOfficialRate,
  };
}

function marketOf(words: readonly string[], markets: Pick<Markets, 'find'>): Market | undefined {
  return words.length === 0 ? undefined : markets.find(words.join('_'));
}

/** The official rate of a currency. */
export function officialSubject(currency: string, markets: Pick<Markets, 'find'>): Subject {
  const market = markets.find(officialNameOf(currency));
  return market === undefined ? { currency } : { market };
}

/** The currency of which a subject's figure is the official rate; undefined for other markets. */
export function officialCurrencyOf(subject: Subject): string | undefined {
  if ('currency' in subject) return subject.currency;
  return isOfficial(subject.market) ? currencyOf(subject.market.id) : undefined;
}

/** For messages. */
export function subjectName(subject: Subject): string {
  return 'market' in subject ? subject.market.id : subject.currency;
}
