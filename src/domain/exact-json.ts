import { compare } from './decimal.ts';

/** A JSON number that a double would change, as it was written: `900.0000000000000000001`. */
export class WrittenNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Only texts like these can be numbers that a double changes: 16 digits, or a large exponent. */
const MAY_CHANGE = /[\d.]{16}|\d[eE][+-]?\d{3}/;

/** What `JSON.parse` tells a reviver of a plain value: its text in the document. */
interface Source {
  readonly source?: string;
}
type Reviver = (this: unknown, key: string, value: unknown, context: Source) => unknown;

/**
 * Reads JSON without losing digits. A number is a `number` where a double carries exactly what is
 * written, and a `WrittenNumber` where it does not.
 * @throws SyntaxError when the text is not JSON.
 */
export function parseExactJson(text: string): unknown {
  return MAY_CHANGE.test(text) ? parseWith(text, keepDigits) : JSON.parse(text);
}

/** A string, or a mark by which objects, lists and names are told. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:]/gs;

/**
 * The first name that an object of the document has twice: which of its values is meant cannot be told,
 * and `JSON.parse` takes the last.
 * @param text JSON: nothing else is told from it.
 */
export function repeatedName(text: string): string | undefined {
  /** The names so far of each open object; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  let last = '';
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token !== ':') last = token;
    else {
      const name = nameIn(last);
      const names = open.at(-1);
      if (names?.has(name) === true) return name;
      names?.add(name);
    }
  }
  return undefined;
}

/** Two spellings of a name are one: `"mid"` and `"m\u0069d"`. */
function nameIn(token: string): string {
  return token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1);
}

/** The types of the library lack the third argument, which every Node of this project gives. */
function parseWith(text: string, reviver: Reviver): unknown {
  return JSON.parse(text, reviver as (this: unknown, key: string, value: unknown) => unknown);
}

function keepDigits(_: string, value: unknown, { source }: Source): unknown {
  if (typeof value !== 'number' || source === undefined) return value;
  const isExact = Number.isFinite(value) && compare(source, value) === 0;
  return isExact ? value : new WrittenNumber(source);
}

/** The exact value of a number that `parseExactJson` read; undefined for any other value. */
export function exactText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return value instanceof WrittenNumber ? value.text : undefined;
}
