import { h } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { addCaracasDays, type CaracasDay } from '../../../../core/domain/time.ts';
import type { Language } from '../../../../core/domain/words/language.ts';
import { type Html, html } from '../../../../core/http/framework/encoding/html.ts';
import { capitalised, nearDayText, rateText, weekdayAndMonth } from '../../frame/format.ts';
import { Segments } from '../../frame/segments.ts';
import { CONVERTER_TEXTS } from '../../texts/texts.ts';
import { nameIn, quotedUnit } from '../age.ts';
import { nextBankingDay } from '../banking-days.ts';
import { datedRates, doubtOf } from '../staleness.ts';
import {
  CONVERTER_ID,
  conversionAddress,
  OTHER_DAY,
  otherMarkets,
  resultBy,
  swapAddress,
} from './converter.ts';
import { ConversionAnswer } from './converter-answer.ts';
import { type ChoiceParts, type ConverterParts, useConverter } from './converter-state.ts';
import { currencyText, currencyWord, otherText, shortResult, unitOf } from './converter-words.ts';

/** The converter. Without scripts the browser sends its form to the service. */
export function ConverterSection(parts: ConverterParts): Html {
  const { data, reader } = parts;
  const { language, languageChosen } = reader;
  const texts = CONVERTER_TEXTS[language];
  const state = useConverter(parts);
  const { upper, lower, request, conversion } = state;
  // The server compares what it gets back with what it wrote.
  const [written] = useState({ upper: upper.value, lower: lower.value });
  const swap = (event: Event) => {
    event.preventDefault();
    state.swap();
  };
  return html`<div class="conv"><form id="${CONVERTER_ID}" class="converter" action="/#${CONVERTER_ID}" method="get" novalidate onSubmit=${(event: Event) => event.preventDefault()}>
<h2>${texts.heading}</h2>
${languageChosen && html`<input type="hidden" name="lang" value="${language}" />`}<input type="hidden" name="typed" value="${language}" /><input type="hidden" name="amount_was" value="${written.upper}" /><input type="hidden" name="other_was" value="${written.lower}" />${written.upper !== data.request.amount && html`<input type="hidden" name="amount_is" value="${data.request.amount}" />`}<input type="hidden" id="from" name="from" value="${upper.currency === 'VES' ? 'VES' : ''}" />
<div class="pair">${h(Field, { id: 'amount', parts, state })}
<a id="swap" class="swap" href="${swapAddress(conversion, request, reader)}" aria-label="${texts.swap}" title="${texts.swap}" onClick=${swap}>${SWAP_ICON}</a>
${h(Field, { id: 'other', parts, state })}</div>
${h(DayChoice, { parts, state })}
${h(RateChoice, { parts, state })}
${h(ConversionAnswer, { parts, state })}
<p class="without-script"><button class="main" type="submit">${texts.submit}</button></p>
</form></div>`;
}

const SWAP_ICON = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M7 4v16m0 0-4-4m4 4 4-4M17 20V4m0 0-4 4m4-4 4 4"/></svg>`;

/** An event of a field, as far as it is read. */
export interface FieldEvent {
  readonly currentTarget: { readonly value: string; select(): void };
}

function Field({ id, parts, state }: ChoiceParts & { readonly id: 'amount' | 'other' }): Html {
  const { language } = parts.reader;
  const { value, currency } = id === 'amount' ? state.upper : state.lower;
  const word = currencyWord(currency, language);
  const isBad = state.faulty === 'amount' && state.typed === id;
  const { done, problem } = state;
  const unit = done ? unitOf(currency, done) : currency;
  // The empty field says in short what is wrong with the other: a keyboard may cover the sentence.
  const said =
    problem && state.faulty === 'amount' && state.typed !== id
      ? CONVERTER_TEXTS[language].problems[problem].split(/[.:] /)[0]
      : undefined;
  // A keyboard covers the sentence of the answer that says the same.
  const doubt =
    done?.other !== undefined && state.typed === id
      ? html`<a class="doubt" tabindex="-1" aria-hidden="true" href="${conversionAddress({ ...done, amount: done.other }, parts.reader)}" onClick=${state.mean}>${CONVERTER_TEXTS[language].meant(otherText(done, language) ?? '')}</a>`
      : undefined;
  // Readers type a new amount more often than they correct the old one.
  return html`<p class="field" data-size="${fieldSize(value)}"><span id="${id}-currency" class="currency" aria-hidden="true">${currencyText(unit)}</span>
<input id="${id}" name="${id}" value="${value}" placeholder=${said} inputmode="decimal" autocomplete="off" maxlength="40" aria-label="${CONVERTER_TEXTS[language].amountIn(unit === currency ? word : currencyText(unit))}" aria-describedby="amount-problem" aria-invalid=${isBad ? 'true' : undefined} onFocus=${({ currentTarget }: FieldEvent) => currentTarget.select()} onInput=${({ currentTarget }: FieldEvent) => state.type(id, currentTarget.value)} />
${doubt ?? (unit === currency && html`<span id="${id}-word" class="word quiet" aria-hidden="true">${word}</span>`)}</p>`;
}

/** Most characters of an amount in a phone's field, with its currency beside it and without. */
const LARGE_CHARACTERS = 11;
const MEDIUM_CHARACTERS = 16;

