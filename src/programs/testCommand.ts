import { access, open, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Logger } from '../service/logger';
import { browserName } from '../agents/namedBrowsers';
import { EXIT, exitCodeOf } from '../agents/exitCodes';
import { countsText, SMOKE_TESTS, type SmokeResult } from './headless/smokeNames';
import { runSmokeTests } from './headless/smokeTests';
import { UsageError, type CliOptions } from './cliOptions';
import { junitOf } from './junit';
import { browserFor, openProgramWindow } from './pushCommand';

/** Runs the smoke tests of a folder, prints them and writes the report if one is asked for. Resolves to the exit code. */
export async function testFolder(options: CliOptions, log: Logger, print: (line: string) => void): Promise<number> {
  const [folder = '.'] = options.folders;
  const path = resolve(folder);
  if (options.junit !== undefined) await checkReport(options.junit);
  const { updateFrom } = options;
  if (updateFrom !== undefined) {
    const { testUpdate } = await import('./updateCommand');
    return await testUpdate({ ...options, updateFrom }, path, log, print);
  }
  const { window, signal, end } = openProgramWindow(options, log, () => undefined);
  try {
    const browser = await browserFor(window, options, signal);
    const show = (result: SmokeResult): void => {
      print(options.json ? JSON.stringify({ folder, browser: browserName(browser), ...result }) : lineOf(result));
    };
    const { results, push } = await runSmokeTests(
      window,
      { folder: path, root: window.rootOf(path), browser },
      signal,
      show,
    );
    if (options.junit !== undefined) await writeFile(options.junit, junitOf(push?.archive?.name ?? folder, results));
    const count = (state: SmokeResult['state']): number => results.filter((result) => result.state === state).length;
    if (!options.json) print(countsText(results));
    if (push?.outcome.kind === 'failed' || push?.outcome.kind === 'unverified') return exitCodeOf(push.outcome);
    if (count('failed') > 0) return EXIT.refused;
    return count('outdated') === 0 ? EXIT.running : EXIT.delivered;
  } finally {
    await end();
  }
}

/**
 * Finds out whether a report can be written, before the tests run. Leaves no file: an empty one would be read as a report when they cannot run.
 * @throws UsageError
 */
async function checkReport(path: string): Promise<void> {
  try {
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    await (await open(path, 'a')).close();
    if (!isThere) await rm(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`The report cannot be written: ${reason}. Name a file in a folder that exists.`);
  }
}

function lineOf({ id, state, ms, message }: SmokeResult): string {
  const head = `${state} ${SMOKE_TESTS[id]} (${ms} ms)`;
  return message === '' ? head : `${head}\n${message}`;
}
