import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest for its size, for it waits for processes, browsers and deadlines. */
const LONG_FILES = [
  '/test/browser/',
  '/test/cli.test.ts',
  '/test/faults/data.test.ts',
  '/test/faults/service.test.ts',
  '/test/spec/hostile-input.test.ts',
  '/test/spec/raw-connections.test.ts',
  '/test/package.test.ts',
  '/test/guides.test.ts',
  '/test/move.test.ts',
  '/test/processes/',
];

/** The longest file first, also where there are no times of an earlier run to go by. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) =>
      LONG_FILES.some((name) => moduleId.includes(name));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
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
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 40_000,
    hookTimeout: 40_000,
    // One folder for all files, and one PostgreSQL for all that want it.
    globalSetup: ['test/harness/whole-run.ts'],
    // Loading the service takes longer than most files do with it: those of one worker share it.
    isolate: false,
    // Node loads the modules itself, as it does for operators: Vite's own loader reads every imported
    // name through a getter, which makes the tests a tenth slower.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Within a file the order must not matter.
    sequence: { sequencer: LongestFirst, shuffle: { files: false, tests: true } },
    // More than the cores of a small machine: files wait for processes, browsers and deadlines for
    // more than half of their time.
    maxWorkers: 5,
  },
});
