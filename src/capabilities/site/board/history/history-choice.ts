import { h } from 'preact';
import type { BoardRate } from '../../../../client/types.ts';
import {
  hasValueDates,
  OFFICIAL_EUR,
  OFFICIAL_USD,
  PARALLEL_MARKET,
} from '../../../../core/domain/markets.ts';
import type { Language } from '../../../../core/domain/words/language.ts';
import { type Html, html } from '../../../../core/http/framework/encoding/html.ts';
import { Segments } from '../../frame/segments.ts';
import { CHART_TEXTS } from '../../texts/texts.ts';
import { nameIn } from '../age.ts';
import { type BoardFigures, MAX_BOARD_SERIES } from '../board-figures.ts';
import { historyAddress, MAX_CANDLE_DAYS } from './chart-choice.ts';

const RANGES = [7, 30, 90, 180, 365];
const FIRST_RANGE = 30;
const FIRST_MARKETS: readonly string[] = [OFFICIAL_USD, PARALLEL_MARKET];
/** Number of markets with their own button. The others are in a menu. */
const BUTTONS = 4;

/** The parameters of an address that are of the history. */
export const CHART_NAMES: readonly string[] = ['chart', 'days', 'drawing', 'premium'];

/** What a reader chose to see. */
export interface HistoryChoice {
  readonly days: number;
  readonly markets: readonly string[];
  readonly candles: boolean;
  readonly premium: boolean;
}

/** What the query of an address asks for. What it does not name, or wrongly, is as at first. */
export function choiceOf(query: string, { rates, history_days }: BoardFigures): HistoryChoice {
  const asked = new URLSearchParams(query);
  const days = Number(asked.get('days'));
  const known = inOrder(rates).map(({ market }) => market);
  const chosen = (ids: readonly string[]) => known.filter((id) => ids.includes(id));
  const markets = [asked.get('chart')?.split(',') ?? [], FIRST_MARKETS, known.slice(0, 1)]
    .map(chosen)
    .find(({ length }) => length > 0);
  return {
    days: rangesOf(history_days).includes(days) ? days : Math.min(FIRST_RANGE, history_days),
    markets: markets?.slice(0, MAX_BOARD_SERIES) ?? [],
    candles: asked.get('drawing') === 'candles',
    premium:
      asked.get('premium') !== 'no' && rates.some(({ gap_percent }) => gap_percent !== undefined),
  };
}

/** The address that asks for it. */
export function choiceAddress({ days, markets, candles, premium }: HistoryChoice): string {
  const query = new URLSearchParams({ chart: markets.join(), days: String(days) });
  if (candles) query.set('drawing', 'candles');
  if (!premium) query.set('premium', 'no');
  return `/?${query}#history`;
}

/** The ranges within the operator's history, and that history as a whole. */
const rangesOf = (longest: number) => [...RANGES.filter((days) => days < longest), longest];

/** One market alone, beside the official dollar. */
export function withMarket(
  choice: HistoryChoice,
  market: string,
  { rates }: Pick<BoardFigures, 'rates'>,
): HistoryChoice {
  const ids = inOrder(rates).map((rate) => rate.market);
  return { ...choice, markets: ids.filter((one) => one === market || one === OFFICIAL_USD) };
}

/** The official dollar, the parallel market, the first P2P market and the euro first. */
function inOrder(rates: readonly BoardRate[]): readonly BoardRate[] {
  const first = [...FIRST_MARKETS, rates.find(({ type }) => type === 'p2p')?.market, OFFICIAL_EUR];
  const leading = first.flatMap((id) => rates.filter(({ market }) => market === id));
  return [...leading, ...rates.filter((rate) => !leading.includes(rate))];
}

export interface HistoryChoiceParts {
  readonly figures: BoardFigures;
  readonly language: Language;
  readonly choice: HistoryChoice;
  readonly onChoice: (choice: HistoryChoice) => void;
}

/** Whether the choice can be drawn in candles: an official rate has none. */
export const canHaveCandles = ({ days, markets }: HistoryChoice): boolean =>
  days <= MAX_CANDLE_DAYS && !markets.every((id) => hasValueDates(id));

