import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importCaptures, startImport } from './captures.ts';
import { load } from './load.ts';
import { newAccountKey, plansWithoutLimits, startService } from './service.ts';

/**
 * Measures `/rates` while four clients request 5,000-point histories in XML and a bulk import runs,
 * and, in alternating rounds, on an idle service.
 *
 *   node bench/mixed.ts [--rounds 5] [--seconds 4] [--connections 64]
 */

const CAPTURES = 200_000;
/** More captures than one round can import. */
const IMPORTED = 5_000_000;
const HISTORY_CLIENTS = 4;
const HISTORY = '/v1/fx/rates/parallel/history?granularity=raw&format=xml';

function option(name: string, otherwise: number): number {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
}

const rounds = option('rounds', 5);
const seconds = option('seconds', 4);
const connections = option('connections', 64);

const dir = await mkdtemp(join(tmpdir(), 'vesfx-bench-'));
const data = join(dir, 'data');
await writeFile(join(dir, 'plans.json'), plansWithoutLimits());
await importCaptures(data, CAPTURES);
const key = await newAccountKey(data);
const service = await startService(data, dir);

const rates = () =>
  load({
    url: `${service.url}/v1/fx/rates`,
    headers: [`X-API-Key: ${key}`],
    connections,
    seconds,
  });

/** The same during the other work. */
async function ratesAmongOthers() {
  const puller = fork(new URL('./histories.ts', import.meta.url));
  puller.send({ url: service.url + HISTORY, key, clients: HISTORY_CLIENTS });
  const importing = startImport(data, IMPORTED);
  const result = await rates();
  puller.send('stop');
  const [pulled] = await once(puller, 'message');
  importing.kill('SIGKILL');
  await once(importing, 'close');
  return { ...result, histories: pulled / seconds };
}

await rates();
await ratesAmongOthers();
const pairs = [];
for (let round = 0; round < rounds; round += 1) {
  pairs.push({ quiet: await rates(), mixed: await ratesAmongOthers() });
}
pairs.sort((a, b) => a.mixed.p99Ms / a.quiet.p99Ms - b.mixed.p99Ms / b.quiet.p99Ms);
const middle = pairs[rounds >> 1];
if (middle !== undefined) {
  const { quiet, mixed } = middle;
  const ratios = pairs.map((pair) => pair.mixed.p99Ms / pair.quiet.p99Ms);
  const range = `${ratios[0]?.toFixed(2)}-${ratios.at(-1)?.toFixed(2)}`;
  console.log('| what | quiet | among others |');
  console.log('| - | - | - |');
  for (const [name, digits, read] of [
    ['requests a second', 0, (result: typeof quiet) => result.requestsPerSec],
    ['p50, ms', 2, (result: typeof quiet) => result.p50Ms],
    ['p99, ms', 2, (result: typeof quiet) => result.p99Ms],
  ] as const) {
    console.log(`| ${name} | ${read(quiet).toFixed(digits)} | ${read(mixed).toFixed(digits)} |`);
  }
  console.log(`| histories a second | - | ${mixed.histories.toFixed(1)} |`);
  console.log(`| p99, times the quiet one | 1 | ${ratios[rounds >> 1]?.toFixed(2)} (${range}) |`);
}
await service.stop();
await rm(dir, { recursive: true });
