import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { limitsOf } from '../scripts/documents/limits.ts';
import { documents } from '../scripts/documents.ts';
import { CAPABILITIES } from '../src/capabilities.ts';
import { recordSchema } from '../src/core/app/ingest/record.ts';
import { addSourceKinds } from '../src/core/capability.ts';
import { loadCatalogue } from '../src/core/catalogue/catalogue.ts';
import { readSources } from '../src/core/compose.ts';
import { PACKAGED_CATALOGUE, readConfig } from '../src/core/config.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../src/core/domain/time.ts';
import { allEndpoints } from '../src/core/http/endpoints/all.ts';
import { SOURCE_KINDS } from '../src/core/sources/registry.ts';
import { anchorsOf } from './harness/anchors.ts';
import { runHere } from './harness/commands.ts';
import { filesUnder, ROOT, read, sources } from './harness/repository.ts';
import { temporaryDir } from './harness/service.ts';

/** Checks the documents against the code. */

const pages = [
  'README.md',
  'README.es.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'bench/README.md',
  'demo/PROVENANCE.md',
  'faults/RESULTS.md',
  'faults/replay/RESULTS.md',
  'src/core/http/framework/README.md',
  ...filesUnder('docs', '.md'),
];

/** The cells of the rows of a table, which begins with a line that matches. */
function tableAfter(page: string, head: RegExp): string[][] {
  const text = read(page);
  const [table = ''] = text.slice(text.search(head)).split('\n\n');
  const [, , ...rows] = table.split('\n');
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** What stands in backquotes, in order. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
}

