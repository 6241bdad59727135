/** Entry point of the tests in the extension host: VS Code calls `run`. */
import Mocha from 'mocha';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SuiteReporter } from '../runner/reporter';
import { appendResult, FILES_ENV, reasonOf } from '../runner/results';
import { GREP_ENV } from '../runner/seed';

/** Longest time for one test unless it says otherwise, in milliseconds. */
const TEST_LIMIT_MS = 120_000;

/**
 * Runs the suites that were bundled beside this file, all of them or those that FILES_ENV names; the results file that
 * RESULTS_ENV names says how each test ended. Rejects when one failed, which desktop VS Code turns into its exit code.
 */
export async function run(): Promise<void> {
  const failures = await runSuites().catch((error: unknown) => {
    // A suite that cannot even be loaded has no test to report it.
    tellBreak(error);
    throw error;
  });
  if (failures > 0) throw new Error(`${failures} tests failed`);
}

async function runSuites(): Promise<number> {
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: TEST_LIMIT_MS,
    reporter: SuiteReporter,
    forbidOnly: true,
    failZero: true,
    ...(process.env[GREP_ENV] && { grep: new RegExp(process.env[GREP_ENV]) }),
  });
  const wanted = (process.env[FILES_ENV] ?? '').split(',').filter((name) => name !== '');
  const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name.replace(/\.js$/, '.ts'));
  const suites = readdirSync(__dirname).filter((name) => name.endsWith('.js') && name !== 'index.js' && isWanted(name));
  for (const name of suites.sort()) mocha.addFile(join(__dirname, name));
  return new Promise((settle) => mocha.run(settle));
}

function tellBreak(error: unknown): void {
  appendResult({ kind: 'test', state: 'failed', title: 'loading the suites', ms: 0, reason: reasonOf(error) });
  appendResult({ kind: 'end' });
}
