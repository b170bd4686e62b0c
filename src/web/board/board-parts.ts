import { FREE_MARKET, OFFICIAL_EUR, OFFICIAL_USD } from '../../domain/markets.ts';
import { type Instant, SECOND_MS } from '../../domain/time.ts';
import {
  ageText,
  countText,
  dateInWords,
  dayInWords,
  durationText,
  momentText,
  percentText,
  rateText,
  shortDay,
  signedText,
} from '../frame/format.ts';
import { type Html, type HtmlValue, html } from '../frame/html.ts';
import type { Language } from '../frame/language.ts';
import { type ReasonName, reasonList, STATE_TEXTS } from '../frame/state.ts';
import type { BoardFigures, BoardOfficialRate, BoardRate } from './board-figures.ts';
import { BOARD_TEXTS, type BoardTexts } from './board-texts.ts';
import { indexDatedAt, indexStaleFrom, premiumStaleFrom, secondsSince } from './staleness.ts';

/** Who looks at the board, and when. */
export interface BoardReader {
  readonly language: Language;
  /** Whether the address names the language, so that links carry it on. */
  readonly languageChosen: boolean;
  readonly now: Instant;
}

/**
 * The parts of the board that change with the figures, by the id of their place on the page. Written
 * by the server, and by the script again when there are newer figures.
 */
export const BOARD_PARTS = {
  freshness,
  warning,
  official,
  market: marketCards,
  'market-rows': marketRows,
  banks,
} as const satisfies Readonly<Record<string, (figures: BoardFigures, reader: BoardReader) => Html>>;

const EMPTY = html``;

/**
 * An age that goes on counting, and the mark for what is too old; bare, in a column of ages, without
 * its words. The script reads the attributes.
 */
export function age(
  since: string,
  { language, now }: BoardReader,
  {
    staleAfterSec,
    bare = false,
  }: { readonly staleAfterSec?: number; readonly bare?: boolean } = {},
): Html {
  const seconds = secondsSince(since, now);
  const text = bare ? durationText(seconds, language) : ageText(seconds, language);
  const moment = momentText(Date.parse(since), language);
  const staleFrom = staleAfterSec && Date.parse(since) + (staleAfterSec + 1) * SECOND_MS;
  return html`<time class="${bare ? 'age bare' : 'age'}" datetime="${since}" title="${moment}">${text}</time>${staleMark(staleFrom, { language, now })}`;
}

/** Says that a figure is stale, from the given instant on; undefined is never. */
function staleMark(
  from: Instant | undefined,
  { language, now }: Pick<BoardReader, 'language' | 'now'>,
): Html {
  if (from === undefined || from === Number.POSITIVE_INFINITY) return EMPTY;
  const { stale, staleAbout } = BOARD_TEXTS[language];
  return html`<span class="stale" data-stale-from="${new Date(from).toISOString()}" title="${staleAbout}"${now < from && html` hidden`}>${stale}</span>`;
}

/** When the newest of the figures is from: what the service did meanwhile says nothing of them. */
function freshness({ rates }: BoardFigures, reader: BoardReader): Html {
  const newest = rates
    .map(({ updated_at }) => updated_at)
    .sort()
    .at(-1);
  if (newest === undefined) return EMPTY;
  const texts = BOARD_TEXTS[reader.language];
  const moment = momentText(Date.parse(newest), reader.language);
  return html`${texts.newest(`${moment} (${texts.caracas})`)}, ${age(newest, reader)}`;
}

/** That one source fails is no warning as long as the figures are there; that there are none is said below. */
const NOT_WARNED_OF: readonly ReasonName[] = ['sources_failing', 'no_figures'];

/** What is wrong with the figures, and since when. */
function warning({ state, rates }: BoardFigures, reader: BoardReader): Html {
  const { language, languageChosen } = reader;
  const reasons = state.reasons.filter(({ name }) => !NOT_WARNED_OF.includes(name));
  if (reasons.length === 0) return EMPTY;
  const texts = STATE_TEXTS[language];
  const nameOf = (id: string) => rates.find(({ market }) => market === id)?.name ?? id;
  const address = languageChosen ? `/status?lang=${language}` : '/status';
  return html`<div class="alert ${state.status}">${
    rates.length > 0 &&
    html`<p><strong>${texts.verdict[state.status]}</strong></p>
`
  }${reasonList(reasons, language, nameOf)}
<p><a href="${address}">${texts.details}</a></p></div>`;
}

