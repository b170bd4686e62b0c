import type { UpstreamBody } from '../../app/ports/sources.ts';

const REPLACEMENT = /\uFFFD/g;
/** Characters that only a valid multi-byte UTF-8 sequence gives. */
const BEYOND_ASCII = /[^\0-\x7F\uFFFD]/g;

/**
 * Decodes a body by its bytes alone. The `Content-Type` header and the page's `meta` are ignored,
 * because both can be wrong: a page saved as UTF-16 still declares UTF-8. A byte order mark decides
 * first. A zero byte next to the first `<` means UTF-16. Mostly valid multi-byte sequences mean
 * UTF-8. Anything else is Windows-1252, which includes Latin-1. Invalid bytes become U+FFFD, which
 * no figure, date or name contains.
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
