import { Command, CommanderError } from 'commander';
import { version } from '../config.ts';
import { addAccountCommands } from './commands/account.ts';
import { addAlertCommands } from './commands/alert.ts';
import { addBackfillCommand } from './commands/backfill.ts';
import { addCareCommands } from './commands/care.ts';
import { addCollectCommand } from './commands/collect.ts';
import { addConvertCommand } from './commands/convert.ts';
import { addDoctorCommand } from './commands/doctor/doctor.ts';
import { addEvidenceCommand } from './commands/evidence.ts';
import { addHeldCommands } from './commands/held.ts';
import { addImportCommand } from './commands/import.ts';
import { addKeyCommands } from './commands/key.ts';
import { addMarkupCommands } from './commands/markup.ts';
import { addMoveCommand } from './commands/move.ts';
import { addPruneCommand } from './commands/prune.ts';
import { addPublicationsCommand } from './commands/publications.ts';
import { addRateCommands } from './commands/rate.ts';
import { openArchive } from './commands/source/opened.ts';
import { addSourceCommands } from './commands/source/source.ts';
import { addDemoCommand } from './demo/demo.ts';
import { DONE, remark, report, UsageError } from './output.ts';
import { addServeCommand } from './serve/serve.ts';

/** Builds the command tree. The modules of a command are loaded when it runs. */
function buildProgram(): Command {
  const program = new Command('vesfx')
    .description(
      'Exchange rates of the Venezuelan bolívar: the service and the commands of its operator.',
    )
    .version(version(), '--version', 'print the version')
    // Root options are accepted anywhere, so these two work on every command.
    .option('--data <dir>', 'folder of the database (env VESFX_DATA; "data" without either)')
    .option('--json', 'print JSON: the result on stdout, an error on stderr')
    .configureHelp({ showGlobalOptions: true });
  addServeCommand(program);
  addCollectCommand(program);
  addDemoCommand(program);
  addAccountCommands(program);
  addKeyCommands(program);
  addMarkupCommands(program);
  addImportCommand(program);
  addBackfillCommand(program, openArchive);
  addRateCommands(program);
  addSourceCommands(program);
  addEvidenceCommand(program);
  addPublicationsCommand(program);
  addHeldCommands(program);
  addConvertCommand(program);
  addAlertCommands(program);
  addPruneCommand(program);
  addCareCommands(program);
  addDoctorCommand(program);
  addMoveCommand(program);
  return program;
}

/** @returns The exit code: 0 done, 1 failed, 2 wrong usage, 3 nothing published. */
export async function run(args: readonly string[]): Promise<number> {
  // A usage error occurs before commander has parsed the flags, so look for --json here: in
  // everything before a lone `--`.
  const flags = { json: args.slice(0, [...args, '--'].indexOf('--')).includes('--json') };
  const program = buildProgram();
  let help = '';
  forAll(program, (command) => {
    command.exitOverride().configureOutput({
      writeErr: (text) => {
        help += text;
      },
      outputError: () => undefined,
    });
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return typeof process.exitCode === 'number' ? process.exitCode : DONE;
  } catch (error) {
    if (!(error instanceof CommanderError)) return report(error, flags);
    if (error.exitCode === 0) return DONE;
    // A group without a subcommand prints its help.
    if (error.code === 'commander.help' && !flags.json) remark(help.trimEnd());
    const message =
      error.code === 'commander.help' ? 'A command is missing.' : sentence(error.message);
    return report(new UsageError(message), flags);
  }
}

function forAll(command: Command, change: (command: Command) => void): void {
  change(command);
  for (const child of command.commands) forAll(child, change);
}

/** Commander's message as one sentence, without its prefix. */
function sentence(message: string): string {
  const text = message.replace(/^error: /, '').replaceAll('\n', ' ');
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?)]$/.test(whole) ? whole : `${whole}.`;
}
