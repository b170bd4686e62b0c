import { describe } from 'vitest';
import { bodiless } from '../../faults/bodiless.ts';
import { wire } from '../../faults/byte-fuzz.ts';
import { callers } from '../../faults/callers.ts';
import { clock } from '../../faults/clock.ts';
import { hostile } from '../../faults/hostile.ts';
import { quota } from '../../faults/quota.ts';
import { revoke } from '../../faults/revoke.ts';
import { sigterm } from '../../faults/sigterm.ts';
import { writers } from '../../faults/writers.ts';
import { testScenarios } from '../harness/fault-scenarios.ts';

describe('what is served', () => {
  testScenarios([quota, revoke, sigterm, bodiless, wire, callers, hostile, clock, writers]);
});
