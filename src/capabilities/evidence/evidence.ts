import type { Capability } from '../../core/capability.ts';
import { evidenceCommand } from './command.ts';

/** Where a published figure comes from. */
export const evidenceOfFigures: Capability = {
  name: 'evidence',
  commands: () => [evidenceCommand],
};
