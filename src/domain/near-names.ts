import type { Market, Markets } from './markets.ts';

/** Most ids that a wrong name is answered with. */
export const MAX_NEAR_NAMES = 3;

/** Longer names are compared with nothing: no market's is half as long. */
export const MAX_COMPARED_LENGTH = 64;

/** A name shorter than this may differ by one letter, a longer one by two. */
const LONG_NAME = 6;

/** How a name fits; the smaller, the nearer. */
const SAME_LETTERS = 0;
const SAME_WORD = 1;
const KNOWN_ELSEWHERE = 2;
const FAR = Number.POSITIVE_INFINITY;

/** Names of markets without case, accents and separators, so that `En Paralelo` is `enparalelo`. */
function lettersOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}

/**
 * The ids of the markets that a caller may have meant by a name which no market has, nearest first,
 * equally near ones in catalogue order: the same name in another case, a name that has the market's
 * as a word (`binance_p2p`), what other services call it, a small typing error (decisions §1).
 */
export function nearMarkets({ list }: Markets, name: string): readonly string[] {
  if (name.length > MAX_COMPARED_LENGTH) return [];
  const letters = lettersOf(name);
  if (letters === '') return [];
  const words = name.toLowerCase().split(/[^a-z0-9]+/);
  return list
    .map((market) => ({ id: market.id, distance: distanceOf(market, letters, words) }))
    .filter(({ distance }) => distance < FAR)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_NEAR_NAMES)
    .map(({ id }) => id);
}

/** What a sentence about a name that no market has ends with: empty where none is near. */
export function didYouMean(markets: Markets, name: string): string {
  const near = nearMarkets(markets, name);
  return near.length === 0 ? '' : ` Did you mean ${near.join(', ')}?`;
}

function distanceOf(
  { id, aliases, alsoKnownAs }: Market,
  letters: string,
  words: readonly string[],
): number {
  const own = [id, ...aliases];
  if (own.some((name) => lettersOf(name) === letters)) return SAME_LETTERS;
  if (alsoKnownAs.some((name) => lettersOf(name) === letters)) return KNOWN_ELSEWHERE;
  if (own.some((name) => words.includes(name))) return SAME_WORD;
  const allowed = letters.length < LONG_NAME ? 1 : 2;
  const typos = Math.min(
    ...[...own, ...alsoKnownAs].map((name) => typingErrors(letters, lettersOf(name), allowed)),
  );
  return KNOWN_ELSEWHERE + typos;
}

/**
 * The least number of letters added, left out, changed or swapped with the next one that makes `a`
 * into `b` (optimal string alignment); Infinity when that is more than `allowed`.
 */
function typingErrors(a: string, b: string, allowed: number): number {
  if (Math.abs(a.length - b.length) > allowed) return FAR;
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const changed = a[row - 1] === b[column - 1] ? 0 : 1;
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(
        Math.min(
          (last[column] ?? FAR) + 1,
          (current[column - 1] ?? FAR) + 1,
          (last[column - 1] ?? FAR) + changed,
          isSwap ? (beforeLast[column - 2] ?? FAR) + 1 : FAR,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  const errors = last[b.length] ?? FAR;
  return errors <= allowed ? errors : FAR;
}
