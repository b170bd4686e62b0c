import { listIn, slicesOf } from './slices.ts';

/**
 * XML 1.0. Our own code, because the builder of fast-xml-parser passes on characters that XML does
 * not allow. Every text would need our own check before it anyway.
 */

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

/** Any character outside of XML 1.0's `Char`. With the `u` flag that includes a lone surrogate. */
const NOT_ALLOWED = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** A parser turns a bare CR into a line feed, so CR is written as a reference. */
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\r': '&#13;',
};
const TO_ESCAPE = /[&<>"'\r]/g;
/** Anything but plain ASCII. One test of the text is faster than two replacements. */
const NEEDS_CARE = /[^ !#-%(-;=?-~]/;

/** A text as content of an element. */
export function escaped(text: string): string {
  if (!NEEDS_CARE.test(text)) return text;
  return text.replace(NOT_ALLOWED, '').replace(TO_ESCAPE, (character) => ESCAPES[character] ?? '');
}

function contentOf(value: unknown): string {
  if (typeof value === 'string') return escaped(value);
  if (typeof value !== 'object') return value === undefined ? '' : String(value);
  if (value === null) return '';
  let content = '';
  if (Array.isArray(value)) {
    for (const item of value) content += element('item', item);
    return content;
  }
  for (const [name, field] of Object.entries(value)) {
    if (field !== undefined) content += element(name, field);
  }
  return content;
}

function element(name: string, value: unknown): string {
  const content = contentOf(value);
  return content === '' ? `<${name}/>` : `<${name}>${content}</${name}>`;
}

/**
 * An answer as a document: one element per field with its name in JSON, `<item>` for each value of
 * a list, an empty element for null. The list named `rows` comes in pieces of several items.
 */
export function* xmlPieces(root: string, answer: object, rows?: string): Generator<string> {
  yield DECLARATION;
  const list = rows === undefined ? undefined : listIn(answer, rows);
  if (list === undefined || list.length === 0) {
    yield element(root, answer);
    return;
  }
  yield `<${root}>`;
  for (const [name, field] of Object.entries(answer)) {
    if (field !== list) {
      if (field !== undefined) yield element(name, field);
      continue;
    }
    yield `<${name}>`;
    for (const slice of slicesOf(list)) yield contentOf(slice);
    yield `</${name}>`;
  }
  yield `</${root}>`;
}
