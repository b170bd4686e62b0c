import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundleScripts } from '../../scripts/bundle.ts';
import { renewClientPackage } from '../../scripts/client-package.ts';
import { writeClientTypes } from '../../scripts/client-types.ts';
import { stopPgBouncers } from './pgbouncer.ts';
import { stopServer } from './postgres-server.ts';
import { CHROMIUM, FIREFOX } from './repository.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the run's PostgreSQL, once a test has started it. */
    postgresFolder: string;
    /** A folder on a real disk, for faults that appear only while a disk is slow. */
    diskFolder: string;
  }
}

/**
 * Setup of a whole test run: writes the client's types and its package, and bundles the scripts of the pages as they are
 * now, and creates the folder for its files, which it removes at the end.
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  writeClientTypes();
  await bundleScripts();
  renewClientPackage();
  provide('diskFolder', tmpdir());
  const before = process.env['TMPDIR'];
  const folder = mkdtempSync(join(placeForFiles(), 'vesfx-run-'));
  // PostgreSQL runs as another user, who must be able to enter its folder.
  chmodSync(folder, 0o711);
  // The test processes start after this and inherit it.
  process.env['TMPDIR'] = folder;
  const postgresFolder = mkdtempSync(join(folder, 'pg-'));
  provide('postgresFolder', postgresFolder);
  return async () => {
    stopPgBouncers(folder);
    await stopServer(postgresFolder);
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    // A browser that ends may still write.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    for (const browser of [CHROMIUM, FIREFOX].filter((path) => !existsSync(path))) {
      process.stderr.write(`\nNO ${browser}: THE TESTS IN IT WERE SKIPPED.\n`);
    }
    if (process.env['VESFX_TEST_PART'] === 'quick') {
      process.stderr.write(
        '\nNot run: browsers, whole processes, faults. Next: npm run test:slow\n',
      );
    }
  };
}

const MEMORY = '/dev/shm';
const NEEDED_BYTES = 2 * 1024 ** 3;

/** A folder in memory if there is enough, because no test cuts the power and disks are slow. */
function placeForFiles(): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= NEEDED_BYTES ? MEMORY : tmpdir();
}
