import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fullMarket } from '../test/harness/make.ts';
import { LAUNCHER, VesfxProcess } from '../testkit/vesfx-process.ts';
import { cpuMs, newAccountKey, plansWithoutLimits, storeArgs, vesfx } from './service.ts';

/**
 * Opens many streams of one service, changes a rate every second, and says when each reader had each
 * change; then the same with a bare server that writes events of the same size.
 *
 *   node bench/stream.ts [--streams 5000] [--seconds 30]
 */

const TOKEN = 'token-of-the-benchmark-0123456789';
/** The changed rate ends with the number of the change. */
const FIRST_RATE = 100_000;
const MARK = '"mid":100';

function option(name: string, otherwise: number): number {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
}

const streams = option('streams', 5_000);
const seconds = option('seconds', 30);

interface Report {
  readonly arrivals: readonly (readonly [number, readonly number[]])[];
  readonly last: readonly number[];
}

async function residentKb(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param change Makes the change of that number. */
async function measured(
  name: string,
  server: { readonly url: string; readonly process: ChildProcess },
  key: string | undefined,
  change: (number: number) => Promise<void>,
) {
  const { process: child } = server;
  await change(0);
  const before = await residentKb(child.pid);
  const readers = fork(new URL('./streams/readers.ts', import.meta.url));
  readers.on('message', (message) => {
    if (typeof message === 'object' && 'failed' in message) console.error(message);
  });
  readers.send({ url: server.url, key, readers: streams, mark: MARK });
  for (;;) {
    const [message] = await once(readers, 'message');
    if (message === 'open') break;
  }
  await pause(2_000);
  const opened = await residentKb(child.pid);
  const cpuBefore = await cpuMs(server);
  const sentAt = new Map<number, number>();
  for (let number = 1; number <= seconds; number += 1) {
    sentAt.set(number, Date.now());
    await change(number);
    await pause(Math.max(0, (sentAt.get(number) ?? 0) + 1_000 - Date.now()));
  }
  await pause(2_000);
  const cpu = (await cpuMs(server)) - cpuBefore;
  const after = await residentKb(child.pid);
  readers.send('report');
  const [report]: Report[] = await once(readers, 'message');
  readers.kill();
  const delays = (report?.arrivals ?? []).flatMap(([number, times]) => {
    const sent = sentAt.get(number);
    return sent === undefined ? [] : times.map((time) => time - sent);
  });
  delays.sort((a, b) => a - b);
  const at = (share: number) =>
    delays[Math.min(delays.length - 1, Math.floor(delays.length * share))];
  const haveLast = report?.last.filter((number) => number === seconds).length;
  const perStream = (kb: number) => ((kb - before) / streams).toFixed(1);
  console.log(
    `| ${name} | ${haveLast} of ${streams} | ${delays.length} of ${streams * seconds} | ${at(0.5)} | ${at(0.99)} | ${at(1)} | ` +
      `${perStream(opened)} | ${perStream(after)} | ${(cpu / seconds).toFixed(0)} |`,
  );
}

const dir = await mkdtemp(join(tmpdir(), 'vesfx-bench-'));
const data = join(dir, 'data');
const plans = JSON.parse(plansWithoutLimits());
for (const plan of Object.values<Record<string, unknown>>(plans)) plan['streams_max'] = null;
await writeFile(join(dir, 'plans.json'), JSON.stringify(plans));
const now = new Date().toISOString();
const records = fullMarket().map((record) =>
  JSON.stringify({ ...record, captured_at: now, ...('market' in record && { updated_at: now }) }),
);
await vesfx(['import', '-', ...storeArgs(data)], records.join('\n'));
const key = await newAccountKey(data);
const running = new VesfxProcess(
  [LAUNCHER, 'serve', '--no-collect', ...storeArgs(data), '--port', '0', '--json'],
  {
    env: {
      ...process.env,
      ...{ VESFX_CATALOG: dir, VESFX_LOG_LEVEL: 'warn', VESFX_ADMIN_TOKEN: TOKEN },
    },
  },
);
const line = await running.readyLine(60_000);
if (line === undefined) throw new Error(`vesfx did not start: ${running.err}`);
const url: string = JSON.parse(line).listening;

console.log(
  '| Server | Readers with the last state | Deliveries | p50 ms | p99 ms | most ms | kB a stream, open | kB a stream, after | CPU ms a change |',
);
console.log('| - | -: | -: | -: | -: | -: | -: | -: | -: |');
await measured('vesfx', { url: `${url}/v1/fx/stream`, process: running.child }, key, async (n) => {
  const time = new Date().toISOString();
  const record = { kind: 'quote', market: 'parallel', mid: FIRST_RATE + n };
  const response = await fetch(`${url}/v1/admin/records?trust=true`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/x-ndjson' },
    body: JSON.stringify({ ...record, updated_at: time, captured_at: time }),
  });
  if (!response.ok) throw new Error(await response.text());
});
await running.stop();
const bare = fork(new URL('./streams/bare.ts', import.meta.url));
const [port] = await once(bare, 'message');
const filling = 'x'.repeat(700);
await measured(
  'bare',
  { url: `http://127.0.0.1:${port}/`, process: bare },
  undefined,
  async (n) => {
    bare.send(
      `event: rates\ndata: {${MARK}${String(n).padStart(3, '0')},"filling":"${filling}"}\n\n`,
    );
  },
);
bare.kill();
await rm(dir, { recursive: true });
