import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // One PostgreSQL for all that want it.
    globalSetup: ['test/harness/postgres-run.ts'],
    // Files run apart from each other, the longest first; within one the order must not matter.
    sequence: { shuffle: { files: false, tests: true } },
    // One more than the cores of a small machine: much of the time goes into waiting for processes.
    maxWorkers: 3,
  },
});
