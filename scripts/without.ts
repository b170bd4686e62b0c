import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CAPABILITIES } from '../src/capabilities.ts';
import { writeClientTypes } from './client-types.ts';

/*
 * Shows that the core stands without a capability: in a copy of the tree it removes the folder of one and
 * its lines in the list, looks who still imports it, runs types and the tests of what is left, and puts
 * both back.
 *
 *     npm run without -- alerts      without that one
 *     npm run without                without each, one after another
 *     npm run without -- --fast      with fewer tests, and at last without all: see FAST_TESTS
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const LIST = 'src/capabilities.ts';
const FOLDER = 'src/capabilities';
const SOURCES = '{src,test,testkit,faults,bench,scripts}/**/*.ts';

/** They compare documents with the program, and documents describe the whole product. */
const OF_DOCUMENTS = [
  ...['test/docs.test.ts', 'test/runbook.test.ts', 'test/document-commands.test.ts'],
  ...[
    'test/translations.test.ts',
    'test/adr.test.ts',
    'src/capabilities/demo/test/reference-examples.test.ts',
  ],
];

/**
 * They show that every layer works without it: each command of the core, and the metrics of a service.
 * All others take three minutes for each capability.
 */
const FAST_TESTS = ['test/audit.test.ts', 'test/spec/metrics.test.ts'];

/** Once, without any capability: the rules of the house and a served conversion too. */
const CORE_TESTS = [...FAST_TESTS, 'test/tidy.test.ts', 'test/spec/04-05-convert.test.ts'];

/** The client has the methods of the capabilities, so who calls one depends on it without an import. */
const CLIENT_TYPES = 'src/client/types.ts';

function copyOfTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'vesfx-without-'));
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const files = execFileSync('git', listed, { cwd: ROOT, encoding: 'utf8' }).split('\0');
  const deleted = execFileSync('git', ['ls-files', '-z', '--deleted'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const gone = new Set(deleted.split('\0'));
  for (const file of files) {
    if (file !== '' && !gone.has(file)) cpSync(join(ROOT, file), join(copy, file));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Removes its folder, the import of its declaration, and the line with that name. */
function remove(name: string, copy: string): void {
  const path = join(copy, LIST);
  const lines = readFileSync(path, 'utf8').split('\n');
  const added = lines.find((line) => line.includes(`'./capabilities/${name}/`));
  const [, declared] = /^import \{ (\w+) \}/.exec(added ?? '') ?? [];
  const left = lines.filter((line) => line !== added && !line.startsWith(`  ${declared},`));
  if (declared === undefined || left.length !== lines.length - 2) {
    throw new Error(`${LIST} does not have an import and a line of its own for "${name}".`);
  }
  writeFileSync(path, left.join('\n'));
  rmSync(join(copy, FOLDER, name), { recursive: true });
}

/** Lays the removed folder and the list as the tree has them. */
function putBack(name: string, copy: string, aside: string): void {
  cpSync(join(aside, name), join(copy, FOLDER, name), { recursive: true });
  cpSync(join(ROOT, LIST), join(copy, LIST));
}

/** @returns the exit code. */
function run(copy: string, [program = '', ...args]: readonly string[]): Promise<number | null> {
  const child = spawn(join(ROOT, 'node_modules/.bin', program), args, {
    cwd: copy,
    env: { ...process.env, VESFX_TEST_PART: 'quick' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
}

/** Files of the copy that import from the folder of a capability that is gone. */
function importersOf(name: string, copy: string): string[] {
  const gone = join(copy, FOLDER, name, '/');
  return globSync(SOURCES, { cwd: copy, exclude: ['**/node_modules'] }).filter((file) =>
    [
      ...readFileSync(join(copy, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g),
    ].some(([, target = '']) => join(copy, dirname(file), target).startsWith(gone)),
  );
}

interface Depth {
  readonly tests: readonly string[];
  /** Whether the compiler looks at all, whatever the imports say. */
  readonly types: boolean;
}

/** @returns what failed. */
async function tryWithout(names: readonly string[], copy: string, { tests, types }: Depth) {
  const skipped = OF_DOCUMENTS.flatMap((file) => ['--exclude', file]);
  const failed: string[] = [];
  const fail = (what: string) => failed.push(`without ${names.join(', ')}: ${what}`);
  const step = async (what: string, command: readonly string[]) => {
    if ((await run(copy, command)) !== 0) fail(what);
  };
  for (const name of names) {
    for (const file of importersOf(name, copy)) fail(`${file} imports ${name}`);
  }
  // The compiler keeps what it knows: for the next capability it checks only what that one touches.
  const tsc = (project: string) => [
    'tsc',
    '-p',
    project,
    '--incremental',
    '--tsBuildInfoFile',
    join(copy, `.${project}.known`),
  ];
  const compiled = async () => {
    await step('types', tsc('tsconfig.json'));
    await step('types of scripts for browsers', tsc('tsconfig.browser.json'));
  };
  await step("the client's types", ['node', join(copy, 'scripts/client-types.ts')]);
  const methods = (root: string) => readFileSync(join(root, CLIENT_TYPES), 'utf8');
  const mayBreak = types || methods(copy) !== methods(ROOT);
  // Few tests take longer to load than to run: one process loads once.
  const workers = tests.length > 0 ? ['--maxWorkers=1'] : [];
  await Promise.all([
    mayBreak ? compiled() : undefined,
    step('tests', ['vitest', 'run', ...workers, ...skipped, ...tests]),
  ]);
  return failed;
}

const flags = process.argv.slice(2);
const named = flags.filter((flag) => !flag.startsWith('--'));
const isFast = flags.includes('--fast');
const failed: string[] = [];
const copy = copyOfTree();
const aside = mkdtempSync(join(tmpdir(), 'vesfx-capabilities-'));
const tryEach = async (names: readonly string[], depth: Depth) => {
  const started = performance.now();
  for (const name of names) remove(name, copy);
  failed.push(...(await tryWithout(names, copy, depth)));
  for (const name of names) putBack(name, copy, aside);
  const seconds = Math.round((performance.now() - started) / 1_000);
  process.stdout.write(`without ${names.join(', ')}: ${seconds} s\n`);
};
try {
  cpSync(join(copy, FOLDER), aside, { recursive: true });
  // Of the whole tree, to compare with.
  writeClientTypes();
  const all = CAPABILITIES.map((one) => one.name);
  const depth = { tests: isFast ? FAST_TESTS : [], types: !isFast };
  for (const name of named.length > 0 ? named : all) await tryEach([name], depth);
  if (isFast && named.length === 0) await tryEach(all, { tests: CORE_TESTS, types: true });
} finally {
  rmSync(copy, { recursive: true });
  rmSync(aside, { recursive: true });
}

for (const failure of failed) process.stderr.write(`FAILED ${failure}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
