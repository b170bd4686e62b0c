import { h } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Html, html } from '../../../../core/http/framework/encoding/html.ts';
import { listText } from '../../frame/format.ts';
import { linkTo } from '../../frame/page-view.ts';
import { MONTH_PATH } from '../../frame/site-parts.ts';
import { CHART_TEXTS } from '../../texts/texts.ts';
import { type BoardReader, nameIn } from '../age.ts';
import type { LiveBoard } from '../board-data.ts';
import { type BoardFigures, MAX_BOARD_SERIES } from '../board-figures.ts';
import { unitChangeText } from '../unit-text.ts';
import { historyAddress, MAX_CANDLE_DAYS } from './chart-choice.ts';
import { chartData } from './chart-data.ts';
import { ChartTable } from './chart-table.ts';
import {
  canHaveCandles,
  choiceAddress,
  choiceOf,
  FileLinks,
  type HistoryChoice,
  type HistoryChoiceParts,
  LineChoice,
  RangeChoice,
  withMarket,
} from './history-choice.ts';
import { useHistory } from './history-data.ts';
import { lineColours } from './line-colours.ts';

interface HistoryParts {
  readonly figures: BoardFigures;
  readonly reader: BoardReader;
  /** How often the service answered. */
  readonly answers: number;
  /** A market to draw beside the official dollar, each time that it is another object. */
  readonly charted: { readonly market: string } | undefined;
  readonly live: LiveBoard | undefined;
  /** The query of the page's address. */
  readonly query: string;
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

/** More rows of a candle: the close is that of its line. */
const CANDLE_ROWS = 3;

function ShownHistory({ figures, reader, answers, charted, live, query }: HistoryParts): Html {
  const { language } = reader;
  const texts = CHART_TEXTS[language];
  const [choice, setChoice] = useState(() => choiceOf(query, figures));
  const [showWhole, setShowWhole] = useState<() => void>();
  const onChoice = (next: HistoryChoice) => {
    setChoice(next);
    live?.showAddress(choiceAddress(next));
  };
  // The page may be one that was kept.
  useLayoutEffect(() => {
    const search = live?.opened.search ?? query;
    if (search !== query) setChoice(choiceOf(search, figures));
  }, [live]);
  useEffect(() => {
    if (charted !== undefined) onChoice(withMarket(choice, charted.market, figures));
  }, [charted]);
  const { days, markets, premium } = choice;
  const colours = useColours(markets);
  const canBeCandles = canHaveCandles(choice);
  const wanted = { markets, days, candles: choice.candles && canBeCandles };
  const address = markets.length === 0 ? undefined : historyAddress('json', wanted);
  const { history, hasFailed, ...read } = useHistory({
    ...{ address, version: figures.version, answers, isHeld: showWhole !== undefined },
  });
  // A line that goes keeps its colour until the next figures are there.
  const found = useMemo(() => {
    const all = history && chartData(history, language, colours);
    return all && (premium ? all : { ...all, premium: undefined });
  }, [history, premium]);
  const data = markets.length > 0 && found?.days.length ? found : undefined;
  const isWaiting = read.address !== address && !hasFailed;
  const drawn =
    data !== undefined &&
    live !== undefined &&
    h(live.charts, {
      ...{ key: `${data.days[0]} ${data.days.length}`, data, language },
      onZoom: (show) => setShowWhole(() => show),
    });
  const isCompared = figures.rates.some(
    ({ market, gap_percent }) => markets.includes(market) && gap_percent !== undefined,
  );
  const hasPremium = data
    ? data.premium !== undefined
    : premium && (isCompared || markets.length === 0);
  // Above the plots of a phone two figures stand on a line, the day among them.
  const isEmpty = markets.length === 0;
  const figureCount = markets.length + Number(hasPremium) + (wanted.candles ? CANDLE_ROWS : 0);
  const nothing = hasFailed ? texts.failed : isWaiting ? '' : texts.nothing;
  const candled = data?.rates.find(({ candle }) => candle !== undefined);
  const notes = [
    ...(markets.length >= MAX_BOARD_SERIES ? [texts.tooMany(MAX_BOARD_SERIES)] : []),
    ...(premium && !hasPremium && !isEmpty ? [texts.noPremium] : []),
    ...(canBeCandles || isEmpty ? [] : [texts.noCandles(MAX_CANDLE_DAYS)]),
    ...(showWhole === undefined ? [] : [texts.zoomed]),
  ];
  const changes = data?.unitChanges.map((one) => unitChangeText(one, language)) ?? [];
  const shared = { figures, language, choice, onChoice };
  return html`<header><h2 id="history-heading">${texts.heading}</h2><button type="button" id="chart-whole" class="whole no-print" hidden=${showWhole === undefined} onClick=${showWhole}>${texts.zoomOut}</button>${h(RangeChoice, shared)}${h(FileLinks, { language, wanted })}</header>
${h(LineChoice, { ...shared, colours })}
<div id="charts" class="charts" data-lines=${Math.ceil((1 + figureCount) / 2)} data-premium=${hasPremium ? 'true' : undefined} aria-busy=${isWaiting ? 'true' : undefined}>${drawn}<p id="chart-state" role="status"><noscript>${texts.needsScript}</noscript>${data === undefined && (isEmpty ? texts.noMarket : nothing)}</p>${isEmpty && h(FirstLines, shared)}</div>
<p class="quiet foot"><span id="chart-note" role="status">${notes.join(' ')}</span> ${!candled && texts.about} <span id="chart-candles-about">${candled && texts.candlesAre(candled.name)}</span> <span id="chart-units">${changes.length > 0 && `${changes.join(' ')} ${texts.inTodaysUnit}`}</span> <a class="month-link no-print" href="${linkTo(reader, MONTH_PATH)}">${texts.month}</a></p>
${data !== undefined && h(ChartTable, { data, language })}`;
}

/** Where no market is chosen: a way back to those that the page begins with. */
function FirstLines({ figures, language, choice, onChoice }: HistoryChoiceParts): Html {
  const { markets } = choiceOf('', figures);
  const names = figures.rates.flatMap((rate) =>
    markets.includes(rate.market) ? [nameIn(rate, language)] : [],
  );
  return html`<p class="first-lines no-print"><button type="button" onClick=${() => onChoice({ ...choice, markets })}>${CHART_TEXTS[language].showFirst(listText(names, language))}</button></p>`;
}

/** The number of each market's colour, which it keeps while others come and go. */
function useColours(markets: readonly string[]): ReadonlyMap<string, number> {
  const kept = useRef<ReadonlyMap<string, number>>(new Map());
  return useMemo(() => {
    kept.current = lineColours(kept.current, markets);
    return kept.current;
  }, [markets]);
}
