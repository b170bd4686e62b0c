import type { Capability } from '../../core/capability.ts';
import { convertCommand } from './commands/convert.ts';
import { officialCommands } from './commands/official.ts';
import { publicationsCommand } from './commands/publications.ts';

/** What is stored, and conversions at it, on the command line. */
export const lookup: Capability = {
  name: 'lookup',
  // Each stands behind a command of the core, so the last of two comes first.
  commands: () => [officialCommands, publicationsCommand, convertCommand],
};
