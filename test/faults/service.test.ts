import { describe } from 'vitest';
import { SCENARIOS } from '../../faults/all.ts';
import { testScenarios } from '../harness/fault-scenarios.ts';

/** The others are in `data.test.ts`: two files run side by side. */
const OF_DATA = ['kill', 'power', 'abort', 'disk', 'damage'];

describe('what is served', () => {
  testScenarios(SCENARIOS.filter(({ name }) => !OF_DATA.includes(name)));
});
