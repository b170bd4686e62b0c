import type { BoardRate } from '../../../client/types.ts';
import type { DateRule } from '../../../domain/history/past-dates.ts';
import {
  hasValueDates,
  OFFICIAL_EUR,
  OFFICIAL_USD,
  PARALLEL_MARKET,
} from '../../../domain/markets.ts';
import { caracasDayOf } from '../../../domain/time.ts';
import {
  dateInWords,
  dayInWords,
  exactRateText,
  exactText,
  moneyText,
  numberText,
} from '../../frame/format.ts';
import { type Html, html } from '../../frame/html.ts';
import type { Language } from '../../frame/language.ts';
import { type BoardReader, nameIn, rateAge, sourceText } from '../age.ts';
import type { BoardFigures, BoardPast, ConvertibleRate } from '../board-figures.ts';
import { BOARD_TEXTS } from '../board-texts.ts';
import { unitChangeText } from '../unit-text.ts';
import {
  CONVERTER_ID,
  type Conversion,
  type ConversionRequest,
  conversionAddress,
  convertibleRates,
  convertTyped,
  faultyInput,
  INDEX,
  P2P_MEDIAN,
} from './converter.ts';
import { CONVERTER_TEXTS } from './converter-texts.ts';

/** The rates that have a button, if they are known. */
const SEGMENTS = [
  ['official', OFFICIAL_USD],
  ['parallel', PARALLEL_MARKET],
  ['p2p', P2P_MEDIAN],
  ['index', INDEX],
  ['euro', OFFICIAL_EUR],
] as const;

/** The texts of the two fields. The upper one is the input. */
interface ConverterFields {
  readonly from: string;
  readonly to: string;
  readonly upper: string;
  readonly lower: string;
}

/** The fields after a conversion. The typed text does not change. */
export function converterFields(
  request: ConversionRequest,
  conversion: Conversion,
  { rates, language }: { readonly rates: readonly ConvertibleRate[]; readonly language: Language },
): ConverterFields {
  const { amount, from, via } = request;
  const { done } = conversion;
  if (done !== undefined) {
    return {
      from: done.from,
      to: done.to,
      upper: typedText(request, language),
      lower: moneyText(done.result, language),
    };
  }
  const base = rates.find(({ market }) => market === via)?.base ?? 'USD';
  const isFromVes = from === 'VES';
  return { from: isFromVes ? 'VES' : base, to: isFromVes ? base : 'VES', upper: amount, lower: '' };
}

/** The form. Without scripts the browser sends it to the service. */
export function converterForm(
  request: ConversionRequest,
  { figures, past }: { readonly figures: BoardFigures; readonly past: BoardPast | undefined },
  reader: BoardReader,
): Html {
  const { language, languageChosen: chosen } = reader;
  const texts = CONVERTER_TEXTS[language];
  const rates = past?.rates ?? convertibleRates(figures);
  const conversion = convertTyped(request, rates, language);
  const fields = converterFields(request, conversion, { rates, language });
  const { from, to, upper, lower } = fields;
  const via = conversion.done?.rate.market ?? (request.via || OFFICIAL_USD);
  const faulty = conversion.done === undefined ? faultyInput(conversion.problem) : undefined;
  return html`<form id="${CONVERTER_ID}" class="converter" action="/#${CONVERTER_ID}" method="get">
<h2>${texts.heading}</h2>
${chosen && html`<input type="hidden" name="lang" value="${language}" />`}<input type="hidden" name="typed" value="${language}" /><input type="hidden" name="amount_was" value="${upper}" /><input type="hidden" name="other_was" value="${lower}" /><input type="hidden" id="from" name="from" value="${from === 'VES' ? 'VES' : ''}" />
<div class="pair">${field('amount', upper, from, { language, isBad: faulty === 'amount' })}
<a id="swap" class="swap" href="${swapAddress(conversion, request, chosen ? language : undefined)}" aria-label="${texts.swap}" title="${texts.swap}">${SWAP_ICON}</a>
${field('other', lower, to, { language, isBad: false })}</div>
<p id="amount-problem" class="problem" role="alert">${conversion.done === undefined && texts.problems[conversion.problem]}</p>
<fieldset class="segments"><legend class="unseen">${texts.via}</legend>${segments(via, figures, language)}</fieldset>
<p class="other-market"><label for="via-market">${texts.otherMarket}</label> <select id="via-market" name="market">${marketOptions(via, figures, language)}</select></p>
<p class="without-script"><button class="main" type="submit">${texts.submit}</button></p>
<div id="conversion" class="how" aria-live="polite">${conversionResult(conversion, reader)}</div>
<p class="on-day"><label for="date">${texts.date}</label> <input id="date" name="date" type="date" max="${caracasDayOf(reader.now)}" value="${request.date}" aria-describedby="amount-problem" aria-invalid=${faulty === 'date' ? 'true' : undefined} /> ${ruleChoice(request, language)}</p>
</form>`;
}

