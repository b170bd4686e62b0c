import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * Makes dist/, which is what the package runs: Node strips types in a clone, but never below
 * node_modules. The same tree, as JavaScript; the client with its types.
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const DIST = join(ROOT, 'dist');

/** Read at run time, from beside src/. */
const DATA_FOLDERS = ['catalog', 'demo'];

function compile(settings: string): void {
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  execFileSync(process.execPath, [tsc, '-p', settings], { cwd: ROOT, stdio: 'inherit' });
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** Whatever a source reads at run time: all that is no TypeScript, but for bodies of tests. */
function copyOthers(): void {
  for (const file of filesIn(join(ROOT, 'src'))) {
    if (file.endsWith('.ts') || file.includes('fixtures/')) continue;
    cpSync(join(ROOT, 'src', file), join(DIST, 'src', file));
  }
  for (const folder of DATA_FOLDERS) {
    cpSync(join(ROOT, folder), join(DIST, folder), { recursive: true });
  }
}

/** Declarations keep the `.ts` of their imports, which only the newest compilers look behind. */
function pointDeclarationsAtModules(): void {
  for (const file of filesIn(DIST).filter((name) => name.endsWith('.d.ts'))) {
    const path = join(DIST, file);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  }
}

if (existsSync(DIST)) rmSync(DIST, { recursive: true });
compile('tsconfig.build.json');
compile('tsconfig.client.json');
pointDeclarationsAtModules();
copyOthers();
