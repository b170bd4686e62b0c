import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { SCENARIOS } from '../../faults/all.ts';
import { ALL_CHANGES } from '../../faults/changed-line.ts';

const PAGE = fileURLToPath(new URL('../../faults/RESULTS.md', import.meta.url));
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

// What a control found says nothing of another one: who changes it runs the scenario again, in full.
test('the table of faults/RESULTS.md has each scenario, with the control that its result is of', () => {
  const rows = readFileSync(PAGE, 'utf8')
    .split('\n')
    .filter((line) => / --seed \d+` \|$/.test(line));
  const told = rows.map((row) => {
    const [title, , , control = '', , command = ''] = row.slice(2, -2).split(' | ');
    const name = /^`(\S+) --seed \d+/.exec(command)?.[1];
    return `${name}: ${title}: ${control.replace(/^fails(?: \([\d,]+\))?: /, '')}`;
  });
  expect(told).toEqual(
    SCENARIOS.map(({ name, title, control }) => `${name}: ${title}: ${control}`),
  );
});
