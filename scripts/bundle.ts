import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * Writes the scripts that capabilities have for browsers, each with all that it imports, to the folder
 * `bundle/` of the capability. `npm ci` and `npm run build` do it, and `npm run bundle` after a change.
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** What a capability has in `browser-scripts.ts`: the folder of each script, in whose `browser/` it is. */
interface ScriptList {
  readonly SCRIPT_FOLDERS: Readonly<Record<string, string>>;
}

/** @throws {Error} if a script cannot be bundled, or the bundler is not installed. */
export async function bundleScripts(): Promise<void> {
  const { build } = await import('rolldown');
  for (const file of globSync('src/capabilities/*/browser-scripts.ts', { cwd: ROOT })) {
    const folder = dirname(join(ROOT, file));
    const { SCRIPT_FOLDERS }: ScriptList = await import(
      new URL(`../${file}`, import.meta.url).href
    );
    await build(
      Object.entries(SCRIPT_FOLDERS).map(([name, part]) => ({
        input: `${folder}/${part}/browser/${name}.ts`,
        output: {
          ...{ file: `${folder}/bundle/${name}.js`, format: 'iife' as const, minify: true },
          comments: { annotation: false },
        },
        platform: 'browser' as const,
      })),
    );
  }
}

/** An installation without development packages has no bundler. It goes on without scripts. */
export async function bundleIfPossible(): Promise<void> {
  try {
    await import('rolldown');
  } catch {
    console.warn('vesfx: no bundler is installed, so the pages will have no scripts');
    return;
  }
  await bundleScripts();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleScripts();
