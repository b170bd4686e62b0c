import { OFFICIAL_USD } from '../../../core/domain/markets.ts';
import { type Html, html } from '../../../core/http/framework/encoding/html.ts';
import { linkTo, type PageView } from '../frame/page-view.ts';
import { highlighted } from '../text/highlight.ts';
import { BOARD_TEXTS } from '../texts/texts.ts';
import type { BoardFigures } from './board-figures.ts';
import { conversionRequest, convertTyped } from './converter/converter.ts';

const EXAMPLE = new URLSearchParams({ from: 'USD', to: 'VES', amount: '100' });

/** An example request and its answer, at the official rate that the page was written with. */
export function developerBand(view: PageView, figures: BoardFigures): Html {
  const { heading, about, docs } = BOARD_TEXTS[view.language].api;
  const call = `curl -H "X-API-Key: $VESFX_KEY" \\\n  "${view.publicUrl}/v1/fx/convert?${EXAMPLE}"`;
  const answer = exampleAnswer(figures);
  const markup = [highlighted(call, 'sh'), answer && highlighted(answer, 'json')];
  const code = markup.filter((one) => one !== undefined).join('\n\n');
  return html`<section class="band dark no-print"><div><h2>${heading}</h2>
<p>${about}</p>
<p class="actions"><a class="button" href="${linkTo(view, '/docs')}">${docs}</a> <a href="/openapi.json">OpenAPI</a></p></div>
<pre tabindex="0"><code dangerouslySetInnerHTML=${{ __html: code }}></code></pre></section>`;
}

/** Some fields of the answer, one a line: a phone has room for no more. */
function exampleAnswer({ rates }: BoardFigures): string | undefined {
  const { done } = convertTyped(conversionRequest(EXAMPLE), rates, 'en');
  const rate = rates.find(({ market }) => market === OFFICIAL_USD);
  if (done === undefined || rate === undefined) return undefined;
  const { mid, market, effective_date, stale } = rate;
  const to = { currency: done.to, amount: done.result };
  const answer = JSON.stringify({ to, rate: mid, market, effective_date, stale }, null, 2);
  return answer.replace(/\n\}$/, ',\n  …\n}');
}
