import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fullMarket } from '../test/harness/make.ts';
import { load } from './load.ts';
import { startPostgres } from './postgres.ts';
import {
  newAccountKey,
  plansWithoutLimits,
  startBare,
  startService,
  storeArgs,
  vesfx,
} from './service.ts';

/**
 * How fast the service answers beside the bare server under it: pairs of runs in turn, so that a
 * machine that slows down slows both. One process each, 64 keep-alive connections.
 *
 *   node bench/http.ts [--rounds 5] [--seconds 4] [--postgres]
 */

const PATHS = [
  { path: '/v1/fx/rates', target: 0.85 },
  { path: '/v1/fx/convert?from=USD&to=VES&amount=125.5&via=parallel', target: 0.6 },
  // Each amount is another one.
  { path: '/v1/fx/convert?from=USD&to=VES&amount={n}.25&via=parallel', target: 0.6 },
  { path: '/v1/fx/index', target: 0.75 },
];
const CONNECTIONS = 64;

function option(name: string, otherwise: number): number {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
}

const rounds = option('rounds', 5);
const seconds = option('seconds', 4);

// A real one, started for this run: every command and the service use it instead of a folder.
const postgres = process.argv.includes('--postgres') ? await startPostgres() : undefined;
if (postgres !== undefined) process.env['VESFX_DATABASE_URL'] = postgres.url;

const dir = await mkdtemp(join(tmpdir(), 'vesfx-bench-'));
const data = join(dir, 'data');
await writeFile(join(dir, 'plans.json'), plansWithoutLimits());
const now = new Date().toISOString();
const records = fullMarket().map((record) =>
  JSON.stringify({ ...record, captured_at: now, ...('market' in record && { updated_at: now }) }),
);
await vesfx(['import', '-', ...storeArgs(data)], records.join('\n'));
const key = await newAccountKey(data);
const service = await startService(data, dir);
const headers = [`X-API-Key: ${key}`];

console.log('| path | bare req/s | vesfx req/s | ratio (min-max) | target | p50 ms | p99 ms |');
console.log('| - | - | - | - | - | - | - |');
for (const { path, target } of PATHS) {
  const sample = await fetch(service.url + path.replace('{n}', '125'), {
    headers: { 'X-API-Key': key },
  });
  const body = await sample.text();
  // Date, Connection and Keep-Alive are added by Node itself on both sides.
  const own = [...sample.headers].filter(
    ([name]) => !['date', 'connection', 'keep-alive'].includes(name),
  );
  const bare = await startBare(own.flat(), body);
  const run = (url: string, duration: number) =>
    load({ url: url + path, headers, connections: CONNECTIONS, seconds: duration });
  await run(service.url, 2);
  await run(bare.url, 2);
  const pairs = [];
  for (let round = 0; round < rounds; round += 1) {
    const ours = await run(service.url, seconds);
    const theirs = await run(bare.url, seconds);
    pairs.push({ ours, theirs, ratio: ours.requestsPerSec / theirs.requestsPerSec });
  }
  bare.stop();
  pairs.sort((a, b) => a.ratio - b.ratio);
  const middle = pairs[pairs.length >> 1];
  if (middle === undefined) continue;
  const range = `${pairs[0]?.ratio.toFixed(2)}-${pairs.at(-1)?.ratio.toFixed(2)}`;
  console.log(
    `| ${path} | ${Math.round(middle.theirs.requestsPerSec)} | ` +
      `${Math.round(middle.ours.requestsPerSec)} | ${middle.ratio.toFixed(2)} (${range}) | ` +
      `${target} | ${middle.ours.p50Ms.toFixed(2)} | ${middle.ours.p99Ms.toFixed(2)} |`,
  );
}
await service.stop();
await postgres?.stop();
await rm(dir, { recursive: true });
