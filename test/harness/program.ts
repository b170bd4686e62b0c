import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { makeProgram } from '../../scripts/program/build.ts';
import type { Ended } from '../../testkit/vesfx-process.ts';
import { temporaryDir } from './service.ts';

/** The program of one file, which the first test that wants it makes for the whole run. */
export async function theProgram(): Promise<string> {
  const given = process.env['VESFX_TEST_PROGRAM'];
  if (given !== undefined) return given;
  const folder = join(tmpdir(), 'program');
  const made = join(folder, `vesfx-linux-${process.arch}`);
  try {
    mkdirSync(`${folder}.lock`);
  } catch {
    // Another file's tests make it. `expect.poll` is for tests alone, and this may run before one.
    const isMade = () => expect(existsSync(folder)).toBe(true);
    await vi.waitFor(isMade, { timeout: MAX_MAKING_MS, interval: POLL_MS });
    return made;
  }
  const work = `${folder}.new`;
  try {
    await makeProgram({ arch: process.arch, folder: work });
  } catch (error) {
    rmSync(`${folder}.lock`, { recursive: true });
    throw error;
  }
  renameSync(work, folder);
  return made;
}

/** Of the program, on a busy machine. */
export const MAX_MAKING_MS = 300_000;

const POLL_MS = 100;

/** Without a network, and with nothing on the path but what every Debian has. Only root may take it away. */
const ALONE = process.getuid?.() === 0 ? ['unshare', '--net', '--'] : [];
export const BARE = { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' };

/** Runs a script for the shell in an empty folder, with the program as `vesfx`. */
export async function inEmptyFolder(script: string): Promise<Pick<Ended, 'code' | 'out' | 'err'>> {
  const folder = await temporaryDir();
  const program = await theProgram();
  const text = `set -eu
    if [ "$(id -u)" = 0 ]; then ip link set lo up; fi
    vesfx() { ${program} "$@"; }
    ${script}`;
  const [file = '', ...args] = [...ALONE, 'sh', '-c', text];
  const { promise, resolve } = Promise.withResolvers<Pick<Ended, 'code' | 'out' | 'err'>>();
  execFile(
    file,
    args,
    { cwd: folder, env: { ...BARE, TMPDIR: folder }, maxBuffer: 2 ** 26 },
    (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
  );
  return promise;
}
