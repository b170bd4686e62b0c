import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleScripts } from './bundle.ts';
import { writeClientTypes } from './client-types.ts';

/*
 * Builds dist/, which the package `vesfx` runs, because Node does not strip types below
 * node_modules. Also builds dist-client/, the package `@vesfx/client`: only the client, as ESM and
 * CommonJS.
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const DIST = join(ROOT, 'dist');
const CLIENT = join(ROOT, 'dist-client');

/** Files outside src/ that are read at run time; the catalogue is at the top of the package. */
const DATA = [
  ...['demo', 'docs/methodology.md', 'docs/methodology.es.md'],
  ...['examples/vesfx.py', 'examples/vesfx.php'],
];

function compile(settings: string, ...flags: readonly string[]): void {
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  execFileSync(process.execPath, [tsc, '-p', settings, ...flags], { cwd: ROOT, stdio: 'inherit' });
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

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

/** Declarations keep the `.ts` of their imports, which older compilers do not resolve. */
function pointDeclarationsAtModules(folder: string): void {
  for (const file of filesIn(folder).filter((name) => name.endsWith('.d.ts'))) {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  }
}

/** The client as a package without dependencies, for programs that only call the API. */
function buildClientPackage(): void {
  const source = ['--rootDir', join('src', 'client')];
  compile('tsconfig.client.json', ...source, '--outDir', join(CLIENT, 'esm'));
  // Node and TypeScript take the format of a module from the package.json nearest to it.
  const commonJs = ['--module', 'commonjs', '--moduleResolution', 'bundler'];
  const output = ['--verbatimModuleSyntax', 'false', '--outDir', join(CLIENT, 'cjs')];
  compile('tsconfig.client.json', ...source, ...commonJs, ...output);
  writeFileSync(join(CLIENT, 'cjs', 'package.json'), '{ "type": "commonjs" }\n');
  pointDeclarationsAtModules(CLIENT);
  const { version, license, author, homepage, repository, bugs, publishConfig } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  );
  const manifest = {
    name: '@vesfx/client',
    version,
    description: 'Client of a vesfx service: bolívar exchange rates, conversions and history.',
    ...{ license, author, homepage, repository, bugs, publishConfig },
    keywords: ['bolivar', 'VES', 'BCV', 'exchange-rates', 'currency', 'client'],
    type: 'module',
    main: './cjs/vesfx.js',
    types: './cjs/vesfx.d.ts',
    exports: {
      '.': {
        import: { types: './esm/vesfx.d.ts', default: './esm/vesfx.js' },
        require: { types: './cjs/vesfx.d.ts', default: './cjs/vesfx.js' },
      },
      './package.json': './package.json',
    },
    sideEffects: false,
    files: ['esm', 'cjs'],
    engines: { node: '>=20' },
  };
  writeFileSync(join(CLIENT, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const readme = readFileSync(join(ROOT, 'docs', 'client.md'), 'utf8');
  // The documents that it links to are not in the package.
  const documents = homepage.replace('#readme', '/blob/main/docs/');
  writeFileSync(
    join(CLIENT, 'README.md'),
    readme.replaceAll(/\]\((?!#|https:)([^)]+)\)/g, (_, link) => `](${new URL(link, documents)})`),
  );
  cpSync(join(ROOT, 'LICENSE'), join(CLIENT, 'LICENSE'));
}

for (const folder of [DIST, CLIENT]) {
  if (existsSync(folder)) rmSync(folder, { recursive: true });
}
writeClientTypes();
compile('tsconfig.build.json');
compile('tsconfig.client.json');
pointDeclarationsAtModules(DIST);
await bundleScripts();
copyOthers();
buildClientPackage();
