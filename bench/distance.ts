import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { importCaptures } from './captures.ts';
import { startPostgres } from './postgres.ts';
import { newAccountKey, plansWithoutLimits, startService } from './service.ts';

/**
 * A server far from its PostgreSQL: how long calls take that answer from memory, need units, read
 * history or make a key, in milliseconds and in round trips. A proxy holds every byte for half the way
 * in each direction, and a new connection for one round trip more.
 *
 *   node bench/distance.ts [--ms 150] [--calls 20]
 */

const CAPTURES = 20_000;
/** After which an idle account's units have gone back. */
const IDLE_MS = 8_000;

interface Call {
  readonly path: string;
  readonly method?: string;
  readonly body?: string;
}

const RATES: Call = { path: '/v1/fx/rates' };
const NEW_KEY: Call = {
  path: '/v1/account/keys',
  method: 'POST',
  body: '{"kind":"full","label":"far"}',
};

function option(name: string, otherwise: number): number {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
}

/** Passes bytes on in their order, each piece after so long. */
function carry(from: Socket, to: Socket, afterMs: number): void {
  from.on('data', (bytes) => setTimeout(() => to.write(bytes), afterMs));
  from.on('close', () => setTimeout(() => to.destroy(), afterMs));
  from.on('error', () => undefined);
}

/** @returns the port of a way to the target that takes so long there and back. */
async function farAway(target: number, roundTripMs: number) {
  const server = createServer((near) => {
    near.pause();
    setTimeout(() => {
      const far = connect({ port: target, host: '127.0.0.1', noDelay: true });
      carry(near, far, roundTripMs / 2);
      carry(far, near, roundTripMs / 2);
      near.resume();
    }, roundTripMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

interface Times {
  readonly ms: readonly number[];
  readonly failed: number;
}

/** One call after another. */
async function timesOf(url: string, keys: readonly string[], call: Call): Promise<Times> {
  const ms: number[] = [];
  let failed = 0;
  for (const key of keys) {
    const started = performance.now();
    const answer = await fetch(url + call.path, {
      method: call.method ?? 'GET',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      ...(call.body !== undefined && { body: call.body }),
    });
    await answer.arrayBuffer();
    ms.push(performance.now() - started);
    if (!answer.ok) failed += 1;
  }
  return { ms: ms.toSorted((a, b) => a - b), failed };
}

/** The calls of all keys at once. */
async function timesAtOnce(url: string, keys: readonly string[], call: Call): Promise<Times> {
  const each = await Promise.all(keys.map((key) => timesOf(url, [key], call)));
  return {
    ms: each.flatMap(({ ms }) => ms).toSorted((a, b) => a - b),
    failed: each.reduce((sum, { failed }) => sum + failed, 0),
  };
}

async function measure(
  { url, port }: { readonly url: string; readonly port: number },
  { dir, keys, roundTripMs }: { dir: string; keys: readonly string[]; roundTripMs: number },
): Promise<ReadonlyMap<string, Times>> {
  const way = await farAway(port, roundTripMs);
  process.env['VESFX_DATABASE_URL'] = url.replace(`:${port}/`, `:${way.port}/`);
  const service = await startService(dir, dir);
  const [first = ''] = keys;
  const same = Array<string>(keys.length).fill(first);
  const ask = (by: readonly string[], call: Call) => timesOf(service.url, by, call);
  const rows = new Map<string, Times>();
  rows.set('a key that this server has not seen', await ask(keys, RATES));
  rows.set('rates, a known key with units', await ask(same, RATES));
  await pause(IDLE_MS);
  rows.set('rates, a known key whose units went back', await ask(keys, RATES));
  await pause(IDLE_MS);
  rows.set('the same, of all keys at once', await timesAtOnce(service.url, keys, RATES));
  const history = '/v1/fx/rates/parallel/history';
  rows.set('history by days', await ask(same, { path: history }));
  rows.set('history of readings', await ask(same, { path: `${history}?granularity=raw` }));
  rows.set('a new key', await ask(keys, NEW_KEY));
  await service.stop();
  way.close();
  return rows;
}

const roundTripMs = option('ms', 150);
const calls = option('calls', 20);
const dir = await mkdtemp(join(tmpdir(), 'vesfx-bench-'));
await writeFile(join(dir, 'plans.json'), plansWithoutLimits());
const database = await startPostgres();
process.env['VESFX_DATABASE_URL'] = database.url;
await importCaptures(dir, CAPTURES);
const keys: string[] = [];
while (keys.length < calls) keys.push(await newAccountKey(dir));
const near = await measure(database, { dir, keys, roundTripMs: 0 });
const far = await measure(database, { dir, keys, roundTripMs });
console.log(
  `| One call after another | beside the database, ms | ${roundTripMs} ms away | longest | round trips | failed |`,
);
console.log('| - | -: | -: | -: | -: | -: |');
for (const [name, { ms, failed }] of far) {
  const middle = ms[ms.length >> 1] ?? 0;
  const beside = near.get(name)?.ms ?? [];
  const more = middle - (beside[beside.length >> 1] ?? 0);
  console.log(
    `| ${name} | ${(beside[beside.length >> 1] ?? 0).toFixed(1)} | ${middle.toFixed(0)} | ` +
      `${ms.at(-1)?.toFixed(0)} | ${(more / roundTripMs).toFixed(1)} | ${failed} of ${ms.length} |`,
  );
}
console.log(`\nLoad of the machine: ${loadavg()[0]?.toFixed(1)}`);
await database.stop();
await rm(dir, { recursive: true });
