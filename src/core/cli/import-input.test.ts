import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openedFile, recordLinesOf } from './import-input.ts';

const TEXT = '{"kind":"quote"}\n'.repeat(1_000);

async function* inParts(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) {
    yield bytes.subarray(start, start + size);
  }
}

async function read(bytes: Buffer, size: number, maxBytes?: number): Promise<string> {
  const lines = await Array.fromAsync(
    recordLinesOf(await openedFile(inParts(bytes, size), maxBytes)),
  );
  return lines.map((line) => `${line}\n`).join('');
}

test.each([1, 7, 5_000, 1_000_000])(
  'the lines are the same in parts of %i bytes, and compressed',
  async (size) => {
    expect(await read(Buffer.from(TEXT), size)).toBe(TEXT);
    expect(await read(gzipSync(TEXT), size)).toBe(TEXT);
    // Two compressed files may be joined.
    expect(await read(Buffer.concat([gzipSync(TEXT), gzipSync(TEXT)]), size)).toBe(TEXT + TEXT);
  },
);

test('a compressed file unpacks to MAX_INFLATED_BYTES at most', async () => {
  expect(await read(gzipSync(TEXT), 100, TEXT.length)).toBe(TEXT);
  await expect(read(gzipSync(TEXT), 100, TEXT.length - 1)).rejects.toThrow(
    `The gzip file unpacks to more than ${TEXT.length - 1} bytes: split it.`,
  );
});
