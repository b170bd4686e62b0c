import { round, toNumber } from '../../../domain/decimal.ts';
import { hasValueDates, OFFICIAL_EUR, OFFICIAL_USD } from '../../../domain/markets.ts';
import { caracasDayOf, caracasTimeOf } from '../../../domain/time.ts';
import {
  bolivarText,
  dateInWords,
  dayInWords,
  exactRateText,
  exactText,
  moneyText,
  numberText,
  rateText,
  weekdayAndMonth,
} from '../../frame/format.ts';
import type { Language } from '../../frame/language.ts';
import { nameIn } from '../age.ts';
import type { ConvertibleRate } from '../board-figures.ts';
import { unitChangeText } from '../unit-text.ts';
import { type ConversionRequest, type DoneConversion, SMALL_DIGITS } from './converter.ts';
import { CONVERTER_TEXTS } from './converter-texts.ts';

/** The name of a known currency, such as `Dólares`. */
export function currencyWord(code: string, language: Language): string {
  const { currencies } = CONVERTER_TEXTS[language];
  return code === 'EUR' || code === 'VES' ? currencies[code] : currencies.USD;
}

export function currencyText(code: string): string {
  return code === 'VES' ? 'Bs.' : code;
}

/** `Bs. 15.134,17`, `20 USD`. */
export function sumText(figure: string, currency: string): string {
  return currency === 'VES' ? bolivarText(figure) : `${figure}\u00a0${currency}`;
}

const SYMBOLS: Readonly<Record<string, string>> = { USD: '$', EUR: '€' };

/** The same as people write it to each other: `20 $`, in English `$20`. */
function spokenSum(figure: string, currency: string, language: Language): string {
  const symbol = SYMBOLS[currency];
  if (symbol === undefined) return `Bs. ${figure}`;
  return language === 'es' ? `${figure} ${symbol}` : `${symbol}${figure}`;
}

/** A result with two decimals, and one below 1 with as many as show three of its digits. */
export function resultText(result: number, language: Language): string {
  if (result >= 1 || result === 0) return moneyText(result, language);
  const max = SMALL_DIGITS - 1 - Math.floor(Math.log10(result));
  return numberText(result, language, { min: 2, max });
}

/** An amount with all its typed decimals, some of which a double may have lost. */
export function typedAmountText(amount: string, language: Language): string {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  if (whole === '') return exactText(Number(amount), language);
  const mark = language === 'es' ? ',' : '.';
  const groups = numberText(Number(whole), language, { min: 0, max: 0 });
  return fraction === '' ? groups : `${groups}${mark}${fraction}`;
}

/** Always with decimals, because beside `1,012` a bare `1.012` would explain nothing. */
export function readingText(amount: string, language: Language): string {
  return amount.includes('.')
    ? typedAmountText(amount, language)
    : moneyText(Number(amount), language);
}

/** The amount as the reader of the language types it, so that the form reads it back the same. */
export function typedText({ amount, typedIn }: ConversionRequest, language: Language): string {
  if (typedIn === language || !/^\d+\.\d+$/.test(amount)) return amount;
  return language === 'es' ? amount.replace('.', ',') : amount;
}

/** The day of a past rate and its origin; undefined for a current one, which has an age. */
export function pastText(rate: ConvertibleRate, language: Language): string | undefined {
  const { as_of: past, unit_changes: changes = [] } = rate;
  if (past === undefined) return undefined;
  const texts = CONVERTER_TEXTS[language];
  const day = dayInWords(past.date, language);
  const isNext = past.rule === 'next_banking_day' && !past.business_day;
  const when =
    past.value_date === undefined
      ? texts.lastOf(day)
      : (isNext ? texts.nextAfter : texts.inForceOn)(day, dateInWords(past.value_date, language));
  if (changes.length === 0) return when;
  const sentences = changes.map((one) => unitChangeText(one, language));
  return `${when}, ${texts.inItsUnit}. ${sentences.join(' ')}`;
}

/** Of a rate, on every page. */
const SHOWN_DECIMALS = 4;

/**
 * All decimals of a rate that is shown with fewer, if they change the result: a reader who repeats the
 * formula gets another one.
 */
export function exactRate({ rate, amount, toVes }: DoneConversion, language: Language) {
  const shown = toNumber(round(rate.mid, SHOWN_DECIMALS));
  const [exact, rounded] = [rate.mid, shown].map((mid) => {
    const result = toVes ? Number(amount) * mid : Number(amount) / mid;
    return resultText(result, language);
  });
  return rate.mid < 1 || exact === rounded ? undefined : exactRateText(rate.mid, language);
}

/** A conversion as people send it: `20 $ = Bs. 15.134,17 · tasa BCV Bs. 756,7083 (vie 20 nov)`. */
export function shareText(done: DoneConversion, language: Language): string {
  const { amount, from, to, result, rate } = done;
  const texts = CONVERTER_TEXTS[language];
  const sums = [
    spokenSum(typedAmountText(amount, language), from, language),
    spokenSum(resultText(result, language), to, language),
  ];
  const isBcv = rate.market === OFFICIAL_USD || rate.market === OFFICIAL_EUR;
  const at = Date.parse(rate.updated_at);
  const day = rate.effective_date ?? rate.as_of?.date ?? caracasDayOf(at);
  const isOfTime = !hasValueDates(rate.market) && rate.as_of === undefined;
  const when = weekdayAndMonth(day, language) + (isOfTime ? ` ${caracasTimeOf(at)}` : '');
  const name = isBcv ? texts.rateOfBcv : nameIn(rate, language);
  return `${sums.join(' = ')} · ${name} Bs. ${rateText(rate.mid, language)} (${when})`;
}
