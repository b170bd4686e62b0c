import { fileURLToPath } from 'node:url';
import { SCRIPT_FOLDERS, SCRIPTS } from '../src/web/frame/asset-names.ts';

/*
 * Writes the scripts of the pages to src/web/bundle/, each with all that it imports. `npm ci` and
 * `npm run build` do it, and `npm run bundle` after a change.
 */

const WEB = fileURLToPath(new URL('../src/web/', import.meta.url));

/** @throws {Error} if a script cannot be bundled, or the bundler is not installed. */
export async function bundleScripts(): Promise<void> {
  const { build } = await import('rolldown');
  await build(
    SCRIPTS.map((name) => ({
      input: `${WEB}${SCRIPT_FOLDERS[name]}/browser/${name}.ts`,
      output: {
        ...{ file: `${WEB}bundle/${name}.js`, format: 'iife' as const, minify: true },
        comments: { annotation: false },
      },
      platform: 'browser' as const,
    })),
  );
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
