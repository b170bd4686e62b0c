import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OWNER, startServerWith, stopServer } from '../test/harness/postgres-server.ts';

/**
 * Starts a PostgreSQL server with an empty database.
 * @returns its address, and a function that stops it.
 */
export async function startPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'vesfx-bench-postgres-'));
  const port = await startServerWith(folder, 'bench');
  return {
    url: `postgres://${OWNER}@127.0.0.1:${port}/bench`,
    async stop() {
      await stopServer(folder);
      await rm(folder, { recursive: true });
    },
  };
}
