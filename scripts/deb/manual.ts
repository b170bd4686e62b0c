import type { Command, Option } from 'commander';
import { CAPABILITIES } from '../../src/capabilities.ts';
import { variablesOfAll } from '../../src/core/cli/added.ts';
import { SETTINGS, type SettingTexts } from '../../src/core/settings.ts';

/* The manual page `vesfx(1)`, made from the declarations of commands and settings. */

/** As troff takes it: `-` alone is a hyphen, and a line must not begin with a dot or a quote. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^(?=[.'])/gm, '\\&');
}

const bold = (text: string) => `\\fB${escaped(text)}\\fR`;
const entry = (head: string, text: string) => `.TP\n${head}\n${escaped(text)}`;

function withDefault(text: string, value: unknown): string {
  return value === undefined || value === false ? text : `${text} (default: ${value})`;
}

function optionEntry({ flags, description, defaultValue }: Option): string {
  return entry(bold(flags), withDefault(description, defaultValue));
}

/** Each command that can be run, with the names of the groups above it. */
export function runnableCommands(command: Command, above: readonly string[] = []) {
  const names = [...above, command.name()];
  const below: { names: readonly string[]; command: Command }[] = command.commands.flatMap(
    (child) => runnableCommands(child, names),
  );
  return command.commands.length > 0 ? below : [{ names, command }];
}

function commandPart({ names, command }: ReturnType<typeof runnableCommands>[number]): string {
  const about = command.description();
  return [
    `.SS ${escaped(`${names.join(' ')} ${command.usage()}`)}`,
    escaped(`${about.charAt(0).toUpperCase()}${about.slice(1)}.`),
    ...command.registeredArguments.map((argument) =>
      entry(`\\fI${escaped(argument.name())}\\fR`, argument.description),
    ),
    ...command.options.map(optionEntry),
  ].join('\n');
}

function settingPart(): string {
  const all: Readonly<Record<string, Pick<SettingTexts, 'about' | 'byDefault'>>> = {
    ...SETTINGS,
    ...variablesOfAll(CAPABILITIES),
  };
  return Object.entries(all)
    .map(([name, { about, byDefault }]) => entry(bold(name), withDefault(about, byDefault)))
    .join('\n');
}

/** @param date The day of the release. */
export function manual(program: Command, version: string, date: string): string {
  return `.TH VESFX 1 "${date}" "vesfx ${version}" "User Commands"
.SH NAME
vesfx \\- exchange rates of the Venezuelan bolivar over HTTP
.SH SYNOPSIS
.B vesfx
.I command
.RI [ options ]
.SH DESCRIPTION
${escaped(program.description())}
.SH OPTIONS OF ALL COMMANDS
${program.options.map(optionEntry).join('\n')}
.SH COMMANDS
${runnableCommands(program).map(commandPart).join('\n')}
.SH ENVIRONMENT
${settingPart()}
.SH FILES
${entry('.I /etc/vesfx.env', 'Settings and secrets of the service. Root and the user vesfx run every command with them.')}
${entry('.I /var/lib/vesfx', 'The database.')}
${entry('.I /var/lib/vesfx\\-backups', 'Backups: of each hour of the last day, and of before each upgrade.')}
${entry('.I /var/lib/vesfx\\-dumps', 'Dumps of a PostgreSQL database, of each night of the last week, once vesfx-dump.timer is enabled.')}
.SH EXIT STATUS
${entry('0', 'Done.')}
${entry('1', 'Failed.')}
${entry('2', 'Wrong usage, or a setting or a catalogue that cannot be used.')}
${entry('3', 'Nothing was published.')}
`;
}
