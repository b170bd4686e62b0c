import type { Capability } from '../../core/capability.ts';
import { backfillCommand, openArchive } from './command.ts';

/** Past official rates of the central bank's workbooks. */
export const backfillOfWorkbooks: Capability = {
  name: 'backfill',
  commands: () => [backfillCommand(openArchive)],
  sourceKinds: {
    'bcv-archive': async () => (await import('./workbooks/bcv-archive.ts')).bcvArchive,
  },
};
