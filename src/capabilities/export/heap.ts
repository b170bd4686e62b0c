import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** A smaller export ends before V8's heap has grown. */
const LARGE_EXPORT_ROWS = 20_000;

/** The size up to which V8's space for new objects may grow, which is 64 MB otherwise. */
// limit: V8's space for new objects | 8,000,000 bytes | collected sooner
const NEW_SPACE_BYTES = 8_000_000;

let grows = true;

/**
 * Keeps the heap of a large export small. A row leaves a kilobyte of garbage, and V8 would rather
 * take another 100 MB than collect it: this costs a third of the speed instead. Both flags are read
 * whenever V8 decides about a size, so they work in a running process too.
 */
export function keepHeapSmall(rows: number): void {
  if (!grows || rows < LARGE_EXPORT_ROWS) return;
  setFlagsFromString('--heap-growing-percent=10');
  const spaces = getHeapSpaceStatistics();
  const size = spaces.find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
  if (size < NEW_SPACE_BYTES) return;
  setFlagsFromString('--semi-space-growth-factor=1');
  grows = false;
}
