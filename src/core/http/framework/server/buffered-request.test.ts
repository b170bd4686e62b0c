import { Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { MAX_BODY_BYTES } from '../routing/limits.ts';
import { BufferedRequest } from './buffered-request.ts';
import {
  MAX_PIECES_AT_ONCE,
  MAX_PIECES_OF_ALL_AT_ONCE,
  MAX_PIECES_WHEN_BUSY,
  MIN_PIECE_BYTES,
} from './limits.ts';

const PIECE = Buffer.from('1');

function request(): BufferedRequest {
  const socket = new Socket();
  onTestFinished(() => void socket.destroy());
  return new BufferedRequest(socket);
}

/** The lengths of the parts that a reader of the body gets. */
async function partsOf(asked: BufferedRequest): Promise<readonly number[]> {
  const parts: number[] = [];
  for await (const part of asked) parts.push((part as Buffer).length);
  return parts;
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test.each([
  [0, 1],
  [1, 1],
  [MAX_PIECES_AT_ONCE, 1],
  [MAX_PIECES_AT_ONCE + 1, MIN_PIECE_BYTES],
  [MAX_BODY_BYTES / MIN_PIECE_BYTES, MIN_PIECE_BYTES],
])('a body of %i pieces of %i bytes at once is one part (contract §4)', async (count, length) => {
  await nextTurn();
  const asked = request();
  for (let at = 0; at < count; at += 1) asked.push(Buffer.alloc(length));
  // Nothing is kept for a piece.
  expect(asked.readableLength).toBe(0);
  asked.push(null);
  expect(await partsOf(asked)).toEqual(count === 0 ? [] : [count * length]);
  expect(asked.isCut).toBe(false);
});

test.each([
  [MAX_PIECES_AT_ONCE, 1],
  [MAX_PIECES_AT_ONCE, MIN_PIECE_BYTES - 1],
])(
  'after %i pieces of %i bytes at once a body is cut, and no more is kept',
  async (most, length) => {
    await nextTurn();
    const asked = request();
    for (let at = 0; at < most; at += 1) asked.push(Buffer.alloc(length));
    expect(asked.isCut).toBe(false);
    for (let at = 0; at < 3; at += 1) expect(asked.push(Buffer.alloc(length))).toBe(false);
    expect(asked.isCut).toBe(true);
    expect(asked.readableLength).toBe((most + 1) * length);
  },
);

test('a body of one byte each turn is never cut', async () => {
  const asked = request();
  for (let at = 0; at < MAX_PIECES_AT_ONCE + 2; at += 1) {
    asked.push(PIECE);
    if (at % 500 === 0) await nextTurn();
  }
  expect(asked.isCut).toBe(false);
});

test('while many pieces come on all connections, each may have fewer small ones', async () => {
  await nextTurn();
  const others = MAX_PIECES_OF_ALL_AT_ONCE / MAX_PIECES_AT_ONCE;
  for (let other = 0; other < others; other += 1) {
    const asked = request();
    for (let at = 0; at < MAX_PIECES_AT_ONCE; at += 1) asked.push(PIECE);
    expect(asked.isCut).toBe(false);
  }
  const asked = request();
  for (let at = 0; at < MAX_PIECES_WHEN_BUSY; at += 1) asked.push(PIECE);
  expect(asked.isCut).toBe(false);
  asked.push(PIECE);
  expect(asked.isCut).toBe(true);
});

test('of a larger body no more than its first bytes are kept (contract §4)', async () => {
  const asked = request();
  asked.push(Buffer.alloc(MAX_BODY_BYTES));
  for (let at = 0; at < 3; at += 1) expect(asked.push(PIECE)).toBe(false);
  asked.push(null);
  expect(await partsOf(asked)).toEqual([MAX_BODY_BYTES, 1]);
});

test('after many pieces the other connections have their turn', async () => {
  await nextTurn();
  const asked = request();
  const resumed = vi.spyOn(asked, '_read');
  const goesOn = () => asked.push(Buffer.alloc(MIN_PIECE_BYTES));
  for (let at = 1; at < MAX_PIECES_AT_ONCE; at += 1) expect(goesOn()).toBe(true);
  expect([goesOn(), goesOn()]).toEqual([false, false]);
  expect(resumed).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(resumed).toHaveBeenCalledOnce());
  expect(goesOn()).toBe(true);
});
