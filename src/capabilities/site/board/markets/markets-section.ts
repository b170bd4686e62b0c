import { h } from 'preact';
import { useState } from 'preact/hooks';
import { type Html, html } from '../../../../core/http/framework/encoding/html.ts';
import { Segments } from '../../frame/segments.ts';
import { MARKET_TEXTS } from '../../texts/texts.ts';
import type { BoardReader } from '../age.ts';
import type { BoardFigures } from '../board-figures.ts';
import { datedRates } from '../staleness.ts';
import { MARKET_COLUMNS, type MarketOrder, nextOrder, ordered } from './market-order.ts';
import { MarketRow, MissingRow } from './market-rows.ts';

interface MarketsParts {
  readonly figures: BoardFigures;
  readonly reader: BoardReader;
  /** Shows the history of a market. */
  /** Absent without a history. */
  readonly onChart: ((market: string) => void) | undefined;
}

const ALL = 'all';

/** The table of all markets. Its rows open to where their figures are from. */
export function MarketsSection({ figures, reader, onChart }: MarketsParts): Html {
  const { language } = reader;
  const texts = MARKET_TEXTS[language];
  const [kind, setKind] = useState(ALL);
  const [order, setOrder] = useState<MarketOrder>();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const { rates, missing = [] } = figures;
  const dated = datedRates(figures);
  const kinds = [...new Set([...rates, ...missing].map(({ type }) => type))];
  const isShown = ({ type }: { readonly type: string }) => kind === ALL || type === kind;
  const shown = rates.filter(isShown);
  // A column of which no shown row has a figure would be a column of nothing.
  const hasSides = shown.some(({ ask, bid }) => ask !== undefined || bid !== undefined);
  const columns = MARKET_COLUMNS.filter(
    (column) =>
      (hasSides || (column !== 'buy' && column !== 'sell')) &&
      (column !== 'premium' || shown.some(({ gap_percent }) => gap_percent !== undefined)),
  );
  const direction = order?.isReversed ? 'descending' : 'ascending';
  const toggle = (market: string) =>
    setOpen((before) => before.symmetricDifference(new Set([market])));
  return html`<section class="panel markets-panel" aria-labelledby="markets-heading"><header><h2 id="markets-heading">${texts.heading}</h2>
${h(Segments, {
  ...{ name: 'kind', label: texts.kinds, value: kind, onChoose: setKind },
  choices: [ALL, ...kinds].map((value) => ({ value, text: texts.kindNames[value] ?? value })),
})}</header>
<table class="markets" role="table">
<thead role="rowgroup"><tr role="row">${columns.map(
    (column) =>
      html`<th key=${column} scope="col" class=${column} role="columnheader" aria-sort=${order?.column === column ? direction : undefined}><button type="button" onClick=${() => setOrder(nextOrder(order, column))}>${texts.columns[column]}<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 19V5m0 0-6 6m6-6 6 6"/></svg></button></th>`,
  )}<th scope="col" class="open" role="columnheader"><span class="unseen">${texts.origin}</span></th></tr></thead>
<tbody id="market-rows" role="rowgroup">
${ordered(dated.filter(isShown), order, language).map((row) =>
  h(MarketRow, {
    ...{ key: row.market, row, rates: dated, columns, reader, isOpen: open.has(row.market) },
    onToggle: () => toggle(row.market),
    onChart: onChart && (() => onChart(row.market)),
  }),
)}${missing.filter(isShown).map((market) => h(MissingRow, { key: market.market, market, columns, language }))}</tbody></table>
<p class="quiet foot">${texts.allPer} <span class="with-script">${texts.openRows}</span></p></section>`;
}
