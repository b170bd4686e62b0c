import { h } from 'preact';
import type { OfficialRateWithChange } from '../../../../client/types.ts';
import { OFFICIAL_RATES } from '../../../../core/domain/markets.ts';
import {
  addCaracasDays,
  type CaracasDay,
  caracasDayOf,
  DAY_MS,
} from '../../../../core/domain/time.ts';
import type { Language } from '../../../../core/domain/words/language.ts';
import { type Html, html } from '../../../../core/http/framework/encoding/html.ts';
import {
  capitalised,
  monthAndYear,
  nearDayText,
  percentText,
  rateText,
  weekdayAndMonth,
} from '../../frame/format.ts';
import { heldReasonText } from '../../frame/held-reasons.ts';
import { linkTo } from '../../frame/page-view.ts';
import { MONTH_PATH } from '../../frame/site-parts.ts';
import { BOARD_TEXTS, HERO_TEXTS } from '../../texts/texts.ts';
import { ageMark, type BoardReader, fresh } from '../age.ts';
import { nextBankingDay } from '../banking-days.ts';
import type { BoardFigures, OfficialStep } from '../board-figures.ts';
import { ChangingFigure } from '../changing-figure.ts';
import { type NextParts, nextMissing } from '../converter/converter-days.ts';
import { daysOld, isOfficialLate } from '../late-warning.ts';
import { moved, signedVes } from '../moved.ts';
import { datedRates } from '../staleness.ts';
import { unitChangeText } from '../unit-text.ts';
import { officialSteps, StepCurve } from './step-curve.ts';

/** The official dollar of today and the next one, the euro, and the last month: what most people came for. */
export function OfficialSection({ figures, days, reader }: NextParts): Html {
  const { language, now } = reader;
  const { official } = figures;
  const texts = BOARD_TEXTS[language];
  const words = HERO_TEXTS[language];
  if (figures.rates.length === 0 && Object.keys(official).length === 0) {
    return html`<div class="nothing"><p class="lead">${texts.empty}</p><p class="quiet">${texts.emptyMore}</p></div>`;
  }
  const today = caracasDayOf(now);
  const near = (day: string) => nearDayText(day, today, language);
  const { in_force: inForce, previous, next } = official['USD'] ?? {};
  const steps = officialSteps(days, figures, today);
  const day = next?.value_date ?? nextBankingDay(today, days);
  const isTomorrow = day === addCaracasDays(today, 1);
  const isLate = isOfficialLate(figures, now);
  // Beside an old rate its change would look like news.
  const ofToday = isLate ? undefined : inForce?.change;
  return html`<p class="eyebrow">${eyebrow({ figures, days, reader })}</p>
<div class="today"><div><div class="named"><h2>${texts.officialNames.USD} <small>${texts.perUnit.USD}</small> ${markOf('USD', figures, reader)}</h2>${figures.history_days > 0 && html`<a class="month-link no-print" href="${linkTo(reader, MONTH_PATH)}">${words.month}</a>`}</div>
${
  inForce === undefined
    ? html`<p class="quiet">${texts.noneInForce}</p>`
    : html`<p>${h(ChangingFigure, { text: rateText(inForce.rate, language), kind: 'big' })}</p>
<p class="change">${isLate && html`<span class="late">${words.lateOf(near(inForce.value_date), daysOld(inForce.value_date, now))}</span>`}${ofToday && html`${changeText(ofToday, language)} <span class="quiet">${previous && words.before(near(previous.value_date))}</span>`}</p>`
}</div>
<dl class="next"><dt>${isTomorrow ? words.tomorrow(near(day)) : capitalised(near(day))}</dt>${
    next === undefined
      ? html`<dd class="medium">–</dd><dd class="quiet small">${nextMissing({ figures, days, reader })}</dd>`
      : html`<dd class="medium">${rateText(next.rate, language)}</dd><dd class="change">${next.change && changeText(next.change, language)}</dd>`
  }</dl></div>
<dl class="others">${euroLine(figures, reader)}${!isLate && lastDays(steps, today, language)}${doubtfulRates(figures, reader)}</dl>
${figures.unit_changes?.map((one) => html`<p class="quiet small unit-change">${unitChangeText(one, language)}</p>`)}
${h(StepCurve, { steps, figures, reader, today })}`;
}

