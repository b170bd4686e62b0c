import type { Capability } from '../../core/capability.ts';
import type { AddCommand } from '../../core/cli/command.ts';
import { command, type Result } from '../../core/cli/command.ts';
import { dayOfFlag } from '../../core/cli/commands/moment.ts';
import { DONE, FAILED, textTable, UsageError } from '../../core/cli/output.ts';
import { type Config, readConfig } from '../../core/config.ts';
import { type CaracasDay, caracasDayOf } from '../../core/domain/time.ts';
import type { Finding } from './finding.ts';
import type { DryRun } from './redenomination.ts';

const LEVEL_TEXT = { ok: 'ok     ', warning: 'warning', broken: 'BROKEN ' } as const;

function findingText({ level, message, remedy }: Finding): string {
  const line = `${LEVEL_TEXT[level]}  ${message.replaceAll('\n', `\n${' '.repeat(9)}`)}`;
  return remedy === undefined ? line : `${line}\n${' '.repeat(9)}-> ${remedy}`;
}

const isSound = (findings: readonly Finding[]) => findings.every(({ level }) => level !== 'broken');

function laterDayOf(text: string, today: CaracasDay): CaracasDay {
  const day = dayOfFlag(text, '--on');
  if (day > today) return day;
  throw new UsageError(
    `--on must be after today in Caracas, ${today}: the figures of now are in the unit of today.`,
  );
}

/** Tables of what becomes of the figures, the bounds of sources and the markups. */
function tablesText(on: CaracasDay, run: Partial<DryRun>): readonly string[] {
  const { redenominations = [], figures = [], bounds = [], markups = [] } = run;
  if (redenominations.length === 0) return [];
  const range = ([low, high]: readonly [number, number]) => `${low} to ${high}`;
  const table = (columns: readonly string[], rows: readonly (readonly string[])[]) =>
    rows.length === 0 ? [] : [`${textTable([...columns, 'NOW', on], rows)}\n`];
  return [
    ...redenominations.map(
      ({ on: day, factor, name }) =>
        `From ${day} on, 1 ${name} is ${factor} bolívares of the day before.\n`,
    ),
    ...table(
      ['FIGURE', 'VALUE DATE'],
      figures.map(({ name, valueDate = '', now, becomes }) => [
        name,
        valueDate,
        `${now}`,
        `${becomes}`,
      ]),
    ),
    ...table(
      ['BOUNDS OF', 'MARKET'],
      bounds.map(({ source, market, now, becomes }) => [
        source,
        market,
        range(now),
        range(becomes),
      ]),
    ),
    ...table(
      ['FIXED MARKUP OF', 'TAG'],
      markups.map(({ account, tag, now, becomes }) => [account, tag, `${now}`, `${becomes}`]),
    ),
  ];
}

async function dryRunResult(on: CaracasDay, config: Config, now: number): Promise<Result> {
  const { examineUntil } = await import('./examine.ts');
  const { findings, figures, ...run } = await examineUntil(on, config, now);
  const healthy = isSound(findings);
  const shown = figures?.map(({ valueDate, ...figure }) => ({ ...figure, value_date: valueDate }));
  return {
    json: { healthy, on, ...run, figures: shown, findings },
    text: [...tablesText(on, { ...run, figures }), ...findings.map(findingText)].join('\n'),
    exitCode: healthy ? DONE : FAILED,
  };
}

/** `vesfx doctor`: exit code 1 while something is broken, for monitors with `--json`. */
export const doctorCommand = (capabilities: readonly Capability[]): AddCommand =>
  command({
    name: 'doctor',
    follows: 'migrate',
    about: 'find problems and say what to do; exit code 1 when something is broken',
    flags: {
      '--on <day>': 'instead a dry run: what redenominations change up to that day in Caracas',
    },
    async run(input) {
      const now = Date.now();
      const on = input.on === undefined ? undefined : laterDayOf(input.on, caracasDayOf(now));
      if (on !== undefined) return dryRunResult(on, readConfig(input), now);
      const { examine } = await import('./examine.ts');
      const { findings, state } = await examine(readConfig(input), now, capabilities);
      const healthy = isSound(findings);
      return {
        json: { healthy, status: state?.status, findings },
        text: findings.map(findingText).join('\n'),
        exitCode: healthy ? DONE : FAILED,
      };
    },
  });
