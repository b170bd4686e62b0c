import { type CaracasMonth, monthOf } from '../../../core/domain/history/month.ts';
import { OFFICIAL_RATES } from '../../../core/domain/markets.ts';
import { type Html, html } from '../../../core/http/framework/encoding/html.ts';
import type { BoardFigures } from '../board/board-figures.ts';
import { lateWarning } from '../board/late-warning.ts';
import { unitChangeText } from '../board/unit-text.ts';
import { capitalised, listText, monthInWords, nearDayText, rateText } from '../frame/format.ts';
import { heldReasonText } from '../frame/held-reasons.ts';
import { page } from '../frame/layout.ts';
import { linkPreview } from '../frame/link-preview.ts';
import { linkTo, type PageView } from '../frame/page-view.ts';
import { MONTH_PATH } from '../frame/site-parts.ts';
import { BOARD_TEXTS, LAYOUT_TEXTS, MONTH_TEXTS } from '../texts/texts.ts';
import { amountsPanel, PRINTER, shapePanel, summaryPanel } from './month-aside.ts';
import { monthFileAddress } from './month-file-address.ts';
import { MONTH_CURRENCIES, type MonthCurrency } from './month-request.ts';
import { daysPanel } from './month-table.ts';
import type { MonthView } from './month-view.ts';

const ARROWS = { previous: 'm14 6-6 6 6 6', next: 'm10 6 6 6-6 6' } as const;

export function monthPage(view: MonthView): string {
  const { page: own, language, table, month, currency, around, today } = view;
  const texts = MONTH_TEXTS[language];
  const hasRates = table.rows.length > 0;
  const isRunning = month === monthOf(today);
  const isSheet = own.query.get('hoja') === 'montos';
  const content = html`<p class="crumb"><a href="${linkTo(own, '/')}">${LAYOUT_TEXTS[language].board}</a> · ${texts.crumb}</p>
<div class="title"><div class="which"><h1>${texts.heading(monthInWords(month, language))}</h1><span class="months no-print">${step('previous', around.previous, view)}${step('next', around.next, view)}</span></div>
<div class="pick no-print"><nav class="segments" aria-label="${texts.currency}">${MONTH_CURRENCIES.map(
    (one) =>
      html`<a href="${monthAddress(view, { month, currency: one })}" aria-current=${one === currency ? 'page' : undefined}>${texts.currencies[one]}</a>`,
  )}</nav>${hasRates && files(view)}</div></div>
${isRunning && warning(view)}${notes(view)}
${
  hasRates
    ? html`<div class="split">${daysPanel(view)}
<div class="aside">${summaryPanel(view)}${isRunning && MONTH_CURRENCIES.map((one) => amountsPanel(view, one))}${shapePanel(view)}</div></div>`
    : html`<p class="lead">${texts.empty}</p><p class="quiet">${texts.emptyMore}${!isRunning && html` <a href="${linkTo(own, MONTH_PATH)}">${texts.toRunning}</a>.`}</p>`
}`;
  return page(own, {
    ...wordsOf(view),
    kind: `month${isSheet && isRunning && hasRates && !view.isLate ? ' amounts-only' : ''}`,
    assets: ['month.css', 'month.js', 'paper.js'],
    head: preview(view),
    content,
  });
}

function wordsOf({ language, month, currency }: MonthView) {
  const texts = MONTH_TEXTS[language];
  const name = BOARD_TEXTS[language].officialNames[currency];
  const words = monthInWords(month, language);
  return { title: texts.title(name, words), description: texts.description(name, words) };
}

/** What a chat shows of a link: the month and its close. */
function preview(view: MonthView): Html {
  const { page: own, language, month, currency, table, isLate, today } = view;
  const { description } = wordsOf(view);
  const name = BOARD_TEXTS[language].officialNames[currency];
  const close = table.close === null ? '' : `: Bs. ${rateText(table.close, language)}`;
  const isOld = isLate && month === monthOf(today);
  const late = isOld ? ` (${BOARD_TEXTS[language].stale})` : '';
  return linkPreview({
    title: `${name}, ${monthInWords(month, language)}${close}${late}`,
    description: own.notice?.[language] ?? description,
    address:
      own.publicUrl +
      monthAddress({ page: { language, languageChosen: true } }, { month, currency }),
    picture: `${own.publicUrl}/picture/board.png?lang=${language}`,
    language,
  });
}

