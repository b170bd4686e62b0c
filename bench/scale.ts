import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DATABASE_FILE } from '../src/core/storage/store.ts';
import { importCaptures } from './captures.ts';
import { load } from './load.ts';
import { cpuMs, newAccountKey, plansWithoutLimits, type Started, startService } from './service.ts';

/**
 * Measures the processor time of a request with one key and a million, and with ten thousand
 * captures and ten million. Each store has its own service; they are loaded in turn.
 *
 *   node bench/scale.ts [--rounds 5] [--seconds 4] [--captures 10000000]
 */

const PATH = '/v1/fx/rates';
const FEW_CAPTURES = 10_000;
const MANY_KEYS = 1_000_000;

function option(name: string, otherwise: number): number {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
}

const rounds = option('rounds', 5);
const seconds = option('seconds', 4);
const manyCaptures = option('captures', 10_000_000);

const dir = await mkdtemp(join(tmpdir(), 'vesfx-bench-'));
await writeFile(join(dir, 'plans.json'), plansWithoutLimits());

/**
 * Adds keys, each with its own account, directly to the database: the command line would take
 * hours.
 */
function addKeys(data: string, count: number): void {
  const db = new DatabaseSync(join(data, DATABASE_FILE));
  const account = db.prepare(`INSERT INTO account (id, name, plan, status, created_at, changed_seq,
    deleted) VALUES (?, 'bench', 'Escala', 'active', 0, 0, 0)`);
  const key = db.prepare(`INSERT INTO api_key (id, account_id, digest, created_at)
    VALUES (?, ?, ?, 0)`);
  db.exec('BEGIN');
  for (let position = 0; position < count; position += 1) {
    account.run(`bench-${position}`);
    const digest = createHash('sha256').update(`${position}`).digest('hex');
    key.run(`bench-${position}`, `bench-${position}`, digest);
  }
  db.exec('COMMIT');
  db.close();
}

interface Case {
  readonly name: string;
  readonly service: Started;
  readonly key: string;
  readonly microseconds: number[];
}

async function prepare(name: string, keys: number, captures: number): Promise<Case> {
  const data = join(dir, `${keys}-${captures}`);
  await importCaptures(data, captures);
  const key = await newAccountKey(data);
  addKeys(data, keys - 1);
  return { name, key, service: await startService(data, dir), microseconds: [] };
}

const cases = [
  await prepare('1 key, 10 thousand captures', 1, FEW_CAPTURES),
  await prepare('1 million keys, 10 thousand captures', MANY_KEYS, FEW_CAPTURES),
  await prepare(`1 key, ${manyCaptures / 1e6} million captures`, 1, manyCaptures),
];
const run = ({ service, key }: Case, duration: number) =>
  load({
    url: service.url + PATH,
    headers: [`X-API-Key: ${key}`],
    connections: 64,
    seconds: duration,
  });
for (const one of cases) await run(one, 2);
for (let round = 0; round < rounds; round += 1) {
  for (const one of cases) {
    const before = await cpuMs(one.service);
    const { requests } = await run(one, seconds);
    one.microseconds.push((((await cpuMs(one.service)) - before) * 1000) / requests);
  }
}
console.log('| store | CPU of a request, µs (min-max) |');
console.log('| - | - |');
for (const { name, microseconds, service } of cases) {
  microseconds.sort((a, b) => a - b);
  const figures = [microseconds[rounds >> 1], microseconds[0], microseconds.at(-1)];
  const [middle, least, most] = figures.map((figure) => figure?.toFixed(1));
  console.log(`| ${name} | ${middle} (${least}-${most}) |`);
  await service.stop();
}
await rm(dir, { recursive: true });
