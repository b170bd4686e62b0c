import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The last version in which P2P markets were named `p2p_market_1` to `p2p_market_7`. */
const COMMIT = '07a3ae5';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

function git(...args: readonly string[]): Buffer {
  return execFileSync('git', ['-C', ROOT, ...args], {
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** The dependencies of its `package.json`. */
function dependencies(): readonly string[] {
  const manifest: unknown = JSON.parse(git('show', `${COMMIT}:package.json`).toString());
  const named = typeof manifest === 'object' && manifest !== null && 'dependencies' in manifest;
  return named ? Object.keys(Object(manifest.dependencies)) : [];
}

/** Why the previous version cannot run here; undefined when it can. */
export function whyNoVersionBefore(): string | undefined {
  try {
    git('cat-file', '-e', `${COMMIT}^{commit}`);
  } catch {
    return `the history does not have commit ${COMMIT}: clone the repository whole`;
  }
  const missing = dependencies().filter((name) => !isInstalled(name));
  if (missing.length === 0) return undefined;
  return `the version before needs packages that are no longer installed: ${missing.join(', ')}`;
}

function isInstalled(name: string): boolean {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  return folders.some((folder) => {
    try {
      return readFileSync(join(folder, name, 'package.json')).length > 0;
    } catch {
      return false;
    }
  });
}

let launcher: string | undefined;

/**
 * Checks out the previous version from the history, once for all trials of this process: the later
 * ones load the code that the first one compiled.
 * @returns its launcher.
 */
export function checkOutVersionBefore(): string {
  if (launcher !== undefined) return launcher;
  const folder = mkdtempSync(join(tmpdir(), 'vesfx-before-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const archive = git('archive', COMMIT, 'bin', 'src', 'catalog', 'package.json', 'tsconfig.json');
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  launcher = join(folder, 'bin', 'vesfx.js');
  return launcher;
}
