import { describe } from 'vitest';
import { canary } from '../../faults/canary.ts';
import { clock } from '../../faults/clock.ts';
import { database } from '../../faults/database.ts';
import { hostile } from '../../faults/hostile.ts';
import { quota } from '../../faults/quota.ts';
import { revoke } from '../../faults/revoke.ts';
import { sigterm } from '../../faults/sigterm.ts';
import { testScenarios } from '../harness/fault-scenarios.ts';

describe('what is served', () => {
  testScenarios([quota, revoke, database, sigterm, hostile, canary, clock]);
});
