import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ApiError } from '../../domain/errors.ts';
import {
  type AssetName,
  type Assets,
  type ModuleImports,
  SCRIPT_FOLDERS,
  SCRIPTS,
  STYLE_FILES,
} from '../../web/frame/asset-names.ts';
import { type WrittenAnswer, WrittenBody } from '../encoding/written-answer.ts';
import type { Page } from '../routing/router.ts';

/**
 * Scripts and stylesheets of the pages. Browsers get the source modules without types; there is no
 * bundler. An address contains a hash of the content, so browsers may keep it for ever.
 */
interface AssetFiles {
  readonly address: Assets;
  /** The addresses of all modules that a script imports, directly or indirectly. */
  readonly imports: ModuleImports;
  readonly answers: ReadonlyMap<string, WrittenAnswer>;
}

const KEPT_FOR_GOOD = 'public, max-age=31536000, immutable';
const HASH_LENGTH = 10;

const WEB_FOLDER = fileURLToPath(new URL('../../web/', import.meta.url));
const installed = createRequire(import.meta.url);

/** Packages that browsers load, by the name under which modules import them. */
const PACKAGES: Readonly<Record<string, () => string>> = {
  // The minified build as a module: 20 kB compressed, the readable one has 36 kB.
  uplot: () => `${installedFile('uplot', 'dist/uPlot.iife.min.js')}\nexport default uPlot;\n`,
  'big.js': () => installedFile('big.js', 'big.mjs'),
};

function installedFile(name: string, path: string): string {
  const folder = dirname(installed.resolve(`${name}/package.json`));
  return readFileSync(join(folder, path), 'utf8');
}

/** Reads and hashes all of them. Each is compressed at the first request. */
export function assetFiles(): AssetFiles {
  const answers = new Map<string, WrittenAnswer>();
  const add = (name: string, text: string): string => {
    const mark = hash('sha256', text).slice(0, HASH_LENGTH);
    const dot = name.lastIndexOf('.');
    const address = `/assets/${name.slice(0, dot)}-${mark}${name.slice(dot)}`;
    const type = name.endsWith('.css') ? 'text/css' : 'text/javascript';
    answers.set(address, {
      contentType: `${type}; charset=utf-8`,
      body: new WrittenBody(text),
      headers: ['Cache-Control', KEPT_FOR_GOOD, 'Cross-Origin-Resource-Policy', 'same-origin'],
    });
    return address;
  };
  const modules = new ModuleGraph(add);
  const entries = new Map<AssetName, string>();
  for (const name of SCRIPTS) entries.set(`${name}.js`, modules.addressOf(entryFile(name)));
  for (const [name, paths] of Object.entries(STYLE_FILES)) {
    const own = paths.map((path) => readFileSync(join(WEB_FOLDER, path), 'utf8')).join('');
    // In one file: the page is not painted before it has each of its stylesheets.
    const text = name === 'board' ? installedFile('uplot', 'dist/uPlot.min.css') + own : own;
    // The cast is safe: the keys of an object literal are those of its type.
    entries.set(`${name as keyof typeof STYLE_FILES}.css`, add(`${name}.css`, text));
  }
  return {
    address: (name) => entries.get(name) ?? missing(name),
    imports: (name) => modules.importsOf(entries.get(name) ?? missing(name)),
    answers,
  };
}

/** A worker controls only addresses below its own, so it stands beside the front page. */
export function serviceWorkerPage(files: () => AssetFiles): Page {
  return {
    path: '/service-worker.js',
    respond() {
      const { address, answers } = files();
      const answer = answers.get(address('service-worker.js')) ?? missing('service-worker.js');
      return { ...answer, headers: ['Cache-Control', 'no-cache'] };
    },
  };
}

/** The addresses of the assets. Those of older versions are not served. */
export function assetsPage(files: () => AssetFiles): Page {
  return {
    path: '/assets/:file',
    respond({ path }) {
      const answer = files().answers.get(path);
      if (answer === undefined) throw new ApiError('resource_not_found');
      return answer;
    },
  };
}

function missing(name: string): never {
  throw new Error(`there is no asset ${name}`);
}

/** From the sources, or from the build, where types are already removed. */
function entryFile(name: (typeof SCRIPTS)[number]): string {
  const source = join(WEB_FOLDER, SCRIPT_FOLDERS[name], 'browser', `${name}.ts`);
  return existsSync(source) ? source : source.replace(/\.ts$/, '.js');
}

/** Module names in `import … from '…'` and `export … from '…'`. */
const IMPORTED_FROM = /^((?:import|export)\b[^;'"]*?\bfrom\s*)(['"])([^'"]+)\2/gm;

/** The modules reachable from the entries, with the addresses of their imports. */
class ModuleGraph {
  readonly #add: (name: string, text: string) => string;
  /** By file or package; undefined while its own imports are being resolved. */
  readonly #addresses = new Map<string, string | undefined>();
  /** The addresses of the modules that each module imports, by its own address. */
  readonly #imports = new Map<string, readonly string[]>();

  constructor(add: (name: string, text: string) => string) {
    this.#add = add;
  }

  addressOf(file: string): string {
    if (this.#addresses.has(file)) {
      // The hash of a module covers the hashes of its imports, so modules in a cycle have none.
      return this.#addresses.get(file) ?? missing(`outside of the circle of imports at ${file}`);
    }
    this.#addresses.set(file, undefined);
    const imports = new Set<string>();
    const text = withoutTypes(file).replaceAll(IMPORTED_FROM, (_, before, quote, target) => {
      const address = target.startsWith('.')
        ? this.addressOf(join(dirname(file), target))
        : this.#addressOfPackage(target);
      imports.add(address);
      return `${before}${quote}./${basename(address)}${quote}`;
    });
    const address = this.#add(`${basename(file).replace(/\.[jt]s$/, '')}.js`, text);
    this.#addresses.set(file, address);
    this.#imports.set(address, [...imports]);
    return address;
  }

  /** In the order in which a browser would meet them. */
  importsOf(address: string): readonly string[] {
    const found = new Set<string>();
    let next = this.#imports.get(address) ?? [];
    while (next.length > 0) {
      const fresh = next.filter((one) => !found.has(one));
      for (const one of fresh) found.add(one);
      next = [...new Set(fresh.flatMap((one) => this.#imports.get(one) ?? []))];
    }
    return [...found];
  }

  #addressOfPackage(name: string): string {
    const known = this.#addresses.get(name);
    if (known !== undefined) return known;
    const text = (PACKAGES[name] ?? missing(`for the package ${name}`))();
    const address = this.#add(`${name.replace(/\.js$/, '')}.js`, text);
    this.#addresses.set(name, address);
    return address;
  }
}

/** Comment lines, and blank lines left by removed types. Browsers do not need them. */
const LINES_FOR_READERS = /^[ \t]*(?:\/\*\*[\s\S]*?\*\/|\/\/.*)[ \t]*\n|^[ \t]+\n/gm;

function withoutTypes(file: string): string {
  const text = readFileSync(file, 'utf8');
  const code = file.endsWith('.ts') ? quietly(() => stripTypeScriptTypes(text)) : text;
  return code.replaceAll(LINES_FOR_READERS, '');
}

/** Silences Node's warning that type stripping is experimental: an operator cannot help it. */
function quietly<Value>(work: () => Value): Value {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}
