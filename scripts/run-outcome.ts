import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node';

/** What a run of tests came to, for `once-more.ts`. */
export interface RunOutcome {
  /** Files with a test that failed, or that could not be loaded. */
  readonly failed: readonly string[];
  /** Tests that ran to an end; those that were skipped did not. */
  readonly executed: number;
  /** Files with a test that was left out on purpose, such as for want of a program. */
  readonly skipped: readonly string[];
  /** Errors that belong to no test. */
  readonly strayErrors: number;
}

/** Where the reporter writes it. */
export const OUTCOME_FILE = 'VESFX_TEST_OUTCOME';

/** A reporter of Vitest that writes the outcome of the run to a file. */
export default class OutcomeReporter implements Reporter {
  onTestRunEnd(
    modules: readonly TestModule[],
    strayErrors: readonly unknown[],
    reason: TestRunEndReason,
  ): void {
    const file = process.env[OUTCOME_FILE];
    if (file === undefined || reason === 'interrupted') return;
    const outcome: RunOutcome = {
      failed: modules.filter((one) => !one.ok()).map(({ relativeModuleId }) => relativeModuleId),
      executed: modules
        .flatMap(({ children }) => [...children.allTests()])
        .filter((one) => ['passed', 'failed'].includes(one.result().state)).length,
      // One that is skipped because a hook failed is not declared so.
      skipped: modules
        .filter(({ children }) =>
          [...children.allTests()].some(({ options }) => options.mode === 'skip'),
        )
        .map(({ relativeModuleId }) => relativeModuleId),
      strayErrors: strayErrors.length,
    };
    writeFileSync(file, JSON.stringify(outcome));
  }
}
