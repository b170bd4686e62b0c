import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../../test/harness/any-text.ts';
import { MAX_RECORD_LENGTH } from '../app/ingest/ndjson.ts';
import { linesOf } from './lines.ts';

async function* chunksOf(bytes: Buffer, cuts: readonly number[]): AsyncGenerator<Buffer> {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let start = 0;
  for (const place of [...places, bytes.length]) {
    yield bytes.subarray(start, place);
    start = place;
  }
}

async function read(bytes: Buffer, cuts: readonly number[] = []): Promise<string[]> {
  return Array.fromAsync(linesOf(chunksOf(bytes, cuts)));
}

describe('the lines of a stream', () => {
  test('are the same for any split of the bytes', async () => {
    const line = fc.string({ unit: anyCharacter }).map((text) => text.replace(/\n|^\uFEFF/g, '_'));
    const lines = fc.array(line, { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(lines, fc.array(fc.nat(), { maxLength: 10 }), async (given, cuts) => {
        const bytes = Buffer.from(given.map((one) => `${one}\n`).join(''));
        // Lone surrogates have no UTF-8 form, so what is expected went through it as well.
        const expected = given.map((one) => Buffer.from(one).toString());
        expect(await read(bytes, cuts)).toEqual(expected);
      }),
    );
  });

  test('need no final newline, and an empty stream has none', async () => {
    expect(await read(Buffer.from('a\nb'))).toEqual(['a', 'b']);
    expect(await read(Buffer.from('a\n\nb\n'), [1, 2, 3])).toEqual(['a', '', 'b']);
    expect(await read(Buffer.from(''))).toEqual([]);
  });

  test('lose a byte order mark at the start only', async () => {
    const bytes = Buffer.from('\uFEFFa\n\uFEFFb\n');
    expect(await read(bytes)).toEqual(['a', '\uFEFFb']);
    expect(await read(bytes, [1, 2, 3])).toEqual(['a', '\uFEFFb']);
    expect(await read(Buffer.from('\uFEFFa'))).toEqual(['a']);
  });

  test('a line that is not UTF-8 becomes invalid JSON without affecting others', async () => {
    const bytes = Buffer.concat([Buffer.from('{"é":1}\n'), Buffer.from([0x22, 0xff, 0x22, 0x0a])]);
    const lines = await read(Buffer.concat([bytes, Buffer.from('3\n')]));
    expect([lines[0], lines[2]]).toEqual(['{"é":1}', '3']);
    expect(() => JSON.parse(lines[1] ?? '')).toThrow();
  });

  test('a line of any length is one line, and for a too long one only the length is kept', async () => {
    const long = Buffer.alloc(5 * MAX_RECORD_LENGTH, 'a');
    const cuts = Array.from({ length: 50 }, (_, index) => index * 25_000);
    const bytes = Buffer.concat([Buffer.from('1\n'), long, Buffer.from('\n2\n')]);
    for (const places of [cuts, []]) {
      const lines = await read(bytes, places);
      expect([lines[0], lines[2], lines.length]).toEqual(['1', '2', 3]);
      expect(lines[1]?.length).toBeGreaterThan(MAX_RECORD_LENGTH);
    }
    const unended = await read(long, cuts);
    expect(unended.map((line) => line.length > MAX_RECORD_LENGTH)).toEqual([true]);
  });
});
