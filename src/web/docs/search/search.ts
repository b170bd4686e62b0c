/** Search over the documentation: in the browser, on an index that the service makes. */

/** A place in the documentation. */
export interface SearchEntry {
  readonly title: string;
  /** The page, or the part of the reference, that it is in. */
  readonly place: string;
  /** Address on this site, with its fragment; without a language. */
  readonly path: string;
  /** How its text begins. */
  readonly about: string;
  /** The different words of its text, folded, with blanks between. */
  readonly words: string;
  /** Words that readers use for it, searched like its title; absent where the title says it all. */
  readonly names?: string;
}

/** Results that are shown. */
export const MAX_RESULTS = 8;
/** Words of a query that count. */
const MAX_QUERY_WORDS = 8;
/** A query may be longer than a word of the text by the ending of a plural: `márgenes` finds `margen`. */
const ENDING_LENGTH = 2;
/** Shorter words have no ending that could be left out. */
const STEM_LENGTH = 4;

/** Extra weight of a title, by the share of its words in the query. */
const WHOLE_TITLE_WEIGHT = 6;

/** How much more a page counts than a part of one: it is the better place to begin. */
const WHOLE_PAGE_WEIGHT = 5;

/** Weight of a found word of the query, by its place. */
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

/** An entry with its words apart, so that a query need not part them again. */
export interface SearchableEntry extends SearchEntry {
  readonly titleWords: readonly string[];
  readonly nameWords: readonly string[];
  readonly textWords: readonly string[];
}

export function searchable(entry: SearchEntry): SearchableEntry {
  const { title, words, names = '' } = entry;
  return {
    ...entry,
    titleWords: foldedWords(title),
    nameWords: foldedWords(names),
    textWords: words.split(' '),
  };
}

/** How well an entry answers; undefined when it lacks one of the words. */
function scoreOf(
  { path, titleWords, nameWords, textWords }: SearchableEntry,
  asked: readonly string[],
): number | undefined {
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
export function searchIn(
  entries: readonly SearchableEntry[],
  query: string,
): readonly SearchEntry[] {
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
