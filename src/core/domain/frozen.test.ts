import { describe, expect, test } from 'vitest';
import { loadJudgement } from '../catalogue/judgement.ts';
import { haveMoved, isFrozen, isSteady } from './frozen.ts';
import { MARKET_TYPES } from './markets.ts';
import { SECOND_MS } from './time.ts';

const { thresholds } = loadJudgement('catalog');

describe('a feed whose last digit flickers (contract §8)', () => {
  test.each([
    [900, 900, true],
    [900.45, 900, true],
    [900.46, 900, false],
    [899.55, 900, true],
    [899.54, 900, false],
  ])('%d after %d is steady: %s', (now, before, expected) => {
    expect(isSteady(now, before)).toBe(expected);
  });

  const moves = (...now: number[]) => now.map((one) => ({ before: 100, now: one }));
  test.each([
    ['two of two by over 1 %', moves(101.01, 98.99), true],
    ['two of two by 1 %', moves(101, 99), false],
    ['one of one', moves(105), false],
    ['two of three', moves(102, 102, 100), true],
    ['two of four', moves(102, 102, 100, 100), false],
    ['none', [], false],
  ])('the market counts as moving if most other venues did: %s', (_, venues, expected) => {
    expect(haveMoved(venues)).toBe(expected);
  });
});

test.each(MARKET_TYPES)('a %s value is frozen after its time, not exactly at it', (type) => {
  const limit = thresholds.frozenAfterSec[type] * SECOND_MS;
  expect(isFrozen(type, { unchangedSince: 0, updatedAt: limit }, thresholds)).toBe(false);
  expect(isFrozen(type, { unchangedSince: 0, updatedAt: limit + 1 }, thresholds)).toBe(true);
});
