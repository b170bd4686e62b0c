import { expect, test } from 'vitest';
import { GrowingBytes } from './growing-bytes.ts';

test('pieces are joined in their order', () => {
  const bytes = new GrowingBytes(10_000);
  const pieces = [1, 0, 1023, 1, 4000].map((length, at) => new Uint8Array(length).fill(at + 1));
  for (const piece of pieces) expect(bytes.add(piece)).toBe(true);
  expect(Buffer.from(bytes.toBytes()).equals(Buffer.concat(pieces))).toBe(true);
});

test('no piece is kept, so many small ones take no more memory than one', () => {
  const bytes = new GrowingBytes(10);
  const piece = Uint8Array.of(7);
  for (let at = 0; at < 3; at += 1) bytes.add(piece);
  piece.fill(0);
  expect([...bytes.toBytes()]).toEqual([7, 7, 7]);
});

test('the limit is the last length that fits, and what does not fit changes nothing', () => {
  const bytes = new GrowingBytes(3);
  expect(bytes.add(Uint8Array.of(1, 2))).toBe(true);
  expect(bytes.add(Uint8Array.of(3, 4))).toBe(false);
  expect(bytes.add(Uint8Array.of(3))).toBe(true);
  expect([...bytes.toBytes()]).toEqual([1, 2, 3]);
});
