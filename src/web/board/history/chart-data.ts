import type { UnitChange } from '../../../client/types.ts';
import { hasValueDates } from '../../../domain/markets.ts';
import { addUtcDays, parseUtcDay } from '../../../domain/time.ts';
import type { BoardHistory, BoardSeries } from '../board-figures.ts';

/** Rows of the chart: the days, each series' values, and the premium. */
export interface ChartData {
  /** Every UTC day of the range, from the first one with a rate on. */
  readonly days: readonly string[];
  readonly series: readonly BoardSeries[];
  readonly values: readonly (readonly (number | null)[])[];
  /** The series drawn in candles, if any. */
  readonly candles: CandleColumns | undefined;
  /** The series whose premium over the official rate is drawn: the first that has one. */
  readonly compared: BoardSeries | undefined;
  readonly premium: readonly (number | null)[] | undefined;
  /** On these days the unit changed. All values are in the newest one. */
  readonly unitChanges: readonly UnitChange[];
}

/** Besides the closes, which are the values of the series. */
interface CandleColumns {
  /** Position of the series. */
  readonly position: number;
  readonly open: readonly (number | null)[];
  readonly high: readonly (number | null)[];
  readonly low: readonly (number | null)[];
}

export function chartData({ series, from, to, unit_changes = [] }: BoardHistory): ChartData {
  const hasOpening = series.some(({ opening }) => opening !== undefined);
  const firsts = series.flatMap(({ points }) => points[0]?.date ?? []).sort();
  const first = hasOpening ? from : firsts[0];
  const days = first === undefined ? [] : daysBetween(first, to);
  const at = new Map(days.map((day, position) => [day, position]));
  const column = (
    one: BoardSeries,
    value: (point: BoardSeries['points'][number]) => number | undefined,
  ) => {
    const values: (number | null)[] = days.map(() => null);
    for (const point of one.points) values[at.get(point.date) ?? 0] = value(point) ?? null;
    return values;
  };
  const compared = series.find(({ points }) =>
    points.some((point) => point.gap_percent !== undefined),
  );
  // An official rate has one capture a day, so a candle would be only a dash.
  const position = series.findIndex(
    (one) => !hasValueDates(one.market) && one.points.some(({ open }) => open !== undefined),
  );
  const drawn = series[position];
  return {
    days,
    series,
    candles: drawn && {
      position,
      open: column(drawn, ({ open }) => open),
      high: column(drawn, ({ high }) => high),
      low: column(drawn, ({ low }) => low),
    },
    values: series.map((one) => {
      const values = column(one, ({ rate }) => rate);
      // An official rate holds until the next one.
      return hasValueDates(one.market) ? heldOn(values, one.opening) : values;
    }),
    compared,
    premium: compared && column(compared, ({ gap_percent }) => gap_percent),
    unitChanges: unit_changes.filter(({ on }) => at.has(on)),
  };
}

function daysBetween(from: string, to: string): readonly string[] {
  const days: string[] = [];
  for (let day = parseUtcDay(from); day !== undefined && day <= to; day = addUtcDays(day, 1)) {
    days.push(day);
  }
  return days;
}

/** Each value until the next one, to the present day. */
function heldOn(
  values: readonly (number | null)[],
  opening: number | undefined,
): readonly (number | null)[] {
  let held = opening ?? null;
  return values.map((value) => {
    held = value ?? held;
    return held;
  });
}
