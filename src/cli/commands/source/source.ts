import { group } from '../../command.ts';
import { bodyCommand, replayCommand } from './kept.ts';
import { listCommand } from './list.ts';
import { checkCommand, parseCommand, runCommand } from './read.ts';

/** `vesfx source …`: the sources, their schedules and their health (docs/operating.md). */
export const sourceCommands = group('source', 'check, read and test the sources', [
  listCommand,
  checkCommand,
  runCommand,
  replayCommand,
  parseCommand,
  bodyCommand,
]);