interface Named {
  readonly month: string;
  readonly currency: MonthCurrency;
}

function monthAddress(
  { page: own }: { readonly page: Pick<PageView, 'language' | 'languageChosen'> },
  { month, currency }: Named,
): string {
  return linkTo(own, `${MONTH_PATH}/${month}${currency === 'USD' ? '' : `?currency=${currency}`}`);
}

function step(side: keyof typeof ARROWS, month: CaracasMonth | undefined, view: MonthView): Html {
  if (month === undefined) return undefined;
  const { language, currency } = view;
  const name = capitalised(monthInWords(month, language));
  return html`<a class="step" rel=${side === 'next' ? 'next' : 'prev'} href="${monthAddress(view, { month, currency })}" aria-label="${name}" title="${name}"><svg class="i" viewBox="0 0 24 24" aria-hidden="true"><path d="${ARROWS[side]}"/></svg></a>`;
}

function files({ month, currency, language }: MonthView): Html {
  const texts = MONTH_TEXTS[language];
  const address = (format: 'csv' | 'xlsx') =>
    monthFileAddress(format, { month, currency, language });
  return html`<div class="files"><a class="button main" href="${address('xlsx')}" download><svg class="i" viewBox="0 0 24 24" aria-hidden="true"><path d="M4 5h16v14H4zM4 10h16M4 14.5h16M10 10v9"/></svg>Excel</a><a class="button" href="${address('csv')}" download><svg class="i" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 4v11m0 0-4-4m4 4 4-4M5 19h14"/></svg>CSV</a><button type="button" id="print-month">${PRINTER}${texts.print}</button></div>`;
}

function warning({ page: own, figures, now, language }: MonthView): Html {
  const { languageChosen } = own;
  const shown = lateWarning(figures, { language, languageChosen, now });
  return shown && html`<div role="alert">${shown}</div>`;
}

/** What a reader must know of the figures: missing and unconfirmed publications, and units. */
function notes({ table, doubtful, language, today }: MonthView): Html {
  const texts = MONTH_TEXTS[language];
  const near = (day: string) => nearDayText(day, today, language);
  const { missing, unit_changes: changes, rows } = table;
  const lines = [
    ...(missing.length > 0 && rows.length > 0
      ? [texts.missingDays(String(missing.length), listText(missing.map(near), language))]
      : []),
    ...doubtful.map(({ rate, reasons, value_date: day }) => {
      const why = heldReasonText(reasons[0] ?? '', language);
      return texts.doubtful(near(day), rateText(rate, language), why ? `; ${why}` : '');
    }),
    ...(changes ?? []).map((one) => unitChangeText(one, language)),
    ...(changes?.some(({ on }) => on <= table.last) ? [texts.ownUnit] : []),
  ];
  return (
    lines.length > 0 &&
    html`<div class="alert notes">${lines.map((line) => html`<p>${line}</p>`)}</div>`
  );
}

/** The rates of the currency that are in doubt and of days of the table, or of the days after it. */
export function doubtfulOf(
  { in_doubt: rates = [] }: BoardFigures,
  { currency, month }: { readonly currency: MonthCurrency; readonly month: CaracasMonth },
) {
  return rates.filter((one) => one.currency === currency && one.value_date.startsWith(month));
}

export const isInDoubtNow = ({ rates }: BoardFigures, currency: MonthCurrency): boolean =>
  rates.some(({ market, in_doubt: is }) => market === OFFICIAL_RATES[currency] && is === true);

/** The page for an address that names no month that it can show. */
export function noMonthPage(
  own: PageView,
  { title, why }: { readonly title: string; readonly why: string },
): string {
  const { language } = own;
  const texts = MONTH_TEXTS[language];
  return page(own, {
    ...{ title: `${title} · vesfx`, description: why, kind: 'month', assets: ['month.css'] },
    content: html`<h1>${title}</h1><p>${why}</p><p><a href="${linkTo(own, MONTH_PATH)}">${texts.toRunning}</a></p>`,
  });
}
