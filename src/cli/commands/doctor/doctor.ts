import type { Command } from 'commander';
import { readConfig } from '../../../config.ts';
import { type CommonFlags, FAILED, flagsOf, print } from '../../output.ts';
import type { Finding } from './finding.ts';

const LEVEL_TEXT = { ok: 'ok     ', warning: 'warning', broken: 'BROKEN ' } as const;

function findingText({ level, message, remedy }: Finding): string {
  const line = `${LEVEL_TEXT[level]}  ${message.replaceAll('\n', `\n${' '.repeat(9)}`)}`;
  return remedy === undefined ? line : `${line}\n${' '.repeat(9)}-> ${remedy}`;
}

/** `vesfx doctor`: exit code 1 while something is broken, for monitors with `--json`. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('find problems and say what to do; exit code 1 when something is broken')
    .action(async (_options, command: Command) => {
      const flags: CommonFlags = flagsOf(command);
      const { examine } = await import('./examine.ts');
      const { findings, state } = await examine(readConfig(flags), Date.now());
      const broken = findings.some(({ level }) => level === 'broken');
      const result = {
        healthy: !broken,
        ...(state !== undefined && { status: state.status }),
        findings,
      };
      print(flags, result, findings.map(findingText).join('\n'));
      if (broken) process.exitCode = FAILED;
    });
}
