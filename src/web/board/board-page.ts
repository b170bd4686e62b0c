import { OFFICIAL_USD } from '../../domain/markets.ts';
import type { Instant } from '../../domain/time.ts';
import { type Html, html } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { linkTo, type PageView } from '../frame/page-view.ts';
import type { BoardFigures, BoardPast } from './board-figures.ts';
import { BOARD_PARTS } from './board-parts.ts';
import { BOARD_TEXTS } from './board-texts.ts';
import { chartChoice } from './chart-choice.ts';
import { CHART_TEXTS } from './chart-texts.ts';
import { type ConversionRequest, convertTyped } from './converter.ts';
import { converterForm } from './converter-parts.ts';
import { asksForConversion, shareTags } from './share-tags.ts';

interface BoardPageParts {
  readonly figures: BoardFigures;
  readonly request: ConversionRequest;
  readonly now: Instant;
  /** The rates of the requested day, if a day is requested. */
  readonly past?: BoardPast | undefined;
  /** Base address of the service, without a trailing slash. */
  readonly publicUrl: string;
}

/** The board. The page contains all figures, and a script keeps them up to date. */
export function boardPage(view: PageView, parts: BoardPageParts): string {
  const { figures, request, past, now, publicUrl } = parts;
  const { language, languageChosen } = view;
  const texts = BOARD_TEXTS[language];
  const reader = { language, languageChosen, now };
  const part = (name: keyof typeof BOARD_PARTS) => BOARD_PARTS[name](figures, reader);
  const isEmpty = figures.rates.length === 0;
  return page(view, {
    title: texts.title,
    description: texts.description,
    kind: 'board',
    assets: ['board.css', 'board.js'],
    head: shareTags({
      ...{ figures, past, request, publicUrl, language },
      notice: view.notice?.[language],
      asksForOne: asksForConversion(view.query),
    }),
    content: html`<h1 class="unseen">${texts.heading}</h1>
<p id="cut-off" class="cut-off" role="status"></p>
<div id="board" class="hero" data-version="${figures.version}" data-as-of="${figures.as_of}"><section id="official" class="official" aria-label="${texts.official}">${part('official')}</section>
<div class="rest conv" hidden=${isEmpty}>${converterForm(request, { figures, past }, reader)}</div></div>
<div id="warning" role="status">${part('warning')}</div>
<div class="rest" hidden=${isEmpty}>
<section id="market" class="stats">${part('market')}</section>
<p id="freshness" class="quiet small">${part('freshness')}</p>
${chartSection(figures, view)}
${marketsSection(figures, view, part('market-rows'))}
<section class="panel"><h2>${texts.banks}</h2>
<div id="banks">${part('banks')}</div></section>
</div>
${developerBand(view, { figures, publicUrl })}`,
  });
}

function marketsSection(figures: BoardFigures, { language }: PageView, rows: Html): Html {
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
${rows}</tbody></table></div>
<p class="quiet small">${texts.allPer}</p></section>`;
}

function chartSection(figures: BoardFigures, { language }: PageView): Html {
  const texts = CHART_TEXTS[language];
  const heading = html`<h2>${texts.heading}</h2>`;
  if (figures.history_days === 0) {
    return html`<section class="panel history">${heading}<p class="quiet">${texts.off}</p></section>`;
  }
  return html`<section class="panel history">${heading}
${chartChoice(figures, language)}
<p id="chart-state" class="quiet" role="status"><noscript>${texts.needsScript}</noscript></p>
<div class="charts"><div id="chart" class="chart"></div>
<div id="chart-premium-plot" class="chart small-chart"></div>
<button type="button" id="chart-whole" hidden>${texts.zoomOut}</button></div>
<p class="quiet small">${texts.about} <span id="chart-candles-about"></span> <span id="chart-units"></span></p>
<details id="chart-data" hidden><summary>${texts.table}</summary><div class="scroll" role="region" aria-label="${texts.table}" tabindex="0"><table><thead></thead><tbody></tbody></table></div></details>
</section>`;
}

const EXAMPLE_AMOUNT = '100';

/** An example request and its answer, with the current official rate. */
function developerBand(
  view: PageView,
  { figures, publicUrl }: { readonly figures: BoardFigures; readonly publicUrl: string },
): Html {
  const { heading, about, docs } = BOARD_TEXTS[view.language].api;
  const call = `curl -H "X-API-Key: $VESFX_KEY" \\\n  "${publicUrl}/v1/fx/convert?from=USD&to=VES&amount=${EXAMPLE_AMOUNT}"`;
  const answer = exampleAnswer(figures);
  return html`<section class="band no-print"><div><h2>${heading}</h2>
<p>${about}</p>
<p class="actions"><a class="button" href="${linkTo(view, '/docs')}">${docs}</a> <a href="/openapi.json">OpenAPI</a></p></div>
<pre tabindex="0"><code>${call}${answer && `\n\n${answer}`}</code></pre></section>`;
}

function exampleAnswer(figures: BoardFigures): string | undefined {
  const ask = {
    amount: EXAMPLE_AMOUNT,
    from: 'USD',
    to: 'VES',
    via: OFFICIAL_USD,
    date: '',
    rule: 'value_date' as const,
    typedIn: undefined,
  };
  const { done } = convertTyped(ask, figures.rates, 'en');
  const rate = figures.rates.find(({ market }) => market === OFFICIAL_USD);
  if (done === undefined || rate === undefined) return undefined;
  const { result } = done;
  // One field a line: a phone has room for no more.
  const lines = [
    `{"to": {"currency": "VES",`,
    `        "amount": ${result}},`,
    ` "rate": ${rate.mid},`,
    ` "market": "${rate.market}",`,
    ` "effective_date": "${rate.effective_date}",`,
    ` "stale": ${rate.stale}, …}`,
  ];
  return lines.join('\n');
}
