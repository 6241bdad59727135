import Mocha from 'mocha';
import { relative } from 'node:path';
import { ROOT } from '../support/paths';
import { appendResult, reasonOf, type TestState } from './results';

const { EVENT_TEST_PASS, EVENT_TEST_FAIL, EVENT_TEST_PENDING, EVENT_RUN_END } = Mocha.Runner.constants;

/**
 * Mocha's readable report, and beside it the results file that RESULTS_ENV names: a line for each test as it ends, so
 * that a crash loses nothing. A hook that fails counts as a failed test.
 */
export class SuiteReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const ended = (state: TestState, test: Mocha.Test, reason?: string): void =>
      appendResult({
        kind: 'test',
        state,
        title: test.fullTitle(),
        ...(test.file !== undefined && { file: relative(ROOT, test.file) }),
        ms: test.duration ?? 0,
        ...(reason !== undefined && { reason }),
      });
    runner.on(EVENT_TEST_PASS, (test) => ended('passed', test));
    runner.on(EVENT_TEST_PENDING, (test) => ended('skipped', test));
    runner.on(EVENT_TEST_FAIL, (test, error: unknown) => ended('failed', test, reasonOf(error)));
    runner.on(EVENT_RUN_END, () => appendResult({ kind: 'end' }));
  }
}
