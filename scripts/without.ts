import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CAPABILITIES } from '../src/capabilities.ts';

/*
 * Shows that the core stands without a capability: copies the tree, removes the folder of one and its
 * lines in the list, and runs types, lint and the tests of what is left.
 *
 *     npm run without -- alerts      without that one
 *     npm run without                without each, one after another
 *     npm run without -- --fast      with fewer tests: see FAST_TESTS
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const LIST = 'src/capabilities.ts';

/** They compare documents with the program, and documents describe the whole product. */
const OF_DOCUMENTS = [
  ...['test/docs.test.ts', 'test/runbook.test.ts', 'test/document-commands.test.ts'],
  ...['test/translations.test.ts', 'test/adr.test.ts', 'test/api-examples.test.ts'],
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
  rmSync(join(copy, 'src/capabilities', name), { recursive: true });
}

/** @returns what failed. */
function tryWithout(name: string, isFast: boolean): readonly string[] {
  const copy = copyOfTree();
  try {
    remove(name, copy);
    const skipped = OF_DOCUMENTS.flatMap((file) => ['--exclude', file]);
    const tests = isFast ? FAST_TESTS : [];
    const steps: Readonly<Record<string, readonly string[]>> = {
      "the client's types": ['node', join(copy, 'scripts/client-types.ts')],
      types: ['tsc'],
      'types of scripts for browsers': ['tsc', '-p', 'tsconfig.browser.json'],
      lint: ['biome', 'lint', '.'],
      tests: ['vitest', 'run', ...skipped, ...tests],
    };
    return Object.entries(steps).flatMap(([step, [program = '', ...args]]) => {
      const env = { ...process.env, VESFX_TEST_PART: 'quick' };
      const { status } = spawnSync(join(ROOT, 'node_modules/.bin', program), args, {
        cwd: copy,
        env,
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      return status === 0 ? [] : [`without ${name}: ${step}`];
    });
  } finally {
    rmSync(copy, { recursive: true });
  }
}

const flags = process.argv.slice(2);
const names = flags.filter((flag) => !flag.startsWith('--'));
const failed = (names.length > 0 ? names : CAPABILITIES.map(({ name }) => name)).flatMap((name) => {
  const started = performance.now();
  const failures = tryWithout(name, flags.includes('--fast'));
  process.stdout.write(`without ${name}: ${Math.round((performance.now() - started) / 1_000)} s\n`);
  return failures;
});

for (const failure of failed) process.stderr.write(`FAILED ${failure}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
