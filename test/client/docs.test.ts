import { describe, expect, test } from 'vitest';
import { readOptions } from '../../src/client/options.ts';
import { Vesfx } from '../../src/client/vesfx.ts';
import { filesUnder, read } from '../harness/repository.ts';

const page = read('docs/client.md');

/** The first cell of each row of the tables under a heading. */
function cellsUnder(heading: string, text = page): string[] {
  const part = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...part.matchAll(/^\| (`.*?) \|/gm)].map(([, cell = '']) => cell);
}

describe('the page on the client', () => {
  test('names every option with its default, and no other', () => {
    const { fetch: _, ...defaults } = readOptions({ baseUrl: 'http://127.0.0.1' });
    const named = cellsUnder('Options').map((cell) => cell.replaceAll('`', ''));
    expect(named.sort()).toEqual([...Object.keys(defaults), 'fetch'].sort());
    const { timeoutMs, retries, maxRetryWaitMs, keptAnswers } = defaults;
    for (const [name, value] of Object.entries({
      timeoutMs,
      retries,
      maxRetryWaitMs,
      keptAnswers,
    })) {
      expect(page).toContain(`| \`${name}\` | ${value.toLocaleString('en-US')} |`);
    }
  });

  test('names every method, and no other', () => {
    const vesfx = new Vesfx({ baseUrl: 'http://127.0.0.1' });
    const methodsOf = (object: object): string[] => {
      const prototype: object = Object.getPrototypeOf(object);
      if (prototype === Object.prototype) return [];
      const own = Object.entries(Object.getOwnPropertyDescriptors(prototype))
        .filter(([name, { value }]) => name !== 'constructor' && typeof value === 'function')
        .map(([name]) => name);
      return [...own, ...methodsOf(prototype)];
    };
    const parts = ['keys', 'markups'] as const;
    const inParts = parts.flatMap((part) =>
      methodsOf(vesfx[part]).map((name) => `${part}.${name}`),
    );
    const named = cellsUnder('Methods').flatMap((cell) =>
      [...cell.matchAll(/`([\w.]+)\(/g)].map(([, name = '']) => name),
    );
    expect(named.sort()).toEqual([...methodsOf(vesfx), ...inParts].sort());
  });

  test.each(filesUnder('src/capabilities', '/client.md'))('%s lists the same methods', (guide) => {
    const heading = guide.includes('/es/') ? 'Métodos' : 'Methods';
    expect(cellsUnder(heading, read(guide))).toEqual(cellsUnder('Methods'));
  });

  test.each(filesUnder('src/capabilities', '/client.md'))(
    '%s lists the same options and codes',
    (guide) => {
      const headings = guide.includes('/es/') ? ['Opciones', 'Errores'] : ['Options', 'Errors'];
      const told = headings.map((heading) => cellsUnder(heading, read(guide)));
      expect(told).toEqual([cellsUnder('Options'), cellsUnder('Errors')]);
    },
  );

  test("names every code of the client's own", () => {
    const source = read('src/client/errors.ts');
    const own = source.split('ClientErrorCode =')[1]?.split('export ')[0] ?? '';
    const codes = [...own.matchAll(/\| '(\w+)'/g)].map(([, code]) => `\`${code}\``);
    expect(codes.length).toBeGreaterThan(3);
    expect(cellsUnder('Errors')).toEqual(codes);
  });
});
