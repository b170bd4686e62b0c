import { LRUCache } from 'lru-cache';

/**
 * A cache of at most `max` entries, of which the one that was used least recently goes first. The
 * library is told a size, not a count: for a count it would allocate everything at once,
 * which takes milliseconds of every start.
 */
export function boundedCache<Value extends object>(max: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: max, sizeCalculation: () => 1 });
}
