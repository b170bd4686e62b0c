import type { Command } from 'commander';
import type { SourceState } from '../../../app/ports/collecting.ts';
import type { Source } from '../../../app/ports/sources.ts';
import { readConfig } from '../../../config.ts';
import { CONDITION_RANK, PUSHED, type SourceHealth } from '../../../domain/source-health.ts';
import { type Instant, isoInstant } from '../../../domain/time.ts';
import { caracasTime, flagsOf, print, visible } from '../../output.ts';
import { withToolboxOf } from '../../toolbox.ts';
import { loadSourcesAndMarkets } from './opened.ts';

function scheduleText({ schedule, fallbackFor }: Source): string {
  if (fallbackFor !== undefined) return `when ${fallbackFor} fails`;
  const rules = schedule.map(({ cron, whileExpected }) =>
    whileExpected ? `${cron} while a publication is expected` : cron,
  );
  return rules.length === 0 ? 'none' : rules.join('; ');
}

const shown = (at: Instant | undefined) => (at === undefined ? undefined : isoInstant(at));

/** A source in the list. Pushed records are listed as one, without a catalogue entry. */
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
    to_do: remedyOf(health),
    why: health.why,
    failure: state?.failure,
    last_success: shown(health.lastSuccessAt),
    last_change: shown(health.lastChangeAt),
    consecutive_failures: health.consecutiveFailures,
    publications_missed: health.publicationsMissed,
    missing_markets: health.missingMarkets,
    page_went_back: health.pageWentBack,
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
    ['last success', inCaracas(health.lastSuccessAt)],
    [condition === 'failing' ? 'next try' : 'next run', inCaracas(health.nextRunAt)],
    ['failure', state?.failure && visible(state.failure.message)],
    ['to do', remedyOf(health)],
  ];
  const lines = rows.flatMap(([label, value]) =>
    value === undefined ? [] : `  ${label.padEnd(12)}  ${value}`,
  );
  return [`${name}: ${condition}. ${why}`, ...lines].join('\n');
}

const inCaracas = (at: Instant | undefined) =>
  at === undefined ? undefined : `${caracasTime(at)} in Caracas`;

/** What the operator should do; undefined when nothing. */
function remedyOf({ name, kind, condition, held }: SourceHealth): string | undefined {
  switch (condition) {
    case 'incomplete':
    case 'failing':
      return `vesfx source check ${name} says what it answers now`;
    case 'late':
      return `did the bank publish? vesfx source run ${name}; by hand: vesfx rate set`;
    case 'frozen':
      return 'compare it with another source; take it out if it is dead';
    case 'waiting':
      return kind === PUSHED ? undefined : 'it is read while vesfx serve or vesfx collect runs';
    case 'ok':
    case 'off':
    case 'standby':
      return held > 0 ? 'vesfx held list shows what is held' : undefined;
    default:
      return condition satisfies never;
  }
}

export function addListCommand(group: Command): void {
  group
    .command('list')
    .description('list the sources, failing ones first: condition, schedule, what to do')
    .action(async (_options, command: Command) => {
      const flags = flagsOf(command);
      const config = readConfig(flags);
      const { sources } = await loadSourcesAndMarkets(config);
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
        const rank = ({ health }: Listed) => CONDITION_RANK[health.condition];
        listed.sort((a, b) => rank(a) - rank(b));
        print(flags, { sources: listed.map(listView) }, listed.map(listText).join('\n'));
      });
    });
}
