import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, describe, expect, test } from 'vitest';
import { joinedScript } from './scripts.ts';

const folder = mkdtempSync(join(tmpdir(), 'vesfx-scripts-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes the modules by name, and joins the one named `entry`. */
function joined(modules: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(modules)) writeFileSync(join(folder, name), text);
  return joinedScript(join(folder, 'entry.ts'));
}

/** What the joined script writes into `out`. */
function outOf(modules: Readonly<Record<string, string>>): readonly unknown[] {
  const out: unknown[] = [];
  runInNewContext(joined(modules), { out });
  return out;
}

describe('the modules of a script in one file', () => {
  test('a name is imported, renamed and exported again as in the modules', () => {
    const modules = {
      'entry.ts': `import value from './values.ts';
import {
  one,
  two as second,
  type Three,
  three,
  all,
} from './again.ts';
const last: Three = three;
out.push(value, one(), second, last, all);`,
      'values.ts': `export type Three = number;
export function one(): number { return 1; }
export const two = 2;
export class All {}
const value = 'default';
export default value;`,
      'again.ts': `export * from './values.ts';
export { two as three, All as all } from './values.ts';`,
    };
    expect(outOf(modules)).toEqual(['default', 1, 2, 2, expect.any(Function)]);
  });

  test('a module that several others import runs once, before them', () => {
    const modules = {
      'entry.ts': `import { left } from './left.ts';
import { right } from './right.ts';
out.push(left === right);`,
      'left.ts': `import { shared } from './shared.ts';\nout.push('left');\nexport const left = shared;`,
      'right.ts': `import { shared } from './shared.ts';\nout.push('right');\nexport const right = shared;`,
      'shared.ts': `out.push('shared');\nexport const shared = {};`,
    };
    expect(outOf(modules)).toEqual(['shared', 'left', 'right', true]);
  });

  test.each([
    ['a namespace', `import * as all from './values.ts';`],
    ['a default with names', `import value, { one } from './values.ts';`],
    ['a module for its effect', `import './values.ts';`],
    ['an exported variable that may change', 'export let one = 1;'],
    ['a list of exports', 'const one = 1;\nexport { one };'],
  ])('%s is refused with the line, never joined wrongly', (_, text) => {
    expect(() => joined({ 'entry.ts': text, 'values.ts': 'export const one = 1;' })).toThrow(
      /entry\.ts cannot be joined to a script: (?:import|export)/,
    );
  });

  test('a package that browsers do not get is refused', () => {
    expect(() => joined({ 'entry.ts': `import pg from 'pg';` })).toThrow(
      'no script of a page may import pg',
    );
  });
});
