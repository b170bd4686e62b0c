import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PACKAGED_CATALOGUE } from '../src/core/config.ts';
import { fullMarket } from '../test/harness/make.ts';
import { load } from './load.ts';
import { cpuMs, newAccountKey, type Started, startService, storeArgs, vesfx } from './service.ts';

/**
 * Compares the program of one file with `npm start`: the start and `/healthz`, in alternating runs. It
 * counts processor time, which other work on the machine changes less than the clock.
 *
 *   npm run build:binary && node bench/program.ts [--rounds 7] [--seconds 3]
 */

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '3' },
    program: { type: 'string', default: `dist/vesfx-linux-${process.arch}` },
  },
});
const CONNECTIONS = 16;

const data = join(await mkdtemp(join(tmpdir(), 'vesfx-bench-')), 'data');
const now = new Date().toISOString();
const records = fullMarket().map((record) =>
  JSON.stringify({ ...record, captured_at: now, ...('market' in record && { updated_at: now }) }),
);
await vesfx(['import', '-', ...storeArgs(data)], records.join('\n'));
await newAccountKey(data);

interface Measured {
  readonly readyMs: number;
  readonly startCpuMs: number;
  readonly requestCpuUs: number;
}

async function measured(service: Started): Promise<Measured> {
  const startCpuMs = await cpuMs(service);
  const url = `${service.url}/healthz`;
  const seconds = Number(values.seconds);
  await load({ url, headers: [], connections: CONNECTIONS, seconds: 1 });
  const before = await cpuMs(service);
  const { requests } = await load({ url, headers: [], connections: CONNECTIONS, seconds });
  const requestCpuUs = ((await cpuMs(service)) - before) * (1_000 / requests);
  await service.stop();
  return { readyMs: service.readyMs, startCpuMs, requestCpuUs };
}

const sides = { npm: undefined, program: resolve(values.program) };
const runs: Record<keyof typeof sides, Measured[]> = { npm: [], program: [] };
for (let round = 0; round <= Number(values.rounds); round += 1) {
  for (const [side, program] of Object.entries(sides)) {
    const run = await measured(await startService(data, PACKAGED_CATALOGUE, program));
    // The first round fills the caches of both.
    if (round > 0) runs[side === 'npm' ? 'npm' : 'program'].push(run);
  }
}
await rm(join(data, '..'), { recursive: true });

const median = (all: readonly number[]) => all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0;
console.log('| | npm start | program | ratio |\n| - | -: | -: | -: |');
for (const figure of ['readyMs', 'startCpuMs', 'requestCpuUs'] as const) {
  const [npm, program] = [runs.npm, runs.program].map((all) =>
    median(all.map((run) => run[figure])),
  );
  const [one = 0, other = 0] = [npm, program];
  console.log(
    `| ${figure} | ${one.toFixed(1)} | ${other.toFixed(1)} | ${(other / one).toFixed(2)} |`,
  );
}
