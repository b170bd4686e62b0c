import { h } from 'preact';
import type { OfficialRateWithChange } from '../../../client/types.ts';
import { OFFICIAL_RATES } from '../../../domain/markets.ts';
import { addCaracasDays, caracasDayOf, DAY_MS } from '../../../domain/time.ts';
import { nearDayText, percentText, rateText, weekdayAndMonth } from '../../frame/format.ts';
import { heldReasonText } from '../../frame/held-reasons.ts';
import { type Html, html } from '../../frame/html.ts';
import type { Language } from '../../frame/language.ts';
import { ageMark, type BoardReader, fresh } from '../age.ts';
import type { BoardDays, BoardFigures } from '../board-figures.ts';
import { BOARD_TEXTS } from '../board-texts.ts';
import { ChangingFigure } from '../changing-figure.ts';
import { nextBankingDay } from '../converter/converter-days.ts';
import { moved, signedVes } from '../moved.ts';
import { datedRates } from '../staleness.ts';
import { unitChangeText } from '../unit-text.ts';
import { HERO_TEXTS } from './hero-texts.ts';
import { officialSteps, StepCurve } from './step-curve.ts';

interface OfficialParts {
  readonly figures: BoardFigures;
  readonly days: BoardDays;
  readonly reader: BoardReader;
}

/** The official dollar of today and the next one, the euro, and the last month: what most people came for. */
export function OfficialSection({ figures, days, reader }: OfficialParts): Html {
  const { language, now } = reader;
  const texts = BOARD_TEXTS[language];
  const words = HERO_TEXTS[language];
  if (figures.rates.length === 0 && Object.keys(figures.official).length === 0) {
    return html`<div class="nothing"><p class="lead">${texts.empty}</p><p class="quiet">${texts.emptyMore}</p></div>`;
  }
  const today = caracasDayOf(now);
  const { in_force: inForce, previous } = figures.official['USD'] ?? {};
  const before = previous && words.before(nearDayText(previous.value_date, today, language));
  const steps = officialSteps(days, figures, today);
  return html`<p class="eyebrow">${eyebrow({ figures, days, reader })}</p>
<div class="today"><div><h2>${texts.officialNames.USD} <small>${texts.perUnit.USD}</small></h2>
${
  inForce === undefined
    ? html`<p class="quiet">${texts.noneInForce}</p>`
    : html`<p>${h(ChangingFigure, { text: rateText(inForce.rate, language), kind: 'big' })}</p>
<p class="change">${inForce.change && html`${changeText(inForce.change, language)} <span class="quiet">${before}</span>`}</p>`
}</div>
${nextBox({ figures, days, reader })}</div>
<dl class="others">${euroLine(figures, reader)}${lastDays(steps, reader)}${doubtfulRates(figures, reader)}</dl>
${figures.unit_changes?.map((one) => html`<p class="quiet small unit-change">${unitChangeText(one, language)}</p>`)}
${h(StepCurve, { steps, figures, reader, today })}`;
}

/** What day it is, why that matters, and which rate rules. */
function eyebrow({ figures, days, reader }: OfficialParts): Html {
  const { language, now } = reader;
  const words = HERO_TEXTS[language];
  const today = caracasDayOf(now);
  const valueDate = figures.official['USD']?.in_force?.value_date;
  const parts = [
    words.today(nearDayText(today, today, language)),
    ...(days.closed.includes(today) ? [words.holiday] : []),
    ...(valueDate === undefined ? [] : [ruling(valueDate, reader)]),
  ];
  const row = datedRates(figures).find(({ market }) => market === OFFICIAL_RATES.USD);
  return fresh(parts.join(' · '), row && ageMark(row, reader));
}

function ruling(valueDate: string, { language, now }: BoardReader): string {
  const words = HERO_TEXTS[language];
  const today = caracasDayOf(now);
  if (valueDate === today) return words.sinceToday;
  const day =
    language === 'es'
      ? nearDayText(valueDate, today, language)
      : weekdayAndMonth(valueDate, language);
  return words.ruling(day);
}

