import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { SourceFailure } from '../../src/core/app/failures.ts';
import { recordSchema } from '../../src/core/app/ingest/record.ts';
import type { SourceRecord, UpstreamBody } from '../../src/core/app/ports/sources.ts';

/** Upstream bodies for parsers: real ones from files, and generated broken ones. */

export function bodyOf(content: string | Uint8Array): UpstreamBody {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return { url: 'https://upstream.example/', bytes, contentType: 'application/json' };
}

export const jsonBody = (value: unknown): UpstreamBody => bodyOf(JSON.stringify(value));

/** A body from a file; `base` is the caller's `import.meta.url`. */
export function fileBody(path: string, base: string): UpstreamBody {
  return bodyOf(readFileSync(new URL(path, base)));
}

/** The message of a parser's failure. Throws unless the parser failed with a `SourceFailure`. */
export function contentFailure(parse: () => unknown): string {
  let given: unknown;
  try {
    given = parse();
  } catch (error) {
    if (error instanceof SourceFailure && error.reason === 'content') return error.message;
    throw error;
  }
  throw new Error(`the body was accepted: ${JSON.stringify(given)}`);
}

/** The records, each valid for ingestion; none if the parser failed properly. */
export function soundRecords(parse: () => readonly SourceRecord[]): readonly SourceRecord[] {
  try {
    return parse().map((record) => {
      recordSchema.parse(record);
      return record;
    });
  } catch (error) {
    if (error instanceof SourceFailure && error.reason === 'content') return [];
    throw error;
  }
}

/** The text with a part removed, doubled or overwritten. */
export function damaged(text: string): fc.Arbitrary<string> {
  const place = fc.nat({ max: text.length });
  return fc
    .record({
      from: place,
      to: place,
      instead: fc.oneof(fc.constantFrom('', ',', '}', '"', '-', '9'), fc.string()),
    })
    .map(({ from, to, instead }) => text.slice(0, from) + instead + text.slice(to));
}

/** Bodies that are not JSON with figures, for every source. */
export const NO_FIGURES: readonly (readonly [string, string | Uint8Array])[] = [
  ['nothing', ''],
  ['blanks', ' \n\t '],
  ['a page', '<!DOCTYPE html><html><title>Attention required</title></html>'],
  ['a page after a byte order mark', '\uFEFF<html></html>'],
  ['an error', '{"error":"currency not found"}'],
  ['an error beside figures', '{"error":{"code":7},"rate":900,"binancep2p":{"ask":1}}'],
  ['an empty list', '[]'],
  ['an empty object', '{}'],
  ['null', 'null'],
  ['a text', '"900"'],
  ['a number', '900'],
  ['truncated JSON', '{"binancep2p":{"ask":900.5,"bi'],
  ['a word', 'NaN'],
  ['two values', '{} {}'],
  ['bytes that are not UTF-8', new Uint8Array([0x7b, 0x22, 0xe9, 0x22, 0x7d])],
  ['UTF-16', new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])],
  ['a deep nest of lists', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['a deep nest of objects', `${'{"data":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ['keys of every object', '{"constructor":1,"toString":2,"__proto__":{"ask":1}}'],
];

/** JSON values that are not rates. */
export const NO_RATES: readonly string[] = [
  'null',
  'true',
  '0',
  '-0',
  '-900.5',
  '"-900.5"',
  '1e400',
  '1e16',
  '1e-16',
  '"NaN"',
  '"Infinity"',
  '""',
  '" 900.5"',
  '"900,5"',
  '"1.012,34"',
  '"9e2"',
  '"0x384"',
  '"900.5 Bs"',
  '[900.5]',
  '{"value":900.5}',
  '{}',
];
