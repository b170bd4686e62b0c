import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OWNER, startServerWith, stopServer } from '../test/harness/postgres-server.ts';

export interface BenchPostgres {
  readonly url: string;
  readonly port: number;
  /** Processor time of all its processes so far. */
  cpuMs(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a PostgreSQL server with an empty database. */
export async function startPostgres(): Promise<BenchPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'vesfx-bench-postgres-'));
  const port = await startServerWith(folder, 'bench');
  return {
    url: `postgres://${OWNER}@127.0.0.1:${port}/bench`,
    port,
    async cpuMs() {
      const [first = ''] = (await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8')).split(
        '\n',
      );
      return cpuMsOfFamily(first);
    },
    async stop() {
      await stopServer(folder);
      await rm(folder, { recursive: true });
    },
  };
}

/** Unit of the times in /proc/PID/stat on Linux. */
const TICK_MS = 10;

/** Of a process and its children, with those that have ended. */
async function cpuMsOfFamily(parent: string): Promise<number> {
  let ticks = 0;
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    const [, parentOf, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (pid !== parent && parentOf !== parent) continue;
    // utime and stime, and for the parent those of its ended children too.
    const times = fields.slice(9, pid === parent ? 13 : 11);
    ticks += times.reduce((sum, time) => sum + Number(time), 0);
  }
  return ticks * TICK_MS;
}
