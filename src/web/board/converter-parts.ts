import { caracasDayOf, type Instant } from '../../domain/time.ts';
import {
  dateInWords,
  dayInWords,
  exactText,
  moneyText,
  numberText,
  rateText,
} from '../frame/format.ts';
import { type Html, html } from '../frame/html.ts';
import type { Language } from '../frame/language.ts';
import type { BoardFigures, BoardRate, ConvertibleRate } from './board-figures.ts';
import { age, type BoardReader, sourceText } from './board-parts.ts';
import { BOARD_TEXTS, CONVERTER_TEXTS } from './board-texts.ts';
import { type Conversion, type ConversionAsk, conversionAddress } from './converter.ts';

/** The form; without a script it asks the server. */
export function converterForm(
  ask: ConversionAsk,
  { rates }: BoardFigures,
  {
    language,
    chosen,
    now,
  }: { readonly language: Language; readonly chosen: boolean; readonly now: Instant },
): Html {
  const texts = CONVERTER_TEXTS[language];
  const via = ask.via || officialOf(ask.from, rates);
  const currencies = (['USD', 'EUR', 'VES'] as const).map((code) =>
    option(code, texts.currencies[code], code === ask.from),
  );
  const markets = rates.map(({ market, name, base }) =>
    option(market, `${name} (${base})`, market === via),
  );
  return html`<form id="converter" class="converter" action="/" method="get">
${chosen && html`<input type="hidden" name="lang" value="${language}">`}<input type="hidden" name="typed" value="${language}">
<p class="field"><label for="amount">${texts.amount}</label>
<input id="amount" name="amount" value="${shownAmount(ask, language)}" inputmode="decimal" autocomplete="off" maxlength="40" aria-describedby="amount-hint">
<span id="amount-hint" class="quiet small">${texts.amountHint}</span></p>
<p class="field"><label for="from">${texts.from}</label>
<select id="from" name="from">${currencies}</select></p>
<p class="field"><label for="via">${texts.via}</label>
<select id="via" name="via">${markets}</select></p>
<p class="field"><label for="date">${texts.date}</label>
<input id="date" name="date" type="date" max="${caracasDayOf(now)}" value="${ask.date}" aria-describedby="date-hint">
<span id="date-hint" class="quiet small">${texts.dateHint}</span></p>
<p class="actions no-print"><button class="main" type="submit">${texts.submit}</button>
<button id="swap" type="button" hidden>${texts.swap}</button></p>
</form>`;
}

function option(value: string, text: string, selected: boolean): Html {
  return html`<option value="${value}"${selected && html` selected`}>${text}</option>`;
}

function officialOf(from: string, rates: readonly BoardRate[]): string | undefined {
  const base = from === 'EUR' ? 'EUR' : 'USD';
  return rates.find((rate) => rate.type === 'reference' && rate.base === base)?.market;
}

/** The amount as the reader of the language types it, so that the form reads it back the same. */
function shownAmount({ amount, typedIn }: ConversionAsk, language: Language): string {
  if (typedIn === language || !/^\d+\.\d+$/.test(amount)) return amount;
  return language === 'es' ? amount.replace('.', ',') : amount;
}

/** What a conversion came to, or why it did not; announced when it changes. */
export function conversionResult(
  conversion: Conversion,
  reader: BoardReader,
  chosen: boolean,
): Html {
  const { language } = reader;
  const texts = CONVERTER_TEXTS[language];
  const { done } = conversion;
  if (done === undefined) return html`<p class="problem">${texts.problems[conversion.problem]}</p>`;
  const { rate, amount, other, from, to, toVes, result } = done;
  const shown = amountText(amount, language);
  const money = moneyText(result, language);
  const address = (one: string) =>
    conversionAddress({ ...done, amount: one }, chosen ? language : undefined);
  return html`<p class="figure-line"><span class="given">${shown} ${currencyText(from)} =</span> <output class="big" id="result" for="amount from via">${money}</output> <span class="unit">${currencyText(to)}</span></p>
${
  other !== undefined &&
  html`<p class="reading">${texts.readAs(readingText(amount, language))} <a href="${address(other)}">${texts.meant(readingText(other, language))}</a></p>`
}<p class="formula figures">${shown} ${toVes ? '×' : '÷'} ${exactText(rate.mid, language)} = ${money}</p>
<p class="quiet">${texts.rate}: <span class="figures">${rateText(rate.mid, language)}</span> · ${rate.name} · ${sourceText(rate, BOARD_TEXTS[language])} · ${whenText(rate, reader)}</p>
<p class="actions no-print"><button id="copy" type="button" hidden>${texts.copy}</button> <a id="share" href="${address(amount)}">${texts.share}</a></p>`;
}

/** With decimals in any case: beside `1,012` a bare `1.012` would explain nothing. */
function readingText(amount: string, language: Language): string {
  return amount.includes('.') ? amountText(amount, language) : moneyText(Number(amount), language);
}

function currencyText(code: string): string {
  return code === 'VES' ? 'Bs.' : code;
}

/** An amount with the decimals that it was given, of which a double may have lost some. */
function amountText(amount: string, language: Language): string {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  if (whole === '') return exactText(Number(amount), language);
  const mark = language === 'es' ? ',' : '.';
  const groups = numberText(Number(whole), language, { min: 0, max: 0 });
  return fraction === '' ? groups : `${groups}${mark}${fraction}`;
}

/** How old a rate of now is; for which day one of the past holds, and where it comes from. */
function whenText(
  { as_of: past, updated_at, stale_after_sec }: ConvertibleRate,
  reader: BoardReader,
) {
  if (past === undefined) return age(updated_at, reader, { staleAfterSec: stale_after_sec });
  const { language } = reader;
  const texts = CONVERTER_TEXTS[language];
  const day = dayInWords(past.date, language);
  return past.value_date === undefined
    ? texts.lastOf(day)
    : texts.inForceOn(day, dateInWords(past.value_date, language));
}
