import { hasValueDates } from '../../../../core/domain/markets.ts';
import { caracasDayOf, caracasTimeOf, type Instant } from '../../../../core/domain/time.ts';
import type { Language } from '../../../../core/domain/words/language.ts';
import { plainAmountText } from '../../frame/amount.ts';
import {
  bolivarText,
  exactText,
  moneyText,
  numberText,
  rateText,
  weekdayText,
  wholeRateText,
} from '../../frame/format.ts';
import { BOARD_TEXTS, CONVERTER_TEXTS } from '../../texts/texts.ts';
import { nameIn, quotedUnit } from '../age.ts';
import type { ConvertibleRate } from '../board-figures.ts';
import { doubtOf } from '../staleness.ts';
import { unitChangeText } from '../unit-text.ts';
import { type ConversionRequest, type DoneConversion, SMALL_DIGITS } from './converter.ts';

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

/** The unit of one side of a conversion: P2P markets quote USDT, which addresses count as dollars. */
export const unitOf = (
  currency: string,
  { isTether, rate }: Pick<DoneConversion, 'isTether' | 'rate'>,
) => (currency === 'VES' ? currency : isTether ? 'USDT' : quotedUnit(rate));

/** Both sides of a conversion, as text outside of the page has them. */
export function sidesOf(done: DoneConversion, language: Language) {
  const { amount, from, to, result } = done;
  const plain = (sum: string) => sum.replace('\u00a0', ' ');
  return {
    left: plain(sumText(typedAmountText(amount, language), unitOf(from, done))),
    right: plain(sumText(resultText(result, language), unitOf(to, done))),
  };
}

/** A result with two decimals, and one below 1 with as many as show three of its digits. */
export function resultText(result: number, language: Language): string {
  if (result >= 1 || result === 0) return moneyText(result, language);
  const max = SMALL_DIGITS - 1 - Math.floor(Math.log10(result));
  return numberText(result, language, { min: max > SMALL_DIGITS ? max : 2, max });
}

/** The result as the API gives it, where the page shows more of its digits; undefined where both are equal. */
export function roundedText(done: DoneConversion, language: Language): string | undefined {
  if (done.rounded === done.result) return undefined;
  return sumText(moneyText(done.rounded, language), unitOf(done.to, done));
}

/** From here on cents would not fit on a button, from there on only millions do, and then nothing. */
const WHOLE_FROM = 1e6;
const MILLIONS_FROM = 1e9;
const NONE_FROM = 1e14;

/** A result beside others, as the buttons of the rates have it. */
export function shortResult(result: number, language: Language): string {
  if (result < WHOLE_FROM) return resultText(result, language);
  if (result >= NONE_FROM) return '';
  const whole = (value: number) => numberText(value, language, { min: 0, max: 0 });
  return result < MILLIONS_FROM ? whole(result) : `${whole(result / WHOLE_FROM)}\u00a0M`;
}

/** An amount with all its typed decimals, some of which a double may have lost. */
export function typedAmountText(amount: string, language: Language): string {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  if (whole === '') return exactText(Number(amount), language);
  const mark = language === 'es' ? ',' : '.';
  const groups = numberText(Number(whole), language, { min: 0, max: 0 });
  return fraction === '' ? groups : `${groups}${mark}${fraction}`;
}

/** The other meaning of a typed amount; undefined for an amount with one. */
export function otherText(
  { other, isInWords = false }: DoneConversion,
  language: Language,
): string | undefined {
  if (other === undefined) return undefined;
  return (isInWords ? plainAmountText : typedAmountText)(other, language);
}

/** Fewer digits than a double would round. */
const PLAIN_AMOUNT = /^\d{1,15}(?:\.\d+)?$/;

/** The amount as the reader of the language types it, so that the form reads it back the same. */
export function typedText({ amount, typedIn }: ConversionRequest, language: Language): string {
  const isPlain = typedIn === undefined && PLAIN_AMOUNT.test(amount);
  return isPlain ? typedAmountText(amount, language) : amount;
}

/** The day of a past rate; undefined for a current one, which has an age. */
export function pastText(rate: ConvertibleRate, language: Language): string | undefined {
  const { as_of: past, unit_changes: changes = [] } = rate;
  if (past === undefined) return undefined;
  const texts = CONVERTER_TEXTS[language];
  const { date, value_date: valueDate, rule, business_day: isOpen } = past;
  const isNext = rule === 'next_banking_day' && !isOpen;
  const says = valueDate === undefined ? texts.lastOf : isNext ? texts.nextAfter : texts.inForce;
  const asked =
    valueDate === undefined || valueDate === date
      ? ''
      : `${texts.forDay(weekdayText(date, language))} · `;
  const when = `${asked}${says(weekdayText(valueDate ?? date, language))}`;
  if (changes.length === 0) return when;
  const sentences = changes.map((one) => unitChangeText(one, language));
  return `${when}, ${texts.inItsUnit}. ${sentences.join(' ')}`;
}

/** `, desactualizada`, for the end of a text that leaves the page; nothing of a rate that can be used. */
export function doubtWords(
  rate: ConvertibleRate,
  language: Language,
  now: Instant,
): readonly string[] {
  const doubt = doubtOf(rate, now);
  return doubt === false ? [] : [`, ${BOARD_TEXTS[language][doubt]}`];
}

/**
 * A conversion as people send it: `20 USD = Bs. 15.134,17 · tasa BCV Bs. 756,7083 (vie 20 nov 2026)`. For
 * a day without banks it says by which rule: `(la que regía, vie 20 nov 2026) para el dom 22 nov 2026`.
 */
export function shareText(done: DoneConversion, language: Language, now: Instant): string {
  const { rate } = done;
  const { as_of: past, unit_changes: changes } = rate;
  const texts = CONVERTER_TEXTS[language];
  const { left, right } = sidesOf(done, language);
  const name = hasValueDates(rate.market) ? texts.rateOfBcv : nameIn(rate, language);
  const at = Date.parse(rate.updated_at);
  const day = rate.effective_date ?? past?.date ?? caracasDayOf(at);
  const isByRule = past?.value_date !== undefined && !past.business_day;
  const when = [
    ...(isByRule ? [`${texts.rules[past.rule ?? 'value_date'].toLowerCase()}, `] : []),
    weekdayText(day, language),
    ...(hasValueDates(rate.market) || past ? [] : [` ${caracasTimeOf(at)}`]),
    ...doubtWords(rate, language, now),
  ];
  const of = past && past.date !== day ? ` ${texts.forDay(weekdayText(past.date, language))}` : '';
  const unit = changes ? `, ${texts.inItsUnit}` : '';
  const whole = wholeRateText(rate.mid, language);
  const price = `Bs. ${rateText(rate.mid, language)}${whole === undefined ? '' : ` (${whole})`}`;
  return `${left} = ${right} · ${name} ${price} (${when.join('')})${of}${unit}`;
}
