import { execFileSync } from 'node:child_process';
import { getPriority } from 'node:os';
import { expect, test } from 'vitest';
import { ownTurn } from './lower-priority.ts';

const MODULE = new URL('lower-priority.ts', import.meta.url).href;
const PROGRAM = `
  import { getPriority } from 'node:os';
  import { lowerPriority } from '${MODULE}';
  lowerPriority(10);
  process.stdout.write(String(getPriority()));`;

test.each([
  ['is lowered', 0, 10],
  ['is not raised, which needs a privilege, if it was lower before', 19, 19],
])('the priority of a process %s', (_what, started, lowered) => {
  const node = [process.execPath, '--input-type=module', '-e', PROGRAM];
  const niceness = execFileSync('nice', ['-n', `${started}`, ...node], { encoding: 'utf8' });
  expect(Number(niceness)).toBe(Math.max(lowered, getPriority()));
});

test('one part of long work runs in a turn of the event loop, in order of arrival', async () => {
  const ran: string[] = [];
  const long = async (name: string) => {
    for (let part = 0; part < 2; part += 1) {
      await ownTurn();
      ran.push(name);
    }
  };
  const all = Promise.all([long('a'), long('b'), long('c')]);
  for (const expected of ['a', 'ab', 'abc', 'abca', 'abcab', 'abcabc']) {
    await new Promise((resolve) => setImmediate(resolve));
    expect(ran.join('')).toBe(expected);
  }
  await all;
});
