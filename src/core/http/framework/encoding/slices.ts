import { ownTurn } from '../../../app/lower-priority.ts';

/** Items of a long answer processed in one turn: about half a millisecond of work. */
export const ITEMS_PER_SLICE = 250;

/**
 * The client left while its answer was being made. One that closed only its own side looks the same,
 * and is far rarer: browsers, scripts with a deadline, proxies whose client left.
 */
export class ClientGone extends Error {}

/**
 * Waits for the turn of the next slice.
 * @throws ClientGone when the client has left.
 */
export async function nextSlice(isGone: () => boolean): Promise<void> {
  await ownTurn();
  if (isGone()) throw new ClientGone();
}

/** Characters of a long answer after which other work gets a turn. */
const SLICE_LENGTH = 8 * 1024;

/** The pieces of a text as bytes, letting other work run in between. */
export async function* bytesInSlices(
  pieces: Iterable<string>,
  isGone: () => boolean,
): AsyncGenerator<Buffer> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    // A short piece waits for the next one.
    if (text.length < SLICE_LENGTH) continue;
    yield Buffer.from(text);
    text = '';
    await nextSlice(isGone);
  }
  yield Buffer.from(text);
}

/** The same in one buffer. */
export async function joinedInSlices(
  pieces: Iterable<string>,
  isGone: () => boolean,
): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(bytesInSlices(pieces, isGone)));
}

/** The list of an answer by the name of its field. The cast is safe: `itemSchema` accepts no other. */
export function listIn(answer: object, name: string): readonly object[] | undefined {
  return Object.entries(answer).find(([field]) => field === name)?.[1];
}

/** The list in slices, each processed in one turn. */
export function* slicesOf<T>(list: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += ITEMS_PER_SLICE) {
    yield list.slice(start, start + ITEMS_PER_SLICE);
  }
}

/** Maps a long list, one slice per turn. */
export async function mapInSlices<T, R>(
  list: readonly T[],
  map: (item: T) => R,
  isGone: () => boolean,
): Promise<readonly R[]> {
  if (list.length <= ITEMS_PER_SLICE) return list.map(map);
  const mapped: R[] = [];
  for (const slice of slicesOf(list)) {
    await nextSlice(isGone);
    for (const item of slice) mapped.push(map(item));
  }
  return mapped;
}