/** Visible while an official rate is chosen. With scripts a day must be chosen too. */
function ruleChoice({ rule, date }: ConversionRequest, language: Language): Html {
  const { rule: label, rules } = CONVERTER_TEXTS[language];
  const option = (one: DateRule) =>
    html`<option value="${one}" selected=${one === rule}>${rules[one]}</option>`;
  return html`<span id="on-rule" class="on-rule${date === '' ? ' undated' : ''}"><label for="rule">${label}</label> <select id="rule" name="rule">${option('value_date')}${option('next_banking_day')}</select></span>`;
}

const SWAP_ICON = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M7 4v16m0 0-4-4m4 4 4-4M17 20V4m0 0-4 4m4-4 4 4"/></svg>`;

function field(
  id: 'amount' | 'other',
  value: string,
  currency: string,
  { language, isBad }: { readonly language: Language; readonly isBad: boolean },
): Html {
  const texts = CONVERTER_TEXTS[language];
  const word = currencyWord(currency, language);
  return html`<p class="field" data-size="${fieldSize(value)}"><span id="${id}-currency" class="currency" aria-hidden="true">${currencyText(currency)}</span>
<input id="${id}" name="${id}" value="${value}" inputmode="decimal" autocomplete="off" maxlength="40" aria-label="${texts.amountIn(word)}" aria-describedby="amount-problem" aria-invalid=${isBad ? 'true' : undefined} />
<span id="${id}-word" class="word quiet" aria-hidden="true">${word}</span></p>`;
}

/** Most characters of an amount in a phone's field, with its currency beside it and without. */
const LARGE_CHARACTERS = 11;
const MEDIUM_CHARACTERS = 16;

/** Text size of an amount that keeps all of it visible. */
export function fieldSize({ length }: string): 'large' | 'medium' | 'small' {
  if (length <= LARGE_CHARACTERS) return 'large';
  return length <= MEDIUM_CHARACTERS ? 'medium' : 'small';
}

/** The name of a known currency, such as `Dólares`. */
export function currencyWord(code: string, language: Language): string {
  const { currencies } = CONVERTER_TEXTS[language];
  return code === 'EUR' || code === 'VES' ? currencies[code] : currencies.USD;
}

export function currencyText(code: string): string {
  return code === 'VES' ? 'Bs.' : code;
}

/** The markets that have no button of their own. */
export function otherMarkets({ rates }: BoardFigures): readonly BoardRate[] {
  const own: readonly string[] = SEGMENTS.map(([, id]) => id);
  return rates.filter(({ market }) => !own.includes(market));
}

function segments(via: string, figures: BoardFigures, language: Language): Html {
  const texts = CONVERTER_TEXTS[language].segments;
  const known = convertibleRates(figures);
  const shown = SEGMENTS.filter(([, id]) => known.some(({ market }) => market === id));
  const isOther = !shown.some(([, id]) => id === via);
  const one = (text: string, value: string, isOn: boolean) =>
    html`<label class="segment"><input type="radio" name="via" value="${value}" data-dated=${hasValueDates(value) ? '' : undefined} checked=${isOn} /><span>${text}</span></label>`;
  return html`${shown.map(([name, id]) => one(texts[name], id, id === via))}${
    (isOther || otherMarkets(figures).length > 0) && one(texts.other, '', isOther)
  }`;
}

/**
 * The markets in the menu of the last button. A market of the address that is not known stays chosen,
 * so that no other one converts in its place.
 */
