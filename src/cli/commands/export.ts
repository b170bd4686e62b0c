import { constants } from 'node:os';
import type { ExportSelection } from '../../app/export/selection.ts';
import { lowerPriority } from '../../app/lower-priority.ts';
import { readConfig } from '../../config.ts';
import { BANK_NOTICE, STORED_UNIT_NOTICE } from '../../domain/bcv.ts';
import { isOfficial, type Markets } from '../../domain/markets.ts';
import { storedUnitOf } from '../../domain/redenomination.ts';
import { DAY_MS, type Instant } from '../../domain/time.ts';
import { databaseCommand } from '../command.ts';
import { UsageError } from '../output.ts';
import { progressBar } from '../progress.ts';
import { exportStatic, marketsNamed } from './export-static.ts';
import { dayOfFlag, dayRangeOf } from './moment.ts';

const FORMATS = ['csv', 'ndjson', 'sqlite', 'parquet'] as const;
type FormatName = (typeof FORMATS)[number];

/** Every day that a record may have. */
const ALL_DAYS = { from: '1000-01-01', to: '9999-12-31' };

const HELP = `
The end of the name says the format: .csv, .ndjson, .sqlite or .parquet. An .ndjson file has the records
that "vesfx import --trust" takes. It may run while the service does, and has what is stored when it
begins. The file appears whole or not at all.

Without --market and --official it has everything. --market alone brings no publications: of an official
market, such as reference, it brings the rates as quotes. --official alone brings the official rates, and
the table of banks where the format has a place for it. The last capture of a day is that of its UTC day;
of an official rate, every value date has one.

--from and --to are UTC days of quotes, and value dates of official rates. Both ends are included.

  vesfx export rates.csv
  vesfx export all.ndjson --captures
  vesfx export dollar.parquet --market parallel --market reference --from 2026-01-01

--static writes files that any web server can serve as they are. Only those that changed are written, and
the index comes last. The folder must be new, empty, or one that an export has written. Without --market
it has the markets of the cheapest plan.

  vesfx export --static /srv/rates
  vesfx serve --export /srv/rates     keeps them current`;

function formatOf(file: string): FormatName {
  const format = FORMATS.find((one) => file.toLowerCase().endsWith(`.${one}`));
  if (format !== undefined) return format;
  const ends = FORMATS.map((one) => `.${one}`).join(', ');
  throw new UsageError(`The name of the file must end in one of ${ends}.`);
}

/** The folder of a static copy. @throws UsageError when something is given that is for files. */
function folderOf(input: {
  readonly static?: string | undefined;
  readonly file?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly official: boolean;
  readonly captures: boolean;
  readonly force: boolean;
}): string {
  const { static: folder = '', file, from, to, official, captures, force } = input;
  if (file !== undefined) throw new UsageError('Name a file or --static, not both.');
  if (official || captures || force || from !== undefined || to !== undefined) {
    throw new UsageError('With --static only --market may be given.');
  }
  if (folder === '') throw new UsageError('--static needs the name of a folder.');
  return folder;
}

async function openerOf(format: FormatName) {
  switch (format) {
    case 'csv':
      return (await import('../export/csv.ts')).openCsv;
    case 'ndjson':
      return (await import('../export/ndjson.ts')).openNdjson;
    case 'sqlite':
      return (await import('../export/sqlite.ts')).openSqliteTables;
    case 'parquet':
      return (await import('../export/parquet.ts')).openParquet;
    default:
      return format satisfies never;
  }
}

/** The days from the first quote of each market to now, by which progress is shown. */
function daysOf(firsts: ReadonlyMap<string, Instant>, selection: ExportSelection): number {
  const { start, end } = selection.times;
  const until = Math.min(end, Date.now());
  return selection.markets
    .filter((market) => !isOfficial(market))
    .map(({ id }) => until - Math.max(firsts.get(id) ?? until, start))
    .reduce((sum, ms) => sum + Math.max(0, ms) / DAY_MS, 0);
}

/** `vesfx export`: what is stored, as a file (decisions §22). */
export const exportCommand = databaseCommand({
  name: 'export',
  about: 'write the stored rates to a file (CSV, NDJSON, SQLite, Parquet) or to a static copy',
  arguments: { '[file]': 'file to write; its end says the format' },
  flags: {
    '--static <dir>': 'folder for a copy that any web server can serve, instead of a file',
    '--market <id...>': { about: 'a market to export; again for more', isRepeated: true },
    '--official': "the central bank's publications",
    '--from <day>': 'first day, YYYY-MM-DD',
    '--to <day>': 'last day, YYYY-MM-DD',
    '--captures': 'every stored capture, instead of the last one of each day',
    '--force': 'replace the file if it exists',
  },
  help: HELP,
  async read(input) {
    if (input.static !== undefined) return { folder: folderOf(input), ...input };
    if (input.file === undefined) {
      throw new UsageError('Name a file to write, or a folder with --static.');
    }
    const range = dayRangeOf(input);
    const format = formatOf(input.file);
    const { fileToWrite } = await import('../export/new-file.ts');
    const target = fileToWrite(input.file, input);
    // A service on the same machine has priority.
    lowerPriority(constants.priority.PRIORITY_BELOW_NORMAL);
    const days = {
      from: range.from ?? dayOfFlag(ALL_DAYS.from, '--from'),
      to: range.to ?? dayOfFlag(ALL_DAYS.to, '--to'),
    };
    const times = { start: Date.parse(days.from), end: Date.parse(days.to) + DAY_MS };
    return { ...input, format, target, days, times };
  },
  async work(toolbox, question) {
    if ('folder' in question) return exportStatic(toolbox, question, readConfig(question));
    const { store, markets, redenominations } = toolbox;
    const { market: names, official, target, force, ...rest } = question;
    const isAll = names === undefined && !official;
    const selection: ExportSelection = {
      ...rest,
      markets: isAll ? markets.list : marketsNamed(markets, names ?? []),
      publications: isAll || official,
    };
    const { writeExport } = await import('../export/export-file.ts');
    const { NewFile } = await import('../export/new-file.ts');
    const open = await openerOf(question.format);
    const firsts = await store.firstCaptures();
    const format = '{bar} {percentage}% | {eta_formatted}';
    const bar = await progressBar(daysOf(firsts, selection), format);
    const file = await NewFile.create(target, { replaces: force });
    try {
      const writer = open(file, (day) => redenominations.since(storedUnitOf(day)));
      const rows = await writeExport(writer, {
        ...{ store, markets, selection },
        onAdvance: (ms) => bar?.advance(ms / DAY_MS),
      });
      const notice = `${BANK_NOTICE.en} ${STORED_UNIT_NOTICE}`;
      const written = { rows, ...(await file.finish()) };
      const unknown = isAll ? [...firsts.keys()].filter((id) => !isKnown(id, markets)) : [];
      return {
        json: { file: target, ...written, notice, left_out: unknown },
        text: `Wrote ${target}: ${rows} rows, ${written.bytes} bytes, SHA-256 ${written.sha256}.`,
        hints: [
          notice,
          ...(unknown.length > 0
            ? [`Left out, because they are not in the catalogue: ${unknown.join(', ')}.`]
            : []),
        ],
      };
    } catch (error) {
      await file.discard();
      throw error;
    } finally {
      bar?.stop();
    }
  },
});

/** Official rates of currencies without a market stand under their codes; ids have no capitals. */
function isKnown(id: string, markets: Markets): boolean {
  return markets.find(id) !== undefined || /^[A-Z]{3}$/.test(id);
}
