import { describe } from 'vitest';
import { revoke } from '../../faults/data/revoke.ts';
import { writers } from '../../faults/data/writers.ts';
import { bodiless } from '../../faults/service/bodiless.ts';
import { wire } from '../../faults/service/byte-fuzz.ts';
import { callers } from '../../faults/service/callers.ts';
import { clock } from '../../faults/service/clock.ts';
import { hostile } from '../../faults/service/hostile.ts';
import { sigterm } from '../../faults/service/sigterm.ts';
import { testScenarios } from '../harness/fault-scenarios.ts';

describe('what is served', () => {
  testScenarios([revoke, sigterm, bodiless, wire, callers, hostile, clock, writers]);
});
