import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Archive, ArchiveFile } from '../../core/app/ports/sources.ts';
import { type AddCommand, command, type Result } from '../../core/cli/command.ts';
import { countsText, isAllHeld } from '../../core/cli/commands/import.ts';
import { dayOfFlag, dayRangeOf } from '../../core/cli/commands/moment.ts';
import {
  type CommonFlags,
  DONE,
  FAILED,
  NOTHING_PUBLISHED,
  remark,
  textTable,
  visible,
} from '../../core/cli/output.ts';
import { progressBar } from '../../core/cli/progress.ts';
import { loadSourcesAndMarkets } from '../../core/cli/sources.ts';
import { withToolbox } from '../../core/cli/toolbox.ts';
import type { Toolbox } from '../../core/compose.ts';
import { type Config, ConfigError, readConfig } from '../../core/config.ts';
import { MAX_WORKBOOK_BYTES } from './limits.ts';
import { type BackfillOptions, backfill, type FileOutcome, overlap } from './load.ts';

/** The quarterly workbooks begin in this year. Before it there is only the dollar. */
const DEFAULT_FROM = '2020-01-01';

const PROGRESS_FORMAT = '{bar} {value} of {total} workbooks, {eta_formatted} left';

function requireFile(path: string): void {
  const stats = statSync(path);
  if (!stats.isFile()) throw new Error(`${visible(path)} is not a file.`);
  if (stats.size > MAX_WORKBOOK_BYTES) {
    throw new Error(`${visible(path)} has more than ${MAX_WORKBOOK_BYTES} bytes: no workbook has.`);
  }
}

function localFile(path: string): ArchiveFile {
  return {
    name: visible(path),
    body: async () => ({ url: pathToFileURL(resolve(path)).href, bytes: await readFile(path) }),
  };
}

async function loadAll(
  files: readonly ArchiveFile[],
  { json }: CommonFlags,
  config: Config,
  wishes: Omit<BackfillOptions, 'ingest' | 'clock'>,
): Promise<readonly FileOutcome[]> {
  const outcomes: FileOutcome[] = [];
  const load = async ({ ingest }: Toolbox) => {
    const bar = await progressBar(files.length, PROGRESS_FORMAT);
    const clock = { now: () => Date.now() };
    try {
      for await (const outcome of backfill(files, { ...wishes, ingest, clock })) {
        outcomes.push(outcome);
        for (const { place, problem } of outcome.faults) {
          bar?.clear();
          remark(visible(`${outcome.file}: ${place}: ${problem}`));
        }
        bar?.advance(1);
      }
    } catch (error) {
      bar?.stop();
      if (!wishes.dryRun && outcomes.length > 0 && json !== true) {
        const loaded = `${outcomes.length} of ${files.length} workbooks`;
        remark(
          `Before that ${loaded} were loaded and stay loaded. Run the command again to continue.`,
        );
      }
      throw error;
    } finally {
      bar?.stop();
    }
  };
  await withToolbox(config, load, wishes.dryRun ? 'try' : 'create');
  return outcomes;
}

const CONVERTED =
  'published in older bolívares: soberanos (before 2021-10-01) are divided by 1,000,000, fuertes (before 2018-08-20) by 100,000,000,000.';
const SOME_HELD =
  'Held records are not published: see "vesfx held list", or run it again with --trust.';
const SOME_LEFT =
  'The places named above contradict themselves or the store: they are not loaded, the others are.';
const COUNTED = ['accepted', 'held', 'duplicate', 'outside', 'converted'] as const;
const COLUMNS = ['file', 'first', 'last', ...COUNTED, 'faults'];

function resultOf(outcomes: readonly FileOutcome[], isDry: boolean): Result {
  const none = { accepted: 0, held: 0, refused: 0, duplicate: 0, outside: 0, converted: 0 };
  const totals = { ...none, faults: 0 };
  for (const { faults, ...counts } of outcomes) {
    for (const name of [...COUNTED, 'refused'] as const) totals[name] += counts[name];
    totals.faults += faults.length;
  }
  const rows = outcomes.map((outcome) => [
    outcome.file,
    outcome.first ?? '',
    outcome.last ?? '',
    ...COUNTED.map((name) => String(outcome[name])),
    String(outcome.faults.length),
  ]);
  const lines = [
    textTable(COLUMNS, rows),
    `${countsText(totals)}${isDry ? ' (dry run: nothing was stored)' : ''}`,
    ...(totals.converted > 0 ? [`${totals.converted} of them ${CONVERTED}`] : []),
  ];
  const published = isAllHeld(totals) ? NOTHING_PUBLISHED : DONE;
  return {
    json: { files: outcomes, ...totals, dry_run: isDry || undefined },
    text: lines.join('\n'),
    hints: [...(totals.held > 0 ? [SOME_HELD] : []), ...(totals.faults > 0 ? [SOME_LEFT] : [])],
    exitCode: totals.faults > 0 ? FAILED : published,
  };
}

/** The archive of the catalogue. It keeps no connection open between requests. */
export async function openArchive(config: Config): Promise<Archive> {
  const { sources } = await loadSourcesAndMarkets(config);
  const { openUpstreams } = await import('../../core/compose.ts');
  const { fetch } = await openUpstreams(config);
  for (const source of sources) {
    const archive = source.enabled ? source.archive?.(fetch(source)) : undefined;
    if (archive !== undefined) return archive;
  }
  throw new ConfigError('No source of sources.json that is on has an archive.');
}

/** @param openArchive Opens the archive that lists, fetches and reads workbooks. */
export function backfillCommand(openArchive: (config: Config) => Promise<Archive>): AddCommand {
  return command({
    name: 'backfill',
    follows: 'import',
    about: "load past official rates from the central bank's workbooks",
    arguments: {
      '[files...]': "workbooks, .xls or .xlsx; by default they are read from the bank's site",
    },
    flags: {
      '--from <day>': { about: 'first value date', byDefault: DEFAULT_FROM },
      '--to <day>': 'last value date',
      '--dry-run': 'read, check and count, store nothing',
      '--trust': 'accept records that would be held, because you have checked them',
      '--accept-corrections': 'replace stored rates that a workbook contradicts',
    },
    help: '\nA value date with a stored rate keeps it, so you may repeat the command at any time. If a workbook has another figure, both are reported.',
    async run(input) {
      const { files: paths, dryRun, trust, acceptCorrections } = input;
      const days = { ...dayRangeOf(input), from: dayOfFlag(input.from, '--from') };
      const config = readConfig(input);
      // Check first, so that a wrong name is reported before a database is created.
      for (const path of paths) requireFile(path);
      const archive = await openArchive(config);
      const files = paths.length > 0 ? paths.map(localFile) : await archive.list();
      const wanted = files.filter(({ span }) => span === undefined || overlap(span, days));
      const wishes = { archive, days, dryRun, trust, acceptCorrections };
      return resultOf(await loadAll(wanted, input, config, wishes), dryRun);
    },
  });
}
