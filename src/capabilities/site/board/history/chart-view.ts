/** What a reader sees of the days of a chart, and how keys and fingers change it. */

/** The days in sight, by their position among all. While two fingers move they may be fractions. */
export interface ChartView {
  readonly from: number;
  readonly to: number;
  /** The day that is read, if any. */
  readonly at?: number | undefined;
}

/** Share of the shown days that are left when one key press zooms in. */
const ZOOM_FACTOR = 0.6;
/** The fewest days that can be shown: two points. */
const SHORTEST_SPAN = 1;
/** Less than this share of a day beside the shown ones is nothing. */
const LEAST_REST = 0.01;
/** Nearer fingers are one: the smallest move would zoom without end. */
const LEAST_DISTANCE = 0.05;

export const wholeView = (last: number): ChartView => ({ from: 0, to: last });

export const isZoomed = ({ from, to }: ChartView, last: number): boolean => from > 0 || to < last;

/** The view after a key: it moves through the days, or zooms. @returns undefined for other keys. */
export function afterKey(view: ChartView, key: string, last: number): ChartView | undefined {
  const at = view.at ?? Math.floor(view.to);
  switch (key) {
    case 'ArrowLeft':
      return reading(view, Math.max(0, at - 1));
    case 'ArrowRight':
      return reading(view, Math.min(last, at + 1));
    case 'Home':
      return reading(view, 0);
    case 'End':
      return reading(view, last);
    case '+':
      return zoomedBy(view, at, ZOOM_FACTOR, last);
    case '-':
      return zoomedBy(view, at, 1 / ZOOM_FACTOR, last);
    case 'Escape':
      return view.at === undefined ? wholeView(last) : { ...view, at: undefined };
    default:
      return undefined;
  }
}

/** Reads a day. One that is out of sight moves the shown days. */
function reading({ from, to }: ChartView, at: number): ChartView {
  const shift = Math.min(0, at - from) + Math.max(0, at - to);
  return { from: from + shift, to: to + shift, at };
}

/** Fewer or more days around one, which stays in its place as far as there are days. */
function zoomedBy(view: ChartView, at: number, factor: number, last: number): ChartView {
  const { from, to } = view;
  const wanted = (to - from) * factor;
  const span = wanted > last - LEAST_REST ? last : wanted;
  if (span < SHORTEST_SPAN) return { ...view, at };
  return reading(within(at - (at - from) * factor, span, last), at);
}

/** The day nearest to a place between days. */
export const nearestDay = (place: number): number => Math.floor(place + 0.5);

/** The days between two, in any order; undefined if these are too few. */
export function spanBetween(one: number, other: number, last: number): ChartView | undefined {
  const from = Math.max(0, nearestDay(Math.min(one, other)));
  const to = Math.min(last, nearestDay(Math.max(one, other)));
  return to - from < SHORTEST_SPAN ? undefined : { from, to };
}

/** Two fingers: the position of the day under each, and its place as a share of the width. */
export interface Pinch {
  readonly days: readonly [number, number];
  readonly places: readonly [number, number];
}

/** The view in which each of the two days is again under its finger, as far as there are days. */
export function pinched(view: ChartView, { days, places }: Pinch, last: number): ChartView {
  const distance = places[1] - places[0];
  const way = days[1] - days[0];
  if (Math.abs(distance) < LEAST_DISTANCE || distance * way <= 0) return view;
  const span = Math.min(last, Math.max(SHORTEST_SPAN, way / distance));
  return within(days[0] - places[0] * span, span, last);
}

function within(from: number, span: number, last: number): ChartView {
  const start = Math.min(Math.max(0, from), last - span);
  return { from: start, to: start + span };
}

/** What is drawn: the nearest whole days, so that lines end in a figure that has its day. */
export const wholeDays = ({ from, to, at }: ChartView): ChartView => ({
  ...{ from: nearestDay(from), to: nearestDay(to), at },
});

/** Places of labels beside each other's, in their order: at least `gap` apart, none beyond `last`. */
export function apart(places: readonly number[], gap: number, last: number): readonly number[] {
  const moved = [...places];
  const order = moved.map((_, at) => at).toSorted((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
  let least = Number.NEGATIVE_INFINITY;
  for (const at of order) {
    moved[at] = Math.max(moved[at] ?? 0, least);
    least = moved[at] + gap;
  }
  let most = last;
  for (const at of order.toReversed()) {
    moved[at] = Math.min(moved[at] ?? 0, most);
    most = moved[at] - gap;
  }
  return moved;
}
