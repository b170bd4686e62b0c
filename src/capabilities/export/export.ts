import type { Capability } from '../../core/capability.ts';
import { exportCommand } from './command.ts';

/** What is stored, as a file (contract §22). */
export const exportOfFiles: Capability = { name: 'export', commands: () => [exportCommand] };
