import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import {
  type BackfillOptions,
  backfill,
  type FileOutcome,
  MAX_WORKBOOK_BYTES,
  overlap,
} from '../../app/collecting/backfill.ts';
import type { Archive, ArchiveFile, DaySpan } from '../../app/ports/sources.ts';
import type { Toolbox } from '../../compose.ts';
import { type Config, readConfig } from '../../config.ts';
import {
  type CommonFlags,
  FAILED,
  flagsOf,
  NOTHING_PUBLISHED,
  print,
  remark,
  table,
  UsageError,
  visible,
} from '../output.ts';
import { progressBar } from '../progress.ts';
import { withToolboxOf } from '../toolbox.ts';
import { countsText, isAllHeld } from './import.ts';
import { dayOf } from './moment.ts';

/** The quarterly workbooks begin in this year. Before it there is only the dollar. */
const DEFAULT_FROM = '2020-01-01';

const PROGRESS_FORMAT = '{bar} {value} of {total} workbooks, {eta_formatted} left';

interface BackfillFlags extends CommonFlags {
  readonly from: string;
  readonly to?: string;
  readonly dryRun?: boolean;
  readonly trust?: boolean;
  readonly acceptCorrections?: boolean;
}

/** @param openArchive Opens the archive that lists, fetches and reads workbooks. */
export function addBackfillCommand(
  program: Command,
  openArchive: (config: Config) => Promise<Archive>,
): void {
  program
    .command('backfill')
    .description("load past official rates from the central bank's workbooks")
    .argument(
      '[files...]',
      "workbooks, .xls or .xlsx; by default they are read from the bank's site",
    )
    .option('--from <day>', 'first value date', DEFAULT_FROM)
    .option('--to <day>', 'last value date')
    .option('--dry-run', 'read, check and count, store nothing')
    .option('--trust', 'accept records that would be held, because you have checked them')
    .option('--accept-corrections', 'replace stored rates that a workbook contradicts')
    .addHelpText(
      'after',
      '\nA value date with a stored rate keeps it, so you may repeat the command at any time. If a workbook has another figure, both are reported.',
    )
    .action(async (paths: readonly string[], _options, command: Command) => {
      const flags = flagsOf<BackfillFlags>(command);
      const days = daysOf(flags);
      const config = readConfig(flags);
      // Check first, so that a wrong name is reported before a database is created.
      for (const path of paths) requireFile(path);
      const archive = await openArchive(config);
      const files = paths.length > 0 ? paths.map(localFile) : await archive.list();
      const wanted = files.filter(({ span }) => span === undefined || overlap(span, days));
      const outcomes = await loadAll(wanted, flags, config, {
        archive,
        days,
        dryRun: flags.dryRun === true,
        trust: flags.trust === true,
        acceptCorrections: flags.acceptCorrections === true,
      });
      finish(flags, outcomes);
    });
}

function daysOf({ from: fromText, to: toText }: BackfillFlags): DaySpan {
  const from = dayOf(fromText, '--from');
  if (toText === undefined) return { from };
  const to = dayOf(toText, '--to');
  if (from > to) throw new UsageError('--from must not be after --to.');
  return { from, to };
}

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
          bar.clear();
          remark(visible(`${outcome.file}: ${place}: ${problem}`));
        }
        bar.advance(1);
      }
    } catch (error) {
      bar.stop();
      if (!wishes.dryRun && outcomes.length > 0 && json !== true) {
        const loaded = `${outcomes.length} of ${files.length} workbooks`;
        remark(
          `Before that ${loaded} were loaded and stay loaded. Run the command again to continue.`,
        );
      }
      throw error;
    } finally {
      bar.stop();
    }
  };
  await withToolboxOf(config, load, { withoutDatabase: wishes.dryRun ? 'try' : 'create' });
  return outcomes;
}

const CONVERTED =
  'published in older bolívares: soberanos (before 2021-10-01) are divided by 1,000,000, fuertes (before 2018-08-20) by 100,000,000,000.';
const COUNTED = ['accepted', 'held', 'duplicate', 'outside', 'converted'] as const;
const COLUMNS = ['file', 'first', 'last', ...COUNTED, 'faults'];

function finish(flags: BackfillFlags, outcomes: readonly FileOutcome[]): void {
  const sum = (count: (outcome: FileOutcome) => number) =>
    outcomes.reduce((total, outcome) => total + count(outcome), 0);
  const totals = {
    accepted: sum(({ accepted }) => accepted),
    held: sum(({ held }) => held),
    refused: sum(({ refused }) => refused),
    duplicate: sum(({ duplicate }) => duplicate),
    outside: sum(({ outside }) => outside),
    converted: sum(({ converted }) => converted),
    faults: sum(({ faults }) => faults.length),
  };
  const isDry = flags.dryRun === true;
  const rows = outcomes.map((outcome) => [
    outcome.file,
    outcome.first ?? '',
    outcome.last ?? '',
    ...COUNTED.map((name) => String(outcome[name])),
    String(outcome.faults.length),
  ]);
  const text = [
    table(COLUMNS, rows),
    `${countsText(totals)}${isDry ? ' (dry run: nothing was stored)' : ''}`,
    ...(totals.converted > 0 ? [`${totals.converted} of them ${CONVERTED}`] : []),
  ];
  print(flags, { files: outcomes, ...totals, ...(isDry && { dry_run: true }) }, text.join('\n'));
  if (totals.held > 0 && flags.json !== true) {
    remark('Held records are not published: see "vesfx held list", or run it again with --trust.');
  }
  if (isAllHeld(totals)) process.exitCode = NOTHING_PUBLISHED;
  if (totals.faults === 0) return;
  if (flags.json !== true) {
    remark(
      'The places named above contradict themselves or the store: they are not loaded, the others are.',
    );
  }
  process.exitCode = FAILED;
}
