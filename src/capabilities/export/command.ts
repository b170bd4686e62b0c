import { constants } from 'node:os';
import { lowerPriority } from '../../core/app/lower-priority.ts';
import { databaseCommand } from '../../core/cli/command.ts';
import { dayOfFlag, dayRangeOf } from '../../core/cli/commands/moment.ts';
import { marketsNamed } from '../../core/cli/markets.ts';
import { UsageError } from '../../core/cli/output.ts';
import { progressBar } from '../../core/cli/progress.ts';
import { BANK_NOTICE, STORED_UNIT_NOTICE } from '../../core/domain/bcv.ts';
import { isOfficial, type Markets } from '../../core/domain/markets.ts';
import { storedUnitOf } from '../../core/domain/redenomination.ts';
import { DAY_MS, type Instant } from '../../core/domain/time.ts';
import type { ExportSelection } from './selection.ts';

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
  vesfx export dollar.parquet --market parallel --market reference --from 2026-01-01`;

function formatOf(file: string): FormatName {
  const format = FORMATS.find((one) => file.toLowerCase().endsWith(`.${one}`));
  if (format !== undefined) return format;
  const ends = FORMATS.map((one) => `.${one}`).join(', ');
  throw new UsageError(`The name of the file must end in one of ${ends}.`);
}

async function openerOf(format: FormatName) {
  switch (format) {
    case 'csv':
      return (await import('./csv-file.ts')).openCsv;
    case 'ndjson':
      return (await import('./ndjson-file.ts')).openNdjson;
    case 'sqlite':
      return (await import('./sqlite-file.ts')).openSqliteTables;
    case 'parquet':
      return (await import('./parquet-file.ts')).openParquet;
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

/** `vesfx export`: what is stored, as a file (contract §22). */
export const exportCommand = databaseCommand({
  name: 'export',
  about: 'write the stored rates to a file (CSV, NDJSON, SQLite, Parquet)',
  arguments: { '[file]': 'file to write; its end says the format' },
  flags: {
    '--market <id...>': { about: 'a market to export; again for more', isRepeated: true },
    '--official': "the central bank's publications",
    '--from <day>': 'first day, YYYY-MM-DD',
    '--to <day>': 'last day, YYYY-MM-DD',
    '--captures': 'every stored capture, instead of the last one of each day',
    '--force': 'replace the file if it exists',
  },
  help: HELP,
  async read(input) {
    if (input.file === undefined) {
      throw new UsageError('Name a file to write.');
    }
    const range = dayRangeOf(input);
    const format = formatOf(input.file);
    const { fileToWrite } = await import('../../core/cli/new-file.ts');
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
    const { store, markets, redenominations } = toolbox;
    const { market: names, official, target, force, ...rest } = question;
    const isAll = names === undefined && !official;
    const selection: ExportSelection = {
      ...rest,
      markets: isAll ? markets.list : marketsNamed(markets, names ?? []),
      publications: isAll || official,
    };
    const { exportStore } = await import('./export-store.ts');
    const { writeExport } = await import('./export-file.ts');
    const { NewFile } = await import('../../core/cli/new-file.ts');
    const open = await openerOf(question.format);
    const firsts = await store.firstCaptures();
    const format = '{bar} {percentage}% | {eta_formatted}';
    const bar = await progressBar(daysOf(firsts, selection), format);
    const file = await NewFile.create(target, { replaces: force });
    try {
      const writer = open(file, (day) => redenominations.since(storedUnitOf(day)));
      const rows = await writeExport(writer, {
        ...{ store: exportStore(store.engine), markets, selection },
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
