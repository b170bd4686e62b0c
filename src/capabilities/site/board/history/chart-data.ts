import type { ComponentType } from 'preact';
import type { UnitChange } from '../../../../client/types.ts';
import { hasValueDates } from '../../../../core/domain/markets.ts';
import { addUtcDays, parseUtcDay } from '../../../../core/domain/time.ts';
import type { Language } from '../../../../core/domain/words/language.ts';
import { percentText, rateText } from '../../frame/format.ts';
import { CHART_TEXTS } from '../../texts/texts.ts';
import { nameIn } from '../age.ts';
import type { BoardHistory, BoardPoint, BoardSeries } from '../board-figures.ts';

/** A figure for each day. */
export type Column = readonly (number | null)[];

/** The rates of a market, or a premium over the official rate. */
export interface ChartLine {
  /** At its end and in a reading. */
  readonly name: string;
  /** In the table. */
  readonly title: string;
  /** The name of its colour in the stylesheet. */
  readonly colour: string;
  readonly values: Column;
  readonly write: (value: number, language: Language) => string;
  /** An official rate holds until the next one. */
  readonly isOfficial: boolean;
  /** The values are its closes. */
  readonly candle?: Readonly<Record<'open' | 'high' | 'low', Column>> | undefined;
}

export interface ChartData {
  /** Every UTC day of the range, from the first one with a rate on. */
  readonly days: readonly string[];
  readonly rates: readonly ChartLine[];
  /** That of the first market that has one. */
  readonly premium: ChartLine | undefined;
  /** On these days the unit changed. All values are in the newest one. */
  readonly unitChanges: readonly UnitChange[];
}

export interface ChartsParts {
  readonly data: ChartData;
  readonly language: Language;
  /** Gets what shows all days again, while some are out of sight. */
  readonly onZoom: (showWhole: (() => void) | undefined) => void;
}

/** Draws the plots. Only a browser has it. */
export type DrawnCharts = ComponentType<ChartsParts>;

/** What is drawn of a history. `colours` has the number of each market's colour, from 1 on. */
export function chartData(
  { series, from, to, unit_changes = [] }: BoardHistory,
  language: Language,
  colours: ReadonlyMap<string, number>,
): ChartData {
  const hasOpening = series.some(({ opening }) => opening !== undefined);
  const firsts = series.flatMap(({ points }) => points[0]?.date ?? []).sort();
  const first = hasOpening ? from : firsts[0];
  const days: string[] = [];
  for (let day = parseUtcDay(first ?? ''); day !== undefined && day <= to; day = addUtcDays(day, 1))
    days.push(day);
  const column = ({ points }: BoardSeries, value: (point: BoardPoint) => number | undefined) => {
    const figures = new Map(points.map((point) => [point.date, value(point)]));
    return days.map((day) => figures.get(day) ?? null);
  };
  const lines = series.map((one) => {
    const name = nameIn(one, language);
    const isOfficial = hasValueDates(one.market);
    const values = column(one, ({ rate }) => rate);
    // An official rate has one capture a day, so a candle would be only a dash.
    const hasCandles = !isOfficial && one.points.some(({ open }) => open !== undefined);
    return {
      ...{ name, title: name, isOfficial, write: rateText },
      colour: `series-${colours.get(one.market) ?? 1}`,
      values: isOfficial ? heldOn(values, one.opening) : values,
      candle: hasCandles
        ? {
            open: column(one, ({ open }) => open),
            high: column(one, ({ high }) => high),
            low: column(one, ({ low }) => low),
          }
        : undefined,
    };
  });
  const drawn = lines.find(({ candle }) => candle !== undefined);
  const compared = series.find(({ points }) =>
    points.some((point) => point.gap_percent !== undefined),
  );
  const texts = CHART_TEXTS[language];
  return {
    days,
    rates: lines.map((line) => (line === drawn ? line : { ...line, candle: undefined })),
    premium: compared && {
      ...{ name: texts.premium, title: texts.premiumOf(nameIn(compared, language)) },
      ...{ colour: 'premium', write: percentText, isOfficial: false },
      values: column(compared, ({ gap_percent }) => gap_percent),
    },
    unitChanges: unit_changes.filter(({ on }) => days.includes(on)),
  };
}

/** The figures of a line, with the parts of its candles: the close is the last one. */
export function figureColumns(
  { values, candle }: ChartLine,
  language: Language,
): readonly { readonly part?: string; readonly values: Column }[] {
  if (candle === undefined) return [{ values }];
  const { opens, highest, lowest, closes } = CHART_TEXTS[language];
  return [
    { part: opens, values: candle.open },
    { part: highest, values: candle.high },
    { part: lowest, values: candle.low },
    { part: closes, values },
  ];
}

/** Each value until the next one, to the present day. */
function heldOn(values: Column, opening: number | undefined): Column {
  let held = opening ?? null;
  return values.map((value) => {
    held = value ?? held;
    return held;
  });
}
