import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import '../../faults/all.ts';
import { ALL_CHANGES } from '../../faults/changed-line.ts';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));
const FILES = globSync('**/*.ts', { cwd: SRC }).map((name) => `/src/${name}`);

test('every control finds exactly one line to change', () => {
  expect(ALL_CHANGES.length).toBeGreaterThan(20);
  for (const { file, from, to } of ALL_CHANGES) {
    const found = FILES.filter((name) => name.endsWith(file));
    const text = found.map((name) => readFileSync(SRC + name.slice('/src/'.length), 'utf8')).join();
    expect([file, found.length, from, text.split(from).length - 1]).toEqual([file, 1, from, 1]);
    expect(to).not.toBe(from);
  }
});
