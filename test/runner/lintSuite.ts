/**
 * Checks the rules, the types and the format of all files, as `npm run lint` does, or of those that are named as arguments, from the root of
 * the repository.
 */
import { join } from 'node:path';
import { runChild } from '../support/child';
import { endAll } from '../support/cleanup';
import { ROOT } from '../support/paths';
import { appendResult, reasonOf } from './results';

/** Longest time for one check, in milliseconds: it runs in the background of other suites. */
const LIMIT_MS = 40 * 60_000;

/** Runs a linter of node_modules, which prints what is wrong and ends with 0 when nothing is, and writes its result. */
async function check(title: string, script: string, args: readonly string[]): Promise<boolean> {
  const begin = performance.now();
  const lines: string[] = [];
  let wrong: string;
  try {
    const { code } = await runChild(process.execPath, [join(ROOT, 'node_modules', script), ...args], {
      cwd: ROOT,
      limitMs: LIMIT_MS,
      output: { line: (text) => lines.push(text) },
    });
    wrong = code === 0 ? '' : lines.join('\n').trim() || `It ended with ${code ?? 'a signal'}.`;
  } catch (error) {
    wrong = reasonOf(error);
  }
  const isGood = wrong === '';
  console.log(isGood ? `  ${title}: nothing is wrong` : `  ${title}:\n${wrong}`);
  appendResult({
    kind: 'test',
    state: isGood ? 'passed' : 'failed',
    title,
    ms: Math.round(performance.now() - begin),
    ...(isGood ? {} : { reason: wrong }),
  });
  return isGood;
}

async function main(files: readonly string[]): Promise<boolean> {
  const areGood = await Promise.all([
    check('rules and types (Oxlint)', 'oxlint/bin/oxlint', ['--no-error-on-unmatched-pattern', ...files]),
    check('format (Oxfmt)', 'oxfmt/bin/oxfmt', ['--check', '--no-error-on-unmatched-pattern', ...files]),
  ]);
  appendResult({ kind: 'end' });
  return areGood.every(Boolean);
}

main(process.argv.slice(2)).then(
  (isGood) => {
    process.exitCode = isGood ? 0 : 1;
  },
  async (error: unknown) => {
    console.error(error);
    await endAll();
    process.exitCode = 1;
  },
);