function official(figures: BoardFigures, reader: BoardReader): Html {
  if (figures.rates.length === 0 && Object.keys(figures.official).length === 0) {
    const { empty, emptyMore } = BOARD_TEXTS[reader.language];
    return html`<div class="card empty"><p class="lead">${empty}</p><p class="quiet">${emptyMore}</p></div>`;
  }
  return html`${(['USD', 'EUR'] as const).map((code) => officialCard(figures, code, reader))}`;
}

function officialCard(
  { official, rates }: BoardFigures,
  currency: 'USD' | 'EUR',
  reader: BoardReader,
): Html {
  const { language } = reader;
  const texts = BOARD_TEXTS[language];
  const known = official[currency];
  const market = currency === 'EUR' ? OFFICIAL_EUR : OFFICIAL_USD;
  const row = rates.find((one) => one.market === market);
  const inForce = known?.in_force;
  const head = html`<h3>${texts.currencies[currency]}</h3>`;
  if (inForce === undefined || row === undefined) {
    return html`<div class="card official">${head}<p class="quiet">${texts.noneInForce}</p>${nextRate(known?.next, reader)}</div>`;
  }
  return html`<div class="card official">${head}
<p class="figure-line"><span class="big">${rateText(row.mid, language)}</span> <span class="unit">${texts.perUnit[currency]}</span></p>
${change(inForce, texts, language)}
<p>${texts.inForceFor(dayInWords(inForce.value_date, language))}</p>
<p class="quiet">${texts.sourceBcv} · ${age(row.updated_at, reader, { staleAfterSec: row.stale_after_sec })}</p>
${nextRate(known?.next, reader)}</div>`;
}

function change({ change: found }: BoardOfficialRate, texts: BoardTexts, language: Language): Html {
  if (found === undefined) return EMPTY;
  return html`<p class="change">${changeFigures(found, language)} <span class="quiet">${texts.changeFromBefore}</span></p>`;
}

/** Amount and percent with their signs; the arrow says the same as the colour. */
function changeFigures(
  { amount, percent }: NonNullable<BoardOfficialRate['change']>,
  language: Language,
): Html {
  const way = amount > 0 ? 'up' : amount < 0 ? 'down' : 'even';
  const arrow = { up: '▲', down: '▼', even: '=' }[way];
  const moved = signedText(amount, language, { min: 4, max: 4 });
  return html`<span class="${way}"><span aria-hidden="true">${arrow}</span> ${moved} (${percentText(percent, language)})</span>`;
}

function nextRate(next: BoardOfficialRate | undefined, { language }: BoardReader): Html {
  const texts = BOARD_TEXTS[language];
  if (next === undefined) return html`<p class="next quiet">${texts.noNext}</p>`;
  return html`<div class="next"><p><strong>${texts.next}:</strong> <span class="figures">${rateText(next.rate, language)}</span>${
    next.change && html` <span class="change">${changeFigures(next.change, language)}</span>`
  }</p>
<p class="quiet">${texts.nextFrom(dayInWords(next.value_date, language))} (${texts.caracas})</p></div>`;
}

function marketCards(figures: BoardFigures, reader: BoardReader): Html {
  if (figures.rates.length === 0) return EMPTY;
  return html`${parallelCard(figures, reader)}${p2pCard(figures, reader)}${indexCard(figures, reader)}${premiumCard(figures, reader)}`;
}

function card(
  heading: string,
  figure: string | undefined,
  more: HtmlValue,
  { language }: BoardReader,
): Html {
  const { none } = BOARD_TEXTS[language];
  const shown =
    figure === undefined
      ? html`<p class="quiet">${none}</p>`
      : html`<p class="figure-line"><span class="medium">${figure}</span></p>${more}`;
  return html`<div class="card"><h3>${heading}</h3>${shown}</div>`;
}

function parallelCard({ rates, changes }: BoardFigures, reader: BoardReader): Html {
  const texts = BOARD_TEXTS[reader.language];
  const row = rates.find(({ market }) => market === FREE_MARKET);
  const day = row && changes[row.market];
  const more =
    row &&
    html`${day && html`<p class="change">${changeFigures(day.change, reader.language)} <span class="quiet">${texts.changeInDay}</span></p>`}<p class="quiet">${sourceText(row, texts)}</p><p class="quiet">${age(row.updated_at, reader, { staleAfterSec: row.stale_after_sec })}</p>`;
  return card(texts.parallel, row && rateText(row.mid, reader.language), more, reader);
}