export function marketOptions(via: string, figures: BoardFigures, language: Language): Html {
  const isKnown = convertibleRates(figures).some(({ market }) => market === via);
  return html`${!isKnown && html`<option value="${via}" selected>${via}</option>`}${otherMarkets(
    figures,
  ).map(
    (rate) =>
      html`<option value="${rate.market}" selected=${rate.market === via}>${nameIn(rate, language)} (${rate.base})</option>`,
  )}`;
}

/** The same amount the other way round. */
export function swapAddress(
  { done }: Conversion,
  { amount, from, via, date, rule }: ConversionRequest,
  language: Language | undefined,
): string {
  if (done === undefined) {
    const query = new URLSearchParams({ amount, from: from === 'VES' ? '' : 'VES', via });
    if (date !== '') query.set('date', date);
    if (date !== '' && rule !== 'value_date') query.set('rule', rule);
    if (language !== undefined) query.set('lang', language);
    return `/?${query}#${CONVERTER_ID}`;
  }
  return conversionAddress({ ...done, from: done.to }, language);
}

/** How the amount was converted, and what else it could mean. Screen readers announce a change. */
export function conversionResult({ done }: Conversion, reader: BoardReader): Html {
  if (done === undefined) return html``;
  const { language, languageChosen } = reader;
  const texts = CONVERTER_TEXTS[language];
  const { rate, amount, other, from, to, toVes, result } = done;
  const address = (one: string) =>
    conversionAddress({ amount: one, from, rate }, languageChosen ? language : undefined);
  const meant = (one: string) =>
    (one.includes('.') ? texts.meantDecimals : texts.meantThousands)(
      typedAmountText(one, language),
    );
  const source = rate.source.kind === 'computed' ? [] : [sourceText(rate, BOARD_TEXTS[language])];
  return html`${
    other !== undefined &&
    html`<p class="meant">${texts.readAs(readingText(amount, language))} <a href="${address(other)}">${meant(other)}</a></p>
`
  }<p class="formula">${typedAmountText(amount, language)}\u00a0${currencyText(from)} ${toVes ? '×' : '÷'} ${exactRateText(rate.mid, language)} = <strong id="result">${moneyText(result, language)}</strong>\u00a0${currencyText(to)}</p>
<p class="quiet">${[nameIn(rate, language), ...source].join(' · ')}<br />${whenText(rate, reader)}${unitText(rate, language)}</p>
<p class="actions no-print"><a id="share" href="${address(amount)}">${texts.share}</a> <button id="copy" class="link" type="button" hidden>${texts.copy}</button></p>`;
}

/** The age of a current rate, or the day of a past one and the origin of its rate. */
function whenText(rate: ConvertibleRate, reader: BoardReader): Html {
  const { as_of: past } = rate;
  if (past === undefined) return rateAge(rate, reader);
  const { language } = reader;
  const texts = CONVERTER_TEXTS[language];
  const day = dayInWords(past.date, language);
  if (past.value_date === undefined) return texts.lastOf(day);
  const isNext = past.rule === 'next_banking_day' && !past.business_day;
  const write = isNext ? texts.nextAfter : texts.inForceOn;
  return write(day, dateInWords(past.value_date, language));
}

/** In which bolívares a past rate is, if not in those of today. */
function unitText({ unit_changes: changes = [] }: ConvertibleRate, language: Language): string {
  if (changes.length === 0) return '';
  const sentences = changes.map((one) => unitChangeText(one, language));
  return `, ${CONVERTER_TEXTS[language].inItsUnit}. ${sentences.join(' ')}`;
}

/** The amount as the reader of the language types it, so that the form reads it back the same. */
function typedText({ amount, typedIn }: ConversionRequest, language: Language): string {
  if (typedIn === language || !/^\d+\.\d+$/.test(amount)) return amount;
  return language === 'es' ? amount.replace('.', ',') : amount;
}

/** Always with decimals, because beside `1,012` a bare `1.012` would explain nothing. */
function readingText(amount: string, language: Language): string {
  return amount.includes('.')
    ? typedAmountText(amount, language)
    : moneyText(Number(amount), language);
}

/** An amount with all its typed decimals, some of which a double may have lost. */
export function typedAmountText(amount: string, language: Language): string {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  if (whole === '') return exactText(Number(amount), language);
  const mark = language === 'es' ? ',' : '.';
  const groups = numberText(Number(whole), language, { min: 0, max: 0 });
  return fraction === '' ? groups : `${groups}${mark}${fraction}`;
}
