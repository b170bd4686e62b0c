import type { BoardRate } from '../../../client/types.ts';
import { OFFICIAL_EUR, OFFICIAL_USD, PARALLEL_MARKET } from '../../../domain/markets.ts';
import { type Html, html } from '../../frame/html.ts';
import type { Language } from '../../frame/language.ts';
import { nameIn } from '../age.ts';
import type { BoardFigures } from '../board-figures.ts';
import { CHART_TEXTS } from './chart-texts.ts';

const RANGES = [7, 30, 90, 180, 365];
const FIRST_RANGE = 30;
const FIRST_MARKETS: readonly string[] = [OFFICIAL_USD, PARALLEL_MARKET];
/** Number of markets with their own button. The others are in a menu. */
const BUTTONS = 4;

/** Longest range drawn in candles. Over more days they are too narrow to distinguish. */
export const MAX_CANDLE_DAYS = 90;

export type HistoryFormat = 'json' | 'csv' | 'xlsx';

/** `locale` applies to files for people: Spanish ones have decimal commas. */
export function historyAddress(
  format: HistoryFormat,
  wanted: {
    readonly markets: readonly string[];
    readonly days: number;
    readonly candles?: boolean;
    readonly locale?: Language | undefined;
  },
): string {
  const { markets, days, candles = false, locale } = wanted;
  const query = new URLSearchParams({ market: markets.join(','), days: String(days) });
  if (candles) query.set('candles', 'true');
  if (locale === 'es' || (locale !== undefined && format === 'xlsx')) query.set('locale', locale);
  // A query may contain a plain comma (RFC 3986 §3.4), which is easier to read.
  return `/board/history.${format}?${String(query).replaceAll('%2C', ',')}`;
}

/** The official dollar, the parallel market, the first P2P market and the euro first. */
function inOrder(rates: readonly BoardRate[]): readonly BoardRate[] {
  const first = [...FIRST_MARKETS, rates.find(({ type }) => type === 'p2p')?.market, OFFICIAL_EUR];
  const leading = first.flatMap((id) => rates.filter(({ market }) => market === id));
  return [...leading, ...rates.filter((rate) => !leading.includes(rate))];
}

/** The chart, and links to its data as files. */
export function chartChoice({ rates, history_days }: BoardFigures, language: Language): Html {
  const texts = CHART_TEXTS[language];
  const first = Math.min(FIRST_RANGE, history_days);
  const known = FIRST_MARKETS.filter((id) => rates.some(({ market }) => market === id));
  const markets = known.length > 0 ? known : rates.slice(0, 1).map(({ market }) => market);
  // The ranges within the operator's history, and that history as a whole.
  const ranges = [...RANGES.filter((days) => days < history_days), history_days].map(
    (days) =>
      html`<label class="segment"><input type="radio" name="days" value="${days}" checked=${days === first} /><span>${texts.days(days)}</span></label>`,
  );
  const chips = inOrder(rates).map(
    (rate) =>
      html`<label class="chip"><input type="checkbox" name="market" value="${rate.market}" checked=${markets.includes(rate.market)} /><span>${nameIn(rate, language)}</span></label>\n`,
  );
  return html`<form id="chart-choice" class="chart-choice no-print" hidden>
<fieldset class="segments"><legend class="unseen">${texts.range}</legend>${ranges}</fieldset>
<fieldset class="chips"><legend class="unseen">${texts.markets}</legend>
${chips.slice(0, BUTTONS)}<label class="chip premium"><input type="checkbox" id="chart-premium" checked /><span>${texts.premium}</span></label>
<label class="chip candles"><input type="checkbox" id="chart-candles" /><span>${texts.candles}</span></label>${
    chips.length > BUTTONS &&
    html`<details class="more-chips"><summary>${texts.more}</summary><div class="chips">${chips.slice(BUTTONS)}</div></details>`
  }
</fieldset>
</form>
<p id="chart-files" class="no-print files"><a id="chart-csv" href="${historyAddress('csv', { markets, days: first, locale: language })}" download>${texts.csv}</a> <a id="chart-xlsx" href="${historyAddress('xlsx', { markets, days: first, locale: language })}" download>Excel (XLSX)</a></p>`;
}
