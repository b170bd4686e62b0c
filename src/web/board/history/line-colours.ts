import { OFFICIAL_USD, PARALLEL_MARKET } from '../../../domain/markets.ts';
import { MAX_BOARD_SERIES } from '../board-figures.ts';

/** Markets whose colour is the same everywhere on the page. */
const OWN_COLOURS: ReadonlyMap<string, number> = new Map([
  [OFFICIAL_USD, 1],
  [PARALLEL_MARKET, 2],
]);
const ALL_COLOURS = Array.from({ length: MAX_BOARD_SERIES }, (_, position) => position + 1);

/**
 * The number of each chosen market's colour in the stylesheet, from 1 on. A market that was chosen
 * before keeps its colour: a reader knows a line by it. No two share one.
 */
export function lineColours(
  before: ReadonlyMap<string, number>,
  chosen: readonly string[],
): ReadonlyMap<string, number> {
  const colours = new Map<string, number>();
  for (const market of chosen) {
    const kept = before.get(market);
    if (kept !== undefined) colours.set(market, kept);
  }
  for (const market of chosen) {
    if (!colours.has(market)) colours.set(market, freeColour(market, [...colours.values()]));
  }
  return colours;
}

/** The market's own colour, else a colour that no other market owns, else any. */
function freeColour(market: string, taken: readonly number[]): number {
  const free = ALL_COLOURS.filter((one) => !taken.includes(one));
  const own = OWN_COLOURS.get(market);
  if (own !== undefined && free.includes(own)) return own;
  const owned = [...OWN_COLOURS.values()];
  return free.find((one) => !owned.includes(one)) ?? free[0] ?? 1;
}
