import { convertAmount } from '../../../core/domain/calculations/convert.ts';
import { premiumOf } from '../../../core/domain/calculations/premium.ts';
import { toNumber } from '../../../core/domain/decimal.ts';
import { addCaracasDays, caracasDayOf, parseCaracasDay } from '../../../core/domain/time.ts';
import { type Html, html } from '../../../core/http/framework/encoding/html.ts';
import { moved, signedVes } from '../board/moved.ts';
import {
  bolivarText,
  countText,
  dateInWords,
  dayAndMonth,
  dayInWords,
  moneyText,
  nearDayText,
  percentText,
  rateText,
  wholeRateText,
} from '../frame/format.ts';
import { linkTo } from '../frame/page-view.ts';
import { BOARD_TEXTS, MONTH_TEXTS } from '../texts/texts.ts';
import { isWhole } from './month-days.ts';
import type { MonthCurrency } from './month-request.ts';
import type { MonthView } from './month-view.ts';

/** Close and average, what the two rules mean, the amounts for the counter, and the shape of the month. */

export function summaryPanel(view: MonthView): Html {
  const { language, table, page } = view;
  const texts = MONTH_TEXTS[language];
  const hasEnded = isWhole(table);
  const dates = countText(table.value_dates, language);
  return html`<section class="panel sum-panel" aria-label="${texts.summary}"><dl class="sums"><div><dt>${hasEnded ? texts.closing : texts.newest}</dt><dd>${closing(view)}${!hasEnded && ` ${texts.running}`}</dd></div><div><dt>${texts.average}</dt><dd>${
    table.average === null
      ? texts.noAverage
      : html`<b title=${wholeRateText(table.average, language)}>${rateText(table.average, language)}</b>${hasEnded ? texts.ofDates(dates) : texts.ofDatesSoFar(dates)}`
  }</dd></div></dl>
<dl class="rules"><div><dt>${texts.columns.inForce}:</dt> <dd>${texts.rules.inForce}</dd></div><div><dt>${texts.columns.next}:</dt> <dd>${texts.rules.next}</dd></div></dl>
<p class="more no-print"><a href="${linkTo(page, '/docs/invoice-rate')}">${texts.whichRule}</a> · <a href="${linkTo(page, '/docs/month-end')}">${texts.monthEnd}</a></p></section>`;
}

function closing({ table, language }: MonthView): Html {
  const texts = MONTH_TEXTS[language];
  const { close, close_value_date: valueDate, last } = table;
  if (close === null || valueDate === null) return texts.noClose;
  const read = caracasDayOf(Date.parse(table.rows.at(-1)?.captured_at ?? ''));
  const day = nearDayText(valueDate, last, language);
  // What was read afterwards, as in a backfill, says nothing about the publication.
  const words = read < valueDate ? texts.readOn(day, nearDayText(read, valueDate, language)) : day;
  return html`<b title=${wholeRateText(close, language)}>${rateText(close, language)}</b>${words}.`;
}

/** What is charged most, for the counter. */
const AMOUNTS = [1, 5, 10, 20, 50, 100, 500];

