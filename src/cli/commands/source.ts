import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import type { Archive } from '../../app/collecting/backfill.ts';
import type { Replayed } from '../../app/collecting/replay.ts';
import type { SourceHealth } from '../../app/collecting/source-health.ts';
import type { Source, SourceRecord, SourceState, UpstreamBody } from '../../app/ports.ts';
import type { Upstreams } from '../../compose.ts';
import { type Config, ConfigError, readConfig } from '../../config.ts';
import { ApiError } from '../../domain/errors.ts';
import type { Markets } from '../../domain/markets.ts';
import { type Instant, isoInstant, parseCaracasDay, startOfCaracasDay } from '../../domain/time.ts';
import { FAILED, flagsOf, print, UsageError, visible } from '../output.ts';
import { withToolboxOf } from '../toolbox.ts';
import { countsText } from './import.ts';

/** Largest saved body that is parsed: more than any answer that is taken from a source. */
export const MAX_PARSED_FILE_BYTES = 64 * 2 ** 20;

/** Most readings that a replay lists of those that change, and of those that fail. */
export const MAX_LISTED_READINGS = 1_000;

/** Loaded when needed, so that help and usage errors answer at once. */
async function open(
  config: Config,
): Promise<{ readonly sources: readonly Source[]; readonly markets: Markets }> {
  const [{ openSources }, { loadCatalogue }] = await Promise.all([
    import('../../compose.ts'),
    import('../../catalogue/catalogue.ts'),
  ]);
  const { markets } = loadCatalogue(config.catalogueDir);
  return { sources: await openSources(config, markets), markets };
}

/** Opens what asks the sources, and closes it when the work is done. */
async function withUpstreams<T>(
  config: Config,
  work: (fetch: Upstreams['fetch']) => Promise<T>,
): Promise<T> {
  const { openUpstreams } = await import('../../compose.ts');
  const upstreams = await openUpstreams(config);
  try {
    return await work(upstreams.fetch);
  } finally {
    upstreams.close();
  }
}

/** The archive that the catalogue names. It holds nothing open between two requests. */
export async function openArchive(config: Config): Promise<Archive> {
  const [{ sources }, { openUpstreams }] = await Promise.all([
    open(config),
    import('../../compose.ts'),
  ]);
  const { fetch } = await openUpstreams(config);
  for (const source of sources) {
    const archive = source.enabled ? source.archive?.(fetch(source)) : undefined;
    if (archive !== undefined) return archive;
  }
  throw new ConfigError('No source of sources.json that is on has an archive.');
}

/** By its name, or by its kind where only one is of it. @throws ApiError when there is none. */
function sourceNamed(sources: readonly Source[], name: string): Source {
  const ofKind = sources.filter(({ kind }) => kind === name);
  const found =
    sources.find((source) => source.name === name) ?? (ofKind.length === 1 ? ofKind[0] : undefined);
  if (found !== undefined) return found;
  const list = (some: readonly Source[]) => some.map((source) => source.name).join(', ');
  if (name === 'operator') {
    throw new UsageError('operator stands for pushed records: there is nothing to read.');
  }
  const message =
    ofKind.length > 1
      ? `${name} is the kind of several sources: ${list(ofKind)}.`
      : `There is no source ${name}. There are: ${list(sources)}.`;
  throw new ApiError('resource_not_found', { message });
}

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

