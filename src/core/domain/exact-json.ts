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
  return parseJson(text, MAY_CHANGE.test(text) ? keepDigits : undefined);
}

/** A string, and the colon behind it if it is a name. */
const STRINGS = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?/gs;
/** Characters that a name of JSON can have in escapes only. */
const ESCAPED_ONLY = /["\\\p{Cc}]/gu;

/**
 * `JSON.parse` for texts of others. V8 takes an escaped name for one of an earlier text that begins
 * with the same bytes (nodejs/node #63785), so one caller's body could be read with the names of
 * another's. Names without an escape are not affected, so it gets no others: each escape in a name
 * is decoded before, or becomes U+FFFD if it stands for a quote, a backslash or a control
 * character. No name that the service knows has one of these.
 */
export function parseJson(text: string, reviver?: Reviver): unknown {
  if (!text.includes('\\')) return parseWith(text, reviver);
  const plain = text.replace(STRINGS, (all, string: string, colon: string | undefined) =>
    colon === undefined || !string.includes('\\')
      ? all
      : `"${nameIn(string).replace(ESCAPED_ONLY, '\ufffd')}":`,
  );
  return parseWith(plain, reviver);
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
function parseWith(text: string, reviver: Reviver | undefined): unknown {
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
export function exactNumberText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return value instanceof WrittenNumber ? value.text : undefined;
}
