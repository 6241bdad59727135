import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Logger } from '../service/logger';
import { browserName } from '../agents/namedBrowsers';
import { EXIT, exitCodeOf } from '../agents/exitCodes';
import { countsText, SMOKE_TESTS, type SmokeResult } from './headless/smokeNames';
import { runSmokeTests } from './headless/smokeTests';
import { checkInThread } from '../push/prepare/checkThread';
import { useJson, useText } from './checkCommand';
import type { CliOptions } from './cliOptions';
import { junitOf } from './junit';
import { browserFor, openProgramWindow } from './pushCommand';
import { checkWritable } from './reportFile';
import { jsonLine } from './printable';

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
  const { window, signal, end } = openProgramWindow(options, log);
  try {
    const browser = await browserFor(window, options, signal);
    const show = (result: SmokeResult): void => {
      print(options.json ? jsonLine({ folder, browser: browserName(browser), ...result }) : lineOf(result));
    };
    const notesCalls = options.store && window.created.some(({ id }) => id === browser.id);
    const { results, push, calls } = await runSmokeTests(
      window,
      { folder: path, root: window.rootOf(path), browser, notesCalls },
      signal,
      show,
    );
    if (options.junit !== undefined) await writeFile(options.junit, junitOf(push?.archive?.name ?? folder, results));
    const count = (state: SmokeResult['state']): number => results.filter((result) => result.state === state).length;
    if (!options.json) print(countsText(results));
    if (options.store) await printUses({ ...options, folder, path, calls }, print);
    if (push?.outcome.kind === 'failed' || push?.outcome.kind === 'unverified') return exitCodeOf(push.outcome);
    if (count('failed') > 0) return EXIT.refused;
    if (signal.aborted) return EXIT.serviceFailed;
    return count('outdated') === 0 ? EXIT.running : EXIT.delivered;
  } finally {
    await end();
  }
}

/** Prints what the code, and the calls that were noted, say of each permission. */
async function printUses(
  {
    folder,
    path,
    exclude,
    include,
    json,
    calls,
  }: Pick<CliOptions, 'exclude' | 'include' | 'json'> & {
    folder: string;
    path: string;
    calls: string[] | undefined;
  },
  print: (line: string) => void,
): Promise<void> {
  const given = { folder: path, exclude, include, storeHints: true, readsCode: true };
  const { uses = [] } = await checkInThread({ ...given, ...(calls && { calledApi: calls }) });
  if (json) print(jsonLine({ folder, areCallsNoted: calls !== undefined, uses: uses.map(useJson) }));
  else {
    for (const use of uses) print(useText(use));
    if (!calls) print('Calls were not noted: that is done only in a browser that is started for the tests.');
  }
}

function lineOf({ id, state, ms, message }: SmokeResult): string {
  const head = `${state} ${SMOKE_TESTS[id]} (${ms} ms)`;
  return message === '' ? head : `${head}\n${message}`;
}
