import type { Command } from 'commander';
import type { SourceHealth } from '../../../app/collecting/source-health.ts';
import type { SourceState } from '../../../app/ports/collecting.ts';
import type { Source } from '../../../app/ports/sources.ts';
import { readConfig } from '../../../config.ts';
import { type Instant, isoInstant } from '../../../domain/time.ts';
import { flagsOf, print, visible } from '../../output.ts';
import { withToolboxOf } from '../../toolbox.ts';
import { openSourcesOf } from './opened.ts';

function scheduleText({ schedule, fallbackFor }: Source): string {
  if (fallbackFor !== undefined) return `when ${fallbackFor} fails`;
  const rules = schedule.map(({ cron, whileExpected }) =>
    whileExpected ? `${cron} while a publication is expected` : cron,
  );
  return rules.length === 0 ? 'none' : rules.join('; ');
}

const shown = (at: Instant | undefined) => (at === undefined ? undefined : isoInstant(at));

/** A source as it is listed. Pushed records are one too, of which the catalogue says nothing. */
interface Listed {
  readonly health: SourceHealth;
  readonly source: Source | undefined;
  readonly state: SourceState | undefined;
}

function listView({ health, source, state }: Listed) {
  const { name, kind, enabled } = health;
  const schedule = source?.schedule ?? [];
  return {
    name,
    kind,
    enabled,
    url: source?.url,
    schedule: schedule.map(({ cron, whileExpected }) => ({ cron, while_expected: whileExpected })),
    instead_of: source?.fallbackFor,
    markets: source?.markets ?? [],
    state: health.condition,
    why: health.why,
    failure: state?.failure,
    last_success: shown(health.lastSuccessAt),
    last_change: shown(health.lastChangeAt),
    consecutive_failures: health.consecutiveFailures,
    publications_missed: health.publicationsMissed,
    next_run: shown(health.nextRunAt),
    held: health.held,
  };
}

function listText({ health, source, state }: Listed): string {
  const { name, kind, condition, why } = health;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['kind', kind],
    ['markets', source?.markets.join(', ') || undefined],
    ['schedule', source && scheduleText(source)],
    ['last success', shown(health.lastSuccessAt)],
    ['next run', shown(health.nextRunAt)],
    ['failure', state?.failure && visible(state.failure.message)],
  ];
  const lines = rows.flatMap(([label, value]) =>
    value === undefined ? [] : `  ${label.padEnd(12)}  ${value}`,
  );
  return [`${name}: ${condition}. ${why}`, ...lines].join('\n');
}

/** `vesfx source list`. */
export function addListCommand(group: Command): void {
  group
    .command('list')
    .description('list the sources: when each is read, and how it is')
    .action(async (_options, command: Command) => {
      const flags = flagsOf(command);
      const config = readConfig(flags);
      const { sources } = await openSourcesOf(config);
      await withToolboxOf(config, async (toolbox) => {
        const [{ SourceWatch }, { systemClock: clock }] = await Promise.all([
          import('../../../app/collecting/source-watch.ts'),
          import('../../../compose.ts'),
        ]);
        const { sources: found } = await new SourceWatch({ ...toolbox, sources, clock }).health();
        const states = await toolbox.store.sourceStates();
        const listed = found.map((health) => ({
          health,
          source: sources.find(({ name }) => name === health.name),
          state: states.find(({ source }) => source === health.name),
        }));
        print(flags, { sources: listed.map(listView) }, listed.map(listText).join('\n'));
      });
    });
}
