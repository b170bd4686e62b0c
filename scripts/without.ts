import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CAPABILITIES } from '../src/capabilities.ts';

/*
 * Shows that the core stands without a capability: in a copy of the tree it removes the folder of one and
 * its lines in the list, runs types, lint and the tests of what is left, and puts both back.
 *
 *     npm run without -- alerts      without that one
 *     npm run without                without each, one after another
 *     npm run without -- --fast      with fewer tests: see FAST_TESTS
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const LIST = 'src/capabilities.ts';
const FOLDER = 'src/capabilities';

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
 * What a missing file breaks, the types tell; these show that every layer works without it: the rules of
 * the house, each command of the core, a served conversion, the metrics. All others take
 * three minutes for each capability.
 */
const FAST_TESTS = [
  ...['test/tidy.test.ts', 'test/audit.test.ts'],
  ...['test/spec/04-05-convert.test.ts', 'test/spec/metrics.test.ts'],
];

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

/** @returns what failed. */
async function tryWithout(name: string, copy: string, isFast: boolean): Promise<string[]> {
  const skipped = OF_DOCUMENTS.flatMap((file) => ['--exclude', file]);
  const failed: string[] = [];
  const step = async (what: string, command: readonly string[]) => {
    if ((await run(copy, command)) !== 0) failed.push(`without ${name}: ${what}`);
  };
  // The compiler keeps what it knows: for the next capability it checks only what that one touches.
  const tsc = (project: string) => [
    'tsc',
    '-p',
    project,
    '--incremental',
    '--tsBuildInfoFile',
    join(copy, `.${project}.known`),
  ];
  await step("the client's types", ['node', join(copy, 'scripts/client-types.ts')]);
  await Promise.all([
    step('types', tsc('tsconfig.json'))
      .then(() => step('types of scripts for browsers', tsc('tsconfig.browser.json')))
      .then(() => step('lint', ['biome', 'lint', LIST])),
    step('tests', ['vitest', 'run', ...skipped, ...(isFast ? FAST_TESTS : [])]),
  ]);
  return failed;
}

const flags = process.argv.slice(2);
const named = flags.filter((flag) => !flag.startsWith('--'));
const failed: string[] = [];
const copy = copyOfTree();
const aside = mkdtempSync(join(tmpdir(), 'vesfx-capabilities-'));
try {
  cpSync(join(copy, FOLDER), aside, { recursive: true });
  for (const name of named.length > 0 ? named : CAPABILITIES.map((one) => one.name)) {
    const started = performance.now();
    remove(name, copy);
    failed.push(...(await tryWithout(name, copy, flags.includes('--fast'))));
    putBack(name, copy, aside);
    const seconds = Math.round((performance.now() - started) / 1_000);
    process.stdout.write(`without ${name}: ${seconds} s\n`);
  }
} finally {
  rmSync(copy, { recursive: true });
  rmSync(aside, { recursive: true });
}

for (const failure of failed) process.stderr.write(`FAILED ${failure}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
