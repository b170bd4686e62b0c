import type { Instant } from '../../domain/time.ts';
import { type Html, html } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import type { PageView } from '../frame/page-view.ts';
import type { BoardFigures, BoardPast } from './board-figures.ts';
import { BOARD_PARTS } from './board-parts.ts';
import { BOARD_TEXTS, CHART_TEXTS, CONVERTER_TEXTS } from './board-texts.ts';
import { chartChoice } from './chart-choice.ts';
import { type ConversionAsk, convert } from './converter.ts';
import { conversionResult, converterForm } from './converter-parts.ts';

/** The board: all figures stand in it as it is sent; a script keeps them up to date. */
export function boardPage(
  view: PageView,
  {
    figures,
    ask,
    past,
    now,
  }: {
    readonly figures: BoardFigures;
    readonly ask: ConversionAsk;
    /** The rates of the day that is asked for, when one is. */
    readonly past?: BoardPast | undefined;
    readonly now: Instant;
  },
): string {
  const { language, languageChosen: chosen } = view;
  const texts = BOARD_TEXTS[language];
  const reader = { language, languageChosen: chosen, now };
  const part = (name: keyof typeof BOARD_PARTS) => BOARD_PARTS[name](figures, reader);
  const isEmpty = figures.rates.length === 0;
  return page(view, {
    title: texts.title,
    description: texts.description,
    kind: 'board',
    assets: ['uplot.css', 'board.css', 'board.js'],
    content: html`<div id="board" class="board-head" data-version="${figures.version}"><h1>${texts.heading}</h1>
<p id="freshness" class="quiet">${part('freshness')}</p></div>
<div id="warning" role="status">${part('warning')}</div>
<p id="cut-off" class="cut-off" role="status"></p>
<section><h2>${texts.official}</h2>
<div id="official" class="cards two">${part('official')}</div></section>
<div id="rest"${isEmpty && html` hidden`}>
<section><h2>${texts.market}</h2>
<div id="market" class="cards">${part('market')}</div></section>
<section><h2>${CONVERTER_TEXTS[language].heading}</h2>
<div class="card convert">${converterForm(ask, figures, { language, chosen, now })}
<div id="conversion" class="conversion" aria-live="polite">${conversionResult(convert(ask, past?.rates ?? figures.rates, language), reader, chosen)}</div></div></section>
${chartSection(figures, view)}
<section><h2 id="markets-heading">${texts.markets}</h2>
<p class="quiet">${texts.allPer}</p>
<div class="scroll" role="region" aria-labelledby="markets-heading" tabindex="0"><table class="markets">
<thead><tr><th scope="col">${texts.columns.market}</th><th scope="col" class="figure">${texts.columns.rate}</th><th scope="col" class="figure roomy">${texts.columns.buy}</th><th scope="col" class="figure roomy">${texts.columns.sell}</th><th scope="col" class="figure">${texts.columns.premium}</th><th scope="col" class="figure">${texts.columns.age}</th></tr></thead>
<tbody id="market-rows">
${part('market-rows')}</tbody></table></div></section>
<section><h2>${texts.banks}</h2>
<div id="banks">${part('banks')}</div></section>
</div>`,
  });
}

function chartSection(figures: BoardFigures, { language }: PageView): Html {
  const texts = CHART_TEXTS[language];
  const heading = html`<h2>${texts.heading}</h2>`;
  if (figures.history_days === 0) {
    return html`<section>${heading}<p class="quiet">${texts.off}</p></section>`;
  }
  return html`<section class="history">${heading}
<p class="quiet">${texts.about}</p>
${chartChoice(figures, language)}
<p id="chart-state" class="quiet" role="status"><noscript>${texts.needsScript}</noscript></p>
<div id="chart" class="chart" hidden></div>
<details id="chart-data" hidden><summary>${texts.table}</summary><div class="scroll" role="region" aria-label="${texts.table}" tabindex="0"><table><thead></thead><tbody></tbody></table></div></details>
</section>`;
}
