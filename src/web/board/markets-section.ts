import { type Html, html } from '../frame/html.ts';
import type { BoardReader } from './age.ts';
import type { BoardFigures } from './board-figures.ts';
import { BOARD_TEXTS } from './board-texts.ts';
import { marketRows } from './market-rows.ts';

interface MarketsParts {
  readonly figures: BoardFigures;
  readonly reader: BoardReader;
}

/** The table of all markets, and the filter above it. */
export function MarketsSection({ figures, reader }: MarketsParts): Html {
  const { language } = reader;
  const texts = BOARD_TEXTS[language];
  const kinds = [
    ...new Set([...figures.rates, ...(figures.missing ?? [])].map(({ type }) => type)),
  ];
  const segment = (kind: string, text: string) =>
    html`<label class="segment"><input type="radio" name="kind" value="${kind}" checked=${kind === 'all'} /><span>${text}</span></label>`;
  return html`<section class="panel markets-panel"><header><h2 id="markets-heading">${texts.markets}</h2>
<fieldset class="segments no-print"><legend class="unseen">${texts.kinds}</legend>${segment('all', texts.allKinds)}${kinds.map((kind) => segment(kind, texts.kindNames[kind] ?? kind))}</fieldset></header>
<div class="scroll" role="region" aria-labelledby="markets-heading" tabindex="0"><table class="markets">
<thead><tr><th scope="col">${texts.columns.market}</th><th scope="col" class="figure">${texts.columns.rate}</th><th scope="col" class="figure roomy">${texts.columns.buy}</th><th scope="col" class="figure roomy">${texts.columns.sell}</th><th scope="col" class="figure">${texts.columns.premium}</th><th scope="col" class="figure">${texts.columns.age}</th></tr></thead>
<tbody id="market-rows">
${marketRows(figures, reader)}</tbody></table></div>
<p class="quiet small">${texts.allPer}</p></section>`;
}
