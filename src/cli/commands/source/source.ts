import type { Command } from 'commander';
import { addBodyCommand } from './body.ts';
import { addCheckCommand } from './check.ts';
import { addListCommand } from './list.ts';
import { addParseCommand } from './parse.ts';
import { addReplayCommand } from './replay.ts';
import { addRunCommand } from './run.ts';

/** `vesfx source …`: the sources, their schedules and their health (docs/operating.md). */
export function addSourceCommands(program: Command): void {
  const group = program.command('source').description('check, read and test the sources');
  addListCommand(group);
  addCheckCommand(group);
  addRunCommand(group);
  addReplayCommand(group);
  addParseCommand(group);
  addBodyCommand(group);
}
