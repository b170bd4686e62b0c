import { compare } from './decimal.ts';

/** A JSON number that a double cannot hold exactly, kept as text: `900.0000000000000000001`. */
export class WrittenNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Matches any text with a number that a double may change: 16 digits, or a large exponent. */
const MAY_CHANGE = /[\d.]{16}|\d[eE][+-]?\d{3}/;

/** The third argument of a `JSON.parse` reviver: the text of a primitive value in the document. */
interface Source {
  readonly source?: string;
}
type Reviver = (this: unknown, key: string, value: unknown, context: Source) => unknown;

/**
 * Reads JSON without losing digits. A number becomes a `number` when a double holds it exactly,
 * else a `WrittenNumber`.
 * @throws SyntaxError when the text is not JSON.
 */
export function parseExactJson(text: string): unknown {
  return MAY_CHANGE.test(text) ? parseWith(text, keepDigits) : JSON.parse(text);
}

/** A string, or a character that delimits objects, arrays and names. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:]/gs;

/**
 * The first name that occurs twice in one object. Such an object is ambiguous, and `JSON.parse`
 * silently takes the last value.
 * @param text Valid JSON.
 * @returns undefined when every name is unique.
 */
export function repeatedName(text: string): string | undefined {
  /** The names seen so far in each open object; undefined for an array. */
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

/** Decodes escapes, so that `"mid"` and `"m\\u0069d"` are the same name. */
function nameIn(token: string): string {
  return token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1);
}

/** TypeScript's types lack the third argument, which every supported Node passes. */
function parseWith(text: string, reviver: Reviver): unknown {
  return JSON.parse(text, reviver as (this: unknown, key: string, value: unknown) => unknown);
}

function keepDigits(_: string, value: unknown, { source }: Source): unknown {
  if (typeof value !== 'number' || source === undefined) return value;
  const isExact = Number.isFinite(value) && compare(source, value) === 0;
  return isExact ? value : new WrittenNumber(source);
}

/** Whether a value that was read from JSON is an object. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  return !Array.isArray(value) && !(value instanceof WrittenNumber);
}

/** The exact value of a number that `parseExactJson` read; undefined for any other value. */
export function exactText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return value instanceof WrittenNumber ? value.text : undefined;
}
