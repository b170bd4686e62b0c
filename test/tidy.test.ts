import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { limitsOf } from '../scripts/documents/limits.ts';
import { CAPABILITIES } from '../src/capabilities.ts';
import { filesUnder, ROOT, read, sources } from './harness/repository.ts';

/** Holds the code to the house rules. */

/** The code without comments and texts, in which words mean nothing. */
function codeOf(file: string): string {
  return read(file)
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .replaceAll(/'[^'\n]*'/g, "''");
}

const withCode = (pattern: RegExp) => sources.filter((file) => pattern.test(codeOf(file)));

/** Most lines of a file: what can be read in one go. */
const MAX_LINES = 300;

/** Longer files, each with why it is still one thing. */
const LONG_FILES: Readonly<Record<string, string>> = {
  'src/client/types.ts': 'types and methods, made by a script from the OpenAPI document',
  'src/core/compose.ts': 'the one place that builds and closes every part',
  'src/core/config.ts': 'every setting, in the one place that reads the environment',
  'src/core/domain/judgement/rules.ts': 'every rule of judgement, with its words in both languages',
  'src/core/storage/sqlite/sqlite.ts': 'the connections of one database, and who may use which',
};

/** Names that two files export: the client's are public. */
const SHARED_NAMES = ['LimitScope'];

/** Most source files of a folder; its tests are not counted. */
const MAX_FILES_PER_FOLDER = 20;

