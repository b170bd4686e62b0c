import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/* What the scripts that build packages share. */

export const ROOT = fileURLToPath(new URL('../', import.meta.url));
export const COMPILER = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');

/** @throws {Error} when the compiler finds an error, which it prints. */
export function compile(settings: string, ...flags: readonly string[]): void {
  const args = [COMPILER, '-p', settings, ...flags];
  execFileSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
}

export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** The files of `src/` that are read at run time: all but TypeScript and what only tests read. */
export function dataFilesOfSources(): string[] {
  return filesIn(join(ROOT, 'src')).filter(
    (file) => !/\.ts$|fixtures\/|^capabilities\/[^/]+\/test\//.test(file),
  );
}

/** Without what it says on stdout. */
export function runQuietly(
  command: string,
  args: readonly string[],
  {
    cwd = ROOT,
    env = process.env,
  }: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): void {
  execFileSync(command, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });
}

/**
 * Puts a file there at once: somebody may be reading the one before it, and a packer that fails leaves that.
 * @param pack Writes the file, as the only one, into the empty folder that it is given.
 */
export function putAtOnce(file: string, pack: (beside: string) => void): void {
  mkdirSync(dirname(file), { recursive: true });
  const beside = mkdtempSync(join(dirname(file), 'making-'));
  try {
    pack(beside);
    const [packed = ''] = readdirSync(beside);
    renameSync(join(beside, packed), file);
  } finally {
    rmSync(beside, { recursive: true });
  }
}

/** Declarations keep the `.ts` of their imports, which older compilers do not resolve. */
export function pointDeclarationsAtModules(folder: string): void {
  for (const file of filesIn(folder).filter((name) => name.endsWith('.d.ts'))) {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  }
}
