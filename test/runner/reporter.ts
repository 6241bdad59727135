import Mocha from 'mocha';
import { posix, relative, sep } from 'node:path';
import { ROOT } from '../support/paths';
import { appendResult, reasonOf, type TestState } from './results';

const { EVENT_TEST_PASS, EVENT_TEST_FAIL, EVENT_TEST_PENDING, EVENT_SUITE_BEGIN, EVENT_SUITE_END, EVENT_RUN_END } =
  Mocha.Runner.constants;

/** The bundles of the tests in an extension host, wherever this file itself was bundled to. */
const BUNDLED = /(?:^|\/)editor\/(.+)\.js$/;

/** The test file that a running file was made of, from the root of the repository. */
function sourceOf(file: string): string {
  const path = relative(ROOT, file).split(sep).join(posix.sep);
  const [, bundled] = BUNDLED.exec(path) ?? [];
  return bundled === undefined ? path : `test/editor/${bundled}.ts`;
}

/**
 * Mocha's readable report, and beside it the results file that RESULTS_ENV names: a line for each test as it ends, so
 * that a crash loses nothing, and one for the time of each file. A hook that fails counts as a failed test.
 */
export class SuiteReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const ended = (state: TestState, test: Mocha.Test, reason?: string): void =>
      appendResult({
        kind: 'test',
        state,
        title: test.fullTitle(),
        ...(test.file !== undefined && { file: sourceOf(test.file) }),
        ms: test.duration ?? 0,
        ...(reason !== undefined && { reason }),
      });
    runner.on(EVENT_TEST_PASS, (test) => ended('passed', test));
    runner.on(EVENT_TEST_PENDING, (test) => ended('skipped', test));
    runner.on(EVENT_TEST_FAIL, (test, error: unknown) => ended('failed', test, reasonOf(error)));
    const begun = new Map<Mocha.Suite, number>();
    runner.on(EVENT_SUITE_BEGIN, (suite) => begun.set(suite, performance.now()));
    runner.on(EVENT_SUITE_END, (suite) => {
      const begin = begun.get(suite);
      if (suite.parent?.root !== true || suite.file === undefined || begin === undefined) return;
      appendResult({ kind: 'file', file: sourceOf(suite.file), ms: Math.round(performance.now() - begin) });
    });
    runner.on(EVENT_RUN_END, () => appendResult({ kind: 'end' }));
  }
}
