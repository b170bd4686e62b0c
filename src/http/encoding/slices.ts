/** Items of a long answer that are worked on in one go: about half a millisecond. */
export const ITEMS_PER_SLICE = 250;

const waiting: (() => void)[] = [];

/** Lets one of those that wait do its slice; the next one comes a turn of the event loop later. */
function admitOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(admitOne);
}

/** The client left while its answer was being made: nobody is there to read it. */
export class ClientGone extends Error {}

/**
 * Waits for a turn of the event loop in which no other long answer is worked on, so that short
 * answers wait for one slice at most, however many long ones are under way.
 * @throws ClientGone when nobody waits for the answer any more.
 */
export async function nextSlice(isGone: () => boolean): Promise<void> {
  await new Promise<void>((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(admitOne);
  });
  if (isGone()) throw new ClientGone();
}

/** The list in stretches, each of which is worked on in one go. */
export function* slicesOf<T>(list: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += ITEMS_PER_SLICE) {
    yield list.slice(start, start + ITEMS_PER_SLICE);
  }
}

/** Maps a list that may be long, one slice in a turn. */
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
