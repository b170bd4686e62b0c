import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadJudgement } from '../../catalogue/judgement.ts';
import type { QuoteObservation } from '../judgement.ts';
import { isLikely, type QuoteContext, quoteDoubts } from './quote-judgement.ts';

const { thresholds } = loadJudgement('catalog');
const quote = (mid: number, sides: Partial<QuoteObservation> = {}): QuoteObservation => ({
  kind: 'quote',
  mid,
  ...sides,
});
const nothing: QuoteContext = { last: undefined, replaced: undefined, official: undefined };
const reasons = (one: QuoteObservation, context: Partial<QuoteContext>) =>
  quoteDoubts(one, { ...nothing, ...context }, thresholds).map(({ reason }) => reason);

describe('the last quote (contract §8)', () => {
  const last = quote(1_000);
  const official = 800;

  test.each([
    [{ ask: 1_300, bid: 990 }, []],
    [{ ask: 1_300.00000001, bid: 990 }, ['side_apart']],
    [{ ask: 1_010, bid: 769.2 }, ['side_apart']],
  ])('a side may be at a ratio of 1.3 to its own mid: %j', (sides, expected) => {
    expect(reasons(quote(1_000, sides), { last, official })).toEqual(expected);
  });

  test('the message about a side names its last accepted value, if there is one', () => {
    const message = (context: Partial<QuoteContext>) =>
      quoteDoubts(quote(1_000, { ask: 1_626 }), { ...nothing, ...context }, thresholds)[0]?.message;
    const toMid = 'ask 1626 is over a ratio of 1.3 to mid, 1000';
    expect(message({ last, official })).toBe(toMid);
    const known = `${toMid}, and to the last accepted one, 1250`;
    expect(message({ last: quote(1_000, { ask: 1_250 }), official })).toBe(known);
  });

  test('a side may be at a ratio of 1.3 to its last accepted value', () => {
    const wide = quote(1_000, { ask: 1_250 });
    expect(reasons(quote(1_000, { ask: 1_400 }), { last: wide, official })).toEqual([]);
    expect(reasons(quote(1_000, { ask: 1_626 }), { last: wide, official })).toEqual(['side_apart']);
  });
});

describe('the official rate in force (contract §8)', () => {
  test('each side is compared with the band too', () => {
    expect(reasons(quote(1_000, { ask: 4_001 }), { official: 800 })).toContain('out_of_band');
  });
});

describe('the other venues (contract §8)', () => {
  const official = 800;
  const at = (mid: number, published: readonly number[], newest: readonly number[] = published) =>
    reasons(quote(mid), { official, venues: { published, newest, expected: published } });

  test('a reading that is in doubt itself does not oppose a move', () => {
    const old = [1_000, 1_000, 1_000, 1_000];
    expect(at(1_250, old, [1_250, 1_260, 1_900, 100])).toEqual([]);
    expect(at(1_250, old, [1_250, 1_260, 1_900, 1_200])).toEqual([]);
    // Exactly 20 percent away it opposes, and so does an unchanged one.
    expect(at(1_340, old, [1_340, 1_340, 1_200, 1_200])).toContain('venues_differ');
    expect(at(1_340, old, [1_340, 1_340, 1_200.01, 1_200])).not.toContain('venues_differ');
    expect(at(1_250, old, [1_250, 1_900, 100, 1_900])).toEqual(['venues_differ']);
  });

  test('two wrong venues that agree never confirm each other, however doubtful the others are', () => {
    const any = fc.double({ min: 0.01, max: 50, noNaN: true });
    const right = fc.double({ min: 955, max: 1_045, noNaN: true });
    fc.assert(
      fc.property(any, fc.array(right, { minLength: 6, maxLength: 16 }), (by, mids) => {
        const bad = 1_000 * by;
        fc.pre(bad > 1_260 || bad < 740);
        const half = mids.length >> 1;
        const [published, good] = [mids.slice(0, half + 1), mids.slice(half)];
        expect(at(bad, published, [bad, ...good])).toContain('venues_differ');
      }),
    );
  });

  test.each([
    ['near the median of what is published', 1_200, [1_000, 1_000], [], true],
    ['away from it', 1_201, [1_000, 1_000], [1_000, 1_000], false],
    ['away from it, and so are most', 1_250, [1_000, 1_000], [1_250, 1_250, 1_000], true],
    ['near the readings where nothing fresh is published', 1_200, [], [1_000, 1_000], true],
    ['away from most of them', 1_300, [], [1_000, 1_000, 1_300], false],
    ['near half of them', 1_000, [], [1_000, 2_000], true],
    ['one other reading is not enough to tell', 2_000, [1_000], [1_000], true],
  ] as const)('a reading is plausible or not: %s', (_, mid, published, newest, expected) => {
    expect(isLikely(mid, { published, newest }, thresholds)).toBe(expected);
  });

  test('one or two wrong venues of five or more are detected, and no right one is held', () => {
    const wrong = fc.double({ min: 1.21, max: 50, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 9 }), wrong, fc.boolean(), (count, by, isDown) => {
        const bad = isDown ? 1_000 / by / 1.05 : 1_000 * by;
        const good = Array.from({ length: count - 2 }, () => 1_000);
        // What is published is still right: the wrong readings are held.
        const published = Array.from({ length: count - 1 }, () => 1_000);
        expect(at(bad, published, [bad, ...good])).toContain('venues_differ');
        expect(at(1_000, published, [bad, bad, ...good.slice(1)])).toEqual([]);
      }),
    );
  });
});