/** The rate of the next banking day, or why it is not known. The place stays. */
function nextBox({ figures, days, reader }: OfficialParts): Html {
  const { language, now } = reader;
  const words = HERO_TEXTS[language];
  const today = caracasDayOf(now);
  const next = figures.official['USD']?.next;
  const day = next?.value_date ?? nextBankingDay(today, days);
  const name = nearDayText(day, today, language);
  const label =
    day === addCaracasDays(today, 1)
      ? words.tomorrow(name)
      : name.charAt(0).toUpperCase() + name.slice(1);
  return html`<dl class="next"><dt>${label}</dt>${
    next === undefined
      ? html`<dd class="medium">–</dd><dd class="quiet small">${nextMissing(figures, reader)}</dd>`
      : html`<dd class="medium">${rateText(next.rate, language)}</dd><dd class="change">${next.change && changeText(next.change, language)}</dd>`
  }</dl>`;
}

/** Why there is no next rate, as far as the page can know. */
function nextMissing({ state }: BoardFigures, { language, isCutOff }: BoardReader): string {
  const { noNext, nextOverdue, nextUnknown } = HERO_TEXTS[language];
  if (isCutOff === true) return nextUnknown;
  const isOverdue = state.reasons.some(({ name }) => name === 'publications_missed');
  return isOverdue ? nextOverdue : noNext;
}

function euroLine(figures: BoardFigures, reader: BoardReader): Html {
  const { official } = figures;
  const { language, now } = reader;
  const texts = BOARD_TEXTS[language];
  const inForce = official['EUR']?.in_force;
  const row = datedRates(figures).find(({ market }) => market === OFFICIAL_RATES.EUR);
  const isOfDollar = inForce?.value_date === official['USD']?.in_force?.value_date;
  return html`<div><dt>${texts.officialNames.EUR}</dt><dd>${
    inForce === undefined
      ? html`<span class="quiet">${texts.noneInForce}</span>`
      : html`<b>${rateText(inForce.rate, language)}</b> ${inForce.change && html`<span class="change">${inVes(inForce.change.amount, language)}</span>`} ${row && ageMark(row, reader)}${
          !isOfDollar &&
          html` <span class="quiet">${texts.inForceSince(nearDayText(inForce.value_date, caracasDayOf(now), language))}</span>`
        }`
  }</dd></div>`;
}

/** How the dollar moved over the days of the curve. */
function lastDays(steps: ReturnType<typeof officialSteps>, { language, now }: BoardReader): Html {
  const [first] = steps;
  const last = steps.at(-1);
  if (first === undefined || last === undefined || steps.length < 2) return undefined;
  const length = (Date.parse(caracasDayOf(now)) - Date.parse(first.from)) / DAY_MS;
  const amount = last.rate - first.rate;
  const change = { amount, percent: (amount / first.rate) * 100 };
  return html`<div class="last-days"><dt>${HERO_TEXTS[language].lastDays(length)}</dt><dd class="change">${changeText(change, language)}</dd></div>`;
}

/** Dollar and euro of a held publication: shown by the bank, and not confirmed. */
function doubtfulRates(
  { in_doubt: rates = [] }: BoardFigures,
  reader: BoardReader,
): readonly Html[] {
  const { language } = reader;
  const texts = BOARD_TEXTS[language];
  return rates.flatMap(({ currency, rate, reasons, ...dated }) => {
    if (currency !== 'USD' && currency !== 'EUR') return [];
    const why = heldReasonText(reasons[0] ?? '', language);
    const day = nearDayText(dated.value_date, caracasDayOf(reader.now), language);
    const name = `${texts.officialNames[currency]}, ${day}`;
    return [
      html`<div><dt>${name} <span class="late">${texts.notConfirmed}</span></dt>
<dd><b>${rateText(rate, language)}</b>${why && html` <span class="quiet small">${why}</span>`}</dd></div>`,
    ];
  });
}

/** `+Bs. 0,8323`. */
function inVes(amount: number, language: Language): Html {
  return moved(signedVes(amount, language));
}

function changeText(
  { amount, percent }: NonNullable<OfficialRateWithChange['change']>,
  language: Language,
): Html {
  const percentage = html`<span class="percent"> (${percentText(percent, language)})</span>`;
  return moved(signedVes(amount, language), percentage);
}
