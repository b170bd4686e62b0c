import { describe } from 'vitest';
import { abort } from '../../faults/abort.ts';
import { damage } from '../../faults/damage.ts';
import { disk } from '../../faults/disk.ts';
import { kill } from '../../faults/kill.ts';
import { power } from '../../faults/power.ts';
import { testScenarios } from '../harness/fault-scenarios.ts';

describe('what is stored', () => {
  testScenarios([kill, power, abort, disk, damage]);
});
