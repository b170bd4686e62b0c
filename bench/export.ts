import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Entry } from '../src/core/app/ports/records.ts';
import { DAY_MS } from '../src/core/domain/time.ts';
import { openStore } from '../src/core/storage/store.ts';
import { LAUNCHER, ownVariables } from '../testkit/vesfx-process.ts';
import { MARKETS } from './captures.ts';

/**
 * Measures `vesfx export --captures`: builds a database of captures and writes it in every format.
 *
 *   node bench/export.ts [--captures 10000000] [--data DIR]
 *
 * The database is built in the folder, if it is not there yet, and kept.
 */

const FORMATS = ['csv', 'ndjson', 'sqlite', 'parquet'];
const PER_BATCH = 100_000;
const YEAR_MS = 365 * DAY_MS;
const MB = 1e6;

function option(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
}

/** Evenly spaced over a year, of all markets in turn, with both sides. */
function* captures(from: number, to: number, total: number): Generator<Entry> {
  const end = Date.UTC(2026, 0, 1);
  const step = (YEAR_MS * MARKETS.length) / total;
  for (let place = from; place < to; place += 1) {
    const round = Math.floor(place / MARKETS.length);
    const at = Math.floor(end - YEAR_MS + round * step);
    const mid = (70_000_000 + ((round * 7_919) % 20_000_000)) / 100_000;
    const sides = { ask: (mid * 100_000 + 1_234) / 100_000, bid: (mid * 100_000 - 987) / 100_000 };
    const market = MARKETS[place % MARKETS.length] ?? '';
    yield { captures: [{ market, mid, ...sides, updatedAt: at - 1_500, capturedAt: at }] };
  }
}

async function build(dataDir: string, total: number): Promise<void> {
  const store = await openStore({ dataDir });
  for (let from = 0; from < total; from += PER_BATCH) {
    const origin = { source: 'bench', receivedAt: Date.UTC(2026, 0, 1) + from };
    const entries = captures(from, Math.min(total, from + PER_BATCH), total);
    await store.appendBatch(origin, entries, () => ({}));
  }
  await store.close();
}

interface Measured {
  readonly rows: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly peakBytes: number;
}

/**
 * One run of the command in a process of its own, which tells its use of the machine at its end. It
 * keeps its priority, because a lower one would measure the other work of the machine.
 */
async function measured(dataDir: string, file: string, more: readonly string[]): Promise<Measured> {
  const report = `
    import { syncBuiltinESMExports } from 'node:module';
    import os from 'node:os';
    os.setPriority = () => undefined;
    syncBuiltinESMExports();
    process.on('exit', () => {
      const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
      process.stderr.write(['USED', maxRSS, userCPUTime + systemCPUTime].join(' '));
    });`;
  const preload = `data:text/javascript,${encodeURIComponent(report)}`;
  const args = ['--import', preload, LAUNCHER, 'export', file, ...more, '--json'];
  const env = { ...ownVariables(), VESFX_DATA: dataDir };
  const started = performance.now();
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env });
  const seconds = (performance.now() - started) / 1000;
  const [, kilobytes = '0', microseconds = '0'] = /USED (\d+) (\d+)/.exec(stderr) ?? [];
  return {
    ...(JSON.parse(stdout) as { rows: number; bytes: number }),
    seconds,
    processorSeconds: Number(microseconds) / 1e6,
    peakBytes: Number(kilobytes) * 1024,
  };
}

const total = Number(option('--captures') ?? 10_000_000);
const dir = await mkdtemp(join(tmpdir(), 'vesfx-bench-'));
const given = option('--data');
const data = given ?? join(dir, 'data');
if (given === undefined || !existsSync(data)) await build(data, total);

// What the command takes without any rows.
const idle = await measured(data, join(dir, 'none.csv'), ['--captures', '--to', '1000-01-01']);

console.log(
  '| Format | Rows | Rows/s | Rows/s of the processor | Memory beyond the start, MB | File, MB |',
);
console.log('| - | -: | -: | -: | -: | -: |');
for (const format of FORMATS) {
  const file = join(dir, `all.${format}`);
  const run = await measured(data, file, ['--captures']);
  const perSecond = Math.round(run.rows / (run.seconds - idle.seconds));
  const perProcessor = Math.round(run.rows / (run.processorSeconds - idle.processorSeconds));
  const beyond = ((run.peakBytes - idle.peakBytes) / MB).toFixed(0);
  console.log(
    `| \`.${format}\` | ${run.rows} | ${perSecond} | ${perProcessor} | ${beyond} | ${(run.bytes / MB).toFixed(0)} |`,
  );
  await rm(file);
}
await rm(dir, { recursive: true });
