import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 40_000,
    hookTimeout: 40_000,
    // One folder for all files, and one PostgreSQL for all that want it.
    globalSetup: ['test/harness/whole-run.ts'],
    // Loading the service takes longer than most files do with it: those of one worker share it.
    isolate: false,
    // The longest file first; within one the order must not matter.
    sequence: { shuffle: { files: false, tests: true } },
    // One more than the cores of a small machine: some of the time goes into waiting for processes.
    maxWorkers: 3,
  },
});
