import type { Market } from './markets.ts';

/** Most suggestions for an unknown name. */
export const MAX_NEAR_NAMES = 3;

/** Longer names get no suggestion: no market name is half as long. */
// limit: Wrong name: length compared, ids suggested | 64 characters, 3 | none; the nearest | MAX_NEAR_NAMES
export const MAX_COMPARED_LENGTH = 64;

/** A name shorter than this may differ by one letter, a longer one by two. */
const LONG_NAME = 6;

/** The markets of the catalogue, or others that have names. */
interface Named {
  readonly list: readonly Pick<Market, 'id' | 'aliases' | 'alsoKnownAs'>[];
}

/** How near a name is: the smaller, the nearer. */
const SAME_LETTERS = 0;
const SAME_WORD = 1;
const KNOWN_ELSEWHERE = 2;
const FAR = Number.POSITIVE_INFINITY;

/** A name without case, accents and separators: `En Paralelo` becomes `enparalelo`. */
function lettersOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}

/**
 * Ids of the markets that a caller may have meant by an unknown name, nearest first, then in
 * catalogue order. They are suggested and never taken: a guess could convert money at another rate.
 * A market matches by its name in another case, as a word of the given name
 * (`binance_p2p`), by a name in other services, or despite a small typing error (contract §1).
 */
export function nearMarkets({ list }: Named, name: string): readonly string[] {
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

/** The suggestion that ends a message about an unknown name; empty when none is near. */
export function didYouMean(named: Named, name: string): string {
  const near = nearMarkets(named, name);
  return near.length === 0 ? '' : ` Did you mean ${near.join(', ')}?`;
}

/** Spanish names that callers try, and the parameters or fields that they mean (contract §4). */
const SPANISH_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['fecha', ['date']],
  ['desde', ['from', 'since']],
  ['hasta', ['to']],
  ['regla', ['rule']],
  ['monto', ['amount', 'amounts']],
  ['mercado', ['market', 'markets']],
  ['mes', ['month']],
  ['moneda', ['currency']],
  ['formato', ['format']],
  ['intervalo', ['interval']],
  ['periodo', ['period']],
  ['origen', ['origins']],
  ['origenes', ['origins']],
]);

/** Other names for a day and for the ends of a range, without separators (contract §4). */
const DAY_NAMES: ReadonlyMap<string, 'date' | 'from' | 'to'> = new Map([
  ['dia', 'date'],
  ['day', 'date'],
  ['on', 'date'],
  ['at', 'date'],
  ['when', 'date'],
  ['asof', 'date'],
  ['valuedate', 'date'],
  ['effectivedate', 'date'],
  ['since', 'from'],
  ['start', 'from'],
  ['startdate', 'from'],
  ['fromdate', 'from'],
  ['datefrom', 'from'],
  ['inicio', 'from'],
  ['end', 'to'],
  ['until', 'to'],
  ['enddate', 'to'],
  ['todate', 'to'],
  ['dateto', 'to'],
  ['fin', 'to'],
]);

/** Words that make a day of a longer name: `invoice_date`, `pay-day`. */
const DAY_WORDS: ReadonlySet<string> = new Set(['date', 'datetime', 'fecha', 'dia', 'day']);

/** Words that make an end of a range of such a name: `date_from`, `fechaFin`. */
const END_WORDS: ReadonlyMap<string, 'from' | 'to'> = new Map([
  ['from', 'from'],
  ['since', 'from'],
  ['start', 'from'],
  ['desde', 'from'],
  ['inicio', 'from'],
  ['to', 'to'],
  ['until', 'to'],
  ['end', 'to'],
  ['hasta', 'to'],
  ['fin', 'to'],
]);

/** Words of a name: between separators and digits, or from one capital letter to the next. */
const WORDS = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;

/** The end of a name without separators, `invoicedate`; not that of a verb or of another noun. */
const ENDS_IN_DATE = /(?<!candi|consoli|liqui|man|up|vali)date(?:time)?$/;

/** Names of campaigns carry words of all kinds, and mean nothing here. */
const CAMPAIGN = 'utm';

/**
 * The day among those documented that a caller meant by another name for it, in any case and with
 * any separators. Currencies may be called `from` and `to` too: they are no days.
 */
export function nearDay(name: string, days: readonly string[]): string | undefined {
  if (name.length > MAX_COMPARED_LENGTH) return undefined;
  const meant = DAY_NAMES.get(lettersOf(unwrapped(name))) ?? dayInWords(withoutAccents(name));
  return days.find((one) => one === meant);
}

function dayInWords(name: string): 'date' | 'from' | 'to' | undefined {
  const words = name.match(WORDS)?.map((word) => word.toLowerCase()) ?? [];
  // No other word has the letters of `fecha`.
  const isDay =
    words.some((word) => DAY_WORDS.has(word) || ENDS_IN_DATE.test(word)) ||
    lettersOf(name).includes('fecha');
  if (!isDay || words[0] === CAMPAIGN) return undefined;
  return words.map((word) => END_WORDS.get(word)).find((end) => end !== undefined) ?? 'date';
}

/** What programs put around a name: `date[]` of a form's list, `amp;date` of a link copied from HTML. */
const WRAPPED = /^(?:amp;)*(.+?)(?:\[\w*\])*$/;

/**
 * The documented name that a caller meant by an unknown one: the same in another case, the one it
 * translates, or one within a single typing error (contract §4). Accents do not count.
 */
export function nearParameter(name: string, documented: readonly string[]): string | undefined {
  if (name.length > MAX_COMPARED_LENGTH) return undefined;
  const given = unwrapped(name).toLowerCase();
  const meant = SPANISH_NAMES.get(given) ?? [];
  return (
    documented.find((one) => one === given || meant.includes(one)) ??
    documented.find((one) => isOneEdit(given, one))
  );
}

function unwrapped(wrapped: string): string {
  const [, name = wrapped] = WRAPPED.exec(wrapped) ?? [];
  return withoutAccents(name);
}

function withoutAccents(name: string): string {
  if (/^[!-~]*$/.test(name)) return name;
  // A byte that is not UTF-8: in Latin-1 it is the í of día and período.
  return name.replaceAll('\uFFFD', 'i').normalize('NFKD').replaceAll(/\p{M}/gu, '');
}

/**
 * Whether `typingErrors` are one at most. Without a table, because a body may have thousands of
 * names.
 */
function isOneEdit(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  if (Math.max(a.length, b.length) - shorter > 1) return false;
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const differs = Math.max(a.length, b.length) - start - end;
  const isSwap = a[start] === b[start + 1] && a[start + 1] === b[start];
  return differs <= 1 || (differs === 2 && a.length === b.length && isSwap);
}

function distanceOf(
  { id, aliases, alsoKnownAs }: Named['list'][number],
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
 * The optimal string alignment distance: the fewest letters to insert, delete, replace or swap with
 * the next one to turn `a` into `b`. Infinity when it is over `allowed`.
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
