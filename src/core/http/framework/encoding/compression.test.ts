import { expect, test } from 'vitest';
import { compressed } from './compression.ts';

/** Of the byte behind the magic number: the window is the content, whose length follows (RFC 8878 §3.1.1). */
const SINGLE_SEGMENT = 0x20;

test.each(['quick', 'thorough'] as const)(
  'zstd, %s: the tables are of the size of the body, not of 83 MB, the size of the level',
  async (effort) => {
    for (const length of [2_000, 40_000]) {
      const bytes = Buffer.from('1234567890 '.repeat(length / 10)).subarray(0, length);
      const frame = await compressed(bytes, 'zstd', effort);
      const descriptor = frame.at(4) ?? 0;
      expect(descriptor & SINGLE_SEGMENT).toBe(SINGLE_SEGMENT);
      // The length is in two bytes, less 256.
      expect(frame.readUInt16LE(5) + 256).toBe(length);
    }
  },
);
