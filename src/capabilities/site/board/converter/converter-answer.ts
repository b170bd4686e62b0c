import { h } from 'preact';
import { useState } from 'preact/hooks';
import { DATE_RULES, type DateRule } from '../../../../core/domain/history/past-dates.ts';
import { hasValueDates, OFFICIAL_USD } from '../../../../core/domain/markets.ts';
import type { Language } from '../../../../core/domain/words/language.ts';
import { type Html, html } from '../../../../core/http/framework/encoding/html.ts';
import { plainAmountText } from '../../frame/amount.ts';
import {
  bolivarText,
  listText,
  nearDayShort,
  rateText,
  shortDay,
  wholeRateText,
} from '../../frame/format.ts';
import { Segments } from '../../frame/segments.ts';
import { BOARD_TEXTS, CONVERTER_TEXTS } from '../../texts/texts.ts';
import { ageMark, nameIn, rateAge, sourceText } from '../age.ts';
import { nextBankingDay } from '../banking-days.ts';
import { useAt } from '../clock.ts';
import { WARNING_ICON } from '../late-warning.ts';
import { doubtOf } from '../staleness.ts';
import { conversionAddress, type DoneConversion, requestAddress } from './converter.ts';
import { nextMissing, OTHER_RULE } from './converter-days.ts';
import type { ChoiceParts, ConverterParts } from './converter-state.ts';
import {
  otherText,
  pastText,
  resultText,
  roundedText,
  shareText,
  sumText,
  typedAmountText,
  unitOf,
} from './converter-words.ts';

interface LinkEvent extends Event {
  readonly currentTarget: Event['currentTarget'] & { readonly href: string };
}

/** How long a button says that it copied. */
const SAID_MS = 1_500;

/** How the amount was converted, or why not, in a place that is reserved; and what to do with it. */
export function ConversionAnswer({ parts, state }: ChoiceParts): Html {
  const { data, figures, reader, live, answers } = parts;
  const { language } = reader;
  const texts = CONVERTER_TEXTS[language];
  const { done, problem, isWaiting, hasFailed } = state;
  const [said, setSaid] = useState<{ readonly what: 'amount' | 'link' }>();
  const say = (what: 'amount' | 'link') => {
    const one = { what };
    setSaid(one);
    setTimeout(() => setSaid((now) => (now === one ? undefined : now)), SAID_MS);
  };
  const clock = () => live?.clock.now() ?? reader.now;
  const isLate = useAt(
    reader.now,
    (now) => done !== undefined && doubtOf(done.rate, now) !== false,
  );
  // No day keeps a rate that is not its own: whoever opens the link gets the newest one, or the warning.
  const address = done && conversionAddress(done, reader, isLate ? '' : state.today);
  const share = async (event: LinkEvent) => {
    if (live === undefined) return;
    event.preventDefault();
    if (done === undefined) return;
    // A link knows its whole address.
    const [text, link] = [shareText(done, language, clock()), event.currentTarget.href];
    if (live.share !== undefined) await live.share(text, link);
    else if (await live.copy(`${text}\n${link}`)) say('link');
  };
  const copy = async () => {
    if (done === undefined) return;
    // Who receives the amount does not see the page.
    const text = isLate ? shareText(done, language, clock()) : resultText(done.result, language);
    if (await live?.copy(text)) say('amount');
  };
  const toFirstDay = (event: Event) => {
    event.preventDefault();
    state.chooseDate(state.firstDay);
  };
  const failure = hasFailed ? texts.notLoaded : problem && texts.problems[problem];
  const isNext =
    problem === 'future' && state.request.date === nextBankingDay(state.today, data.days);
  const isRuleShown = state.isRuleAsked && !failure;
  // The large figure of the board is the official dollar of today.
  const isChosen = done !== undefined && (state.day !== 'today' || state.via !== OFFICIAL_USD);
  const waits = isWaiting ? texts.loading : problem === 'no_date' && texts.noDate;
  return html`<div class="says ${{ today: '', next: 'dated', other: hasValueDates(state.via) ? 'dated any-day' : 'dated' }[state.day]}${isChosen ? ' chosen' : ''}">${isChosen && paperRate(done, language)}<p id="amount-problem" class="problem" role="alert">${failure}${isNext && ` ${nextMissing({ figures, days: data.days, reader })}.`}${
    problem === 'before_history' &&
    html` <a href=${requestAddress({ ...state.request, date: state.firstDay }, reader)} onClick=${toFirstDay}>${shortDay(state.firstDay, language)}</a>`
  }</p>
<div id="conversion" class="how" aria-live="polite">${waits ? html`<p class="quiet">${waits}</p>` : done && formula(done, parts, state)}</div>${isRuleShown ? html`${otherRule(state, language)}${h(RuleChoice, { parts, state })}` : done && greyRates(state, language)}</div>
${isLate && done && html`<div class="sent no-print">${WARNING_ICON}<p>${texts.sentWarned}</p><q>${shareText(done, language, clock())}</q></div>`}<p class="acts no-print"><a id="share" href=${address} class=${isLate ? 'act' : 'act main'} aria-disabled=${done === undefined ? 'true' : undefined} onClick=${share}>${SHARE_ICON}<span aria-live="polite">${said?.what === 'link' ? texts.copied : texts.share}</span></a> <button id="copy" class="act" type="button" hidden=${answers === 0 && !reader.isCutOff} disabled=${done === undefined} onClick=${copy}>${COPY_ICON}<span aria-live="polite">${said?.what === 'amount' ? texts.copied : isLate ? texts.copyWarned : texts.copy}</span></button></p>`;
}

