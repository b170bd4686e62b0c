import { describe, expect, test } from 'vitest';
import { AnswerCache, MAX_KEPT_CHARACTERS } from './answer-cache.ts';

const answer = (text: string) => ({ etag: '"1"', text });

describe('cached answers', () => {
  test('are limited in characters too, and the least used is removed first', () => {
    const half = 'x'.repeat(MAX_KEPT_CHARACTERS / 2);
    const kept = new AnswerCache(10);
    kept.set('/a', answer(half));
    kept.set('/b', answer(half));
    expect([kept.get('/b'), kept.get('/a')].map(Boolean)).toEqual([true, true]);
    kept.set('/c', answer('x'));
    expect(kept.get('/b')).toBeUndefined();
    expect(kept.get('/a')).toBeDefined();
    expect(kept.get('/c')).toBeDefined();
  });

  test('one larger than the limit is not cached, and its older version is removed', () => {
    const kept = new AnswerCache(10);
    kept.set('/a', answer('old'));
    kept.set('/a', answer('x'.repeat(MAX_KEPT_CHARACTERS)));
    expect(kept.get('/a')).toBeDefined();
    kept.set('/a', answer('x'.repeat(MAX_KEPT_CHARACTERS + 1)));
    expect(kept.get('/a')).toBeUndefined();
  });

  test('nothing is cached with a limit of 0', () => {
    const kept = new AnswerCache(0);
    kept.set('/a', answer('x'));
    expect(kept.get('/a')).toBeUndefined();
  });
});
