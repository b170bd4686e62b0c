import { availableParallelism } from 'node:os';
import { defaultExclude, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * What takes longest for its size, the longest first. Files in a browser keep two cores busy each, so
 * those that wait for processes and deadlines stand between them.
 */
const LONG_FILES = [
  '/test/faults/load.test.ts',
  '/test/browser/every-page.test.ts',
  '/test/spec/raw-connections.test.ts',
  '/test/faults/service.test.ts',
  '/test/browser/board.test.ts',
  '/test/cli.test.ts',
  '/test/browser/console.test.ts',
  '/test/package.test.ts',
  '/test/processes/collect.test.ts',
  '/test/faults/data.test.ts',
  '/test/browser/docs.test.ts',
  '/move/test/slow/move.test.ts',
  '/test/slow/guides.test.ts',
  '/test/browser/',
  '/test/spec/hostile-input.test.ts',
  '/test/processes/',
  '/test/judgement-replay.test.ts',
];

/**
 * They wait for browsers, for whole processes or for the deadlines of sockets, and always try the same
 * cases, fault scenarios too: one that fails on a busy machine is run once more by `.ci/run`, which names
 * it at its end.
 */
export const WAITING_FILES = [
  'src/capabilities/*/test/browser/**/*.test.ts',
  'src/capabilities/*/test/slow/**/*.test.ts',
  'test/browser/**/*.test.ts',
  'test/cli.test.ts',
  'test/deb.test.ts',
  'test/deploy.test.ts',
  'test/fail2ban.test.ts',
  'test/faults/**/*.test.ts',
  'test/generated-clients.test.ts',
  'test/image.test.ts',
  'test/once-more.test.ts',
  'test/one-file-packages.test.ts',
  'test/package.test.ts',
  'test/postgres-standby.test.ts',
  'test/processes/**/*.test.ts',
  'test/program.test.ts',
  'test/proxy.test.ts',
  'test/source-commands.test.ts',
  'test/spec/raw-connections.test.ts',
];

/**
 * Left out of `npm test`, which takes three minutes on two cores, and run by `npm run test:slow`: what
 * starts browsers, whole processes or PostgreSQL, waits for deadlines, or tries thousands of cases.
 */
const SLOW_FILES = [
  ...WAITING_FILES,
  'src/capabilities/*/test/contracts/**/*.test.ts',
  'src/core/sources/bcv/bcv-pages-mutated.test.ts',
  'test/client/history.test.ts',
  'test/contracts/**/*.test.ts',
  'test/judgement-{decisions,order,replay}.test.ts',
  'test/quota-model.test.ts',
  'test/spec/07-judgement*.test.ts',
  'test/spec/free-calls.test.ts',
  'test/spec/hostile-input.test.ts',
  'test/spec/keyless.test.ts',
];

/** Without one, every file, so that any of them can be named. */
const part = process.env['VESFX_TEST_PART'];

const INCLUDED = new Map([
  ['slow', SLOW_FILES],
  ['spec', ['test/spec/**/*.test.ts', 'src/capabilities/*/test/spec/**/*.test.ts']],
]);

/** With a browser each, which take half a gigabyte of memory. */
const MAX_WORKERS = 5;

/** Where the file stands in the list; after it when it does not. */
function placeOf({ moduleId }: TestSpecification): number {
  const place = LONG_FILES.findIndex((name) => moduleId.includes(name));
  return place === -1 ? LONG_FILES.length : place;
}

/** The longest file first, also where there are no times of an earlier run to go by. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((one, other) => placeOf(one) - placeOf(other));
  }
}

export default defineConfig({
  plugins: [
    {
      // Vite adds the condition "development", by which a package may give its TypeScript sources.
      name: 'packages-as-operators-get-them',
      configResolved({ ssr }) {
        Object.assign(ssr, { resolve: { ...ssr.resolve, conditions: [] } });
      },
    },
  ],
  test: {
    include: INCLUDED.get(part ?? '') ?? ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: part === 'quick' ? [...defaultExclude, ...SLOW_FILES] : defaultExclude,
    // They end what hangs, and are no deadlines: on a busy machine a test may take ten times as long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // One folder for all files, and one PostgreSQL for all that want it.
    globalSetup: ['test/harness/whole-run.ts'],
    // Loading the service takes longer than most files do with it: those of one worker share it.
    isolate: false,
    // Node loads the modules itself, as it does for operators: Vite's own loader reads every imported
    // name through a getter, which makes the tests a tenth slower.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Within a file the order must not matter.
    sequence: { sequencer: LongestFirst, shuffle: { files: false, tests: true } },
    // Two more than the cores, because files wait for processes and deadlines. Each worker loads the
    // modules and starts a browser for itself, so more of them on two cores only add work.
    maxWorkers: Math.min(availableParallelism() + 2, MAX_WORKERS),
  },
});
