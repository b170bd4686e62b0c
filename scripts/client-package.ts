import { cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  COMPILER,
  compile,
  filesIn,
  pointDeclarationsAtModules,
  putAtOnce,
  ROOT,
  runQuietly,
} from './compile.ts';

/*
 * Builds dist-client/, the package `@vesfx/client`: only the client, as ESM and CommonJS. Then packs it into
 * the file that a service hands out. `npm ci` and `npm run build` do both.
 */

const CLIENT = join(ROOT, 'dist-client');
/** The capability that hands it out. Without it nothing is packed. */
const HANDOUTS = join(ROOT, 'src', 'capabilities', 'handouts');
const PACKED = join(HANDOUTS, 'bundle', 'vesfx-client.tgz');

/** What the package is made of. */
const SOURCES = [
  ...filesIn(join(ROOT, 'src', 'client')).map((file) => join('src', 'client', file)),
  ...['package.json', 'tsconfig.json', 'tsconfig.client.json', 'docs/client.md', 'LICENSE'],
  'scripts/client-package.ts',
];

/** The client as a package without dependencies, for programs that only call the API. */
function buildClientPackage(): void {
  rmSync(CLIENT, { recursive: true, force: true });
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

/** Equal files give equal bytes: npm writes no times and no owners. */
function pack(): void {
  // The settings of the npm that runs this script, such as --dry-run, are not meant for this package.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)),
  );
  putAtOnce(PACKED, (beside) => {
    const flags = ['--silent', '--ignore-scripts', '--pack-destination', beside];
    runQuietly('npm', ['pack', ...flags], { cwd: CLIENT, env });
  });
}

export function makeClientPackage(): void {
  buildClientPackage();
  if (existsSync(HANDOUTS)) pack();
}

/** Makes it when a file that it is made of is newer than what is handed out. */
export function renewClientPackage(): void {
  if (!existsSync(HANDOUTS)) return;
  const packedAt = existsSync(PACKED) ? statSync(PACKED).mtimeMs : 0;
  if (SOURCES.some((file) => statSync(join(ROOT, file)).mtimeMs > packedAt)) makeClientPackage();
}

/** An installation without development packages has no compiler. It goes on without the package. */
export function makeClientPackageIfPossible(): void {
  if (existsSync(COMPILER)) makeClientPackage();
  else console.warn('vesfx: no compiler is installed, so the service will not hand out its client');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) makeClientPackage();
