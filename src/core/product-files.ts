import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import sea from 'node:sea';
import { fileURLToPath, pathToFileURL } from 'node:url';

/*
 * The files of the product that are read while it runs, each by its path in the repository, such as
 * `catalog/plans.json`; files of packages by `node_modules/`. They lie in a checkout, in an installed
 * package, or in the program of one file that `npm run build:binary` makes.
 */

/** Whether this is the program of one file. */
export const IS_PROGRAM = sea.isSea();

/** The top of the checkout or of the package, whose built sources lie one folder deeper. */
const TOP = IS_PROGRAM
  ? process.execPath
  : fileURLToPath(
      ['../../', '../../../']
        .map((place) => new URL(place, import.meta.url))
        .find((place) => existsSync(new URL('package.json', place))) ?? import.meta.url,
    );

const IS_BUILT = !(IS_PROGRAM || import.meta.url.endsWith('.ts'));

/** Where it lies, for messages. Within the program nothing lies there. */
export function productPlace(path: string): string {
  if (!IS_PROGRAM && path.startsWith(PACKAGES)) {
    return createRequire(import.meta.url).resolve(path.slice(PACKAGES.length));
  }
  return join(TOP, IS_BUILT && path.startsWith('src/') ? join('dist', path) : path);
}

const PACKAGES = 'node_modules/';

export function readProductFile(path: string): Buffer {
  return IS_PROGRAM ? Buffer.from(sea.getRawAsset(path)) : readFileSync(productPlace(path));
}

export function readProductText(path: string): string {
  return readProductFile(path).toString('utf8');
}

/** Whether there is such a file, or a folder with one. */
export function isInProduct(path: string): boolean {
  if (!IS_PROGRAM) return existsSync(productPlace(path));
  return sea.getAssetKeys().some((key) => key === path || key.startsWith(`${path}/`));
}

/** The paths of all files in a folder and below it. */
export function productFilesIn(folder: string): readonly string[] {
  if (IS_PROGRAM) return sea.getAssetKeys().filter((key) => key.startsWith(`${folder}/`));
  const place = productPlace(folder);
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(folder, join(entry.parentPath, entry.name).slice(place.length)))
    .map((path) => path.replaceAll('\\', '/'));
}

/** When it was last changed. A file of the program is as old as the program. */
export function productChangedAt(path: string): number {
  return statSync(IS_PROGRAM ? process.execPath : productPlace(path)).mtimeMs;
}

/** What `new Worker` takes to run a file of the sources in a thread, with all that it imports. */
export function threadOf(path: string): URL {
  if (!IS_PROGRAM) {
    const place = productPlace(path);
    return pathToFileURL(IS_BUILT ? place.replace(/\.ts$/, '.js') : place);
  }
  return new URL(`data:text/javascript;base64,${readProductFile(path).toString('base64')}`);
}
