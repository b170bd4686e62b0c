import { describe } from 'vitest';
import { streamKill } from '../../faults/data/streams.ts';
import { webhookKill } from '../../faults/data/webhooks.ts';
import { testScenarios } from '../harness/fault-scenarios.ts';

describe('what readers are told', () => {
  testScenarios([streamKill, webhookKill]);
});
