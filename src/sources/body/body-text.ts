import type { UpstreamBody } from '../../app/ports/sources.ts';

const REPLACEMENT = /\uFFFD/g;
/** What only a well-formed sequence of several bytes gives in UTF-8. */
const BEYOND_ASCII = /[^\0-\x7F\uFFFD]/g;

/**
 * The text of a body, by its bytes alone: what the `Content-Type` header and the page's own `meta`
 * say is not looked at, for both are known to lie (a page saved as UTF-16 still calls itself
 * UTF-8). A byte order mark decides; then UTF-16 is known by the zero beside the first `<`, UTF-8
 * by most of the letters beyond ASCII being well-formed, and the rest is Windows-1252, which
 * Latin-1 is part of. Bytes that do not fit become U+FFFD, which no figure, date or name has.
 */
export function textOf({ bytes }: UpstreamBody): string {
  const [first = -1, second = -1, third = -1] = bytes;
  if (first === 0xff && second === 0xfe) return decoded(bytes, 'utf-16le');
  if (first === 0xfe && second === 0xff) return decoded(bytes, 'utf-16be');
  if (first === 0x3c && second === 0) return decoded(bytes, 'utf-16le');
  if (first === 0 && second === 0x3c) return decoded(bytes, 'utf-16be');
  const utf8 = decoded(bytes, 'utf-8');
  if (first === 0xef && second === 0xbb && third === 0xbf) return utf8;
  const isUtf8 = count(utf8, BEYOND_ASCII) >= count(utf8, REPLACEMENT);
  return isUtf8 ? utf8 : decoded(bytes, 'windows-1252');
}

function decoded(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding).decode(bytes);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
