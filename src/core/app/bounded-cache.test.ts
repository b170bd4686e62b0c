import { expect, test } from 'vitest';
import { boundedCache } from './bounded-cache.ts';

test('keeps `max` entries and evicts the least recently used', () => {
  const cache = boundedCache<{ n: number }>(3);
  const kept = () => ['a', 'b', 'c', 'd'].filter((name) => cache.has(name));
  for (const [n, name] of ['a', 'b', 'c'].entries()) cache.set(name, { n });
  expect(kept()).toEqual(['a', 'b', 'c']);
  expect(cache.get('a')).toEqual({ n: 0 });
  cache.set('d', { n: 3 });
  expect(kept()).toEqual(['a', 'c', 'd']);
});
