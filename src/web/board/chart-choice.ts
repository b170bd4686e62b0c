import { FREE_MARKET, OFFICIAL_USD } from '../../domain/markets.ts';
import { countText } from '../frame/format.ts';
import { type Html, html } from '../frame/html.ts';
import type { Language } from '../frame/language.ts';
import type { BoardFigures } from './board-figures.ts';
import { CHART_TEXTS } from './board-texts.ts';

const RANGES = [7, 30, 90, 180, 365];
const FIRST_RANGE = 30;
const FIRST_MARKETS: readonly string[] = [OFFICIAL_USD, FREE_MARKET];

/** The ranges up to the operator's depth, and that depth. */
export function rangesUpTo(days: number): readonly number[] {
  return [...RANGES.filter((range) => range < days), days];
}

/** What the chart shows at first: the longest range up to a month. */
export function firstRange(days: number): number {
  return Math.min(FIRST_RANGE, days);
}

export function historyAddress(
  format: 'json' | 'csv',
  { markets, days }: { readonly markets: readonly string[]; readonly days: number },
): string {
  const query = new URLSearchParams({ market: markets.join(','), days: String(days) });
  // A comma may stand in a query as it is (RFC 3986 §3.4), and reads better.
  return `/board/history.${format}?${String(query).replaceAll('%2C', ',')}`;
}

/** What is drawn, and the same as CSV. */
export function chartChoice({ rates, history_days }: BoardFigures, language: Language): Html {
  const texts = CHART_TEXTS[language];
  const first = firstRange(history_days);
  const known = FIRST_MARKETS.filter((id) => rates.some(({ market }) => market === id));
  const markets = known.length > 0 ? known : rates.slice(0, 1).map(({ market }) => market);
  const ranges = rangesUpTo(history_days).map(
    (days) =>
      html`<option value="${days}"${days === first && html` selected`}>${texts.days(countText(days, language))}</option>`,
  );
  return html`<form id="chart-choice" class="chart-choice no-print" hidden>
<fieldset><legend>${texts.markets}</legend>
${rates.map(
  ({ market, name }) =>
    html`<label><input type="checkbox" name="market" value="${market}"${markets.includes(market) && html` checked`}> ${name}</label>\n`,
)}<label><input type="checkbox" id="chart-premium" checked> ${texts.premium}</label>
</fieldset>
<p class="field"><label for="chart-days">${texts.range}</label> <select id="chart-days" name="days">${ranges}</select>
<button type="button" id="chart-whole">${texts.zoomOut}</button></p>
</form>
<p class="no-print"><a id="chart-csv" href="${historyAddress('csv', { markets, days: first })}" download>${texts.csv}</a></p>`;
}