function addListCommand(group: Command): void {
  group
    .command('list')
    .description('list the sources: when each is read, and how it is')
    .action(async (_options, command: Command) => {
      const flags = flagsOf(command);
      const config = readConfig(flags);
      const { sources } = await open(config);
      await withToolboxOf(config, async (toolbox) => {
        const [{ SourceWatch }, { systemClock: clock }] = await Promise.all([
          import('../../app/collecting/source-watch.ts'),
          import('../../compose.ts'),
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

type Checked =
  | { readonly name: string; readonly ok: true; readonly records: readonly SourceRecord[] }
  | {
      readonly name: string;
      readonly ok: false;
      readonly reason: string;
      readonly message: string;
    };

async function check(source: Source, fetch: Upstreams['fetch']): Promise<Checked> {
  const { failureOf, recordsOf } = await import('../../app/collecting/read-source.ts');
  const { name } = source;
  try {
    return { name, ok: true, records: recordsOf(source, await source.read(fetch(source))) };
  } catch (error) {
    return { name, ok: false, ...failureOf(error) };
  }
}

function checkedText(checked: Checked): string {
  const { name } = checked;
  if (!checked.ok) return `${name}: failed (${checked.reason}): ${visible(checked.message)}`;
  const lines = checked.records.map((record) => JSON.stringify(record));
  return [`${name}: ${countOf(lines.length, 'record')}`, ...lines].join('\n');
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Whether the collector reads it, by its schedule or in the place of another. */
function isCollected({ enabled, schedule, fallbackFor }: Source): boolean {
  return enabled && (schedule.length > 0 || fallbackFor !== undefined);
}

function addCheckCommand(group: Command): void {
  group
    .command('check')
    .description('read and parse a source without storing anything; exit code 1 when it fails')
    .argument('[name]', 'the source; without it all that are on and read without a command')
    .action(async (name: string | undefined, _options, command: Command) => {
      const flags = flagsOf(command);
      const config = readConfig(flags);
      const { sources } = await open(config);
      const chosen =
        name === undefined ? sources.filter(isCollected) : [sourceNamed(sources, name)];
      const checked = await withUpstreams(config, (fetch) =>
        Promise.all(chosen.map((source) => check(source, fetch))),
      );
      const text = checked.map(checkedText).join('\n');
      print(flags, { sources: checked }, text);
      if (checked.some(({ ok }) => !ok)) process.exitCode = FAILED;
    });
}

function addRunCommand(group: Command): void {
  group
    .command('run')
    .description('read a source now and take its records in, also one that is switched off')
    .argument('<name>', 'the source')
    .action(async (name: string, _options, command: Command) => {
      const flags = flagsOf(command);
      const config = readConfig(flags);
      const { sources } = await open(config);
      const source = sourceNamed(sources, name);
      await withUpstreams(config, (fetch) =>
        withToolboxOf(config, async ({ store, ingest }) => {
          const [{ readSource }, { systemClock: clock }] = await Promise.all([
            import('../../app/collecting/read-source.ts'),
            import('../../compose.ts'),
          ]);
          const before = (await store.sourceStates()).find((one) => one.source === source.name);
          const options = { fetch: fetch(source), store, ingest, clock, sources, before };
          const { state, counts } = await readSource(source, options);
          // Its turns are the collector's to plan.
          const { nextRunAt } = before ?? {};
          await store.saveSourceState({ ...state, ...(nextRunAt !== undefined && { nextRunAt }) });
          if (counts !== undefined)
            print(flags, { name: source.name, ...counts }, countsText(counts));
          if (state.failure !== undefined) {
            throw new Error(`${source.name}: ${visible(state.failure.message)}`);
          }
        }),
      );
    });
}

interface ReplayFlags {
  readonly since?: string;
}

/** What a replay found, as far as it is listed. */
interface Found {
  readonly counts: Record<Replayed['outcome'], number>;
  readonly changed: Replayed[];
  readonly failed: Replayed[];
}

function sinceOf({ since }: ReplayFlags): Instant {
  if (since === undefined) return Number.NEGATIVE_INFINITY;
  const day = parseCaracasDay(since);
  if (day === undefined) throw new UsageError('--since must be a date that exists, YYYY-MM-DD.');
  return startOfCaracasDay(day);
}

async function gather(replayed: AsyncIterable<Replayed>): Promise<Found> {
  const counts = { same: 0, changed: 0, failed: 0, uncompared: 0 };
  const found: Found = { counts, changed: [], failed: [] };
  for await (const one of replayed) {
    counts[one.outcome] += 1;
    if (one.outcome !== 'changed' && one.outcome !== 'failed') continue;
    const list = found[one.outcome];
    if (list.length < MAX_LISTED_READINGS) list.push(one);
  }
  return found;
}

function replayText({ counts, changed, failed }: Found): string {
  const { same, uncompared } = counts;
  const line = ({ readAt, outcome, notes }: Replayed) =>
    `${isoInstant(readAt)}  ${outcome === 'failed' ? 'fails: ' : ''}${visible(notes.join('; '))}`;
  const listed = [...changed, ...failed].sort((a, b) => a.readAt - b.readAt).map(line);
  const readings = same + uncompared + counts.changed + counts.failed;
  return [
    ...listed,
    `${countOf(readings, 'reading')}: ${same} as published, ${counts.changed} would change, ` +
      `${counts.failed} cannot be read, ${uncompared} cannot be compared`,
  ].join('\n');
}

function addReplayCommand(group: Command): void {
  group
    .command('replay')
    .description("try today's parser on the kept bodies of a source, and show what would change")
    .argument('<name>', 'the source')
    .option('--since <day>', 'first day in Caracas; all that is kept without it')
    .action(async (name: string, _options, command: Command) => {
      const flags = flagsOf<ReplayFlags>(command);
      const config = readConfig(flags);
      const since = sinceOf(flags);
      const { sources, markets } = await open(config);
      const source = sourceNamed(sources, name);
      await withToolboxOf(config, async ({ store }) => {
        const { replay } = await import('../../app/collecting/replay.ts');
        const found = await gather(replay(source, { store, markets, since }));
        const view = ({ readAt, notes }: Replayed) => ({ read_at: isoInstant(readAt), notes });
        const { counts, changed, failed } = found;
        const told = {
          name: source.name,
          readings: counts,
          changed: changed.map(view),
          failed: failed.map(view),
        };
        print(flags, told, replayText(found));
      });
    });
}

function savedBody(file: string): UpstreamBody {
  const path = resolve(file);
  const { size } = statSync(path);
  if (size > MAX_PARSED_FILE_BYTES) {
    throw new UsageError(`${file} has more than ${MAX_PARSED_FILE_BYTES / 2 ** 20} MB.`);
  }
  return { url: pathToFileURL(path).href, bytes: readFileSync(path) };
}

function addParseCommand(group: Command): void {
  group
    .command('parse')
    .description('print, as NDJSON, the records that a source would make of saved bodies')
    .argument('<name>', 'the source, also one that is switched off')
    .argument('<files...>', 'the bodies of one reading, in order')
    .action(async (name: string, files: readonly string[], _options, command: Command) => {
      const { sources } = await open(readConfig(flagsOf(command)));
      const source = sourceNamed(sources, name);
      const bodies = files.map(savedBody);
      const { failureOf, recordsOf } = await import('../../app/collecting/read-source.ts');
      let records: readonly SourceRecord[];
      try {
        records = recordsOf(source, bodies);
      } catch (error) {
        throw new Error(visible(failureOf(error).message), { cause: error });
      }
      for (const record of records) process.stdout.write(`${JSON.stringify(record)}\n`);
    });
}

/** `vesfx source …`: what is read, when and how it goes (docs/operating.md). */
export function addSourceCommands(program: Command): void {
  const group = program.command('source').description('look after what is read, and try it');
  addListCommand(group);
  addCheckCommand(group);
  addRunCommand(group);
  addReplayCommand(group);
  addParseCommand(group);
}
