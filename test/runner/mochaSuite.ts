/**
 * Runs one suite of tests in this process: `mochaSuite.ts unit` runs all of test/unit, `mochaSuite.ts unit a.test.ts` one file of it.
 * Ends with 1 when a test failed.
 */
import Mocha from 'mocha';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { endAll } from '../support/cleanup';
import { ROOT } from '../support/paths';
import { SuiteReporter } from './reporter';
import { GREP_ENV } from './seed';

/** Longest time for one test unless it says otherwise, in milliseconds: the machine is busy with other suites. */
const TEST_LIMIT_MS = 120_000;

/** How long what the tests opened may take to close after the last of them, in milliseconds. */
const STILL_OPEN_MS = 10_000;

async function run(suite: string, only: readonly string[]): Promise<number> {
  const folder = join(ROOT, 'test', suite);
  const mocha = new Mocha({
    ui: 'bdd',
    reporter: SuiteReporter,
    timeout: TEST_LIMIT_MS,
    forbidOnly: true,
    failZero: true,
    color: process.stdout.isTTY,
  });
  const words = process.env[GREP_ENV];
  if (words !== undefined) mocha.grep(new RegExp(words));
  const files = only.length > 0 ? only : testFiles(folder);
  for (const name of files) mocha.addFile(join(folder, name));
  await mocha.loadFilesAsync();
  const failures = await new Promise<number>((settle) => mocha.run(settle));
  await endAll();
  return failures;
}

function testFiles(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.test.ts')).sort();
}

const [suite, ...only] = process.argv.slice(2);
if (suite === undefined) throw new Error('Say which suite to run: unit, contract or ui.');
run(suite, only).then(
  (failures) => {
    process.exitCode = failures === 0 ? 0 : 1;
    // Fires only when something is still open, after a test that ran out of time for example: it must not hold the run.
    setTimeout(() => {
      console.error(`The suite ${suite} left something open; it is ended.`);
      process.exit(1);
    }, STILL_OPEN_MS).unref();
  },
  async (error: unknown) => {
    console.error(error);
    await endAll();
    process.exitCode = 1;
  },
);