describe('the house', () => {
  const importsOf = (file: string) =>
    [...read(file).matchAll(/(?:from|import\(?)\s*['"](\.[^'"]+)['"]/g)].map(([, target = '']) =>
      relative(ROOT, join(ROOT, dirname(file), target)),
    );

  test('imports run one way, layer by layer', () => {
    const allowed: Record<string, readonly string[]> = {
      domain: ['domain'],
      outbound: ['app', 'outbound'],
      app: ['domain', 'app'],
      storage: ['domain', 'app', 'storage'],
      sources: ['domain', 'outbound', 'app', 'sources', 'product-files.ts'],
      client: ['client'],
      http: ['domain', 'app', 'http'],
      'product-files.ts': [],
      'secret-file.ts': [],
      'config.ts': ['outbound', 'storage', 'settings.ts', 'secret-file.ts', 'product-files.ts'],
      'settings.ts': ['domain'],
      catalogue: ['domain', 'app', 'catalogue', 'config.ts', 'product-files.ts'],
      'compose.ts': [
        ...['domain', 'app', 'storage', 'sources', 'http', 'catalogue', 'config.ts'],
        'capability.ts',
      ],
      'capability.ts': ['domain', 'app', 'storage', 'http', 'config.ts'],
      cli: [
        ...[
          'domain',
          'app',
          'storage',
          'catalogue',
          'config.ts',
          'settings.ts',
          'secret-file.ts',
          'product-files.ts',
          'compose.ts',
          'cli',
        ],
        'capability.ts',
      ],
      // Its own folder, and the core: every layer of it, but not the list.
      capabilities: [
        ...['domain', 'app', 'storage', 'sources', 'http', 'outbound', 'catalogue', 'cli'],
        // The console calls the API with the client.
        ...[
          'client',
          'config.ts',
          'compose.ts',
          'capability.ts',
          'product-files.ts',
          'capabilities',
        ],
      ],
      'capabilities.ts': ['capability.ts', 'capabilities'],
      'main.ts': ['cli', 'capabilities.ts'],
    };
    const layerOf = (file: string) => file.replace('src/core/', 'src/').split('/')[1] ?? '';
    expect(sources.filter((file) => allowed[layerOf(file)] === undefined)).toEqual([]);
    const wrong = sources.flatMap((file) =>
      importsOf(file)
        .filter((target) => !allowed[layerOf(file)]?.includes(layerOf(target)))
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('a capability imports no other, and the list has every one', () => {
    const capabilityOf = (file: string) => /^src\/capabilities\/([^/]+)\//.exec(file)?.[1];
    const wrong = sources.flatMap((file) => {
      const own = capabilityOf(file);
      const targets = own === undefined ? [] : importsOf(file);
      return targets.filter((target) => (capabilityOf(target) ?? own) !== own);
    });
    expect(wrong).toEqual([]);
    const folders = new Set(sources.flatMap((file) => capabilityOf(file) ?? []));
    expect(CAPABILITIES.map(({ name }) => name).toSorted()).toEqual([...folders].toSorted());
  });

  test('what any HTTP service needs knows nothing of the product', () => {
    const framework = 'src/core/http/framework/';
    const free = [
      ...[
        'bounded-cache',
        'growing-bytes',
        'lower-priority',
        'schema-sentences',
        'throttled-log',
      ].map((name) => `app/${name}`),
      ...['app/ports/clock', 'app/ports/log', 'domain/errors', 'domain/errors/sentence'],
      ...['domain/errors/value-rules', 'domain/exact-json', 'domain/time', 'domain/words/language'],
    ].map((name) => `src/core/${name}.ts`);
    const imported = new Set(
      sources
        .filter((file) => file.startsWith(framework) && !file.endsWith('.test.ts'))
        .flatMap(importsOf)
        .filter((target) => !target.startsWith(framework)),
    );
    expect([...imported].toSorted()).toEqual(free.toSorted());
  });

  test('in the HTTP layer only what serves imports the server', () => {
    const others = sources.filter((file) =>
      /^src\/core\/http\/(?!serving\/|framework\/server\/)/.test(file),
    );
    const isServer = (target: string) =>
      /^src\/core\/http\/(?:serving|framework\/server)\//.test(target);
    expect(others.filter((file) => importsOf(file).some(isServer))).toEqual([]);
  });

  test('of two folders of the HTTP layer or of the site, one imports the other', () => {
    const folderOf = (file: string) =>
      file
        .replace('src/core/', '')
        .replace('src/capabilities/', '')
        .replace('framework/', 'framework-')
        .split('/')
        .slice(0, 2)
        .join('/');
    const imports = new Set(
      sources
        .filter(
          (file) =>
            /^src\/(?:core\/http|capabilities\/site)\//.test(file) && !file.endsWith('.test.ts'),
        )
        .flatMap((file) => importsOf(file).map((target) => [folderOf(file), folderOf(target)]))
        .filter(([from, to]) => from !== to)
        .map((pair) => pair.join(' imports ')),
    );
    const both = [...imports].filter((one) =>
      imports.has(one.split(' imports ').toReversed().join(' imports ')),
    );
    expect(both).toEqual([]);
  });

  test('one file knows where the files of the product lie, since the program of one file has none beside it', () => {
    const using = withCode(/import\.meta\b/).filter((file) => !file.includes('.test.'));
    expect(using.filter((file) => !/\/test\//.test(file))).toEqual(['src/core/product-files.ts']);
  });

  test('the ports are types only', () => {
    const ports = sources.filter((file) => file.startsWith('src/core/app/ports/'));
    expect(ports.length).toBeGreaterThan(5);
    const code =
      /^\s*(?:export )?(?:abstract class|class|function|async function|const|let|enum) /m;
    expect(ports.filter((file) => code.test(codeOf(file)))).toEqual([]);
  });

  test('no file imports itself through others', () => {
    const done = new Set<string>();
    const cycles: string[] = [];
    const walk = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) {
        cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
        return;
      }
      if (done.has(file)) return;
      for (const target of importsOf(file).filter((one) => sources.includes(one))) {
        walk(target, [...path, file]);
      }
      done.add(file);
    };
    for (const file of sources) walk(file, []);
    expect(cycles).toEqual([]);
  });

  test('one file uses the decimal library, and two read the environment', () => {
    const using = (pattern: RegExp) => sources.filter((file) => pattern.test(read(file)));
    expect(using(/from 'big\.js'/)).toEqual(['src/core/domain/decimal.ts']);
    // Code that is written for readers does too.
    const own = using(/process\.env\b/).filter((file) => !file.endsWith('/text/samples.ts'));
    expect(own.sort()).toEqual(['src/core/cli/output.ts', 'src/core/config.ts']);
  });

  test('the domain has no clock, no chance and no input or output', () => {
    const impure = /Date\.now|new Date\(\)|Math\.random|from 'node:|process\./;
    const domain = sources.filter((file) => file.startsWith('src/core/domain/'));
    expect(domain.filter((file) => impure.test(read(file)))).toEqual([]);
  });

  test('only the composition root, the commands, the client and what runs in browsers read the clock', () => {
    const clock = withCode(/Date\.now\(|new Date\(\)/);
    const others = clock.filter(
      (file) =>
        !/^src\/(?:(?:core\/cli|client|capabilities\/[^/]+\/[a-z]+\/browser)\/|capabilities\/[^/]+\/(?:command|commands\/[a-z]+)\.ts)/.test(
          file,
        ),
    );
    expect(others).toEqual(['src/core/compose.ts']);
  });

  test('browser code imports nothing of Node, directly or indirectly', () => {
    const reached = new Set(
      sources.filter((file) =>
        /^src\/(?:client|capabilities\/[^/]+\/[a-z]+\/browser)\//.test(file),
      ),
    );
    for (const file of reached) for (const target of importsOf(file)) reached.add(target);
    expect([...reached].filter((file) => /from 'node:/.test(read(file)))).toEqual([]);
  });

  test('help and usage errors load neither schemas nor a database: commands load them when they run', () => {
    const loadedWith = (file: string) =>
      [...read(file).matchAll(/^(?:import|export)(?! type)[^;]*?from '([^']+)';/gm)].map(
        ([, target = '']) =>
          target.startsWith('.') ? relative(ROOT, join(ROOT, dirname(file), target)) : target,
      );
    const reached = new Set(['src/main.ts']);
    for (const file of reached) {
      if (sources.includes(file)) for (const target of loadedWith(file)) reached.add(target);
    }
    const packages = [...reached].filter((one) => !/^(?:src\/|node:)/.test(one));
    expect(packages.toSorted()).toEqual(['big.js', 'commander', 'lru-cache']);
  });

  test('each exported name is exported by one file, so that a jump by name lands once', () => {
    const declared =
      /^export (?:async )?(?:function\*?|const|class|interface|type|enum) ([\w$]+)/gm;
    // The names of the API's types are those of its document.
    const named = sources
      .filter((file) => file !== 'src/client/types.ts')
      .flatMap((file) =>
        // A function has a line for each of its overloads.
        [...new Set([...read(file).matchAll(declared)].map(([, name = '']) => name))].map(
          (name) => ({ name, file }),
        ),
      );
    const shared = [...Map.groupBy(named, ({ name }) => name)]
      .filter(([, places]) => places.length > 1)
      .map(([name, places]) => [name, places.map(({ file }) => file).toSorted()] as const);
    expect(
      shared.filter(([name]) => !SHARED_NAMES.includes(name)),
      'rename one of them',
    ).toEqual([]);
  });

  test('no file is longer than 300 lines without a reason, and each reason is for such a file', () => {
    const long = sources.filter((file) => read(file).trimEnd().split('\n').length > MAX_LINES);
    expect(long.toSorted()).toEqual(Object.keys(LONG_FILES).toSorted());
  });

  test('no folder has more than 20 source files', () => {
    const programs = ['faults', 'bench', 'scripts'].flatMap((one) => filesUnder(one, '.ts'));
    const folders = Map.groupBy([...sources, ...programs], (file) => dirname(file));
    const crowded = [...folders].filter(([, files]) => files.length > MAX_FILES_PER_FOLDER);
    expect(crowded.map(([folder, files]) => `${folder}: ${files.length}`)).toEqual([]);
  });

  test('no type is any', () => {
    expect(withCode(/[:<,(|&] ?any\b|\bas any\b/)).toEqual([]);
  });

  test('rates are rounded only in the decimal file', () => {
    // Megabytes on a progress bar, whole days between two midnights, and all digits of a decimal.
    const notRates = ['cli/commands/import.ts', 'domain/time.ts', 'domain/decimal.ts'].map(
      (file) => `src/core/${file}`,
    );
    const rounding = withCode(/\.toFixed\(|\.toPrecision\(|Math\.round\(/);
    expect(rounding.filter((file) => !notRates.includes(file))).toEqual([]);
  });

  test('text of callers and sources is read by the JSON parser of the domain only', () => {
    const ownText = [
      'src/core/domain/exact-json.ts',
      ...['src/core/config.ts', 'src/core/catalogue/file.ts'],
      'src/core/app/ingest/quotes/checkpoints.ts',
      ...['src/core/storage/queries/record-rows.ts', 'src/core/storage/queries/accounts.ts'],
      ...['src/capabilities/demo/figures.ts', 'src/capabilities/demo/service.ts'],
    ];
    const parsing = withCode(/\bJSON\.parse\b/).filter(
      (file) => !/^src\/(?:client|capabilities\/site)\//.test(file),
    );
    expect(parsing.filter((file) => !ownText.includes(file))).toEqual([]);
  });

  test('no source writes to the console', () => {
    expect(withCode(/\bconsole\./)).toEqual([]);
  });

  test('the words of pages are in texts/ of the site, in a folder for each language', () => {
    const pages = sources.filter((file) => /^src\/capabilities\/site\/(?!texts\/)/.test(file));
    expect(pages.filter((file) => /^\s+es: ['"`[{(]/m.test(read(file)))).toEqual([]);
  });

  test('file names are in kebab case and meaningful', () => {
    const names = sources.map((file) => file.split('/').at(-1) ?? '');
    const vague = /^(?:index|base|(?:.*-)?(?:utils?|helpers?|common|manager))\.ts$/;
    expect(names.filter((name) => vague.test(name))).toEqual([]);
    expect(names.filter((name) => !/^[a-z0-9]+(?:-[a-z0-9]+)*\.ts$/.test(name))).toEqual([]);
  });

  test('every maximum and every wait says above it what it limits', () => {
    const limits = new Set(limitsOf(ROOT).flatMap(({ names }) => names));
    const name = '(?:MAX|MIN)_[A-Z0-9_]+|[A-Z0-9_]+_(?:MAX|TIMEOUT_MS|WAIT_MS)';
    const declared = new RegExp(`^(?:export )?const (${name}) =`, 'gm');
    // How long a cache keeps an answer stands in docs/contract.md; the other is the short end of a pause.
    const elsewhere = ['MAX_AGE_SEC', 'PAGE_MAX_AGE_SEC', 'PREFLIGHT_MAX_AGE_SEC', 'MIN_RETRY_MS'];
    const unlisted = sources.flatMap((file) =>
      [...read(file).matchAll(declared)]
        .map(([, found = '']) => found)
        .filter((found) => !elsewhere.includes(found) && !limits.has(found))
        .map((found) => `${file}: ${found}`),
    );
    expect(unlisted, 'write "// limit: what | value | beyond it" above it').toEqual([]);
  });

  test('every dependency is in a page of docs/adr', () => {
    const { dependencies } = JSON.parse(read('package.json'));
    const choices = filesUnder('docs/adr', '.md').map(read).join('\n').toLowerCase();
    expect(Object.keys(dependencies).filter((name) => !choices.includes(name))).toEqual([]);
  });
});
