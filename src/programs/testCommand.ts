import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Logger } from '../service/logger';
import { browserName } from '../agents/namedBrowsers';
import { EXIT, exitCodeOf } from '../agents/exitCodes';
import { countsText, SMOKE_TESTS, type SmokeResult } from './headless/smokeNames';
import { runSmokeTests } from './headless/smokeTests';
import type { CliOptions } from './cliOptions';
import { junitOf } from './junit';
import { browserFor, openProgramWindow } from './pushCommand';
import { checkWritable } from './reportFile';

/** Runs the smoke tests of a folder, prints them and writes the report if one is asked for. Resolves to the exit code. */
export async function testFolder(options: CliOptions, log: Logger, print: (line: string) => void): Promise<number> {
  const [folder = '.'] = options.folders;
  const path = resolve(folder);
  if (options.junit !== undefined) await checkWritable(options.junit);
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

function lineOf({ id, state, ms, message }: SmokeResult): string {
  const head = `${state} ${SMOKE_TESTS[id]} (${ms} ms)`;
  return message === '' ? head : `${head}\n${message}`;
}
