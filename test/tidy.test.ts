import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/** Holds the code to the house rules. */

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

function filesUnder(folder: string, ending: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));
}

const sources = filesUnder('src', '.ts').filter((file) => !file.endsWith('.test.ts'));

describe('the house', () => {
  const importsOf = (file: string) =>
    [...read(file).matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, target = '']) =>
      relative(ROOT, join(ROOT, dirname(file), target)),
    );

  test('imports run one way, floor by floor', () => {
    const allowed: Record<string, readonly string[]> = {
      domain: ['domain'],
      app: ['domain', 'app'],
      storage: ['domain', 'app', 'storage'],
      web: ['domain', 'web'],
      http: ['domain', 'app', 'http', 'web'],
    };
    const wrong = sources.flatMap((file) => {
      const floors = allowed[file.split('/')[1] ?? ''];
      if (floors === undefined) return [];
      return importsOf(file)
        .filter((target) => !floors.includes(target.split('/')[1] ?? ''))
        .map((target) => `${file} imports ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  test('one file knows the decimal library, one the environment', () => {
    const using = (pattern: RegExp) => sources.filter((file) => pattern.test(read(file)));
    expect(using(/from 'big\.js'/)).toEqual(['src/domain/decimal.ts']);
    expect(using(/process\.env\b/).sort()).toEqual(['src/cli/output.ts', 'src/config.ts']);
  });

  test('the domain has no clock, no chance and no input or output', () => {
    const impure = /Date\.now|new Date\(\)|Math\.random|from 'node:|process\./;
    const domain = sources.filter((file) => file.startsWith('src/domain/'));
    expect(domain.filter((file) => impure.test(read(file)))).toEqual([]);
  });
});
