import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, matchesGlob } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WAITING_FILES } from '../vitest.config.ts';
import { OUTCOME_FILE, type RunOutcome } from './run-outcome.ts';

/*
 * Runs a command of tests. When only files failed that wait for browsers or processes, each of them is
 * run once more, alone: what then passes is a fault to mend, and does not stop the run.
 *
 *     node scripts/once-more.ts NOTES npm run test:slow
 *
 * NOTES is a file, which gets a line for each such fault. Everything else that fails, a test left out
 * that may never be, a run without its outcome and one that executes no test end it at once.
 */

/** In a browser, on PostgreSQL, or of `deploy/`: `.ci/run` installs what they need. */
const NEVER_LEFT_OUT = [
  'src/capabilities/*/test/{browser,contracts}/**/*.test.ts',
  'test/{browser,contracts}/**/*.test.ts',
  'test/{deploy,proxy,static-hosts}.test.ts',
  'test/postgres-*.test.ts',
];

const isAmong = (patterns: readonly string[], file: string) =>
  patterns.some((pattern) => matchesGlob(file, pattern));

const REPORTER = fileURLToPath(new URL('./run-outcome.ts', import.meta.url));

/**
 * Whether a second run says anything. A file that chooses its cases at random would try others; a fault
 * scenario has the same seed again.
 */
function mayRunAgain(file: string): boolean {
  return isAmong(WAITING_FILES, file) && !readFileSync(file, 'utf8').includes("from 'fast-check'");
}

/** @returns undefined when the run did not come to its end. */
function run(command: readonly string[], more: readonly string[] = []): RunOutcome | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'vesfx-once-more-'));
  const file = join(folder, 'outcome.json');
  try {
    const [program = '', ...args] = command;
    const given = ['--reporter=default', `--reporter=${REPORTER}`, ...more];
    const { status } = spawnSync(program, [...args, '--', ...given], {
      stdio: 'inherit',
      env: { ...process.env, [OUTCOME_FILE]: file },
    });
    const outcome = outcomeIn(file);
    // What fails beside the tests, such as the end of the run, counts too.
    const isExplained =
      status === 0 || (status === 1 && outcome && outcome.failed.length + outcome.strayErrors > 0);
    return isExplained ? outcome : undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The cast is safe: the reporter beside this file has written it. */
function outcomeIn(file: string): RunOutcome | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RunOutcome;
  } catch {
    return undefined;
  }
}

/** @returns why the run ends here, and the files that passed the second time. */
function runWithSecondTries(command: readonly string[]): {
  readonly fault?: string;
  readonly toMend: readonly string[];
} {
  const first = run(command);
  if (first === undefined) return { fault: 'the run of the tests did not end well', toMend: [] };
  if (first.strayErrors > 0) return { fault: 'an error belongs to no test', toMend: [] };
  if (first.executed === 0) return { fault: 'no test was executed', toMend: [] };
  const leftOut = first.skipped.filter((file) => isAmong(NEVER_LEFT_OUT, file));
  if (leftOut.length > 0) return { fault: `left out a test: ${leftOut.join(', ')}`, toMend: [] };
  const final = first.failed.filter((file) => !mayRunAgain(file));
  if (final.length > 0) return { fault: `failed: ${final.join(', ')}`, toMend: [] };
  const toMend: string[] = [];
  for (const file of first.failed) {
    console.error(`\nOnce more, alone: ${file}`);
    const second = run(command, [file]);
    const isGood = second && second.failed.length + second.strayErrors === 0 && second.executed > 0;
    if (!isGood) return { fault: `failed twice: ${file}`, toMend };
    toMend.push(file);
  }
  return { toMend };
}

const [notes = '', ...command] = process.argv.slice(2);
const { fault, toMend } = runWithSecondTries(command);
for (const file of toMend) {
  const line = `A FAULT TO MEND: ${file} failed, and passed when run once more, alone.`;
  console.error(line);
  appendFileSync(notes, `${line}\n`);
}
if (fault !== undefined) {
  console.error(`${command.join(' ')}: ${fault}`);
  process.exitCode = 1;
}
