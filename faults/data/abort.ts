import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { begin, vesfx } from '../process.ts';
import { inTurns, type Subject, scenario, type Trial } from '../scenario.ts';

const PRELOAD = fileURLToPath(new URL('../preload/abort.ts', import.meta.url));

const LARGE = 'a large batch';
/** Concurrent processes: the number of cores of a small machine. */
const AT_ONCE = 2;

/** A command that writes, and its initial data. */
interface Work {
  readonly name: string;
  readonly line: readonly string[];
  readonly from: string;
  /** Whether running it again completes it. */
  readonly again: boolean;
}

export const abort = scenario({
  name: 'abort',
  title: 'Abort at every statement of a batch and of a migration',
  promise:
    'After a kill or a failing disk at any statement the database is as before or as after, and ' +
    'a migration that is started again ends.',
  control: 'no transactions: every statement is committed alone',
  full: { every: 1, large: 1 },
  quick: { every: 120, large: 0 },
  controlled: { every: 7, large: 0 },
  shown: ({ every }) => (every === 1 ? 'every statement' : `every ${every}th statement`),
  run: async (trial, { every, large: isLarge }, subject) => {
    const filled = await createFilled(trial);
    const empty = join(trial.dir, 'empty');
    mkdirSync(empty);
    const large = join(trial.dir, 'large.ndjson');
    writeFileSync(large, records(1_100, 3));
    const small = join(trial.dir, 'small.ndjson');
    writeFileSync(small, `${records(12, 2)}\n${documents()}`);
    const works: readonly Work[] = [
      { name: 'a batch', line: ['import', small, '--trust'], again: false, from: filled },
      { name: LARGE, line: ['import', large, '--trust'], again: false, from: filled },
      // A new database, which has its name only once the migrations have made it whole.
      { name: 'the migrations', line: ['migrate'], again: true, from: empty },
    ];
    for (const work of works) {
      if (isLarge === 0 && work.name === LARGE) continue;
      if (!trial.isSettled) await atEvery(trial, work, { every, subject });
    }
  },
});

async function atEvery(
  trial: Trial,
  { name, line, again, from }: Work,
  { every, subject }: { readonly every: number; readonly subject: Subject },
): Promise<void> {
  const countFile = join(trial.dir, 'count');
  const mistake: Readonly<Record<string, string>> =
    subject === 'control' ? { ABORT_MISTAKE: 'autocommit' } : {};
  const reset = (folder: string) => {
    rmSync(folder, { recursive: true, force: true });
    cpSync(from, folder, { recursive: true });
  };
  const command = (folder: string, more: Readonly<Record<string, string>> = {}) =>
    begin(trial, [...line, '--data', folder], { preload: PRELOAD, env: { ...mistake, ...more } })
      .ended;
  const undisturbed = join(trial.dir, 'undisturbed');
  reset(undisturbed);
  const before = fingerprint(undisturbed);
  await command(undisturbed, { ABORT_COUNT: countFile });
  const after = fingerprint(undisturbed);
  const statements = Number(readFileSync(countFile, 'utf8'));
  const points = pointsOf(statements, every, trial.chance.of(name).int(0, every - 1));
  await inTurns(points, AT_ONCE, async (at, place) => {
    const folder = join(trial.dir, `tried-${place}`);
    for (const how of ['kill', 'throw']) {
      if (trial.isSettled) return;
      reset(folder);
      const { code, err } = await command(folder, { ABORT_AT: String(at), ABORT_HOW: how });
      const found = fingerprint(folder);
      const where = `${name}, ${how} at statement ${at} of ${statements}`;
      const isWhole = found === after || (found === before && code !== 0);
      trial.expect(isWhole, `${where}: ended with ${code}, the database is in between. ${err}`);
      if (!again || found === after) continue;
      const { code: second, err: problem } = await command(folder);
      const isDone = second === 0 && fingerprint(folder) === after;
      trial.expect(isDone, `${where}: when it is started again: ${problem}`);
    }
    trial.progress(`${name}: statement ${at} of ${statements}`);
  });
  trial.measured(`${name}: ${statements} statements`);
}

/** The statements to abort at, from the end, where most is written and nothing is committed yet. */
function pointsOf(statements: number, every: number, first: number): readonly number[] {
  const all = Array.from({ length: statements }, (_, index) => index + 1);
  return all.filter((_, index) => index % every === first % every).toReversed();
}

/**
 * Columns with times of the run and random names differ each time. Everything else must be equal.
 */
const VARYING = ['received_at', 'at', 'held_at'];

/** The whole content of the database, as text; empty without one. */
function fingerprint(data: string): string {
  const file = join(data, 'vesfx.db');
  if (!existsSync(file)) return '';
  const db = new DatabaseSync(file);
  try {
    const tables = db
      .prepare('SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name')
      .all();
    const rows = tables
      .filter(({ sql }) => /^create table/i.test(String(sql)))
      .map(({ name }) => db.prepare(`SELECT * FROM "${String(name)}"`).all());
    return JSON.stringify([tables, rows], (field, value) =>
      VARYING.includes(field) ? 0 : typeof value === 'bigint' ? String(value) : value,
    );
  } finally {
    db.close();
  }
}

async function createFilled(trial: Trial): Promise<string> {
  const data = join(trial.dir, 'filled');
  await vesfx(trial, ['import', '-', '--trust', '--data', data], { input: records(5, 1) });
  return data;
}

/** Records of the past days, each with its own time. */
function records(count: number, day: number): string {
  const start = Date.parse('2026-01-01T00:00:00Z') + day * 86_400_000;
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(start + index * 1_000).toISOString();
    const market = index % 2 === 0 ? 'parallel' : 'binance';
    return JSON.stringify({ kind: 'quote', market, mid: 900, updated_at: at, captured_at: at });
  }).join('\n');
}

function documents(): string {
  const captured_at = '2026-01-05T00:00:00Z';
  const rates = { USD: 300, EUR: 350, CNY: 42 };
  const rows = [{ bank: 'Banesco', buy: 299, sell: 301, date: '2026-01-05' }];
  return [
    { kind: 'official', value_date: '2026-01-05', rates, captured_at },
    { kind: 'bank_table', indicator_date: '2026-01-05', rows, captured_at },
  ]
    .map((record) => JSON.stringify(record))
    .join('\n');
}
