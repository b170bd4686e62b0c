import { Command, CommanderError } from 'commander';
import { addSourceKinds, type Capability } from '../capability.ts';
import { addSettings, version } from '../config.ts';
import { settingsOfAll } from './added.ts';
import type { AddCommand } from './command.ts';
import { accountCommands } from './commands/account/account.ts';
import { aliveCommand } from './commands/alive.ts';
import { auditCommand } from './commands/audit.ts';
import { backupCommand, migrateCommand, restoreCommand } from './commands/care.ts';
import { collectCommand } from './commands/collect.ts';
import { heldCommands } from './commands/held.ts';
import { importCommand } from './commands/import.ts';
import { initCommand } from './commands/init.ts';
import { keyCommands } from './commands/key.ts';
import { markupCommands } from './commands/markup.ts';
import { pruneCommand } from './commands/prune.ts';
import { rateCommands } from './commands/rate.ts';
import { sourceCommands } from './commands/source/source.ts';
import { DONE, remark, report, UsageError } from './output.ts';
import { serveCommand } from './serve/serve.ts';

/** In the order of the help. One of a capability comes last, unless it says what it follows. */
const commandsWith = (capabilities: readonly Capability[]): readonly AddCommand[] => [
  serveCommand(capabilities),
  collectCommand(capabilities),
  initCommand,
  accountCommands,
  keyCommands,
  markupCommands,
  importCommand(capabilities),
  rateCommands,
  sourceCommands,
  heldCommands,
  auditCommand,
  pruneCommand,
  backupCommand,
  restoreCommand,
  migrateCommand,
  aliveCommand,
  ...capabilities.flatMap(({ commands }) => commands?.(capabilities) ?? []),
];

/** Builds the command tree. The modules of a command are loaded when it runs. */
export function buildProgram(capabilities: readonly Capability[]): Command {
  const program = new Command('vesfx')
    .description(
      'Exchange rates of the Venezuelan bolívar: the service and the commands of its operator.',
    )
    .version(version(), '--version', 'print the version')
    // Root options are accepted anywhere, so these two work on every command.
    .option('--data <dir>', 'folder of the database (env VESFX_DATA; "data" without either)')
    .option('--json', 'print JSON: the result on stdout, an error on stderr')
    .configureHelp({ showGlobalOptions: true });
  for (const add of commandsWith(capabilities)) add(program);
  return program;
}

/** @returns The exit code: 0 done, 1 failed, 2 wrong usage, 3 nothing published. */
export async function run(
  args: readonly string[],
  capabilities: readonly Capability[],
): Promise<number> {
  // A usage error occurs before commander has parsed the flags, so look for --json here: in
  // everything before a lone `--`.
  const flags = { json: args.slice(0, [...args, '--'].indexOf('--')).includes('--json') };
  try {
    addSettings(settingsOfAll(capabilities));
    addSourceKinds(capabilities);
  } catch (error) {
    return report(error, flags);
  }
  const program = buildProgram(capabilities);
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

function sentence(message: string): string {
  const text = message.replace(/^error: /, '').replaceAll('\n', ' ');
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?)]$/.test(whole) ? whole : `${whole}.`;
}
