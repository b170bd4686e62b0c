import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { stopServer } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the run's PostgreSQL lives, once a test has started it. */
    postgresFolder: string;
    /** Where files lie on a disk, for what is wrong only while a disk is waited for. */
    diskFolder: string;
  }
}

/** Around a whole run of the tests: a folder for all that they write, and the end of it. */
export default function setup({ provide }: TestProject): () => Promise<void> {
  provide('diskFolder', tmpdir());
  const before = process.env['TMPDIR'];
  const folder = mkdtempSync(join(placeForFiles(), 'vesfx-run-'));
  // PostgreSQL runs as a user of its own, who must get to its folder within.
  chmodSync(folder, 0o711);
  // The test processes start after this and inherit it.
  process.env['TMPDIR'] = folder;
  const postgresFolder = mkdtempSync(join(folder, 'pg-'));
  provide('postgresFolder', postgresFolder);
  return async () => {
    await stopServer(postgresFolder);
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    rmSync(folder, { recursive: true, force: true });
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
