import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, matchesGlob } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ownVariables } from '../testkit/vesfx-process.ts';
import { WAITING_FILES } from '../vitest.config.ts';
import { ROOT, read } from './harness/repository.ts';
import { temporaryDir } from './harness/service.ts';

/** `.ci/run` runs a failed test of a browser or a process once more: on projects of a few files. */

const PASSES = "import { test } from 'vitest'; test('passes', () => {});";
/** Leaves a file behind, by which the next run knows. */
const PASSES_AGAIN = `
  import { appendFileSync, existsSync } from 'node:fs';
  import { expect, test } from 'vitest';
  test('passes the second time', () => {
    const wasTried = existsSync('tried');
    appendFileSync('tried', 'once ');
    expect(wasTried).toBe(true);
  });`;
const COUNTS = `
  import { appendFileSync } from 'node:fs';
  import { test } from 'vitest';
  test('counts', () => appendFileSync('counted', 'once '));`;
const NEVER = "import { expect, test } from 'vitest'; test('never', () => expect(1).toBe(2));";
const SKIPPED = "import { test } from 'vitest'; test.skip('skipped', () => {});";
const PASSES_AND_SKIPS =
  "import { test } from 'vitest'; test('passes', () => {}); test.skip('skipped', () => {});";
const HOOK_PASSES_AGAIN = PASSES_AGAIN.replace("test('passes the second time',", 'beforeAll(')
  .replace('expect, test', 'beforeAll, expect, test')
  .concat("test('follows', () => {});");
const STRAY = `${NEVER} Promise.reject(new Error('of no test'));`;

const NPM_TEST = ['npm', 'test'];

interface Outcome {
  readonly code: number;
  /** The last line that it wrote. */
  readonly last: string;
  /** What the last lines of `.ci/run` will be. */
  readonly notes: string;
  readonly left: (file: string) => Promise<string>;
}

async function onceMore(
  files: Readonly<Record<string, string>>,
  command: readonly string[] = NPM_TEST,
): Promise<Outcome> {
  const folder = await temporaryDir();
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const project = { type: 'module', scripts: { test: 'vitest run' } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(project));
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), content);
  }
  const notes = join(folder, 'notes');
  await writeFile(notes, '');
  const child = spawn(process.execPath, [join(ROOT, 'scripts/once-more.ts'), notes, ...command], {
    cwd: folder,
    env: ownVariables(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return {
    code,
    last: err.trimEnd().split('\n').at(-1) ?? '',
    notes: await readFile(notes, 'utf8'),
    left: (file) => readFile(join(folder, file), 'utf8'),
  };
}

test('a browser test that passes the second time, alone, does not stop the run, and is named', async () => {
  const file = 'test/browser/board.test.ts';
  const { code, last, notes, left } = await onceMore({
    [file]: PASSES_AGAIN,
    'test/processes/start.test.ts': COUNTS,
  });
  expect(code).toBe(0);
  expect(last).toBe(`A FAULT TO MEND: ${file} failed, and passed when run once more, alone.`);
  expect(notes).toBe(`${last}\n`);
  expect(await left('tried')).toBe('once once ');
  expect(await left('counted')).toBe('once ');
});

test('a test that a failed hook left out is run once more, too', async () => {
  const file = 'test/browser/board.test.ts';
  const { code, notes } = await onceMore({
    [file]: HOOK_PASSES_AGAIN,
    'test/processes/start.test.ts': PASSES,
  });
  expect([code, notes]).toEqual([0, expect.stringContaining(file)]);
});

test.each([
  'test/browser/board.test.ts',
  'src/capabilities/site/test/browser/board.test.ts',
  'test/contracts/keys.test.ts',
  'test/postgres-service.test.ts',
  'test/deploy.test.ts',
])('%s may leave out no test: there the run fails', async (file) => {
  const { code, last } = await onceMore({ [file]: PASSES_AND_SKIPS });
  expect([code, last]).toEqual([1, `npm test: left out a test: ${file}`]);
});

test('others may, such as where a platform has nothing to test', async () => {
  const { code } = await onceMore({ 'test/spec/probes.test.ts': PASSES_AND_SKIPS });
  expect(code).toBe(0);
});

test('one that never passes ends the run', async () => {
  const { code, last, notes } = await onceMore({ 'test/processes/stop.test.ts': NEVER });
  expect(code).toBe(1);
  expect(last).toBe('npm test: failed twice: test/processes/stop.test.ts');
  expect(notes).toBe('');
});

test('a fault scenario is one: it starts processes, and tries the same seed again', async () => {
  const file = 'test/faults/load.test.ts';
  const { code, notes } = await onceMore({ [file]: PASSES_AGAIN });
  expect([code, notes]).toEqual([0, expect.stringContaining(file)]);
});

// A list of files would not have the next one.
test('every test file that starts a browser, the program or a scenario is one, unless it chooses at random', () => {
  const starts =
    /\/(?:harness\/(?:browser|firefox|processes|program|fault-scenarios)|testkit\/vesfx-process)\.ts'/;
  const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: ROOT });
  const starting = files.filter((file) => starts.test(read(file)));
  expect(starting.length).toBeGreaterThan(30);
  const final = starting.filter((file) => !WAITING_FILES.some((glob) => matchesGlob(file, glob)));
  expect(final).toEqual([]);
});

test.each([
  ['needs neither a browser nor a process', 'src/core/domain/decimal.test.ts', ''],
  ['chooses its cases at random', 'test/browser/board.test.ts', "import 'fast-check';"],
])('a failed test that %s ends the run at once', async (_, file, more) => {
  const { code, last, left } = await onceMore({
    [file]: PASSES_AGAIN + more.replace("import '", "import * as fc from '"),
    'test/browser/docs.test.ts': PASSES,
  });
  expect(code).toBe(1);
  expect(last).toBe(`npm test: failed: ${file}`);
  expect(await left('tried')).toBe('once ');
});

test.each([
  ['no test was executed', { 'test/browser/board.test.ts': SKIPPED }],
  ['an error belongs to no test', { 'test/browser/board.test.ts': STRAY }],
  ['the run of the tests did not end well', {}],
])('a run fails when %s', async (why, files) => {
  const { code, last } = await onceMore(files);
  expect(code).toBe(1);
  expect(last).toBe(`npm test: ${why}`);
});

test.each([0, 1])(
  'a command that tells no outcome fails, also when it ends with %i',
  async (ended) => {
    const { code, last } = await onceMore({}, ['node', '-e', `process.exit(${ended})`]);
    expect(code).toBe(1);
    expect(last).toContain('the run of the tests did not end well');
  },
);

test('a run in which all pass passes and leaves no note', async () => {
  const { code, notes } = await onceMore({ 'test/browser/board.test.ts': PASSES });
  expect(code).toBe(0);
  expect(notes).toBe('');
});