/** The numbers of a page's numbered headings. */
function sectionsOf(page: string): Set<string> {
  const headings = read(page).matchAll(/^#{2,3} (\d+(?:\.\d+)?)\.? /gm);
  return new Set([...headings].map(([, number = '']) => number));
}

/** What one of a unit is in the constants of the code, whose names end with their own unit. */
const UNITS: Readonly<Record<string, readonly number[]>> = {
  KB: [1024],
  kB: [1024],
  MB: [1024 ** 2, 1024],
  GB: [1e9],
  ms: [1],
  s: [SECOND_MS],
  min: [MINUTE_MS],
  minute: [MINUTE_MS],
  h: [HOUR_MS, HOUR_MS / SECOND_MS],
  hour: [HOUR_MS, HOUR_MS / SECOND_MS],
  day: [DAY_MS, DAY_MS / SECOND_MS],
  year: [366 * DAY_MS],
  million: [1e6],
  '%': [0.01],
};
const WORDS: Readonly<Record<string, number>> = { one: 1, two: 2, a: 1, '10^12': 1e12 };

/** The numbers of a text, each also in the units that constants have. */
function numbersIn(text: string): readonly number[] {
  const found = text.matchAll(
    /(10\^12|-?\d[\d,.]*(?:e-?\d+)?|\b(?:one|two|a)\b)(?: (?:a )?([a-zA-Z%]+))?/g,
  );
  return [...found].flatMap(([, word = '', unit = '']) => {
    const number = WORDS[word] ?? Number(word.replaceAll(',', ''));
    const scales = UNITS[unit] ?? UNITS[unit.replace(/s$/, '')] ?? [];
    return [number, ...scales.map((scale) => number * scale)];
  });
}

/** The output of `vesfx … --help`. */
async function help(...names: string[]): Promise<string> {
  return (await runHere([...names, '--help'])).out;
}

describe('the documents', () => {
  test('contract §5 names the root in XML of each endpoint', () => {
    const [, line = ''] = /^- \*\*XML\*\*: (.*)$/m.exec(read('docs/contract.md')) ?? [];
    const roots = allEndpoints({ admin: true }).flatMap(({ encoding }) =>
      encoding === undefined ? [] : [encoding.root, encoding.single ?? encoding.root],
    );
    expect(roots.filter((root) => !line.includes(`\`${root}\``))).toEqual([]);
  });

  test('the tree of the architecture page has every part of the core, and nothing that is gone', () => {
    const folderPart = read('docs/architecture.md').split('## Folders')[1] ?? '';
    const tree = /```\n([\s\S]*?)```/.exec(folderPart)?.[1] ?? '';
    const above: string[] = [];
    const paths = tree
      .trim()
      .split('\n')
      .flatMap((line) => {
        const depth = (line.length - line.trimStart().length) / 2;
        // Names stand before the caption, which two spaces or more set apart.
        const names = line.trim().split(/ {2,}/)[0]?.split(' ') ?? [];
        const found = names.map((name) => [...above.slice(0, depth), name].join(''));
        above[depth] = names.at(-1) ?? '';
        return found;
      });
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    const folders = new Set(
      sources.map((file) => {
        const names = file.split('/').slice(0, -1);
        return `${names.slice(0, names[1] === 'core' ? 4 : 2).join('/')}/`;
      }),
    );
    expect(folders.size).toBeGreaterThan(20);
    expect([...folders].filter((folder) => !paths.includes(folder))).toEqual([]);
  });

  test.each([...documents()])('the tables of %s are those of the declarations', (file, text) => {
    expect(read(file) === text || 'stale: run "npm run documents"').toBe(true);
  });

  test('every limit has the value that its words give', () => {
    const known: Record<string, unknown> = { SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS };
    const wrong: string[] = [];
    for (const { value, names, file } of limitsOf(ROOT)) {
      for (const name of names) {
        const made = new RegExp(`const ${name}(?:: [^=]+)? =\\s*([^;]+);`).exec(
          read(join('src', file)),
        );
        const expression = (made?.[1] ?? '').replace(/ as const.*$/s, '');
        known[name] = runInNewContext(`(${expression})`, { ...known });
        // A share for each window, and a header: their rows say it in words.
        if (/^[{'](?!\d|1e)/.test(made?.[1] ?? '')) continue;
        const numbers = numbersIn(value);
        if (!numbers.includes(Number(known[name]))) wrong.push(`${name}: ${known[name]}, ${value}`);
      }
    }
    expect(Object.keys(known).length).toBeGreaterThan(200);
    expect(wrong).toEqual([]);
  });

  test('the operating page names every variable that is read, and no other', () => {
    const variables = (text: string) => new Set(text.match(/VESFX_[A-Z_]+/g));
    const added = CAPABILITIES.flatMap(({ settings = {} }) => Object.keys(settings));
    const readByCode = variables(
      read('src/core/config.ts') + read('src/core/cli/output.ts') + added,
    );
    // A secret may stand in a file, which its name with an ending gives.
    const page = read('docs/operating.md').replaceAll(/(VESFX_\w+_(?:TOKEN|URL))_FILE/g, '$1');
    const named = variables(page);
    expect([...named].sort()).toEqual([...readByCode].sort());
  });

  test('every section that code, tests and documents cite exists', () => {
    const ofInterface = sectionsOf('docs/interface.md');
    const ofContract = sectionsOf('docs/contract.md');
    /** `4.3.6` is rule 6 of section 4.3. */
    const isRule = (number: string) => {
      const [, section = '', rule = ''] = /^(\d+\.\d+)\.(\d+)$/.exec(number) ?? [];
      const text = read('docs/interface.md').split(`### ${section} `)[1]?.split('\n### ')[0] ?? '';
      return section !== '' && new RegExp(`^${rule}\\. `, 'm').test(text);
    };
    const citation = /(RFC \d+,? |contract )?§(\d+(?:\.\d+)*)|section: '(contract )?([\d.]+)'/gi;
    const cited = [...filesUnder('src', '.ts'), ...filesUnder('test', '.ts'), ...pages].flatMap(
      (file) =>
        [...read(file).matchAll(citation)]
          .map(([text, of, number, ofSection = of, section = number ?? '']) => ({
            ...{ file, text, of: ofSection, number: section },
          }))
          .filter(({ of = '' }) => !of.startsWith('RFC')),
    );
    expect(cited.length).toBeGreaterThan(500);
    const dead = cited.filter(({ file, of, number }) => {
      const inContract =
        of !== undefined || (file === 'docs/contract.md' && ofContract.has(number));
      return inContract ? !ofContract.has(number) : !ofInterface.has(number) && !isRule(number);
    });
    expect(dead.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
  });

  test('no link between the documents is dead', () => {
    const dead = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)]
        .map(([, link = '']) => join(dirname(page), link))
        .filter((target) => !existsSync(join(ROOT, target)))
        .map((target) => `${page}: ${target}`),
    );
    expect(dead).toEqual([]);
  });

  test('no page for callers leads to the reasons behind the service', () => {
    const own = /^docs\/(?:client|recipes|methodology|static-copy)(?:\.es)?\.md$/;
    const forCallers = [
      ...pages.filter((page) => own.test(page)),
      ...filesUnder('src/capabilities', '.md'),
    ];
    expect(forCallers.length).toBeGreaterThan(20);
    expect(forCallers.filter((page) => /\badr\//.test(read(page)))).toEqual([]);
  });

  test('every link to a heading finds its heading', () => {
    const dead = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)]
        .filter(([, file = '', anchor = '']) => {
          const target = file === '' ? page : join(dirname(page), file);
          return !anchorsOf(read(target)).includes(anchor);
        })
        .map(([link]) => `${page}: ${link}`),
    );
    expect(dead).toEqual([]);
  });

  test('every file that a document names exists', () => {
    const path = /`((?:src|test|docs|catalog|scripts|bench|demo|bin)\/[\w./-]*\w\/?)`/g;
    const gone = pages.flatMap((page) =>
      [...read(page).matchAll(path)]
        .filter(([, name = '']) => !existsSync(join(ROOT, name)))
        .map(([, name]) => `${page}: ${name}`),
    );
    expect(gone).toEqual([]);
  });

  test('every npm script that a document names exists', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/npm run ([\w-]+)/g)].map(([, name = '']) => name),
    );
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  test('the JSON examples of the documents are JSON', () => {
    const examples = pages.flatMap((page) =>
      // One document over several lines, or a document a line.
      [...read(page).matchAll(/```json\n([\s\S]*?)```/g)].flatMap(([, text = '']) =>
        /^[{[]$/m.test(text) ? text : text.trim().split('\n'),
      ),
    );
    expect(examples.length).toBeGreaterThan(10);
    for (const text of examples) expect(() => JSON.parse(text), text).not.toThrow();
  });

  test('the records in the operating page are accepted unchanged', () => {
    const block = /```json\n([\s\S]*?)```/.exec(read('docs/operating.md'))?.[1] ?? '';
    const kinds = block
      .trim()
      .split('\n')
      .map((line) => recordSchema.parse(JSON.parse(line)).kind);
    expect(kinds).toEqual(['quote', 'official', 'bank_table']);
  });

  test.each(['docs/operating.md', 'docs/operating.es.md'])(
    '%s has every field of a record (contract §7)',
    (page) => {
      const listed = new Map<string, string[]>();
      for (const [first = '', second = ''] of tableAfter(page, /^\| (?:Kind|Clase) \|/m)) {
        const kind = first === '' ? [...listed.keys()].at(-1) : first;
        listed.set(kind ?? '', [...(listed.get(kind ?? '') ?? []), ...namesIn(second)]);
      }
      // The last row is of all kinds.
      const [ofAll = []] = [...listed].slice(-1).map(([, names]) => names);
      const told = [...listed].slice(0, -1).map(([kind, names]) => [kind, [...names, ...ofAll]]);
      const taken = recordSchema.options.map(({ shape: { kind, ...fields } }) => [
        `\`${kind.value}\``,
        Object.keys(fields),
      ]);
      const sorted = (kinds: (string | string[])[][]) =>
        kinds.map((kind) => kind.flat().toSorted());
      expect(sorted(told)).toEqual(sorted(taken));
    },
  );

  test('the entries on the page on sources are accepted by the catalogue unchanged', async () => {
    const blocks = [...read('docs/sources.md').matchAll(/```json\n([\s\S]*?)```/g)];
    const shown = blocks.map(([, text = '']) => JSON.parse(text));
    const folder = await temporaryDir();
    const entries = [...JSON.parse(read('catalog/sources.json')), ...shown];
    writeFileSync(join(folder, 'sources.json'), JSON.stringify(entries));
    const config = readConfig({}, { VESFX_CATALOG: folder });
    addSourceKinds(CAPABILITIES);
    const taken = await readSources(config, loadCatalogue(PACKAGED_CATALOGUE).markets);
    const names = taken.map(({ name }) => name);
    expect(shown.length).toBeGreaterThan(1);
    expect(names).toEqual(expect.arrayContaining(shown.map(({ name }) => name)));
  });

  test('the page on sources has a heading for each kind, and the terms of each packaged source', () => {
    const page = read('docs/sources.md');
    const headings = page.split('\n').filter((line) => line.startsWith('## '));
    const kinds = [
      ...SOURCE_KINDS.keys(),
      ...CAPABILITIES.flatMap(({ sourceKinds = {} }) => Object.keys(sourceKinds)),
    ];
    const isHead = (kind: string) => headings.some((line) => line.endsWith(`(\`${kind}\`)`));
    expect(kinds.filter((kind) => !isHead(kind))).toEqual([]);
    const terms = /\n## Terms[^\n]*\n[\s\S]*?(?=\n## |$)/g;
    const told = (page.match(terms) ?? []).join('').toLowerCase();
    const entries: { name: string; origin: unknown }[] = JSON.parse(read('catalog/sources.json'));
    const others = entries.filter(({ origin }) => origin !== 'bcv').map(({ name }) => name);
    expect(others.filter((name) => !told.includes(name))).toEqual([]);
  });

  test('the operating page names every flag of the commands that it explains', async () => {
    const page = read('docs/operating.md');
    const helps = await Promise.all([
      help('serve'),
      help('demo'),
      help('import'),
      help('account', 'create'),
      help('key', 'rotate'),
      help('markup', 'set'),
      help('source', 'replay'),
    ]);
    const flags = new Set(helps.flatMap((text) => text.match(/--[a-z][a-z-]*/g) ?? []));
    expect([...flags].filter((flag) => flag !== '--version' && !page.includes(flag))).toEqual([]);
  });
});
