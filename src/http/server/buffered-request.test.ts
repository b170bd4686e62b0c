import { Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { MAX_BODY_BYTES } from '../routing/limits.ts';
import { BufferedRequest } from './buffered-request.ts';
import { MAX_PIECES_AT_ONCE } from './limits.ts';

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

test.each([0, 1, 2, 65_535, MAX_BODY_BYTES])(
  'a body of %i pieces of one byte is one part (decisions §4)',
  async (length) => {
    const asked = request();
    for (let at = 0; at < length; at += 1) asked.push(PIECE);
    // Nothing is kept for a piece.
    expect(asked.readableLength).toBe(0);
    asked.push(null);
    expect(await partsOf(asked)).toEqual(length === 0 ? [] : [length]);
  },
);

test('of a larger body no more than its first bytes are kept (decisions §4)', async () => {
  const asked = request();
  asked.push(Buffer.alloc(MAX_BODY_BYTES));
  for (let at = 0; at < 3; at += 1) expect(asked.push(PIECE)).toBe(false);
  asked.push(null);
  expect(await partsOf(asked)).toEqual([MAX_BODY_BYTES, 1]);
});

test('after many pieces the other connections have their turn', async () => {
  const asked = request();
  const resumed = vi.spyOn(asked, '_read');
  const goesOn = () => asked.push(PIECE);
  for (let at = 1; at < MAX_PIECES_AT_ONCE; at += 1) expect(goesOn()).toBe(true);
  expect([goesOn(), goesOn()]).toEqual([false, false]);
  expect(resumed).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(resumed).toHaveBeenCalledOnce());
  expect(goesOn()).toBe(true);
});
