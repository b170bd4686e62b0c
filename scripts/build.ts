import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundleScripts } from './bundle.ts';
import { makeClientPackage } from './client-package.ts';
import { writeClientTypes } from './client-types.ts';
import { compile, dataFilesOfSources, pointDeclarationsAtModules, ROOT } from './compile.ts';

/*
 * Builds dist/, which the package `vesfx` runs, because Node does not strip types below
 * node_modules. Also builds the package `@vesfx/client`.
 */

const DIST = join(ROOT, 'dist');

rmSync(DIST, { recursive: true, force: true });
writeClientTypes();
compile('tsconfig.build.json');
compile('tsconfig.client.json');
pointDeclarationsAtModules(DIST);
await bundleScripts();
makeClientPackage();
for (const file of dataFilesOfSources()) cpSync(join(ROOT, 'src', file), join(DIST, 'src', file));
