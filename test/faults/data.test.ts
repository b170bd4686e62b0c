import { describe } from 'vitest';
import { disk } from '../../faults/data/disk.ts';
import { exported } from '../../faults/data/export.ts';
import { handover } from '../../faults/data/handover.ts';
import { kill } from '../../faults/data/kill.ts';
import { testScenarios } from '../harness/fault-scenarios.ts';

describe('what is stored', () => {
  testScenarios([kill, disk, exported, handover]);
});