function p2pCard({ p2p }: BoardFigures, reader: BoardReader): Html {
  const { language } = reader;
  const texts = BOARD_TEXTS[language];
  const more =
    p2p &&
    html`<p class="quiet">${texts.p2pMarkets(p2p.count)}</p><p class="quiet">${age(p2p.updated_at, reader)}${
      p2p.stale_count > 0 &&
      html`<span class="stale">${texts.p2pStale(countText(p2p.stale_count, language))}</span>`
    }</p>`;
  return card(texts.p2pMedian, p2p && rateText(p2p.median, language), more, reader);
}

const FLAGS = ['bcv_stale', 'degraded', 'missing_sources', 'outliers_excluded'] as const;

function indexCard(figures: BoardFigures, reader: BoardReader): Html {
  const { index } = figures;
  const texts = BOARD_TEXTS[reader.language];
  const raised = FLAGS.filter((flag) => index?.flags[flag] !== undefined);
  const more =
    index &&
    html`<p class="quiet">${texts.indexAbout}</p><p class="quiet">${age(indexDatedAt(figures) ?? index.as_of, reader)}${raised.map(
      (flag) => html`<span class="stale">${texts.indexFlags[flag]}</span>`,
    )}${staleMark(indexStaleFrom(figures), reader)}</p>`;
  return card(texts.index, index && rateText(index.value, reader.language), more, reader);
}

function premiumCard({ gap: premium, rates }: BoardFigures, reader: BoardReader): Html {
  const texts = BOARD_TEXTS[reader.language];
  const { language } = reader;
  const compared = rates.find(({ market }) => market === premium?.compared.market);
  const more =
    premium &&
    html`<p class="quiet">${texts.premiumAbout}: ${signedText(premium.spread.absolute, language, { min: 4, max: 4 })} Bs.</p><p class="quiet">${age(premium.compared.updated_at, reader)}${staleMark(compared && premiumStaleFrom(compared, rates), reader)}</p>`;
  return card(
    texts.premium,
    premium && percentText(premium.spread.percentage, language),
    more,
    reader,
  );
}

/** Where a quote is from, in words, or in short for tables. */
export function sourceText(
  { source }: Pick<BoardRate, 'source'>,
  texts: BoardTexts,
  short = false,
): string {
  if (source.kind === 'official') return short ? texts.sourceBcvShort : texts.sourceBcv;
  if (source.name !== 'operator') return source.name;
  return short ? texts.sourcePushedShort : texts.sourcePushed;
}

/** The rows of the table of markets. */
function marketRows({ rates }: BoardFigures, reader: BoardReader): Html {
  const { language } = reader;
  const texts = BOARD_TEXTS[language];
  const side = (value: number | undefined) =>
    value === undefined ? '' : rateText(value, language);
  return html`${rates.map(
    (
      row,
    ) => html`<tr><th scope="row">${row.name} <span class="quiet code">${row.base}</span><br><span class="quiet small">${sourceText(row, texts, true)}</span></th>
<td class="figure">${rateText(row.mid, language)}</td>
<td class="figure roomy">${side(row.bid)}</td>
<td class="figure roomy">${side(row.ask)}</td>
<td class="figure">${row.gap_percent !== undefined && html`${percentText(row.gap_percent, language)}${staleMark(premiumStaleFrom(row, rates), reader)}`}</td>
<td class="figure">${age(row.updated_at, reader, { staleAfterSec: row.stale_after_sec, bare: true })}</td></tr>
`,
  )}`;
}

function banks({ banks: table }: BoardFigures, reader: BoardReader): Html {
  const { language } = reader;
  const texts = BOARD_TEXTS[language];
  if (table === undefined) return html`<p class="quiet">${texts.noBanks}</p>`;
  const side = (value: number | undefined) =>
    value === undefined ? '' : rateText(value, language);
  return html`<p class="quiet">${texts.banksAbout(dateInWords(table.indicator_date, language))} ${age(table.captured_at, reader)}</p>
<div class="scroll" role="region" aria-label="${texts.banks}" tabindex="0"><table>
<thead><tr><th scope="col">${texts.bank}</th><th scope="col" class="figure">${texts.columns.buy}</th><th scope="col" class="figure">${texts.columns.sell}</th><th scope="col" class="figure roomy">${texts.date}</th></tr></thead>
<tbody>
${table.bank_rates.map(
  ({ bank, buy, sell, date, stale }) =>
    html`<tr><th scope="row">${bank}${
      stale && html`<br><span class="stale">${shortDay(date, language)}</span>`
    }</th><td class="figure">${side(buy)}</td><td class="figure">${side(sell)}</td><td class="figure roomy">${shortDay(date, language)}</td></tr>
`,
)}</tbody></table></div>`;
}