const SHARE_ICON = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 15V4m0 0L8 8m4-4 4 4M5 13v6h14v-6"/></svg>`;
const COPY_ICON = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M9 9h11v11H9zM5 15H4V4h11v1"/></svg>`;

/** Why some buttons are grey. */
function greyRates({ buttons }: ChoiceParts['state'], language: Language): Html {
  const { segments, notOfDay } = CONVERTER_TEXTS[language];
  const names = buttons.filter(({ isOfDay }) => !isOfDay).map(({ name }) => segments[name]);
  return (
    names.length > 0 &&
    html`<p class="note quiet no-print">${notOfDay(listText(names, language))}</p>`
  );
}

/** On a day without banks neither rule is the legal one: the reader chooses between their figures. */
function RuleChoice({ parts: { reader }, state }: ChoiceParts): Html {
  const { language } = reader;
  const texts = CONVERTER_TEXTS[language];
  const choices = DATE_RULES.map((rule) => {
    const rate = state.rateBy(rule);
    const date = rate?.as_of?.value_date;
    const day = date === undefined ? '' : `, ${nearDayShort(date, state.today, language)}`;
    return {
      value: rule,
      text: html`<b>${rate ? rateText(rate.mid, language) : '–'}</b><small>${texts.rules[rule]}${day}</small>`,
    };
  });
  return h(Segments<DateRule>, {
    ...{ name: 'rule', label: texts.rule, isLabelled: true, choices },
    ...{ look: 'segments rules' },
    ...{ value: state.request.rule, onChoose: state.chooseRule },
  });
}

/** Paper holds the figure of the rule that is not chosen too. */
function otherRule({ request, rateBy }: ChoiceParts['state'], language: Language): Html {
  const texts = CONVERTER_TEXTS[language];
  const rule = OTHER_RULE[request.rule];
  const rate = rateBy(rule);
  if (rate === undefined) return undefined;
  return html`<p class="other-rule">${texts.otherRule(texts.rules[rule], rateText(rate.mid, language))}</p>`;
}

/** On paper the chosen rate is the large figure. */
function paperRate({ rate, ...done }: DoneConversion, language: Language): Html {
  const unit = unitOf(rate.base, { ...done, rate });
  return html`<p class="paper-rate"><span>${nameIn(rate, language)} · 1\u00a0${unit}\u00a0=</span> <b>${bolivarText(rateText(rate.mid, language))}</b></p>`;
}

/**
 * The formula, and where its rate comes from. Where the API has another figure, with more decimals of the
 * rate or fewer of the result, both stand here, so that readers can repeat it.
 */
function formula(
  done: DoneConversion,
  { reader }: ConverterParts,
  state: ChoiceParts['state'],
): Html {
  const { language } = reader;
  const texts = CONVERTER_TEXTS[language];
  const { rate, amount, other, from, to, toVes, result } = done;
  const isDoubtful = other !== undefined;
  const figure = html`<strong id="result">${resultText(result, language)}</strong>`;
  const isOfSource = !['computed', 'official'].includes(rate.source.kind);
  const about = [
    nameIn(rate, language),
    isOfSource && sourceText(rate, BOARD_TEXTS[language], true),
  ].filter((part) => part !== false);
  const past = pastText(rate, language);
  const whole = wholeRateText(rate.mid, language);
  const rounded = roundedText(done, language);
  const both = [
    ...(whole === undefined ? [] : [texts.wholeRate(whole)]),
    ...(rounded === undefined ? [] : [texts.rounded(rounded)]),
  ];
  const says = done.isInWords
    ? texts.meantOther
    : other?.includes('.')
      ? texts.meantDecimals
      : texts.meantThousands;
  const meant = (one: string) =>
    html`<p class="meant no-print"><a href="${conversionAddress({ amount: one, from, rate }, reader)}" onClick=${state.mean}>${says(otherText(done, language) ?? '')}</a></p>`;
  return html`<p class="formula">${sumText(isDoubtful ? plainAmountText(amount, language) : typedAmountText(amount, language), unitOf(from, done))} ${toVes ? '×' : '÷'} <span class="rate">${rateText(rate.mid, language)}</span> = ${
    to === 'VES' ? html`<b>Bs.\u00a0${figure}</b>` : html`<b>${figure}\u00a0${unitOf(to, done)}</b>`
  }</p>
<p class="quiet">${about.join(' · ')} · ${past === undefined ? rateAge(rate, reader) : html`${past} ${ageMark(rate, reader)}`}${reader.isCutOff && ` · ${texts.cutOff}`}</p>
${both.length > 0 && html`<p class="both quiet">${both.join(' ')}</p>`}
${isDoubtful && meant(other)}`;
}
