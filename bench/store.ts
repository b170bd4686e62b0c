import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importCaptures } from './captures.ts';
import { load } from './load.ts';
import { newAccountKey, plansWithoutLimits, startService } from './service.ts';

/**
 * Measures a full store: imports captures, starts the service and measures the start, the memory,
 * `/rates` and both kinds of history, each first on a cold process.
 *
 *   node bench/store.ts [--captures 10000000]
 */

const at = process.argv.indexOf('--captures');
const captures = at < 0 ? 10_000_000 : Number(process.argv[at + 1]);
const dir = await mkdtemp(join(tmpdir(), 'vesfx-bench-'));
const data = join(dir, 'data');
await writeFile(join(dir, 'plans.json'), plansWithoutLimits());

const seconds = await importCaptures(data, captures);
const key = await newAccountKey(data);
const service = await startService(data, dir);

const agent = new Agent({ keepAlive: true });

async function timed(path: string): Promise<{ ms: number; count: number }> {
  const started = performance.now();
  // The first answers of `fetch` would take as long as those of the service.
  const asked = get(service.url + path, { agent, headers: { 'X-API-Key': key } });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  // Up to the last byte, without the client's parsing.
  const ms = performance.now() - started;
  const text = Buffer.concat(chunks).toString();
  const { count, points } = JSON.parse(text) as { count: number; points: unknown[] };
  if (points.length !== count) throw new Error(path);
  return { ms, count };
}

// The first request of a process pays for connections and compilation, not for the store.
await timed('/v1/fx/rates/extended_market_1/history');
const daily = await timed('/v1/fx/rates/parallel/history');
const dailyAgain = await timed('/v1/fx/rates/parallel/history');
const raw = await timed('/v1/fx/rates/cash/history?granularity=raw');
const rawAgain = await timed('/v1/fx/rates/cash/history?granularity=raw');
const rates = await load({
  url: `${service.url}/v1/fx/rates`,
  headers: [`X-API-Key: ${key}`],
  connections: 64,
  seconds: 5,
});
const status = await readFile(`/proc/${service.process.pid}/status`, 'utf8').catch(() => '');
const memory = /VmHWM:\s+(\d+) kB/.exec(status)?.[1];

console.log('| what | figure |');
console.log('| - | - |');
console.log(`| captures imported | ${captures} |`);
console.log(`| import, records a second | ${Math.round(captures / seconds)} |`);
console.log(`| ready after the start, ms | ${Math.round(service.readyMs)} |`);
console.log(
  `| daily history, ${daily.count} points, cold / warm, ms | ${daily.ms.toFixed(1)} / ${dailyAgain.ms.toFixed(1)} |`,
);
console.log(
  `| raw history, ${raw.count} points, cold / warm, ms | ${raw.ms.toFixed(1)} / ${rawAgain.ms.toFixed(1)} |`,
);
console.log(`| /v1/fx/rates, requests a second | ${Math.round(rates.requestsPerSec)} |`);
console.log(
  `| peak memory, MB | ${memory === undefined ? 'unknown' : Math.round(Number(memory) / 1024)} |`,
);
agent.destroy();
await service.stop();
await rm(dir, { recursive: true });
