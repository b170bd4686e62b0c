import { existsSync } from 'node:fs';
import { Chance } from '../chance.ts';
import { VENUES } from './desk.ts';
import { replayPages } from './pages.ts';
import { replayQuotes, replayTruth } from './quotes.ts';
import { readSeries, readTables, type Series, venuesOf } from './series.ts';
import { pageTable, quoteTable, truthTable } from './tables.ts';

/**
 * Injects faults into real series and reports what judgement did:
 *
 *   npm run replay -- FILE.ndjson [--venues N] [--lag SEC] [--tries N] [--seed N]
 *   npm run replay -- --csv FOLDER [--from YYYY-MM-DD] …
 *
 * The file has quotes and publications in the format of `vesfx import`, with their `captured_at`.
 * With fewer than three P2P markets, `--venues` venues (by default 5) are generated from the
 * longest series. With `--apart` each venue is read by itself, as records are pushed, not with the
 * others in one body.
 */

const USAGE =
  'npm run replay -- FILE.ndjson | --csv FOLDER [--from DAY] [--venues N] [--lag SEC] [--tries N] [--seed N] [--apart]';

interface Options {
  readonly file?: string;
  readonly csv?: string;
  readonly from?: string;
  readonly venues: number;
  /** Most delay of the generated venues behind the real one, in seconds. */
  readonly lagSec: number;
  readonly tries: number;
  readonly seed: string;
  readonly isApart: boolean;
}

function readOptions(args: readonly string[]): Options {
  const flags = new Map<string, string>();
  let file: string | undefined;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '--apart') flags.set(arg, '');
    else if (arg.startsWith('--')) {
      at += 1;
      flags.set(arg, args[at] ?? '');
    } else file = arg;
  }
  const csv = flags.get('--csv');
  const from = flags.get('--from');
  const venues = Number(flags.get('--venues') ?? 5);
  const lagSec = Number(flags.get('--lag') ?? 60);
  const tries = Number(flags.get('--tries') ?? 10);
  const known = ['--csv', '--from', '--venues', '--lag', '--tries', '--seed', '--apart'];
  const isWrong =
    (file === undefined) === (csv === undefined) ||
    [...flags.keys()].some((flag) => !known.includes(flag)) ||
    !Number.isSafeInteger(venues) ||
    venues < 1 ||
    venues > VENUES.length ||
    !Number.isSafeInteger(lagSec) ||
    lagSec < 0 ||
    !Number.isSafeInteger(tries) ||
    tries < 1;
  if (isWrong) {
    process.stderr.write(`${USAGE}\n`);
    process.exit(2);
  }
  return {
    ...(file !== undefined && { file }),
    ...(csv !== undefined && { csv }),
    ...(from !== undefined && { from }),
    venues,
    lagSec,
    tries,
    seed: flags.get('--seed') ?? '1',
    isApart: flags.has('--apart'),
  };
}

function fail(problem: string): void {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const {
    file,
    csv,
    from,
    venues: count,
    lagSec,
    tries,
    seed,
    isApart,
  } = readOptions(process.argv.slice(2));
  const path = file ?? csv ?? '';
  if (!existsSync(path)) return fail(`There is no ${path}.`);
  const whole: Series = file === undefined ? readTables(path) : await readSeries(path);
  if (whole.quotes.size === 0 && whole.publications.length === 0) {
    return fail(`${path} has no figures.`);
  }
  const since = from === undefined ? 0 : Date.parse(`${from}T00:00:00Z`);
  const publications = whole.publications.filter(({ at }) => at >= since);
  const chance = new Chance(seed);
  const own = [...whole.quotes].filter(([name]) => VENUES.includes(name));
  const longest = [...whole.quotes.values()].sort((a, b) => b.length - a.length);
  const venues =
    own.length >= 3
      ? new Map(own)
      : venuesOf(longest[0] ?? [], VENUES.slice(0, count), { chance, lagSec });

  process.stdout.write(`Seed ${seed}, ${tries} tries of each kind.\n\n`);
  if (venues.size > 0 && (longest[0]?.length ?? 0) > 0) {
    const truths: (readonly [string, Awaited<ReturnType<typeof replayTruth>>])[] = [];
    for (const [name, series] of whole.quotes) {
      const alone = new Map([[VENUES[0] ?? '', series]]);
      truths.push([name, await replayTruth(alone, whole.publications)]);
    }
    truths.push([`${venues.size} venues`, await replayTruth(venues, whole.publications)]);
    process.stdout.write(`${truthTable(truths)}\n\n`);
    const plan = { venues, publications: whole.publications, tries, chance, isApart };
    process.stdout.write(`${quoteTable(await replayQuotes(plan))}\n\n`);
  }
  if (publications.length > 20) {
    process.stdout.write(`${pageTable(await replayPages(publications, { tries, chance }))}\n`);
  }
}

await main();
