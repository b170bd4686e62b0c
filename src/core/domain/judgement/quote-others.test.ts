import { describe, expect, test } from 'vitest';
import { loadJudgement } from '../../catalogue/judgement.ts';
import { figureOfParallel, figureOfVenues } from './quote-others.ts';

const { thresholds } = loadJudgement('catalog');
const at = (published?: number, newest = published) => ({ published, newest });

describe('the figure of the parallel market (contract §8)', () => {
  test.each([
    [at(1_000), 1_000],
    [at(1_000, 1_100), 1_000],
    [at(1_000, 1_100.00000001), undefined],
    [at(1_000, 900), undefined],
    [{ published: 1_000 }, undefined],
    [{ newest: 1_000 }, undefined],
    [{}, undefined],
  ])('counts while what it publishes and reads agrees within 10 percent: %j', (figures, figure) => {
    expect(figureOfParallel(figures, thresholds)).toBe(figure);
  });
});

describe('the figure of the P2P venues (contract §8)', () => {
  test.each([
    ['two', [at(1_000), at(1_010)], undefined],
    ['three', [at(1_000), at(1_010), at(1_020)], 1_010],
    ['three and a wrong one', [at(1_000), at(1_010), at(1_020), at(1_900)], 1_010],
    ['three and two that are held', [at(1_000), at(1_010), at(1_020), at(1_030, 5), at(5)], 1_010],
    [
      'three that move',
      [at(1_000, 1_500), at(1_010, 1_500), at(1_020, 1_500), at(1_000)],
      undefined,
    ],
    [
      'three of seven that stand still',
      [at(1_000), at(1_000), at(1_000), ...[1, 2, 3, 4].map(() => at(1_000, 1_500))],
      undefined,
    ],
  ])('is the median of those that agree: %s', (_, venues, figure) => {
    expect(figureOfVenues(venues, thresholds)).toBe(figure);
  });

  test('those agree that lie within 20 percent of the median', () => {
    const near = [at(1_000), at(1_000), at(1_000, 1_200)];
    expect(figureOfVenues(near, thresholds)).toBe(1_000);
    expect(figureOfVenues([...near.slice(1), at(1_000, 1_200.01)], thresholds)).toBeUndefined();
  });
});