/** The days and the drawing, beside the heading. */
export function RangeChoice({ figures, language, choice, onChoice }: HistoryChoiceParts): Html {
  const texts = CHART_TEXTS[language];
  const isPossible = canHaveCandles(choice);
  const title = isPossible ? undefined : texts.noCandles(MAX_CANDLE_DAYS);
  return html`${h(Segments<'lines' | 'candles'>, {
    ...{ name: 'drawing', label: texts.drawing, look: 'segments drawing' },
    choices: [
      { value: 'lines', text: texts.lines },
      { value: 'candles', text: texts.candles, isDisabled: !isPossible, title },
    ],
    value: choice.candles && isPossible ? 'candles' : 'lines',
    onChoose: (drawing) => onChoice({ ...choice, candles: drawing === 'candles' }),
  })}
${h(Segments, {
  ...{ name: 'days', label: texts.range, look: 'segments range', value: String(choice.days) },
  choices: rangesOf(figures.history_days).map((days) => ({
    value: String(days),
    text: texts.days(days),
  })),
  onChoose: (days) => onChoice({ ...choice, days: Number(days) }),
})}`;
}

interface LineParts extends HistoryChoiceParts {
  /** The number of each chosen market's colour. */
  readonly colours: ReadonlyMap<string, number>;
}

/** The markets and, apart from them, the premium. */
export function LineChoice({ figures, language, choice, onChoice, colours }: LineParts): Html {
  const texts = CHART_TEXTS[language];
  const { markets, premium } = choice;
  const rates = inOrder(figures.rates);
  const chips = rates.map((rate) => {
    const { market } = rate;
    const isChosen = markets.includes(market);
    const isFull = !isChosen && markets.length >= MAX_BOARD_SERIES;
    const toggle = () => {
      const chosen = new Set(markets).symmetricDifference(new Set([market]));
      const ids = rates.map((one) => one.market);
      onChoice({ ...choice, markets: ids.filter((one) => chosen.has(one)) });
    };
    return html`<label key=${market} class=${isChosen ? `chip series-${colours.get(market)}` : 'chip'}><input type="checkbox" name="market" value="${market}" autocomplete="off" checked=${isChosen} disabled=${isFull} onChange=${toggle} /><span>${nameIn(rate, language)}</span></label>`;
  });
  const others = rates.slice(BUTTONS).filter(({ market }) => markets.includes(market)).length;
  return html`<div class="chart-choice chips no-print"><fieldset class="chips"><legend class="unseen">${texts.markets}</legend>${chips.slice(0, BUTTONS)}${
    chips.length > BUTTONS &&
    html`<details class="more-chips" open=${others > 0}><summary>${texts.more}${others > 0 && ` (${others})`}</summary><div class="chips">${chips.slice(BUTTONS)}</div></details>`
  }</fieldset><label class="chip series-premium"><input type="checkbox" id="chart-premium" autocomplete="off" checked=${premium} onChange=${() => onChoice({ ...choice, premium: !premium })} /><span>${texts.premium}</span></label></div>`;
}

interface FileParts {
  readonly language: Language;
  readonly wanted: Omit<Parameters<typeof historyAddress>[1], 'locale'>;
}

/** The drawn figures as files. Without a market there is nothing to download. */
export function FileLinks({ language, wanted }: FileParts): Html {
  const { files } = CHART_TEXTS[language];
  const isEmpty = wanted.markets.length === 0;
  const link = (format: 'csv' | 'xlsx', name: string) => {
    const address = isEmpty ? undefined : historyAddress(format, { ...wanted, locale: language });
    return html`<a id="chart-${format}" class="icon" href=${address} download role=${isEmpty ? 'link' : undefined} aria-disabled=${isEmpty ? 'true' : undefined} title="${files[format]}" aria-label="${files[format]}"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 4v11m0 0-4-4m4 4 4-4M5 19h14"/></svg>${name}</a>`;
  };
  return html`<p class="files no-print">${link('csv', 'CSV')}${link('xlsx', 'Excel')}</p>`;
}
