import type { TracedPublication } from '../../../core/app/ports/records.ts';
import { databaseCommand } from '../../../core/cli/command.ts';
import { dayRangeOf } from '../../../core/cli/commands/moment.ts';
import { caracasTime, textTable, UsageError, unitChangeRemark } from '../../../core/cli/output.ts';
import { PUBLISHED_CURRENCIES } from '../../../core/domain/bcv.ts';
import { publicationIn } from '../../../core/domain/official.ts';
import { unitsSince } from '../../../core/domain/redenomination.ts';
import { isoInstant } from '../../../core/domain/time.ts';

// limit: `vesfx publications` | 1,000 | a note
const MAX_LISTED_PUBLICATIONS = 1_000;
const DEFAULT_LISTED = 20;

const HELP = `
A publication is "published", "replaced" when another figure came for its value date before it took
effect, or "withdrawn" when the same figures came under another date or a witness contradicted it
before it took effect. It stays in the list. Figures are in the bolívar of their value date.

  vesfx publications
  vesfx publications --from 2026-05-01 --to 2026-05-04`;

function limitOf({ from, limit }: { readonly from?: string; readonly limit?: string }): number {
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
    value_date_text: valueDateText,
    state,
    captured_at: isoInstant(capturedAt),
    source,
    rates,
  };
}

/** `vesfx publications`: publications of the central bank with their states (contract §8). */
export const publicationsCommand = databaseCommand({
  name: 'publications',
  follows: 'source',
  about: 'list the publications of the central bank with their states, newest first',
  flags: {
    '--from <day>': 'first value date, YYYY-MM-DD',
    '--to <day>': 'last value date, YYYY-MM-DD',
    '--limit <number>': `how many at most; by default ${DEFAULT_LISTED}, or all with --from`,
  },
  help: HELP,
  read: (flags) => ({ ...dayRangeOf(flags), limit: limitOf(flags) }),
  async work({ store, redenominations }, { from, to, limit }) {
    const newest = await store.listPublications({ from, to, limit: limit + 1 });
    const shown = newest
      .slice(0, limit)
      .map((one) => publicationIn(one, { on: one.valueDate }, redenominations));
    const text = textTable(COLUMNS, shown.map(rowOf), 'There is no publication.');
    const [last, first] = [shown[0], shown.at(-1)].map((one) => one?.valueDate);
    const changes =
      first && last ? redenominations.after(unitsSince({ from: first, to: last }, Date.now())) : [];
    const remarks = [
      ...changes.map(unitChangeRemark),
      ...(newest.length > shown.length ? [`The newest ${limit} are shown.`] : []),
    ];
    return { json: shown.map(view), text, remarks };
  },
});
