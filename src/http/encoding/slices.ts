/** Items of a long answer processed in one turn: about half a millisecond of work. */
export const ITEMS_PER_SLICE = 250;

const waiting: (() => void)[] = [];

/** Lets one waiting answer run its slice. The next one runs a turn of the event loop later. */
function admitOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(admitOne);
}

/** The client left while its answer was being made. */
export class ClientGone extends Error {}

/**
 * Waits for a turn of the event loop in which no other long answer runs. Short answers therefore
 * wait for one slice at most.
 * @throws ClientGone when the client has left.
 */
export async function nextSlice(isGone: () => boolean): Promise<void> {
  await new Promise<void>((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(admitOne);
  });
  if (isGone()) throw new ClientGone();
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
