import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { DOUBTS } from '../../src/core/domain/judgement/rules.ts';
import { Chance } from '../chance.ts';
import { PARALLEL, VENUES } from './desk.ts';
import { replayPages } from './pages.ts';
import { replayQuotes } from './quotes.ts';
import { feedsOf, readSeries, readTables } from './series.ts';
import { missedGoals, neverBegan, type Row, rulesTable, summed, table } from './table.ts';
import { replayTruth } from './truth.ts';
import { replayWorkbooks } from './workbooks.ts';

/**
 * Injects faults into real series and reports what judgement did:
 *
 *   npm run replay -- FILE.ndjson [--kinds TEXT] [--tries N] [--seed N] [--venues N] [--lag SEC]
 *   npm run replay -- --csv FOLDER [--from YYYY-MM-DD] …
 *
 * The file has quotes and publications in the format of `vesfx import`, with their `captured_at`.
 * With fewer than three P2P markets, `--venues` venues (by default 5) are made of the longest
 * series, each up to `--lag` seconds behind. `--kinds` runs the kinds whose name contains the text.
 * With `--apart` each venue is read by itself, as records are pushed, not with the others in one
 * body. With `--sums` the table has one row for each family of kinds.
 */

const USAGE =
  'npm run replay -- FILE.ndjson | --csv FOLDER [--from DAY] [--kinds TEXT] [--tries N] [--seed N] [--venues N] [--lag SEC] [--apart] [--sums]';

const FLAGS = {
  csv: { type: 'string' },
  from: { type: 'string', default: '2000-01-01' },
  kinds: { type: 'string', default: '' },
  venues: { type: 'string', default: '5' },
  lag: { type: 'string', default: '60' },
  tries: { type: 'string', default: '6' },
  seed: { type: 'string', default: '1' },
  apart: { type: 'boolean', default: false },
  sums: { type: 'boolean', default: false },
} as const;

function fail(problem: string, code: number): never {
  process.stderr.write(`${problem}\n`);
  process.exit(code);
}

function readFlags() {
  try {
    const { values, positionals } = parseArgs({ options: FLAGS, allowPositionals: true });
    const [file] = positionals;
    const whole = (text: string, least: number, most = Number.MAX_SAFE_INTEGER) => {
      const value = Number(text);
      return Number.isSafeInteger(value) && value >= least && value <= most ? value : undefined;
    };
    const count = whole(values.venues, 1, VENUES.length);
    const [lagSec, tries] = [whole(values.lag, 0), whole(values.tries, 1)];
    const since = Date.parse(`${values.from}T00:00:00Z`);
    const isOne = positionals.length + (values.csv === undefined ? 0 : 1) === 1;
    if (!isOne || count === undefined || lagSec === undefined || tries === undefined) return;
    if (Number.isNaN(since)) return;
    return { ...values, file, since, count, lagSec, tries };
  } catch {
    return undefined;
  }
}

async function main(): Promise<void> {
  const flags = readFlags() ?? fail(USAGE, 2);
  const { file, csv = '', since, count, lagSec, tries, seed, apart: isApart } = flags;
  const path = file ?? csv;
  if (!existsSync(path)) fail(`There is no ${path}.`, 1);
  const series = file === undefined ? readTables(path) : await readSeries(path);
  const { venues, parallels, publications } = series;
  if (venues.size === 0 && publications.length === 0) fail(`${path} has no figures.`, 1);
  const chance = new Chance(seed);
  const isWanted = (kind: string) => kind.includes(flags.kinds);
  const feeds = feedsOf(series, { chance, count, lagSec });
  const rows: Row[] = [];
  if (isWanted('real figures')) {
    const [venue = ''] = VENUES;
    const alone = (market: string, quotes: typeof venues) =>
      [...quotes].map(([name, one]) => [name, new Map([[market, one]])] as const);
    const whole = [`${feeds.venues.size} venues`, feeds.venues] as const;
    for (const [name, one] of [...alone(venue, venues), ...alone(PARALLEL, parallels), whole]) {
      rows.push(await replayTruth(name, one, publications));
    }
  }
  const plan = { ...feeds, tries, chance, isApart, isWanted };
  if (venues.size > 0) rows.push(...(await replayQuotes(plan)));
  const pages = publications.filter(({ at }) => at >= since);
  if (pages.length > 20) {
    rows.push(...(await replayPages(pages, plan)), ...(await replayWorkbooks(pages, plan)));
  }
  const missed = missedGoals(rows) || 'None.';
  process.stdout.write(
    `Seed ${seed}, ${tries} tries of each kind.\n\n${table(flags.sums ? summed(rows) : rows)}\n\n${rulesTable(rows, DOUBTS)}\n\nGoals that were missed:\n\n${missed}\n`,
  );
  const empty = neverBegan(rows);
  if (empty !== '')
    fail(`\nFaults that never began, so that their rows prove nothing:\n\n${empty}`, 1);
}

await main();
