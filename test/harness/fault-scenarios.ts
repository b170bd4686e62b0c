import { expect, inject, test } from 'vitest';
import { carryOut, type Scenario } from '../../faults/scenario.ts';

/** Always the same choices: another seed is for `npm run faults`. */
const SEED = 1;
/** Ends what hangs; no deadline. */
const MAX_TEST_MS = 900_000;

/** Each scenario in a short run: its promise holds, and its control breaks it. */
export function testScenarios(scenarios: readonly Scenario[]): void {
  test.each(scenarios.filter((one) => one.whyNot?.() === undefined))(
    '$name: $promise Seen to fail: $control',
    { timeout: MAX_TEST_MS },
    async (one) => {
      const { product, control, broken } = await carryOut(one, {
        scale: 'quick',
        seed: SEED,
        folder: inject('diskFolder'),
        together: true,
      });
      expect(broken).toBeUndefined();
      expect(product.failures).toEqual([]);
      expect(product.ok).toBeGreaterThan(0);
      expect(control.failed, 'the control must fail').toBeGreaterThan(0);
    },
  );
}
