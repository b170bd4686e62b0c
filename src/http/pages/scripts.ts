import { existsSync, readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SCRIPT_FOLDERS, type SCRIPTS } from '../../web/frame/asset-names.ts';

export const WEB_FOLDER = fileURLToPath(new URL('../../web/', import.meta.url));
const installed = createRequire(import.meta.url);

/** Packages that browsers load, by the name under which modules import them. */
const PACKAGES: Readonly<Record<string, () => string>> = {
  // The minified build as a module: 20 kB compressed, the readable one has 36 kB.
  uplot: () => `${installedFile('uplot', 'dist/uPlot.iife.min.js')}\nexport default uPlot;\n`,
  'big.js': () => installedFile('big.js', 'big.mjs'),
};

export function installedFile(name: string, path: string): string {
  const folder = dirname(installed.resolve(`${name}/package.json`));
  return readFileSync(join(folder, path), 'utf8');
}

/** `import name from` and `import { a, b as c } from`. */
const IMPORT = /^import ([\w$]+|\{[^}]*\}) from\s*['"]([^'"]+)['"];?/gm;
/** `export * from` and `export { a, b as c } from`. */
const REEXPORT = /^export (\*|\{[^}]*\}) from\s*['"]([^'"]+)['"];?/gm;
const EXPORTED = /^export ((?:async )?(?:function\*?|class|const|var) ([\w$]+))/gm;
const DEFAULT_EXPORT = /^export default ([\w$]+);/gm;
/** The compiler ends a file with it that exports nothing. */
const NO_EXPORT = /^export \{\};\n/gm;
const OTHER_FORM = /^(?:import|export)\b.*/m;

/**
 * A script with all modules that it imports, in one file. Each module becomes a function that
 * returns its exports and is called once, after the modules that it imports. Modules may not import
 * each other in a cycle or reassign what they export.
 *
 * @param entry The file of the script.
 * @throws {Error} if a module imports or exports in a form that the patterns above do not cover
 */
export function joinedScript(entry: string): string {
  const joined: string[] = [];
  /** The variable that holds the exports of a module, by its file or package. */
  const variables = new Map<string, string>();

  /** Joins the module unless it is there already. @returns its variable. */
  function exportsOf(module: string, folder: string): string {
    const isOwn = module.startsWith('.');
    const path = isOwn ? join(folder, module) : module;
    const known = variables.get(path);
    if (known !== undefined) return known;
    const { code, exported } = linked(path, isOwn ? withoutTypes(path) : packageText(module));
    const variable = `$${variables.size}`;
    variables.set(path, variable);
    joined.push(
      `const ${variable} = (() => {\n${code}\nreturn { ${exported.join(', ')} };\n})();\n`,
    );
    return variable;
  }

  /** The code with variables in the place of its imports, and the fields of what it exports. */
  function linked(path: string, text: string) {
    const folder = dirname(path);
    const exported: string[] = [];
    const code = text
      .replaceAll(NO_EXPORT, '')
      .replaceAll(IMPORT, (_, names: string, module: string) => {
        const fields = names.startsWith('{')
          ? names.replaceAll(' as ', ': ')
          : `{ default: ${names} }`;
        return `const ${fields} = ${exportsOf(module, folder)};`;
      })
      .replaceAll(REEXPORT, (_, names: string, module: string) => {
        const variable = exportsOf(module, folder);
        if (names === '*') exported.push(`...${variable}`);
        for (const [, name, shown = name] of names.matchAll(/([\w$]+)(?: as ([\w$]+))?/g)) {
          exported.push(`${shown}: ${variable}.${name}`);
        }
        return '';
      })
      .replaceAll(EXPORTED, (_, declaration: string, name: string) => {
        exported.push(name);
        return declaration;
      })
      .replaceAll(DEFAULT_EXPORT, (_, value: string) => {
        exported.push(`default: ${value}`);
        return '';
      });
    const [other] = OTHER_FORM.exec(code) ?? [];
    if (other !== undefined) throw new Error(`${path} cannot be joined to a script: ${other}`);
    return { code, exported };
  }

  const { code } = linked(entry, withoutTypes(entry));
  return joined.join('') + code;
}

function packageText(name: string): string {
  const text = PACKAGES[name]?.();
  if (text === undefined) throw new Error(`no script of a page may import ${name}`);
  return text;
}

/** The file of a page's script: in the sources, or in the build, where types are already removed. */
export function scriptFile(name: (typeof SCRIPTS)[number]): string {
  const source = join(WEB_FOLDER, SCRIPT_FOLDERS[name], 'browser', `${name}.ts`);
  return existsSync(source) ? source : source.replace(/\.ts$/, '.js');
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
