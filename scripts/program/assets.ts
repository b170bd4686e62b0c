import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build, type InputOptions } from 'rolldown';
import { dataFilesOfSources, filesIn, ROOT } from '../compile.ts';

/* What the program of one file has within: `src/core/product-files.ts` reads it there. */

/** Beside those of the sources, as the packed package has them. */
const FOLDERS = ['catalog', 'demo', 'examples'];
const FILES = ['package.json', 'docs/methodology.md', 'docs/methodology.es.md'];
const OF_PACKAGES = [
  'uplot/dist/uPlot.min.css',
  '@fontsource/inter/files/inter-latin-500-normal.woff2',
  '@fontsource/inter/files/inter-latin-700-normal.woff2',
  '@resvg/resvg-wasm/index_bg.wasm',
];

/** Each file by its path in the repository. */
function dataFiles(): Readonly<Record<string, string>> {
  const inFolders = FOLDERS.flatMap((folder) =>
    filesIn(join(ROOT, folder)).map((file) => `${folder}/${file}`),
  );
  const ofSources = dataFilesOfSources().map((file) => `src/${file}`);
  const { resolve } = createRequire(join(ROOT, 'package.json'));
  return Object.fromEntries([
    ...[...FILES, ...inFolders, ...ofSources].map((path) => [path, join(ROOT, path)]),
    ...OF_PACKAGES.map((file) => [`node_modules/${file}`, resolve(file)]),
  ]);
}

const COMMON = {
  platform: 'node',
  cwd: ROOT,
  // Some packages have a second build, whose imports a bundler cannot see.
  resolve: { mainFields: ['module', 'main'] },
  // `pg` tries these where they are installed.
  external: ['pg-native', 'pg-cloudflare'],
} satisfies InputOptions;

interface Bundled {
  readonly code: string;
  /** The files that are in it. */
  readonly modules: readonly string[];
}

async function bundled(input: string, format: 'cjs' | 'esm'): Promise<Bundled> {
  const { output } = await build({
    ...COMMON,
    input,
    write: false,
    // The code that V8 keeps knows no `import()`.
    output: { format, codeSplitting: false, dynamicImportInCjs: false },
  });
  const [{ code, moduleIds: modules }, ...others] = output;
  if (others.length > 0) throw new Error(`${input} is more than one file when bundled.`);
  return { code, modules };
}

/** Writes the bundles to the folder. */
export async function assetsOf(folder: string) {
  mkdirSync(folder, { recursive: true });
  const program = await bundled('src/main.ts', 'cjs');
  const main = join(folder, 'program.js');
  writeFileSync(main, `(function (require) {${program.code}\n})`);
  const assets: Record<string, string> = { ...dataFiles(), 'program.js': main };
  const modules = [...program.modules];
  for (const thread of globSync('src/**/*-thread.ts', { cwd: ROOT })) {
    const { code, modules: more } = await bundled(thread, 'esm');
    assets[thread] = join(folder, thread.replaceAll('/', '-'));
    writeFileSync(assets[thread], code);
    modules.push(...more);
  }
  return { assets, packages: packagesOf(modules) };
}

/** The folders of the packages that are in a bundle. */
function packagesOf(modules: readonly string[]): readonly string[] {
  const folders = modules.map(
    (file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? '',
  );
  return [...new Set(folders)].filter((folder) => folder !== '').sort();
}

/** The licences of those packages and of Node, which copies of the program must carry. */
export function licencesOf(packages: readonly string[], nodeLicence: string): string {
  const texts = packages.map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    const [file] = globSync('{LICENSE,LICENCE,license,COPYING}*', { cwd: folder });
    const text =
      file === undefined ? `Licence: ${license}` : readFileSync(join(folder, file), 'utf8');
    return `${name} ${version}\n\n${text.trim()}`;
  });
  const own = readFileSync(join(ROOT, 'LICENSE'), 'utf8');
  const rule = `\n\n${'-'.repeat(78)}\n\n`;
  return `${[`vesfx\n\n${own.trim()}`, ...texts, `Node.js\n\n${nodeLicence.trim()}`].join(rule)}\n`;
}
