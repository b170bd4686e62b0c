import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { stopServer } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the run's PostgreSQL lives, once a test has started it. */
    postgresFolder: string;
  }
}

/** Around a whole run of the tests: a folder for its PostgreSQL, and the end of both. */
export default function setup({ provide }: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(placeForFiles(), 'vesfx-postgres-'));
  provide('postgresFolder', folder);
  return async () => {
    await stopServer(folder);
    rmSync(folder, { recursive: true });
  };
}

const MEMORY = '/dev/shm';
const NEEDED_BYTES = 2 * 1024 ** 3;

/** Memory where there is plenty: no test cuts the power, so none should wait for a disk. */
function placeForFiles(): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= NEEDED_BYTES ? MEMORY : tmpdir();
}
