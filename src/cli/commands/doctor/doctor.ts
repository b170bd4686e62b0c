import { readConfig } from '../../../config.ts';
import { command } from '../../command.ts';
import { DONE, FAILED } from '../../output.ts';
import type { Finding } from './finding.ts';

const LEVEL_TEXT = { ok: 'ok     ', warning: 'warning', broken: 'BROKEN ' } as const;

function findingText({ level, message, remedy }: Finding): string {
  const line = `${LEVEL_TEXT[level]}  ${message.replaceAll('\n', `\n${' '.repeat(9)}`)}`;
  return remedy === undefined ? line : `${line}\n${' '.repeat(9)}-> ${remedy}`;
}

/** `vesfx doctor`: exit code 1 while something is broken, for monitors with `--json`. */
export const doctorCommand = command({
  name: 'doctor',
  about: 'find problems and say what to do; exit code 1 when something is broken',
  async run(input) {
    const { examine } = await import('./examine.ts');
    const { findings, state } = await examine(readConfig(input), Date.now());
    const healthy = findings.every(({ level }) => level !== 'broken');
    return {
      json: { healthy, status: state?.status, findings },
      text: findings.map(findingText).join('\n'),
      exitCode: healthy ? DONE : FAILED,
    };
  },
});
