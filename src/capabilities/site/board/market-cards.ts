import { h } from 'preact';
import { PARALLEL_MARKET } from '../../../core/domain/markets.ts';
import type { Instant } from '../../../core/domain/time.ts';
import type { Language } from '../../../core/domain/words/language.ts';
import { type Html, html } from '../../../core/http/framework/encoding/html.ts';
import {
  capitalised,
  countText,
  listText,
  percentText,
  rateText,
  signedText,
} from '../frame/format.ts';
import { BOARD_TEXTS, MARKET_TEXTS } from '../texts/texts.ts';
import { age, type BoardReader, fresh, rateAge, StaleMark } from './age.ts';
import type { BoardFigures } from './board-figures.ts';
import { ChangingFigure } from './changing-figure.ts';
import { CONVERTER_ID, INDEX, P2P_MEDIAN } from './converter/converter.ts';
import { moved, signedVes } from './moved.ts';
import {
  datedRates,
  indexDatedAt,
  indexStaleFrom,
  p2pStaleFrom,
  premiumStaleFrom,
} from './staleness.ts';

type CardTrend = BoardFigures['trends'][keyof BoardFigures['trends']];

interface Card {
  readonly heading: string;
  /** Absent without a current rate. */
  readonly figure: string | undefined;
  readonly freshness: Html;
  readonly about: Html;
  readonly trend: CardTrend;
  /** Colour of the curve, as a class. */
  readonly curve: string;
  /** With which a tap on the card converts. Without one it shows the history of the parallel market. */
  readonly market?: string;
}

interface CardActions {
  readonly onConvert: (market: string) => void;
  /** Absent without a history. */
  readonly onChart: ((market: string) => void) | undefined;
}

export function marketCards(
  figures: BoardFigures,
  reader: BoardReader,
  actions: CardActions,
): Html {
  const { rates, p2p, index, gap: premium, trends } = figures;
  const { language } = reader;
  const texts = BOARD_TEXTS[language];
  const parallel = rates.find(({ market }) => market === PARALLEL_MARKET);
  const dated = datedRates(figures);
  const compared = dated.find(({ market }) => market === premium?.compared.market);
  const freshness = (since: string, from: Instant | undefined) =>
    fresh(age(since, reader), h(StaleMark, { from, reader }));
  const cards: readonly Card[] = [
    {
      market: PARALLEL_MARKET,
      heading: texts.parallel,
      figure: parallel && rateText(parallel.mid, language),
      freshness: parallel && rateAge(parallel, reader),
      about: texts.perUnit.USD,
      trend: trends.parallel,
      curve: 'series-2',
    },
    {
      market: P2P_MEDIAN,
      heading: texts.p2pMedian,
      figure: p2p && rateText(p2p.median, language),
      freshness: p2p && freshness(p2p.updated_at, p2pStaleFrom(rates)),
      about: p2p && p2pAbout(p2p, language),
      trend: trends.p2p,
      curve: 'series-3',
    },
    {
      market: INDEX,
      heading: texts.index,
      figure: index && rateText(index.value, language),
      freshness: index && freshness(indexDatedAt(figures) ?? index.as_of, indexStaleFrom(figures)),
      about: index && indexAbout(index, figures.index_sources, language),
      trend: trends.index,
      curve: 'series-4',
    },
    {
      heading: texts.premium,
      figure: premium && percentText(premium.spread.percentage, language),
      freshness:
        premium &&
        freshness(premium.compared.updated_at, compared && premiumStaleFrom(compared, dated)),
      about: premium && `${texts.premiumAbout}: ${signedVes(premium.spread.absolute, language)}`,
      trend: trends.gap,
      curve: 'series-premium',
    },
  ];
  return html`${cards.map((one) => card(one, language, actions))}`;
}

