import { parseAmount } from '../../domain/calculations/convert.ts';
import type { Language } from './language.ts';

/** An amount in the grammar of the API, which is never ambiguous. */
export interface ReadAmount {
  /** `1012.35`: a point before the decimals and nothing between thousands. */
  readonly amount: string;
  /** The meaning in the other language, if the text is ambiguous. */
  readonly other?: string;
  /** The currency that was typed beside it: `$20`, `20 Bs`. */
  readonly currency?: 'USD' | 'EUR' | 'VES';
  /** The typed dollars were USDT. */
  readonly isTether?: boolean;
}

/** Enough characters for 1e12 with marks between thousands and many decimals. */
const MAX_AMOUNT_LENGTH = 40;

const SPACES = /[\s\u00a0\u202f]/g;
const PLAIN = /^\d+$/;
/** `1.012` and `1,012`: one mark and three digits after one to three, the first not zero. */
const EITHER = /^([1-9]\d{0,2})[.,](\d{3})$/;
const DECIMALS = /^(\d*)[.,](\d*)$/;

/** How people write the currencies. `$` means the US dollar. */
const CURRENCY_MARKS = [
  ['VES', /^(?:bs\.?(?:[sfd]\.?)?|ves|bol[ií]var(?:es)?)$/i],
  ['USDT', /^usdt$/i],
  ['USD', /^(?:us\$|\$|usd\$?|d[oó]lar(?:es)?|dollars?)$/i],
  ['EUR', /^(?:€|eur|euros?)$/i],
] as const;
const MARKED = /^([^\d.,'-][^\d,'-]*)?([\d.,']+)([^\d.,'-][^\d,'-]*)?$/;

const GROUP_MARK: Readonly<Record<Language, string>> = { es: '.', en: ',' };

/** Reads an amount with or without a currency's mark; undefined for an invalid one. */
export function readTypedAmount(text: string, language: Language): ReadAmount | undefined {
  if (text.length > MAX_AMOUNT_LENGTH) return undefined;
  const [, before, figures = '', after] = MARKED.exec(text.replaceAll(SPACES, '')) ?? [];
  const mark = before ?? after;
  if (mark === undefined) return readFigures(figures, language);
  const currency = CURRENCY_MARKS.find(([, pattern]) => pattern.test(mark))?.[0];
  // The text has two currencies or an unknown one.
  if (currency === undefined || (before !== undefined && after !== undefined)) return undefined;
  const read = readFigures(figures, language);
  if (currency === 'USDT') return read && { ...read, currency: 'USD', isTether: true };
  return read && { ...read, currency };
}

/**
 * Reads figures with points or commas before the decimals. Of two different marks, the last one is
 * before the decimals. A repeated mark is between thousands. If both are possible (`1.012`), the
 * language decides and `other` is the other meaning.
 * @returns undefined for an invalid amount.
 */
function readFigures(text: string, language: Language): ReadAmount | undefined {
  const typed = text.replaceAll("'", '');
  if (PLAIN.test(typed)) return { amount: withoutZeros(typed) };
  const either = EITHER.exec(typed);
  if (either !== null) {
    const [, whole = '', rest = ''] = either;
    const grouped = whole + rest;
    const decimals = `${whole}.${rest}`;
    return typed.includes(GROUP_MARK[language])
      ? { amount: grouped, other: decimals }
      : { amount: decimals, other: grouped };
  }
  const single = DECIMALS.exec(typed);
  if (single !== null) return decimal(single[1] ?? '', single[2] ?? '');
  return grouped(typed, '.', ',') ?? grouped(typed, ',', '.');
}

/** `1.012.345,67` with the marks given; the decimals may be missing, the groups may not. */
function grouped(text: string, group: string, mark: string): ReadAmount | undefined {
  const [whole = '', fraction = '', more] = text.split(mark);
  const groups = whole.split(group);
  if (more !== undefined || groups.length < 2) return undefined;
  const [first = '', ...rest] = groups;
  const sound = /^[1-9]\d{0,2}$/.test(first) && rest.every((one) => /^\d{3}$/.test(one));
  return sound && /^\d*$/.test(fraction) ? decimal(groups.join(''), fraction) : undefined;
}

function decimal(whole: string, fraction: string): ReadAmount | undefined {
  if (whole === '' && fraction === '') return undefined;
  const digits = withoutZeros(whole === '' ? '0' : whole);
  return { amount: fraction === '' ? digits : `${digits}.${fraction}` };
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}

/**
 * Reads the amount of an address. It is in the grammar of the API, unless a form made the address.
 * Such an address names the language in which the amount was typed.
 */
export function readAmount(
  text: string,
  { typedIn, language }: { readonly typedIn: Language | undefined; readonly language: Language },
): ReadAmount | undefined {
  if (typedIn === undefined && parseAmount(text) !== undefined) return { amount: text };
  return readTypedAmount(text, typedIn ?? language);
}
