import { h } from 'preact';
import type { BoardRate } from '../../../../client/types.ts';
import { SOURCES_AGREE_PERCENT } from '../../../../core/domain/quotes.ts';
import { PUSHED, SHIFTED, SIMULATED } from '../../../../core/domain/source-health.ts';
import type { Language } from '../../../../core/domain/words/language.ts';
import { type Html, html } from '../../../../core/http/framework/encoding/html.ts';
import { momentText, percentText, rateText, wholeRateText } from '../../frame/format.ts';
import { heldReasonText } from '../../frame/held-reasons.ts';
import { linkTo } from '../../frame/page-view.ts';
import { BOARD_TEXTS, MARKET_TEXTS } from '../../texts/texts.ts';
import {
  age,
  type BoardReader,
  nameIn,
  quotedUnit,
  rateAge,
  StaleMark,
  sourceText,
} from '../age.ts';
import type { BoardFigures, ConvertibleRate } from '../board-figures.ts';
import { premiumStaleFrom } from '../staleness.ts';
import type { MarketColumn } from './market-order.ts';

type Row = BoardRate & Pick<ConvertibleRate, 'newer_from' | 'late_from'>;

interface RowParts {
  readonly row: Row;
  readonly rates: readonly Row[];
  readonly columns: readonly MarketColumn[];
  readonly reader: BoardReader;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** Shows the history of the market, if there is any. */
  readonly onChart: (() => void) | undefined;
}

/** The row of a market, and below it where its figure is from. */
export function MarketRow(parts: RowParts): Html {
  const { row, rates, columns, reader, isOpen, onToggle, onChart } = parts;
  const { language } = reader;
  const { market, type, in_doubt: isInDoubt, frozen: isFrozen, details } = row;
  const { unchanged_since: unchangedSince } = row;
  const texts = MARKET_TEXTS[language];
  const name = nameIn(row, language);
  const cells: Readonly<Record<MarketColumn, () => Html>> = {
    market: () =>
      html`<th scope="row" class="market" role="rowheader">${name} <span class="quiet code">${quotedUnit(row)}</span>${
        isInDoubt &&
        html` <span class="late small" title="${texts.inDoubtAbout}">${texts.inDoubt}</span>`
      }${isFrozen && unchangedSince !== undefined && html` <span class="late small" title="${texts.frozenAbout(momentText(Date.parse(unchangedSince), language))}">${texts.frozen}</span>`}${(details?.held ?? null) !== null && html` <span class="late small">${texts.newerHeld}</span>`}</th>`,
    rate: () => cell('rate', rateText(row.mid, language)),
    buy: () => cell('buy', row.ask !== undefined && rateText(row.ask, language)),
    sell: () => cell('sell', row.bid !== undefined && rateText(row.bid, language)),
    premium: () =>
      cell(
        'premium',
        row.gap_percent !== undefined &&
          html`${percentText(row.gap_percent, language)}${h(StaleMark, { from: premiumStaleFrom(row, rates), reader })}`,
      ),
    age: () => cell('age', rateAge(row, reader, { bare: true })),
  };
  const id = `origin-${market}`;
  return html`<tr class="row kind-${type}" role="row" onClick=${onToggle}>${columns.map((column) => cells[column]())}<td class="open" role="cell"><button type="button" aria-expanded=${isOpen ? 'true' : 'false'} aria-controls=${id} aria-label="${texts.originOf(name)}"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="m6 9 6 6 6-6"/></svg></button></td></tr>
<tr id=${id} class="more kind-${type}${isOpen ? '' : ' closed'}" role="row"><td colspan=${columns.length + 1} role="cell">${origin(row, reader)}${onChart && html`<p class="with-script"><a href="#history" onClick=${onChart}>${texts.history}</a></p>`}</td></tr>`;
}

const cell = (column: MarketColumn, content: Html) =>
  html`<td class="figure ${column}" role="cell">${content}</td>`;

interface MissingParts {
  readonly market: NonNullable<BoardFigures['missing']>[number];
  readonly columns: readonly MarketColumn[];
  readonly language: Language;
}

/** The row of a market whose last rate is too old, or whose source gives none. */
export function MissingRow({ market, columns, language }: MissingParts): Html {
  const { missing, missingAbout } = MARKET_TEXTS[language];
  return html`<tr class="row without kind-${market.type}" role="row"><th scope="row" class="market" role="rowheader">${nameIn(market, language)} <span class="quiet code">${quotedUnit(market)}</span></th><td class="figure age" colspan=${columns.length} role="cell"><span class="stale" title="${missingAbout}">${missing}</span></td></tr>
`;
}

/** Names in place of a source: the status page has no card of them. */
const NO_SOURCES: readonly string[] = [PUSHED, SIMULATED, SHIFTED];

/** Where a figure is from: its source, its reading, how many agree, and whether one is held. */
function origin(row: Row, reader: BoardReader): Html {
  const { language } = reader;
  const texts = MARKET_TEXTS[language];
  const { source, details, ask, bid } = row;
  const name = sourceText(row, BOARD_TEXTS[language]);
  const hasCard = source.kind !== 'official' && !NO_SOURCES.includes(source.name);
  const linked = html`<a href="${linkTo(reader, `/status#${source.name}`)}">${name}</a>`;
  const moment = (time: string) => momentText(Date.parse(time), language);
  const item = (term: string, text: Html, kind?: string) =>
    html`<div class=${kind}><dt>${term}</dt><dd>${text}</dd></div>`;
  const sides = [
    ask !== undefined && `${texts.columns.buy} ${rateText(ask, language)}`,
    bid !== undefined && `${texts.columns.sell} ${rateText(bid, language)}`,
  ].filter((side) => side !== false);
  const whole = wholeRateText(row.mid, language);
  return html`<dl>${whole && item(texts.wholeRate, whole)}${item(texts.source, hasCard ? linked : name)}${
    details &&
    html`${item(texts.observed, html`${moment(details.observed_at)} (${age(details.observed_at, reader)})`)}${item(texts.confirmed, texts.sources(details.sources, SOURCES_AGREE_PERCENT))}${item(texts.later, heldText(details.held, language))}`
  }${sides.length > 0 && item(texts.sides, sides.join(' · '), 'sides')}</dl>`;
}

function heldText(held: NonNullable<Row['details']>['held'], language: Language): Html {
  const texts = MARKET_TEXTS[language];
  if (held === null) return texts.notHeld;
  const time = momentText(Date.parse(held.captured_at), language);
  return html`<span class="late">${texts.held(time, heldReasonText(held.reason, language))}</span>`;
}
