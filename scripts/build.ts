import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundleScripts } from './bundle.ts';
import { makeClientPackage } from './client-package.ts';
import { writeClientTypes } from './client-types.ts';
import { compile, filesIn, pointDeclarationsAtModules, ROOT } from './compile.ts';

/*
 * Builds dist/, which the package `vesfx` runs, because Node does not strip types below
 * node_modules. Also builds the package `@vesfx/client`.
 */

const DIST = join(ROOT, 'dist');

/** Copies the other files of the sources: everything except TypeScript and test fixtures. */
function copyOthers(): void {
  for (const file of filesIn(join(ROOT, 'src'))) {
    if (/\.ts$|fixtures\/|^capabilities\/[^/]+\/test\//.test(file)) continue;
    cpSync(join(ROOT, 'src', file), join(DIST, 'src', file));
  }
}

rmSync(DIST, { recursive: true, force: true });
writeClientTypes();
compile('tsconfig.build.json');
compile('tsconfig.client.json');
pointDeclarationsAtModules(DIST);
await bundleScripts();
makeClientPackage();
copyOthers();
