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

/** Files outside src/ that are read at run time; the catalogue is at the top of the package. */
const DATA = ['demo', 'docs/methodology.md', 'docs/methodology.es.md', 'examples'];

/**
 * Copies the other files that sources read at run time: everything except TypeScript and test
 * fixtures.
 */
function copyOthers(): void {
  for (const file of filesIn(join(ROOT, 'src'))) {
    if (/\.ts$|fixtures\/|^capabilities\/[^/]+\/test\//.test(file)) continue;
    cpSync(join(ROOT, 'src', file), join(DIST, 'src', file));
  }
  for (const name of DATA) {
    cpSync(join(ROOT, name), join(DIST, name), { recursive: true });
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
