import { parseAmount } from '../../../core/domain/calculations/convert.ts';
import type { Language } from '../../../core/domain/words/language.ts';
import { ALL_DECIMALS, numberText } from './number-text.ts';

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
  /** It was typed as `20 mil`. */
  readonly isInWords?: boolean;
}

/** Enough characters for 1e12 with marks between thousands and many decimals. */
// limit: Typed amount | 40 characters | not read
const MAX_AMOUNT_LENGTH = 40;

const SPACES = /[\s\u00a0\u202f]/g;
/** A space between two figures stands between thousands, as an apostrophe does. */
const SPACED = /(\d)[\s\u00a0\u202f](?=\d)/g;
/** What phones and word processors put in the place of `'`. */
const APOSTROPHES = /[\u2018\u2019\u02bc\u2032\u00b4`]/g;
const PLAIN = /^\d+$/;
/** `1.012`, `1,012`, `1'012.345`: one mark and three digits after one to three, the first not zero. */
const EITHER = /^([1-9]\d{0,2}(?:'\d{3})*)[.,](\d{3})$/;
const DECIMALS = /^(\d*)[.,](\d*)$/;

/** How people write the currencies. `$` means the US dollar. */
const CURRENCY_MARKS = [
  ['VES', /^(?:bs\.?(?:[sfd]\.?)?|ves|bol[ií]var(?:es)?)$/i],
  ['USDT', /^usdt$/i],
  ['USD', /^(?:us\$|\$|usd\$?|d[oó]lar(?:es)?|dollars?)$/i],
  ['EUR', /^(?:€|eur|euros?)$/i],
] as const;
const MARKED = /^([^\d.,'-][^\d,'-]*)?([\d.,']+)([^\d.,'-][^\d,'-]*)?$/;

/** Words after the figures, by the zeros that they stand for. An M is a million for some, a thousand for others. */
const SCALES = [
  [/^(?:mil|thousand|k)/i, [3]],
  [/^(?:mill[oó]n(?:es)?|millions?|mm)/i, [6]],
  [/^milmillones/i, [9]],
  [/^m/i, [6, 3]],
] as const;

const GROUP_MARK: Readonly<Record<Language, string>> = { es: '.', en: ',' };

/** Reads an amount with or without a currency's mark; undefined for an invalid one. */
export function readTypedAmount(text: string, language: Language): ReadAmount | undefined {
  if (text.length > MAX_AMOUNT_LENGTH) return undefined;
  const typed = text.normalize('NFC').replaceAll(APOSTROPHES, "'").replaceAll(SPACED, "$1'");
  const [, before = '', figures = '', after = ''] = MARKED.exec(typed.replaceAll(SPACES, '')) ?? [];
  const words = readWords(after);
  const mark = before || words?.mark;
  const currency = mark === '' ? undefined : currencyOf(mark);
  // The text has two currencies or an unknown one.
  if (words === undefined || (before && words.mark) || (mark && !currency)) return undefined;
  const read = inScale(readFigures(figures, language), words.zeros);
  if (read === undefined || currency === undefined) return read;
  if (currency === 'USDT') return { ...read, currency: 'USD', isTether: true };
  return { ...read, currency };
}

const currencyOf = (mark = '') => CURRENCY_MARKS.find(([, pattern]) => pattern.test(mark))?.[0];

/** `mil`, `Bs.`, `millones de bolívares`, without their spaces; undefined for unknown words. */
function readWords(after: string) {
  if (after === '' || currencyOf(after) !== undefined) return { mark: after, zeros: [] };
  for (const [pattern, zeros] of SCALES) {
    const mark = after.replace(pattern, '').replace(/^de(?=.)/i, '');
    if (pattern.test(after) && (mark === '' || currencyOf(mark))) return { mark, zeros };
  }
  return undefined;
}

/** The figures with the zeros that a word stands for; undefined where they would have four meanings. */
function inScale(read: ReadAmount | undefined, [zeros, other]: readonly number[]) {
  if (read === undefined || zeros === undefined) return read;
  if (read.other !== undefined && other !== undefined) return undefined;
  const second = read.other ?? (other === undefined ? undefined : read.amount);
  return {
    amount: shifted(read.amount, zeros),
    ...(second !== undefined && { other: shifted(second, other ?? zeros) }),
    isInWords: true as const,
  };
}

/** The amount with its decimal mark so many digits further right. */
function shifted(amount: string, zeros: number): string {
  const [whole = '', fraction = ''] = amount.split('.');
  const digits = fraction.padEnd(zeros, '0');
  const rest = digits.slice(zeros);
  return withoutZeros(whole + digits.slice(0, zeros)) + (rest === '' ? '' : `.${rest}`);
}

/**
 * Reads figures with points or commas before the decimals. Of two different marks, the last one is
 * before the decimals. A repeated mark is between thousands, and so is an apostrophe. If both are
 * possible (`1.012`), the language decides and `other` is the other meaning.
 * @returns undefined for an invalid amount.
 */
function readFigures(typed: string, language: Language): ReadAmount | undefined {
  if (PLAIN.test(typed)) return { amount: withoutZeros(typed) };
  const either = EITHER.exec(typed);
  if (either !== null) {
    const [, groups = '', rest = ''] = either;
    const whole = groups.replaceAll("'", '');
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

/** `1.012.345,67` with the marks given, or apostrophes between groups; the decimals may be missing, the groups may not. */
function grouped(text: string, group: string, mark: string): ReadAmount | undefined {
  const [whole = '', fraction = '', more] = text.replaceAll("'", group).split(mark);
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

/**
 * An amount in doubt, which has three decimals or none, with so many decimals that nobody reads it
 * otherwise.
 */
export function plainAmountText(amount: string, language: Language): string {
  const digits = amount.includes('.') ? 4 : 2;
  return numberText(Number(amount), language, { min: digits, max: digits });
}

/** A value as a field holds it: with all its decimals, and so written that it has one meaning. */
export function plainValueText(value: number, language: Language): string {
  const size = String(Math.abs(value));
  const text = numberText(Math.abs(value), language, { min: 0, max: ALL_DECIMALS });
  const isClear = readTypedAmount(text, language)?.other === undefined;
  return `${value < 0 ? '-' : ''}${isClear ? text : plainAmountText(size, language)}`;
}
