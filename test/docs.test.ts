import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ERRORS } from '../src/domain/errors.ts';

/** Holds the documents to the code. */

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

function filesUnder(folder: string, ending: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));
}

const sources = filesUnder('src', '.ts').filter((file) => !file.endsWith('.test.ts'));

describe('the documents', () => {
  test('every path in the tree of the architecture page exists', () => {
    const tree = /```\n([\s\S]*?)```/.exec(read('docs/architecture.md'))?.[1] ?? '';
    const folders: string[] = [];
    const missing: string[] = [];
    for (const line of tree.split('\n').filter((one) => one.trim() !== '')) {
      const depth = (line.length - line.trimStart().length) / 2;
      // Names stand before the caption, which two spaces or more set apart.
      const names = line.trim().split(/ {2,}/)[0]?.split(' ') ?? [];
      for (const name of names) {
        const path = [...folders.slice(0, depth), name].join('');
        if (!existsSync(join(ROOT, path))) missing.push(path);
        if (name.endsWith('/')) folders[depth] = name;
      }
    }
    expect(missing).toEqual([]);
  });

  test('every folder of the sources is in that tree', () => {
    const page = read('docs/architecture.md');
    const folders = new Set(sources.map((file) => file.split('/').at(-2)));
    folders.delete('src');
    expect([...folders].filter((folder) => !page.includes(`${folder}/`))).toEqual([]);
  });

  test('the API page lists every error code with its status, and no other', () => {
    const rows = [...read('docs/api.md').matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)];
    const listed = rows.map(([, status, code]) => `${code} ${status}`).sort();
    const known = Object.entries(ERRORS).map(([code, { status }]) => `${code} ${status}`);
    expect(listed).toEqual(known.sort());
  });

  test("the API page's table of plans is the catalogue's", () => {
    const plans: Record<string, Record<string, unknown>> = JSON.parse(read('catalog/plans.json'));
    const page = read('docs/api.md');
    const shown = (value: unknown) =>
      Array.isArray(value) ? value.join(', ') || 'none' : Number(value).toLocaleString('en-US');
    const names = Object.keys(plans);
    expect(page).toContain(`| | ${names.join(' | ')} |`);
    for (const limit of Object.keys(Object.values(plans)[0] ?? {})) {
      const cells = names.map((name) => shown(plans[name]?.[limit]));
      expect(page).toContain(`| \`${limit}\` | ${cells.join(' | ')} |`);
    }
  });

  test('every named limit is in the file given with it', () => {
    const rows = [...read('docs/limits.md').matchAll(/`([A-Z_]+)`, `([\w/.-]+)` \|$/gm)];
    expect(rows.length).toBeGreaterThan(20);
    const wrong = rows.filter(([, name, file]) => !read(`src/${file}`).includes(`const ${name}`));
    expect(wrong.map(([row]) => row)).toEqual([]);
  });

  test('the operating page names every variable that is read, and no other', () => {
    const variables = (text: string) => new Set(text.match(/VESFX_[A-Z_]+/g));
    const readByCode = variables(read('src/config.ts') + read('src/cli/output.ts'));
    const named = variables(read('docs/operating.md'));
    expect([...named].sort()).toEqual([...readByCode].sort());
  });

  test('every link between the documents leads somewhere', () => {
    const pages = ['README.md', 'README.es.md', 'CONTRIBUTING.md', ...filesUnder('docs', '.md')];
    const dead = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)]
        .map(([, link = '']) => join(dirname(page), link))
        .filter((target) => !existsSync(join(ROOT, target)))
        .map((target) => `${page}: ${target}`),
    );
    expect(dead).toEqual([]);
  });
});
