import { additionInWords } from '../../../app/collecting/source-additions.ts';
import type { SourceState } from '../../../app/ports/collecting.ts';
import type { Source } from '../../../app/ports/sources.ts';
import { readConfig } from '../../../config.ts';
import { CONDITION_RANK, PUSHED, type SourceHealth } from '../../../domain/source-health.ts';
import type { Instant } from '../../../domain/time.ts';
import { command, group } from '../../command.ts';
import { caracasTime, isoTime, type LabelledRow, labelledText, visible } from '../../output.ts';
import { loadSourcesAndMarkets } from '../../sources.ts';
import { withToolbox } from '../../toolbox.ts';
import { bodyCommand, replayCommand } from './kept.ts';
import { checkCommand, parseCommand, runCommand } from './read.ts';
import { disableCommand, enableCommand } from './switch.ts';

function scheduleText({ schedule, fallbackFor }: Source): string {
  if (fallbackFor !== undefined) return `when ${fallbackFor} fails`;
  const rules = schedule.map(({ cron, whileExpected }) =>
    whileExpected ? `${cron} while a publication is expected` : cron,
  );
  return rules.length === 0 ? 'none' : rules.join('; ');
}

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
    role: health.role,
    adds: health.adds,
    before: source?.rankedBefore,
    url: source?.url,
    schedule: schedule.map(({ cron, whileExpected }) => ({ cron, while_expected: whileExpected })),
    instead_of: source?.fallbackFor,
    markets: source?.markets ?? [],
    state: health.condition,
    to_do: remedyOf(health),
    why: health.why,
    failure: state?.failure,
    last_success: isoTime(health.lastSuccessAt),
    last_change: isoTime(health.lastChangeAt),
    consecutive_failures: health.consecutiveFailures,
    publications_missed: health.publicationsMissed,
    missing_markets: health.missingMarkets,
    page_went_back: health.pageWentBack,
    next_run: isoTime(health.nextRunAt),
    held: health.held,
  };
}

function listText({ health, source, state }: Listed): string {
  const { name, kind, condition, why } = health;
  const rows: readonly LabelledRow[] = [
    ['  kind', kind],
    ['  markets', source?.markets.join(', ') || undefined],
    ['  schedule', source && scheduleText(source)],
    ['  adds', source && additionInWords(source)],
    ['  last success', inCaracas(health.lastSuccessAt)],
    [condition === 'failing' ? '  next try' : '  next run', inCaracas(health.nextRunAt)],
    ['  failure', state?.failure && visible(state.failure.message)],
    ['  to do', remedyOf(health)],
  ];
  return `${name}: ${condition}. ${why}\n${labelledText(rows, 16)}`;
}

const inCaracas = (at: Instant | undefined) =>
  at === undefined ? undefined : `${caracasTime(at)} in Caracas`;

function remedyOf({ name, kind, condition, held }: SourceHealth): string | undefined {
  switch (condition) {
    case 'incomplete':
    case 'failing':
      return `vesfx source check ${name} says what it answers now`;
    case 'late':
      return kind === PUSHED
        ? 'did the bank publish? push it, or by hand: vesfx rate set'
        : `did the bank publish? vesfx source run ${name}; by hand: vesfx rate set`;
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

const listCommand = command({
  name: 'list',
  about: 'list the sources, failing ones first: condition, schedule, what to do',
  async run(input) {
    const config = readConfig(input);
    const { sources } = await loadSourcesAndMarkets(config);
    return withToolbox(config, async (toolbox) => {
      const { SourceWatch } = await import('../../../app/collecting/source-watch.ts');
      const { systemClock: clock } = await import('../../../compose.ts');
      const { sources: watched } = await new SourceWatch({ ...toolbox, sources, clock }).health();
      const states = await toolbox.store.sourceStates();
      const listed = watched.map((health) => ({
        health,
        source: sources.find(({ name }) => name === health.name),
        state: states.find(({ source }) => source === health.name),
      }));
      const rank = ({ health }: Listed) => CONDITION_RANK[health.condition];
      listed.sort((a, b) => rank(a) - rank(b));
      return { json: { sources: listed.map(listView) }, text: listed.map(listText).join('\n') };
    });
  },
});

/** `vesfx source …`: the sources, their schedules and their health (docs/operating.md). */
export const sourceCommands = group('source', 'check, read, test and switch the sources', [
  listCommand,
  checkCommand,
  runCommand,
  replayCommand,
  parseCommand,
  bodyCommand,
  enableCommand,
  disableCommand,
]);
