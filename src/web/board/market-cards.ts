import { h } from 'preact';
import { PARALLEL_MARKET } from '../../domain/markets.ts';
import type { Instant } from '../../domain/time.ts';
import { countText, percentText, rateText, signedText } from '../frame/format.ts';
import { type Html, html } from '../frame/html.ts';
import type { Language } from '../frame/language.ts';
import { age, type BoardReader, fresh, rateAge, staleMark } from './age.ts';
import type { BoardFigures } from './board-figures.ts';
import { BOARD_TEXTS } from './board-texts.ts';
import { ChangingFigure } from './changing-figure.ts';
import { moved, signedVes } from './moved.ts';
import { indexDatedAt, indexStaleFrom, p2pStaleFrom, premiumStaleFrom } from './staleness.ts';

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
}

export function marketCards(figures: BoardFigures, reader: BoardReader): Html {
  if (figures.rates.length === 0) return html``;
  const cards = [parallelCard, p2pCard, indexCard, premiumCard];
  return html`${cards.map((make) => card(make(figures, reader), reader))}`;
}

function card(
  { heading, figure, freshness, about, trend, curve }: Card,
  reader: BoardReader,
): Html {
  const { none, curve: curveText } = BOARD_TEXTS[reader.language];
  if (figure === undefined) {
    return html`<article class="stat"><header><h3>${heading}</h3></header><p class="quiet">${none}</p></article>`;
  }
  const line = trend && sparkline(trend.closes, curve);
  return html`<article class="stat"><header><h3>${heading}</h3>${freshness}</header>
<p class="figure-line">${h(ChangingFigure, { text: figure, kind: 'medium' })}</p>
<p class="change">${change(trend, reader)}</p>
<p class="quiet small">${about}</p>${line && html`<div class="curve" title="${curveText}">${line}</div>`}</article>`;
}

function freshness(since: string, end: Instant | undefined, reader: BoardReader): Html {
  return fresh(age(since, reader, { bare: true }), staleMark(end, reader));
}

function change(trend: CardTrend, { language }: BoardReader): Html {
  if (trend?.change === undefined) return undefined;
  const { points, lastDay } = BOARD_TEXTS[language];
  const text =
    'percent' in trend.change
      ? percentText(trend.change.percent, language)
      : `${signedText(trend.change.amount, language)} ${points}`;
  return html`${moved(text)} <span class="quiet"><span class="between">· </span>${lastDay}</span>`;
}

function parallelCard({ rates, trends }: BoardFigures, reader: BoardReader): Card {
  const texts = BOARD_TEXTS[reader.language];
  const row = rates.find(({ market }) => market === PARALLEL_MARKET);
  return {
    heading: texts.parallel,
    figure: row && rateText(row.mid, reader.language),
    freshness: row && rateAge(row, reader, { bare: true }),
    about: texts.perUnit.USD,
    trend: trends.parallel,
    curve: 'series-2',
  };
}

function p2pCard({ p2p, rates, trends }: BoardFigures, reader: BoardReader): Card {
  const { language } = reader;
  const texts = BOARD_TEXTS[language];
  return {
    heading: texts.p2pMedian,
    figure: p2p && rateText(p2p.median, language),
    freshness: p2p && freshness(p2p.updated_at, p2pStaleFrom(rates), reader),
    about:
      p2p &&
      html`${texts.p2pMarkets(p2p.count)}${
        p2p.stale_count > 0 &&
        p2p.stale_count < p2p.count &&
        html` · <span class="late">${texts.p2pStale(countText(p2p.stale_count, language))}</span>`
      }`,
    trend: trends.p2p,
    curve: 'series-3',
  };
}

const FLAGS = ['bcv_stale', 'degraded', 'outliers_excluded'] as const;
const PARTS = ['bcv', 'paralelo', 'p2p'] as const;

function indexAbout(
  { weights, flags }: NonNullable<BoardFigures['index']>,
  language: Language,
): Html {
  const texts = BOARD_TEXTS[language];
  const { indexParts, and, indexWithout, indexFlags } = texts;
  const listed = (parts: readonly (typeof PARTS)[number][]) => {
    const names = parts.map((part) => indexParts[part]);
    const last = names.pop() ?? '';
    return names.length === 0 ? last : `${names.join(', ')} ${and} ${last}`;
  };
  const used = listed(PARTS.filter((part) => (weights[part] ?? 0) > 0));
  const missing = PARTS.filter((part) => flags.missing_sources?.includes(part));
  const stale = PARTS.filter((part) => flags.stale_sources?.includes(part));
  const inDoubt = PARTS.filter((part) => flags.in_doubt_sources?.includes(part));
  const raised = [
    ...FLAGS.filter((flag) => flags[flag] !== undefined).map((flag) => indexFlags[flag]),
    ...(missing.length > 0 ? [indexWithout(listed(missing))] : []),
    ...(stale.length > 0 ? [texts.indexStale(listed(stale))] : []),
    ...(inDoubt.length > 0 ? [texts.indexInDoubt(listed(inDoubt))] : []),
  ];
  return html`${used.charAt(0).toUpperCase()}${used.slice(1)}${raised.map(
    (text) => html` · <span class="late">${text}</span>`,
  )}`;
}

function indexCard(figures: BoardFigures, reader: BoardReader): Card {
  const { index, trends } = figures;
  const texts = BOARD_TEXTS[reader.language];
  return {
    heading: texts.index,
    figure: index && rateText(index.value, reader.language),
    freshness:
      index && freshness(indexDatedAt(figures) ?? index.as_of, indexStaleFrom(figures), reader),
    about: index && indexAbout(index, reader.language),
    trend: trends.index,
    curve: 'series-4',
  };
}

function premiumCard({ gap: premium, rates, trends }: BoardFigures, reader: BoardReader): Card {
  const { language } = reader;
  const texts = BOARD_TEXTS[language];
  const compared = rates.find(({ market }) => market === premium?.compared.market);
  const end = compared && premiumStaleFrom(compared, rates);
  return {
    heading: texts.premium,
    figure: premium && percentText(premium.spread.percentage, language),
    freshness: premium && freshness(premium.compared.updated_at, end, reader),
    about: premium && `${texts.premiumAbout}: ${signedVes(premium.spread.absolute, language, 2)}`,
    trend: trends.gap,
    curve: 'series-premium',
  };
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