function card(
  { heading, figure, freshness, about, trend, curve, market }: Card,
  language: Language,
  { onConvert, onChart }: CardActions,
): Html {
  const { none, convert } = BOARD_TEXTS[language];
  if (figure === undefined) {
    return html`<article class="stat"><h3>${heading}</h3><p class="quiet">${none}</p></article>`;
  }
  const opened = market
    ? { href: `#${CONVERTER_ID}`, title: convert, onClick: () => onConvert(market) }
    : onChart && {
        ...{ href: '#history', title: MARKET_TEXTS[language].history },
        onClick: () => onChart(PARALLEL_MARKET),
      };
  const line = trend && sparkline(trend.closes, curve);
  return html`<article class="stat"><h3>${heading}</h3>${opened && html`<a class="cover with-script" aria-label="${opened.title}: ${heading}" ...${opened}></a>`}
<p class="figure-line">${h(ChangingFigure, { text: figure, kind: 'medium' })}</p>
<p class="change">${change(trend, language)}</p>${freshness}
<p class="quiet small">${about}</p>${line && html`<div class="curve"><small>${countText(trend.closes.length - 1, language)} d</small>${line}</div>`}</article>`;
}

function change(trend: CardTrend, language: Language): Html {
  if (trend?.change === undefined) return undefined;
  const { points, lastDay } = BOARD_TEXTS[language];
  const text =
    'percent' in trend.change
      ? percentText(trend.change.percent, language)
      : `${signedText(trend.change.amount, language)} ${points}`;
  return html`${moved(text)} <span class="quiet"><span class="between">· </span>${lastDay}</span>`;
}

function p2pAbout(p2p: NonNullable<BoardFigures['p2p']>, language: Language): Html {
  const { count, stale_count: stale } = p2p;
  const { p2pMarkets, p2pStale } = BOARD_TEXTS[language];
  const isPartlyStale = stale > 0 && stale < count;
  return html`${p2pMarkets(count)}${isPartlyStale && html` · <span class="late">${p2pStale(countText(stale, language))}</span>`}`;
}

const FLAGS = ['bcv_stale', 'degraded', 'outliers_excluded'] as const;
const PARTS = ['bcv', 'paralelo', 'p2p'] as const;

function indexAbout(
  { weights, flags }: NonNullable<BoardFigures['index']>,
  sources: BoardFigures['index_sources'],
  language: Language,
): Html {
  const texts = BOARD_TEXTS[language];
  const listed = (has: (part: (typeof PARTS)[number]) => boolean | undefined) =>
    listText(
      PARTS.filter(has).map((part) => texts.indexParts[part]),
      language,
    );
  const used = listed((part) => (weights[part] ?? 0) > 0);
  const lacks = [
    [texts.indexWithout, listed((part) => flags.missing_sources?.includes(part))],
    [texts.indexStale, listed((part) => sources?.stale?.includes(part))],
    [texts.indexInDoubt, listed((part) => sources?.in_doubt?.includes(part))],
  ] as const;
  const raised = [
    ...FLAGS.filter((flag) => flags[flag] !== undefined).map((flag) => texts.indexFlags[flag]),
    ...lacks.flatMap(([write, parts]) => (parts === '' ? [] : [write(parts)])),
  ];
  return html`${capitalised(used)}${raised.map(
    (text) => html` · <span class="late">${text}</span>`,
  )}`;
}

/** Units of the drawing; the stylesheet stretches it over its card. */
const CURVE_WIDTH = 1200;
const CURVE_HEIGHT = 360;
/** Space above and below, so that the line is not cut. */
const CURVE_MARGIN = 30;
/** Fewest values that make a meaningful line. */
const FEWEST_VALUES = 3;

/**
 * A small curve of values, oldest first. Decoration: the chart and its table show the same.
 * @returns undefined for too few values.
 */
function sparkline(values: readonly number[], kind: string): Html | undefined {
  if (values.length < FEWEST_VALUES) return undefined;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const span = high - low || 1;
  const points = values.map((value, position) => {
    const x = Math.trunc((position * CURVE_WIDTH) / (values.length - 1));
    const y = Math.trunc(
      CURVE_HEIGHT - CURVE_MARGIN - ((value - low) / span) * (CURVE_HEIGHT - 2 * CURVE_MARGIN),
    );
    return `${x} ${y}`;
  });
  const line = `M${points.join('L')}`;
  return html`<svg class="spark ${kind}" viewBox="0 0 ${CURVE_WIDTH} ${CURVE_HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><path class="fill" d="${line}L${CURVE_WIDTH} ${CURVE_HEIGHT}L0 ${CURVE_HEIGHT}Z"/><path d="${line}"/></svg>`;
}
