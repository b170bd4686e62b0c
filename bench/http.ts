import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fullMarket } from '../test/harness/make.ts';
import { type LoadResult, load } from './load.ts';
import { startPostgres } from './postgres.ts';
import {
  cpuMs,
  newAccountKey,
  plansWithoutLimits,
  startBare,
  startService,
  storeArgs,
  vesfx,
} from './service.ts';

/**
 * Compares the speed of the service with a bare Node server, in alternating runs, so that a slow
 * machine affects both. One process each, 64 keep-alive connections.
 *
 *   node bench/http.ts [--rounds 5] [--seconds 4] [--postgres]
 */

const PATHS = [
  { path: '/v1/fx/rates', target: 0.9 },
  { path: '/v1/fx/convert?from=USD&to=VES&amount=125.5&via=parallel', target: 0.8 },
  // Every request has a different amount.
  { path: '/v1/fx/convert?from=USD&to=VES&amount={n}.25&via=parallel', target: 0.5 },
  { path: '/v1/fx/route?from=USD&to=VES&amount=125.5', target: 0.4 },
  { path: '/v1/fx/index', target: 0.9 },
];
const CONNECTIONS = 64;

type Run = LoadResult & { readonly cpuUs: number };

function option(name: string, otherwise: number): number {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
}

const rounds = option('rounds', 5);
const seconds = option('seconds', 4);

// A PostgreSQL server for this run. Every command and the service use it instead of a folder.
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

console.log(
  '| path | bare req/s | vesfx req/s | ratio (min-max) | target | CPU of a request, bare | vesfx | ratio | p50 ms | p99 ms |',
);
console.log('| - | - | - | - | - | - | - | - | - | - |');
for (const { path, target } of PATHS) {
  const sample = await fetch(service.url + path.replace('{n}', '125'), {
    // The same bytes as the clients of the runs get.
    headers: { 'X-API-Key': key, 'Accept-Encoding': 'identity' },
  });
  const body = await sample.text();
  // Node adds Date, Connection and Keep-Alive on both sides.
  const own = [...sample.headers].filter(
    ([name]) => !['date', 'connection', 'keep-alive'].includes(name),
  );
  const bare = await startBare(own.flat(), body);
  const run = async (server: typeof bare | typeof service, duration: number): Promise<Run> => {
    const before = await cpuMs(server);
    const url = server.url + path;
    const result = await load({ url, headers, connections: CONNECTIONS, seconds: duration });
    return { ...result, cpuUs: (((await cpuMs(server)) - before) * 1000) / result.requests };
  };
  await run(service, 2);
  await run(bare, 2);
  const pairs: { ours: Run; theirs: Run; ratio: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const ours = await run(service, seconds);
    const theirs = await run(bare, seconds);
    pairs.push({ ours, theirs, ratio: ours.requestsPerSec / theirs.requestsPerSec });
  }
  bare.stop();
  pairs.sort((a, b) => a.ratio - b.ratio);
  const middle = pairs[pairs.length >> 1];
  if (middle === undefined) continue;
  const [ours = 0, theirs = 0] = (['ours', 'theirs'] as const).map(
    (side) => pairs.map((pair) => pair[side].cpuUs).sort((a, b) => a - b)[pairs.length >> 1],
  );
  const range = `${pairs[0]?.ratio.toFixed(2)}-${pairs.at(-1)?.ratio.toFixed(2)}`;
  console.log(
    `| ${path} | ${Math.round(middle.theirs.requestsPerSec)} | ` +
      `${Math.round(middle.ours.requestsPerSec)} | ${middle.ratio.toFixed(2)} (${range}) | ` +
      `${target} | ${theirs.toFixed(1)} µs | ${ours.toFixed(1)} µs | ${(theirs / ours).toFixed(2)} | ` +
      `${middle.ours.p50Ms.toFixed(2)} | ${middle.ours.p99Ms.toFixed(2)} |`,
  );
}
await service.stop();
await postgres?.stop();
await rm(dir, { recursive: true });
