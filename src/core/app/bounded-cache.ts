import { LRUCache } from 'lru-cache';

/**
 * A cache of at most `max` entries, or of the size `max` in all, that evicts the least recently
 * used. It passes a size to the library instead of a count: for a count the library allocates all
 * entries at once, which slows every start by milliseconds.
 */
export function boundedCache<Value extends object>(
  max: number,
  sizeOf: (value: Value) => number = () => 1,
): LRUCache<string, Value> {
  return new LRUCache({ maxSize: max, sizeCalculation: sizeOf });
}
