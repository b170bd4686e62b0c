/** Searches the documentation in the browser, with an index from the service. */

/** A place in the documentation. */
export interface SearchEntry {
  readonly title: string;
  /** Title of its page, or of its part of the reference. */
  readonly place: string;
  /** Address on this site, with its fragment; without a language. */
  readonly path: string;
  /** Its text without code. */
  readonly about: string;
  /** The other words of its text, and small ones that every entry has, folded, with blanks between. */
  readonly words: string;
  /** Words that readers use for it, searched like its title; absent where the title says it all. */
  readonly names?: string;
}

/** Most words and gaps of a text that a result shows, and most of those before the first hit. */
const SHOWN_PARTS = 60;
const PARTS_BEFORE = 12;

/** Most results that are shown. */
// limit: Search results | 8 | the best
export const MAX_RESULTS = 8;
/**
 * A word of the query may be this much longer than the found one, for plurals: `márgenes` finds
 * `margen`.
 */
const ENDING_LENGTH = 2;
/** A found word must have this length, or the query may not go on after it. */
const STEM_LENGTH = 4;

/** Extra weight of a title, by the share of its words in the query. */
const WHOLE_TITLE_WEIGHT = 6;

/** Extra weight of a title of a whole page, which is the better place to begin. */
const WHOLE_PAGE_WEIGHT = 5;

/** Weights of a found word, by where it was found. */
const TITLE_WEIGHTS = { whole: 12, begun: 8 } as const;
const TEXT_WEIGHTS = { whole: 3, begun: 1 } as const;

/** Words as they are compared: without accents, in lower case; `rate_not_published` and its parts. */
export function foldedWords(text: string): readonly string[] {
  const folded = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return (folded.match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap((word) =>
    word.includes('_') ? [word, ...word.split('_').filter(Boolean)] : [word],
  );
}

type Words = readonly string[];

/** An entry with its words. Folding all of them for each letter typed would hold up a slow phone. */
export interface FoldedEntry extends SearchEntry {
  readonly folded: readonly [title: Words, names: Words, text: Words];
}

export function foldedEntry(entry: SearchEntry): FoldedEntry {
  const { title, names = '', about, words } = entry;
  const text = foldedWords(`${about} ${words}`);
  return { ...entry, folded: [foldedWords(title), foldedWords(names), text] };
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
function scoreOf({ path, folded }: FoldedEntry, asked: Words): number | undefined {
  const [title, names, text] = folded;
  let score = 0;
  let named = 0;
  for (const word of asked) {
    const inTitle = weightIn(title, word);
    const inNames = weightIn(names, word);
    const inText = weightIn(text, word);
    const best = inTitle === 'whole' ? inTitle : (inNames ?? inTitle);
    if (best === undefined && inText === undefined) return undefined;
    if (best !== undefined) {
      score += TITLE_WEIGHTS[best];
      if (!path.includes('#')) score += WHOLE_PAGE_WEIGHT;
    }
    if (inTitle !== undefined) named += 1;
    if (inText !== undefined) score += TEXT_WEIGHTS[inText];
  }
  return score + (WHOLE_TITLE_WEIGHT * named) / Math.max(1, title.length);
}

/** The entries that have every word of the query, the best first; at most `MAX_RESULTS`. */
export function searchIn(entries: readonly FoldedEntry[], query: string): readonly FoldedEntry[] {
  const asked = foldedWords(query);
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

/** What was found, and the query that found it. */
interface Found {
  readonly query: string;
  readonly entries: readonly FoldedEntry[];
}

/** One typing error after the first letter: a wrong, missing or extra letter, or two that changed places. */
const slipsOf = (word: string) =>
  [...word.slice(2)]
    .map((next, at) => {
      const one = word[at + 1];
      return `${word.slice(0, at + 1)}(.?${one}?${next}|${one}.?${next}?|${next}${one})${word.slice(at + 3)}`;
    })
    .join('|');

/**
 * What `searchIn` finds. If that is nothing, typing errors are mended, and words are left out: those
 * that no entry has, then the last ones.
 */
export function searchNear(entries: readonly FoldedEntry[], query: string): Found {
  const exact = searchIn(entries, query);
  if (exact.length > 0) return { query, entries: exact };
  const known = entries.flatMap(({ folded }) => folded.flat());
  const asked = foldedWords(query).flatMap((word) => {
    if (weightIn(known, word)) return word;
    const mistyped = RegExp(`^(${slipsOf(word)})$`);
    return known.find((one) => word.length > STEM_LENGTH && mistyped.test(one)) ?? [];
  });
  for (; asked.length > 0; asked.pop()) {
    const meant = asked.join(' ');
    const found = searchIn(entries, meant);
    if (found.length > 0) return { query: meant, entries: found };
  }
  return { query, entries: exact };
}

interface Part {
  readonly part: string;
  readonly isHit: boolean;
}

/** The text in parts; those that the query found are hits. */
export function markedParts(text: string, query: string): readonly Part[] {
  const asked = foldedWords(query);
  return text.split(/([\p{L}\p{M}\p{N}_]+)/u).map((part) => {
    const words = foldedWords(part);
    return { part, isHit: asked.some((word) => weightIn(words, word)) };
  });
}

/** The parts of a text from a little before the first hit. The stylesheet cuts their end. */
export function excerptParts(text: string, query: string): readonly Part[] {
  const parts = markedParts(text, query);
  const from = Math.max(0, parts.findIndex(({ isHit }) => isHit) - PARTS_BEFORE);
  const shown = parts.slice(from, from + SHOWN_PARTS);
  return from > 0 ? [{ part: '…', isHit: false }, ...shown] : shown;
}
