import { type ComponentType, h } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Html, html } from '../../frame/html.ts';
import type { Language } from '../../frame/language.ts';
import type { BoardReader } from '../age.ts';
import { type BoardFigures, MAX_BOARD_SERIES } from '../board-figures.ts';
import { unitChangeText } from '../unit-text.ts';
import { historyAddress, MAX_CANDLE_DAYS } from './chart-choice.ts';
import { type ChartData, chartData } from './chart-data.ts';
import { ChartTable } from './chart-table.ts';
import { CHART_TEXTS, type ChartTexts } from './chart-texts.ts';
import {
  FileLinks,
  firstChoice,
  type HistoryChoice,
  LineChoice,
  RangeChoice,
  withMarket,
} from './history-choice.ts';
import { useHistory } from './history-data.ts';

export interface ChartsParts {
  readonly data: ChartData;
  readonly language: Language;
  /** Whether the premium has its panel. */
  readonly premium: boolean;
  readonly onZoom: (isZoomed: boolean) => void;
}

/** Draws the plots. Only a browser has it. */
export type DrawnCharts = ComponentType<ChartsParts>;

interface HistoryParts {
  readonly figures: BoardFigures;
  readonly reader: BoardReader;
  /** How often the service answered. */
  readonly answers: number;
  /** A market to draw beside the official dollar, each time that it is another object. */
  readonly charted: { readonly market: string } | undefined;
  readonly charts: DrawnCharts | undefined;
}

/** The history: chosen markets over chosen days, and the premium in a panel below. */
export function HistorySection(parts: HistoryParts): Html {
  const { figures, reader } = parts;
  const texts = CHART_TEXTS[reader.language];
  return html`<section id="history" class="panel history" aria-labelledby="history-heading">${
    figures.history_days === 0
      ? html`<h2 id="history-heading">${texts.heading}</h2><p class="quiet">${texts.off}</p>`
      : h(ShownHistory, parts)
  }</section>`;
}

function ShownHistory(parts: HistoryParts): Html {
  const { figures, reader, answers, charted, charts } = parts;
  const { language } = reader;
  const texts = CHART_TEXTS[language];
  const [choice, onChoice] = useState(() => firstChoice(figures));
  const [isHeld, onZoom] = useState(false);
  useEffect(() => {
    if (charted !== undefined) onChoice((before) => withMarket(before, charted.market, figures));
  }, [charted]);
  const { days, markets, premium } = choice;
  const wanted = { markets, days, candles: choice.candles && days <= MAX_CANDLE_DAYS };
  const address = markets.length === 0 ? undefined : historyAddress('json', wanted);
  const { version } = figures;
  const read = useHistory({ address, version, answers, isHeld });
  // A line that goes keeps its colour until the next figures are there.
  const found = useMemo(
    () => read.history && chartData(read.history, language, choice.colours),
    [read.history],
  );
  const data = markets.length > 0 && found?.days.length ? found : undefined;
  const isWaiting = address !== undefined && found === undefined && !read.hasFailed;
  const shared = { figures, language, choice, onChoice };
  const drawn =
    data !== undefined &&
    charts !== undefined &&
    h(charts, {
      ...{ key: `${data.days[0]} ${data.days.length}`, data, language, premium, onZoom },
    });
  const lines = readLines(choice, wanted.candles);
  return html`<header><h2 id="history-heading">${texts.heading}</h2>${h(RangeChoice, shared)}${h(FileLinks, { language, wanted })}</header>
${h(LineChoice, shared)}
<div id="charts" class="charts" data-lines=${lines} data-premium=${premium ? 'true' : undefined} aria-busy=${isWaiting ? 'true' : undefined}>${drawn}<p id="chart-state" role="status"><noscript>${texts.needsScript}</noscript>${data === undefined && stateText(texts, { isWaiting, markets, read })}</p></div>
${h(About, { data, language, note: notes(texts, choice, data) })}
${data !== undefined && h(ChartTable, { data, language })}`;
}

/** More rows of a candle: the close is that of its line. */
const CANDLE_ROWS = 3;

/** Lines of the reading above the plots of a phone: two figures each, the day among them. */
function readLines({ markets, premium }: HistoryChoice, candles: boolean): number {
  return Math.ceil((1 + markets.length + Number(premium) + (candles ? CANDLE_ROWS : 0)) / 2);
}

function stateText(
  texts: ChartTexts,
  found: {
    readonly isWaiting: boolean;
    readonly markets: readonly string[];
    readonly read: ReturnType<typeof useHistory>;
  },
): string {
  if (found.markets.length === 0) return texts.noMarket;
  if (found.isWaiting) return '';
  return found.read.hasFailed ? texts.failed : texts.nothing;
}

/** What the choice leaves out. */
function notes(
  texts: ChartTexts,
  { markets, candles }: HistoryChoice,
  data: ChartData | undefined,
): string {
  const lacksCandles = candles && data?.rates.every(({ candle }) => candle === undefined);
  return [
    ...(markets.length >= MAX_BOARD_SERIES ? [texts.tooMany(MAX_BOARD_SERIES)] : []),
    ...(lacksCandles ? [texts.noCandles(MAX_CANDLE_DAYS)] : []),
  ].join(' ');
}

interface AboutParts {
  readonly data: ChartData | undefined;
  readonly language: Language;
  readonly note: string;
}

/** What is left out, what the lines or candles are, and in which unit. */
function About({ data, language, note }: AboutParts): Html {
  const texts = CHART_TEXTS[language];
  const drawn = data?.rates.find(({ candle }) => candle !== undefined);
  const changes = (data?.unitChanges ?? []).map((one) => unitChangeText(one, language));
  return html`<p class="quiet foot"><span id="chart-note" class="late" role="status">${note}</span> ${!drawn && texts.about} <span id="chart-candles-about">${drawn && texts.candlesAre(drawn.name)}</span> <span id="chart-units">${changes.length > 0 && `${changes.join(' ')} ${texts.inTodaysUnit}`}</span></p>`;
}
