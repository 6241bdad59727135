/** Runs one suite of tests in this process: `mochaSuite.ts unit` runs test/unit. Ends with 1 when a test failed. */
import Mocha from 'mocha';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { endAll } from './cleanup';
import { ROOT } from './paths';
import { SuiteReporter } from './reporter';

/** How long what the tests opened may take to close after the last of them, in milliseconds. */
const STILL_OPEN_MS = 10_000;

async function run(suite: string): Promise<number> {
  const folder = join(ROOT, 'test', suite);
  const mocha = new Mocha({
    ui: 'bdd',
    reporter: SuiteReporter,
    forbidOnly: true,
    failZero: true,
    color: process.stdout.isTTY,
  });
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'));
  for (const name of files.sort()) mocha.addFile(join(folder, name));
  await mocha.loadFilesAsync();
  const failures = await new Promise<number>((settle) => mocha.run(settle));
  await endAll();
  return failures;
}

const [suite] = process.argv.slice(2);
if (suite === undefined) throw new Error('Say which suite to run: unit, contract or ui.');
run(suite).then(
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