/** Text size of an amount that keeps all of it visible. */
function fieldSize({ length }: string): 'large' | 'medium' | 'small' {
  if (length <= LARGE_CHARACTERS) return 'large';
  return length <= MEDIUM_CHARACTERS ? 'medium' : 'small';
}

/** A field of a date, which opens its calendar in newer browsers. */
interface DateField {
  showPicker?(): void;
}

/** A slow phone takes long to open a calendar: the page shows the choice before. */
const afterPaint = (work: () => void) => requestAnimationFrame(() => setTimeout(work));

function DayChoice({ parts: { data, figures, reader }, state }: ChoiceParts): Html {
  const texts = CONVERTER_TEXTS[reader.language];
  const { day, date, nextDay, today, firstDay, lastDay } = state;
  const field = useRef<DateField>(null);
  const isUnknown = nextDay === undefined;
  const next = nextDay ?? nextBankingDay(today, data.days);
  const days = { today: '', next, other: OTHER_DAY };
  // The newest rate is not the one of today.
  const newest = datedRates(figures).find(({ market }) => market === state.via);
  const lateDay =
    newest?.effective_date && doubtOf(newest, reader.now) === 'stale'
      ? capitalised(weekdayAndMonth(newest.effective_date, reader.language))
      : undefined;
  // While somebody types 2026, the field has the years 2, 20 and 202.
  const onDate = (date: string) => {
    if (date === '' || date >= '1000') state.chooseDate(date);
  };
  return h(
    Segments<string>,
    {
      ...{ name: 'day', label: texts.day, look: 'segments days', value: days[day] },
      choices: [
        { value: days.today, text: lateDay ?? texts.days.today },
        {
          value: days.next,
          text: nextDayText(next, today, reader.language),
          isDisabled: isUnknown,
          title: isUnknown ? texts.nextUnknown : undefined,
        },
        {
          ...{ value: days.other, text: texts.days.other },
          onPoint: () => afterPaint(() => field.current?.showPicker?.()),
        },
      ],
      onChoose: (value) =>
        state.chooseDay(value === '' ? 'today' : value === days.other ? 'other' : 'next'),
    },
    html`<input id="date" name="date" type="date" ref=${field} min="${firstDay}" max="${lastDay}" value="${date}" aria-label="${texts.date}" aria-describedby="amount-problem" aria-invalid=${state.faulty === 'date' ? 'true' : undefined} onInput=${({ currentTarget }: FieldEvent) => onDate(currentTarget.value)} />`,
  );
}

/** `Mañana 24`, `Lunes 23`. */
function nextDayText(day: string, today: CaracasDay, language: Language): string {
  const isTomorrow = day === addCaracasDays(today, 1);
  if (isTomorrow) return `${CONVERTER_TEXTS[language].tomorrow} ${Number(day.slice(-2))}`;
  return capitalised(nearDayText(day, today, language));
}

/**
 * A market of the address that is not known stays the value of the list, so that no other one converts in
 * its place.
 */
function RateChoice({ parts: { figures, reader }, state }: ChoiceParts): Html {
  const { language } = reader;
  const texts = CONVERTER_TEXTS[language];
  const { via, done, rates = [], buttons } = state;
  const others = otherMarkets(figures);
  const isOther = !buttons.some(({ id }) => id === via);
  const isKnown = !isOther || others.some(({ market }) => market === via);
  const missing = figures.missing?.find(({ market }) => market === via);
  const chosen = isOther ? '' : via;
  /** On a button: the name of a rate, and what it gives. Of a past day USDT is the price of one market. */
  const textOf = (name: keyof typeof texts.segments, id: string, hasResult: boolean) => {
    const rate = rates.find(({ market }) => market === id);
    const title = rate?.type === 'p2p' && name === 'p2p' ? nameIn(rate, language) : undefined;
    const result = done && hasResult ? resultBy(rate, done) : undefined;
    // What one unit gives is the rate itself, which is written in one way.
    const isUnit = done?.toVes === true && Number(done.amount) === 1 && rate !== undefined;
    const write = () =>
      isUnit ? rateText(rate.mid, language) : shortResult(result ?? 0, language);
    return [
      title ?? texts.segments[name],
      result !== undefined && html`<small aria-hidden="true">${write()}</small>`,
    ];
  };
  return html`${h(Segments<string>, {
    ...{ name: 'via', label: texts.via, value: chosen },
    choices: [
      ...buttons.map(({ name, id, isOfDay }) => ({
        value: id,
        text: textOf(name, id, isOfDay),
        // The form of a page without scripts would leave a disabled one out, and convert by another.
        isDisabled: id !== chosen && !isOfDay,
        title: isOfDay ? undefined : texts.notOfDay(texts.segments[name]),
      })),
      ...(isOther || others.length > 0 ? [{ value: '', text: textOf('other', via, isOther) }] : []),
    ],
    onChoose: (market) => state.choose(market || (others[0]?.market ?? '')),
  })}
<p class="other-market"><label for="via-market">${texts.otherMarket}</label> <select id="via-market" name="market" onChange=${({ currentTarget }: FieldEvent) => state.choose(currentTarget.value)}>${
    !isKnown &&
    html`<option key="${via}" value="${via}" selected>${missing ? nameIn(missing, language) : texts.chooseMarket}</option>`
  }${others.map(
    (rate) =>
      html`<option key="${rate.market}" value="${rate.market}" selected=${rate.market === via}>${nameIn(rate, language)} (${quotedUnit(rate)})</option>`,
  )}</select></p>`;
}
