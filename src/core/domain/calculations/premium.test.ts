import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { premiumOf } from './premium.ts';

/** `over / under` in units of 10^-places, a half going away from zero. */
function roundedUnits(over: bigint, under: bigint, places: number): bigint {
  const scaled = (over < 0n ? -over : over) * 10n ** BigInt(places);
  const units = (2n * scaled + under) / (2n * under);
  return over < 0n ? -units : units;
}

function directionOf(shown: number): string {
  return shown > 0 ? 'higher' : shown < 0 ? 'lower' : 'equal';
}

describe('the premium', () => {
  test.each([
    [800, 1000, 200, 25, 'higher'],
    [1000, 800, -200, -20, 'lower'],
    [889.5754, 889.5754, 0, 0, 'equal'],
    [3, 4, 1, 33.33, 'higher'],
    [3, 5, 2, 66.67, 'higher'],
    [100, 100.005, 0.005, 0.01, 'higher'],
    [100, 99.995, -0.005, -0.01, 'lower'],
    [100, 100.00005, 0.0001, 0, 'higher'],
    [100, 99.99995, -0.0001, 0, 'lower'],
    [1000, 1000.00005, 0.0001, 0, 'higher'],
    [1000, 1000.00004, 0, 0, 'equal'],
    [1000, 999.99995, -0.0001, 0, 'lower'],
    [1000, 999.99996, 0, 0, 'equal'],
    [889.5754, 889.57539999, 0, 0, 'equal'],
    // A rate so low that the share shows what the difference does not.
    [0.0001, 0.000101, 0, 1, 'higher'],
    [0.0001, 0.000099, 0, -1, 'lower'],
  ] as const)('§2.11 from %d to %d is %d, %d%%, %s', (reference, compared, ...expected) => {
    const [absolute, percentage, direction] = expected;
    expect(premiumOf({ reference, compared })).toEqual({ absolute, percentage, direction });
  });

  test('§2.11 the percentage comes from the exact difference, not from the rounded one', () => {
    // The difference rounds to 0.0001, which would be 10%; exactly it is 6%.
    expect(premiumOf({ reference: 0.001, compared: 0.00106 })).toEqual({
      absolute: 0.0001,
      percentage: 6,
      direction: 'higher',
    });
  });

  test('§2.11 both figures agree with whole-number arithmetic, whatever the sign', () => {
    const units = fc.integer({ min: 1, max: 10 ** 14 });
    fc.assert(
      fc.property(units, units, (reference, compared) => {
        const gap = BigInt(compared) - BigInt(reference);
        const absolute = Number(`${roundedUnits(gap, 10n ** 8n, 4)}e-4`);
        const percentage = Number(`${roundedUnits(gap * 100n, BigInt(reference), 2)}e-2`);
        expect(premiumOf({ reference: reference / 1e8, compared: compared / 1e8 })).toEqual({
          absolute,
          percentage,
          direction: directionOf(absolute === 0 ? percentage : absolute),
        });
      }),
      { numRuns: 1000 },
    );
  });

  test('§2.11 exchanging the two markets changes the sign of the difference', () => {
    const rate = fc.double({ min: 1e-3, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(rate, rate, (a, b) => {
        const there = premiumOf({ reference: a, compared: b });
        const back = premiumOf({ reference: b, compared: a });
        expect(there.absolute + back.absolute).toBe(0);
      }),
    );
  });
});
