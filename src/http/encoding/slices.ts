/** Items of a long answer that are worked on in one go: about half a millisecond. */
export const ITEMS_PER_SLICE = 250;

const waiting: (() => void)[] = [];

/** Lets one of those that wait do its slice; the next one comes a turn of the event loop later. */
function admitOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(admitOne);
}

/**
 * Waits for a turn of the event loop in which no other long answer is worked on, so that short
 * answers wait for one slice at most, however many long ones are under way.
 */
export function nextSlice(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(admitOne);
  });
}

/** Long answers that are made at once: each takes some megabytes until it is written. */
export const MAX_LONG_AT_ONCE = 16;

let made = 0;
const queue: (() => void)[] = [];

/** Makes a long answer once there is room for it, in the order in which they were asked for. */
export async function whenThereIsRoom<T>(work: () => T | Promise<T>): Promise<T> {
  // Whoever is done passes the place on.
  if (made === MAX_LONG_AT_ONCE) await new Promise<void>((resolve) => queue.push(resolve));
  else made += 1;
  try {
    return await work();
  } finally {
    const next = queue.shift();
    if (next === undefined) made -= 1;
    else next();
  }
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
): Promise<readonly R[]> {
  if (list.length <= ITEMS_PER_SLICE) return list.map(map);
  const mapped: R[] = [];
  for (const slice of slicesOf(list)) {
    await nextSlice();
    for (const item of slice) mapped.push(map(item));
  }
  return mapped;
}
