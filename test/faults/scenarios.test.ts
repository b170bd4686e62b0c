import { describe, expect, test } from 'vitest';
import { SCENARIOS } from '../../faults/all.ts';
import { carryOut } from '../../faults/scenario.ts';

/** Always the same choices: another seed is for `npm run faults`. */
const SEED = 1;

describe.each(SCENARIOS)('$name: $title', (one) => {
  test.skipIf(one.whyNot?.() !== undefined)(
    `${one.promise} Seen to fail: ${one.control}`,
    async () => {
      const { product, control, broken } = await carryOut(one, { scale: 'quick', seed: SEED });
      expect(broken).toBeUndefined();
      expect(product.failures).toEqual([]);
      expect(product.ok).toBeGreaterThan(0);
      expect(control.failed, 'the control must fail').toBeGreaterThan(0);
    },
    60_000,
  );
});
