import type { Command } from 'commander';
import type { TracedPublication } from '../../app/ports/records.ts';
import { PUBLISHED_CURRENCIES } from '../../domain/bcv.ts';
import { isoInstant } from '../../domain/time.ts';
import { caracasTime, flagsOf, print, remark, table, UsageError } from '../output.ts';
import { withToolbox } from '../toolbox.ts';
import { dayOf } from './moment.ts';

/** Most publications in one list. */
const MAX_LISTED_PUBLICATIONS = 1_000;
const DEFAULT_LISTED = 20;

const HELP = `
A publication is "published", "replaced" when another figure came for its value date before it took
effect, or "withdrawn" when the same figures came under another date. It stays in the list.

  vesfx publications
  vesfx publications --from 2026-05-01 --to 2026-05-04`;

interface PublicationFlags {
  readonly from?: string;
  readonly to?: string;
  readonly limit?: string;
}

/** `vesfx publications`: publications of the central bank with their states (decisions §8). */
export function addPublicationsCommand(program: Command): void {
  program
    .command('publications')
    .description('list the publications of the central bank with their states, newest first')
    .option('--from <day>', 'first value date, YYYY-MM-DD')
    .option('--to <day>', 'last value date, YYYY-MM-DD')
    .option(
      '--limit <number>',
      `how many at most; by default ${DEFAULT_LISTED}, or all with --from`,
    )
    .addHelpText('after', HELP)
    .action(async (_options, command: Command) => {
      const flags = flagsOf<PublicationFlags>(command);
      const from = flags.from === undefined ? undefined : dayOf(flags.from, '--from');
      const to = flags.to === undefined ? undefined : dayOf(flags.to, '--to');
      if (from !== undefined && to !== undefined && from > to) {
        throw new UsageError('--from must not be after --to.');
      }
      const limit = limitOf(flags);
      await withToolbox(flags, async ({ store }) => {
        const found = await store.listPublications({
          ...(from !== undefined && { from }),
          ...(to !== undefined && { to }),
          limit: limit + 1,
        });
        const shown = found.slice(0, limit);
        const text = table(COLUMNS, shown.map(rowOf));
        print(flags, shown.map(view), shown.length === 0 ? 'There is no publication.' : text);
        if (found.length > shown.length) remark(`The newest ${limit} are shown.`);
      });
    });
}

function limitOf({ from, limit }: PublicationFlags): number {
  if (limit === undefined) return from === undefined ? DEFAULT_LISTED : MAX_LISTED_PUBLICATIONS;
  const count = /^[1-9]\d*$/.test(limit) ? Number(limit) : 0;
  if (count >= 1 && count <= MAX_LISTED_PUBLICATIONS) return count;
  throw new UsageError(`--limit must be a whole number from 1 to ${MAX_LISTED_PUBLICATIONS}.`);
}

const COLUMNS = ['VALUE DATE', 'STATE', 'READ (CARACAS)', 'SOURCE', ...PUBLISHED_CURRENCIES];

function rowOf({ valueDate, state, capturedAt, source, rates }: TracedPublication): string[] {
  const figures = PUBLISHED_CURRENCIES.map((currency) => String(rates[currency] ?? '-'));
  return [valueDate, state, caracasTime(capturedAt), source ?? '-', ...figures];
}

function view({ valueDate, valueDateText, state, capturedAt, source, rates }: TracedPublication) {
  return {
    value_date: valueDate,
    ...(valueDateText !== undefined && { value_date_text: valueDateText }),
    state,
    captured_at: isoInstant(capturedAt),
    ...(source !== undefined && { source }),
    rates,
  };
}