/** What day it is, why that matters, and which rate rules. */
function eyebrow({ figures, days, reader }: NextParts): Html {
  const { language, now } = reader;
  const words = HERO_TEXTS[language];
  const today = caracasDayOf(now);
  const near = (day: string) => nearDayText(day, today, language);
  const ruling = (day: string) =>
    words.ruling(language === 'es' ? near(day) : weekdayAndMonth(day, language));
  const valueDate = figures.official['USD']?.in_force?.value_date;
  const { unknown_from: unknownFrom } = figures;
  const isKnown = unknownFrom === undefined || now < unknownFrom;
  const isLate = isOfficialLate(figures, now);
  const lastKnown = valueDate && words.lastKnown(near(valueDate));
  const parts = [
    words.today(`${near(today)} ${monthAndYear(today, language)}`),
    ...(days.closed.includes(today) ? [words.holiday] : []),
    ...(valueDate === undefined
      ? []
      : isLate
        ? [words.withoutToday]
        : [valueDate === today ? words.sinceToday : isKnown ? ruling(valueDate) : lastKnown]),
  ];
  return fresh(parts.join(' · '), undefined);
}

function markOf(currency: 'USD' | 'EUR', figures: BoardFigures, reader: BoardReader): Html {
  const row = datedRates(figures).find(({ market }) => market === OFFICIAL_RATES[currency]);
  return row && ageMark(row, reader);
}

function euroLine(figures: BoardFigures, reader: BoardReader): Html {
  const { language, now } = reader;
  const { officialNames, noneInForce, inForceSince } = BOARD_TEXTS[language];
  const { USD: dollar, EUR: euro } = figures.official;
  const { rate, value_date: day, change } = euro?.in_force ?? {};
  if (rate === undefined || day === undefined)
    return html`<div><dt>${officialNames.EUR}</dt><dd><span class="quiet">${noneInForce}</span></dd></div>`;
  const since = inForceSince(nearDayText(day, caracasDayOf(now), language));
  return html`<div><dt>${officialNames.EUR}</dt><dd><b>${rateText(rate, language)}</b> ${change && !isOfficialLate(figures, now) && html`<span class="change">${moved(signedVes(change.amount, language))}</span>`} ${markOf('EUR', figures, reader)}${
    day !== dollar?.in_force?.value_date && html` <span class="quiet">${since}</span>`
  }</dd></div>`;
}

/** How the dollar moved over the days of the curve. */
function lastDays(steps: readonly OfficialStep[], today: CaracasDay, language: Language): Html {
  const [first] = steps;
  const last = steps.at(-1);
  if (first === undefined || last === undefined || steps.length < 2) return undefined;
  const length = (Date.parse(today) - Date.parse(first.from)) / DAY_MS;
  const amount = last.rate - first.rate;
  const change = { amount, percent: (amount / first.rate) * 100 };
  return html`<div class="last-days"><dt>${HERO_TEXTS[language].lastDays(length)}</dt><dd class="change">${changeText(change, language)}</dd></div>`;
}

/** Dollar and euro of a held publication: shown by the bank, and not confirmed. */
function doubtfulRates({ in_doubt: rates }: BoardFigures, { language, now }: BoardReader): Html {
  const { officialNames, notConfirmed } = BOARD_TEXTS[language];
  return rates?.map(({ currency, rate, reasons, value_date: valueDate }) => {
    if (currency !== 'USD' && currency !== 'EUR') return undefined;
    const why = heldReasonText(reasons[0] ?? '', language);
    const day = nearDayText(valueDate, caracasDayOf(now), language);
    return html`<div><dt>${officialNames[currency]}, ${day} <span class="late">${notConfirmed}</span></dt>
<dd><b>${rateText(rate, language)}</b>${why && html` <span class="quiet small">${why}</span>`}</dd></div>`;
  });
}

function changeText(
  { amount, percent }: NonNullable<OfficialRateWithChange['change']>,
  language: Language,
): Html {
  const percentage = html`<span class="percent"> (${percentText(percent, language)})</span>`;
  return moved(signedVes(amount, language), percentage);
}
