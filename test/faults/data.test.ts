import { describe } from 'vitest';
import { disk } from '../../faults/disk.ts';
import { handover } from '../../faults/handover.ts';
import { kill } from '../../faults/kill.ts';
import { upgrade } from '../../faults/upgrade.ts';
import { testScenarios } from '../harness/fault-scenarios.ts';

describe('what is stored', () => {
  testScenarios([kill, disk, handover, upgrade]);
});
