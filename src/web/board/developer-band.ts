import { OFFICIAL_USD } from '../../domain/markets.ts';
import { type Html, html } from '../frame/html.ts';
import { linkTo } from '../frame/page-view.ts';
import type { BoardReader } from './age.ts';
import type { BoardFigures } from './board-figures.ts';
import { BOARD_TEXTS } from './board-texts.ts';
import { convertTyped } from './converter/converter.ts';

const EXAMPLE_AMOUNT = '100';

interface DeveloperBandParts {
  readonly figures: BoardFigures;
  readonly reader: BoardReader;
  readonly publicUrl: string;
}

/** An example request and its answer, with the current official rate. */
export function DeveloperBand({ figures, reader, publicUrl }: DeveloperBandParts): Html {
  const { heading, about, docs } = BOARD_TEXTS[reader.language].api;
  const call = `curl -H "X-API-Key: $VESFX_KEY" \\\n  "${publicUrl}/v1/fx/convert?from=USD&to=VES&amount=${EXAMPLE_AMOUNT}"`;
  const answer = exampleAnswer(figures);
  return html`<section class="band no-print"><div><h2>${heading}</h2>
<p>${about}</p>
<p class="actions"><a class="button" href="${linkTo(reader, '/docs')}">${docs}</a> <a href="/openapi.json">OpenAPI</a></p></div>
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
