import { describe } from 'vitest';
import { quota } from '../../faults/data/quota.ts';
import { keyless } from '../../faults/service/keyless.ts';
import { leaving } from '../../faults/service/leaving.ts';
import { testScenarios } from '../harness/fault-scenarios.ts';

describe('what is served under load', () => {
  testScenarios([quota, keyless, leaving]);
});