/** The amounts of today's rate. The sheet to be cut out has both currencies, the dollar above. */
export function amountsPanel(view: MonthView, currency: MonthCurrency): Html {
  const { figures, language, today, isLate, nextBankingDay, page, currency: shown } = view;
  const { in_force: inForce, next } = figures.official[currency] ?? {};
  if (inForce === undefined) return undefined;
  const texts = MONTH_TEXTS[language];
  const name = BOARD_TEXTS[language].officialNames[currency];
  const isDoubtful = view.doubtfulNow(currency);
  const isShown = currency === shown;
  const id = `amounts-${currency}`;
  // Within a sentence no comma follows the weekday.
  const wholeDay = (day: string) => dayInWords(day, language).replace(',', '');
  const following = parseCaracasDay(next?.value_date ?? nextBankingDay);
  const until = following && addCaracasDays(following, -1);
  const from = nearDayText(inForce.value_date, today, language);
  const validity =
    until === undefined || until <= inForce.value_date
      ? texts.validToday(wholeDay(inForce.value_date))
      : texts.valid(from, wholeDay(until));
  const rows = AMOUNTS.map(
    (amount) =>
      html`<tr><th scope="row">${amount} <small>${currency}</small></th><td class="figure">${bolivarText(moneyText(toNumber(convertAmount(amount, inForce.rate, true)), language))}</td></tr>\n`,
  );
  const address = linkTo(
    page,
    `${page.path}?${shown === 'USD' ? '' : `currency=${shown}&`}hoja=montos`,
  );
  return html`<section class=${`panel amounts${isShown ? '' : ' second'}`} aria-labelledby=${id}><header><h2 id=${id}>${texts.amounts(name, rateText(inForce.rate, language))}${isDoubtful && html` <span class="tag amber">${texts.inDoubt}</span>`}</h2>${isShown && !isLate && html`<a class="button" id="print-amounts" href=${address} aria-label="${texts.sheet}">${PRINTER}<span>${texts.print}</span></a>`}</header>
${
  isLate
    ? html`<p class="note late">${texts.notForSheet}</p>`
    : html`<table><thead><tr><th scope="col">${texts.plural[currency]}</th><th scope="col" class="figure">${texts.bolivars}</th></tr></thead><tbody>${rows}</tbody></table>
<p class="note">${validity}</p>`
}</section>`;
}

export const PRINTER = html`<svg class="i" viewBox="0 0 24 24" aria-hidden="true"><path d="M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z"/></svg>`;

/** The drawing's units: its width is that of the month. */
const WIDTH = 440;
const HEIGHT = 120;
const TOP = 16;
const BOTTOM = 111;

/** The rate in force day by day, dashed from the day after today on. Only its shape matters. */
export function shapePanel({ days, rates, today, language }: MonthView): Html {
  const known = rates.filter((rate) => rate !== undefined);
  const [from, to] = [known[0], known.at(-1)];
  if (from === undefined || to === undefined || known.length < 2) return undefined;
  const texts = MONTH_TEXTS[language];
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const x = (place: number) => tenths((place / days.length) * WIDTH);
  const y = (rate: number) => tenths(BOTTOM - ((rate - low) / (high - low || 1)) * (BOTTOM - TOP));
  const steps = (isComing: boolean) =>
    rates
      .map((rate, place) => {
        const date = days[place]?.date ?? '';
        if (rate === undefined || date > today !== isComing) return '';
        const before = rates[place - 1];
        // The step to the first coming day belongs to it.
        const start = before === undefined ? y(rate) : y(before);
        return `M${x(place)} ${start}V${y(rate)}H${x(place + 1)}`;
      })
      .join('');
  const { absolute, percentage } = premiumOf({ reference: from, compared: to });
  const [first, last] = [knownDay(days, rates), knownDay(days.toReversed(), rates.toReversed())];
  const label = texts.shapeOf(
    ...([rateText(from, language), dateInWords(first, language)] as const),
    ...([rateText(to, language), dateInWords(last, language)] as const),
  );
  return html`<section class="panel shape" aria-labelledby="shape"><header><h2 id="shape">${texts.shape}</h2><p>${moved(signedVes(absolute, language), html` (${percentText(percentage, language)})`)}</p></header><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}"><path d="${steps(false)}"/><path class="coming" d="${steps(true)}"/></svg>
<p class="ends"><span><i>${dayAndMonth(first, language)} · </i>${rateText(from, language)}</span><span><i>${dayAndMonth(last, language)} · </i>${rateText(to, language)}</span></p></section>`;
}

/** The first day with a rate. */
const knownDay = (days: MonthView['days'], rates: MonthView['rates']) =>
  days[rates.findIndex((rate) => rate !== undefined)]?.date ?? '';

const tenths = (value: number) => Math.trunc(value * 10) / 10;
