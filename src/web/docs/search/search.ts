/** Searches the documentation in the browser, with an index from the service. */

/** A place in the documentation. */
export interface SearchEntry {
  readonly title: string;
  /** Title of its page, or of its part of the reference. */
  readonly place: string;
  /** Address on this site, with its fragment; without a language. */
  readonly path: string;
  /** The beginning of its text. */
  readonly about: string;
  /** The different words of its text, folded, with blanks between. */
  readonly words: string;
  /** Words that readers use for it, searched like its title; absent where the title says it all. */
  readonly names?: string;
}

/** Most results that are shown. */
export const MAX_RESULTS = 8;
/** Most words of a query; the search ignores the rest. */
const MAX_QUERY_WORDS = 8;
/**
 * A word of the query may be this much longer than the found one, for plurals: `márgenes` finds
 * `margen`.
 */
const ENDING_LENGTH = 2;
/** A found word must have this length, or the query may not go on after it. */
const STEM_LENGTH = 4;

/** Extra weight of a title, by the share of its words in the query. */
const WHOLE_TITLE_WEIGHT = 6;

/** Extra weight of a whole page, which is the better place to begin. */
const WHOLE_PAGE_WEIGHT = 5;

/** Weight of a found word, by where it was found. */
const WEIGHTS = { wholeInTitle: 12, inTitle: 8, whole: 3, begun: 1 } as const;

/** Words as they are compared: without accents, in lower case; `rate_not_published` and its parts. */
export function foldedWords(text: string): readonly string[] {
  const folded = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return (folded.match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap((word) =>
    word.includes('_') ? [word, ...word.split('_').filter((part) => part !== '')] : [word],
  );
}

function weightIn(words: readonly string[], asked: string): 'whole' | 'begun' | undefined {
  if (words.includes(asked)) return 'whole';
  const isNear = (word: string) =>
    word.startsWith(asked) ||
    (word.length >= STEM_LENGTH &&
      asked.startsWith(word) &&
      asked.length - word.length <= ENDING_LENGTH);
  return words.some(isNear) ? 'begun' : undefined;
}

/** The weight of an entry; undefined if it lacks a word of the query. */
function scoreOf(
  { path, title, words, names = '' }: SearchEntry,
  asked: readonly string[],
): number | undefined {
  const [titleWords, nameWords] = [foldedWords(title), foldedWords(names)];
  const textWords = words.split(' ');
  let score = path.includes('#') ? 0 : WHOLE_PAGE_WEIGHT;
  let named = 0;
  for (const word of asked) {
    const inTitle = weightIn(titleWords, word);
    const inNames = weightIn(nameWords, word);
    const inText = weightIn(textWords, word);
    const best = inTitle === 'whole' ? inTitle : (inNames ?? inTitle);
    if (best === undefined && inText === undefined) return undefined;
    if (best !== undefined) score += WEIGHTS[best === 'whole' ? 'wholeInTitle' : 'inTitle'];
    if (inTitle !== undefined) named += 1;
    if (inText !== undefined) score += WEIGHTS[inText];
  }
  return score + (WHOLE_TITLE_WEIGHT * named) / Math.max(1, titleWords.length);
}

/** The entries that have every word of the query, the best first; at most `MAX_RESULTS`. */
export function searchIn(entries: readonly SearchEntry[], query: string): readonly SearchEntry[] {
  const asked = foldedWords(query).slice(0, MAX_QUERY_WORDS);
  if (asked.length === 0) return [];
  return entries
    .flatMap((entry) => {
      const score = scoreOf(entry, asked);
      return score === undefined ? [] : [{ entry, score }];
    })
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_RESULTS)
    .map(({ entry }) => entry);
}

/** The text in parts; those that the query found are hits. */
export function markedParts(
  text: string,
  query: string,
): readonly { readonly part: string; readonly isHit: boolean }[] {
  const asked = foldedWords(query).slice(0, MAX_QUERY_WORDS);
  return text.split(/([\p{L}\p{M}\p{N}_]+)/u).map((part) => {
    const words = foldedWords(part);
    return { part, isHit: asked.some((word) => weightIn(words, word) !== undefined) };
  });
}
