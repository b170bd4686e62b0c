import { OFFICIAL_USD, PARALLEL_MARKET } from '../../../../core/domain/markets.ts';
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
  const colours = new Map([...before].filter(([market]) => chosen.includes(market)));
  const owned = [...OWN_COLOURS.values()];
  for (const market of chosen.filter((one) => !before.has(one))) {
    const free = ALL_COLOURS.filter((colour) => ![...colours.values()].includes(colour));
    const own = free.find((colour) => colour === OWN_COLOURS.get(market));
    const unowned = free.find((colour) => !owned.includes(colour));
    colours.set(market, own ?? unowned ?? free[0] ?? 1);
  }
  return colours;
}
