import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { loadCatalogue } from '../src/core/catalogue/catalogue.ts';
import { PACKAGED_CATALOGUE } from '../src/core/config.ts';
import { LAUNCHER, VesfxProcess } from '../testkit/vesfx-process.ts';

/** The real command line, so that the benchmark measures the installed program. */

/** Longest time until a service with the largest store is ready. */
const READY_WITHIN_MS = 600_000;

/** The store's arguments: the folder, or none when the environment names a database. */
export function storeArgs(data: string): readonly string[] {
  return process.env['VESFX_DATABASE_URL'] === undefined ? ['--data', data] : [];
}

export async function vesfx(args: readonly string[], input?: string): Promise<string> {
  const command = new VesfxProcess([LAUNCHER, ...args], { env: process.env, input });
  const { code, out, err } = await command.ended;
  if (code !== 0) throw new Error(`vesfx ${args.join(' ')} ended with ${code}: ${err}`);
  return out;
}

/** Creates an account on the largest plan, and a key. */
export async function newAccountKey(data: string): Promise<string> {
  const of = [...storeArgs(data), '--json'];
  const account = await vesfx(['account', 'create', '--name', 'bench', '--plan', 'escala', ...of]);
  const { id } = JSON.parse(account);
  const { key } = JSON.parse(await vesfx(['key', 'create', id, ...of]));
  return key;
}

export interface Started {
  readonly url: string;
  readonly process: ChildProcess;
  readonly readyMs: number;
  stop(): Promise<void>;
}

/** @param program The program of one file, in the place of the sources. */
export async function startService(
  dataDir: string,
  catalogueDir: string,
  program?: string,
): Promise<Started> {
  const args = ['serve', '--no-collect', ...storeArgs(dataDir), '--port', '0', '--json'];
  const env = { ...process.env, VESFX_CATALOG: catalogueDir, VESFX_LOG_LEVEL: 'warn' };
  const given = program === undefined ? [LAUNCHER, ...args] : args;
  const running = new VesfxProcess(given, { env, program });
  const line = await running.readyLine(READY_WITHIN_MS);
  if (line === undefined) throw new Error(`vesfx did not start: ${running.err}`);
  const readyMs = running.ageMs;
  return {
    url: JSON.parse(line).listening,
    process: running.child,
    readyMs,
    async stop() {
      await running.stop();
    },
  };
}

export async function startBare(headers: readonly string[], body: string) {
  const child = fork(new URL('./bare.ts', import.meta.url));
  child.send({ headers, body });
  const [port] = await once(child, 'message');
  return { url: `http://127.0.0.1:${port}`, process: child, stop: () => child.kill() };
}

/** Unit of the times in /proc/PID/stat on Linux. */
const TICK_MS = 10;

/** Processor time of a process so far. Unlike wall-clock time, other programs do not affect it. */
export async function cpuMs({
  process: { pid },
}: {
  readonly process: ChildProcess;
}): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/**
 * The catalogue's plans without limits, so that the benchmark measures counting and not refusals.
 */
export function plansWithoutLimits(): string {
  const { plans } = loadCatalogue(PACKAGED_CATALOGUE);
  const generous = plans.list.map((plan) => [
    plan.name,
    {
      units_per_month: 1e12,
      requests_per_minute: 1e12,
      bulk_calls_per_hour: plan.bulkCallsPerHour,
      history_days: plan.historyDays,
      formats: plan.formats,
      keys_max: plan.keysMax,
      markups_max: plan.markupsMax,
      features: plan.features,
    },
  ]);
  return JSON.stringify(Object.fromEntries(generous));
}
