import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureBrowser } from './browser';
import { runChild } from './child';
import { CACHE, ROOT } from './paths';
import { RESULTS_ENV, readResults, type Counts } from './results';
import { ensureServerBuild } from './serverBuild';
import { Steps } from './steps';
import { ensureVsix } from './vsix';

const MINUTE_MS = 60_000;

/** One part of `npm test`. */
export interface Suite {
  readonly name: string;
  /** Names of the suites that must run before it. */
  readonly needs: readonly string[];
  /** Program and arguments, started in the repository's root. */
  readonly command: readonly [string, ...string[]];
  readonly limitMs: number;
  /** `exit`: it is one test, its exit code says how it went. `results`: it writes a results file. */
  readonly counts: 'exit' | 'results';
  /** Gets what the suite needs on this machine; time spent here is not the suite's. */
  readonly prepare?: (steps: Steps) => Promise<void>;
}

const script = (name: string, ...args: string[]): [string, ...string[]] => [
  process.execPath,
  '--import',
  'tsx',
  join(ROOT, 'test', 'support', name),
  ...args,
];

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

const needBrowser = async (steps: Steps): Promise<void> => {
  await steps.step(
    'Browser',
    () => ensureBrowser(steps.say),
    ({ path, version }) => `Browser: ${path} (${version})`,
  );
};

const needWindow = async (steps: Steps): Promise<void> => {
  await needBrowser(steps);
  await steps.step(
    'VS Code',
    () => ensureServerBuild(steps.say),
    ({ version }) => `VS Code server ${version}`,
  );
  await steps.step(
    'Package',
    () => ensureVsix(),
    (file) => `Packaged ${file}`,
  );
};

/** All suites in the order in which they run. */
export const SUITES: readonly Suite[] = [
  { name: 'lint', needs: [], command: [npm, 'run', '--silent', 'lint'], limitMs: 5 * MINUTE_MS, counts: 'exit' },
  { name: 'types', needs: [], command: [npm, 'run', '--silent', 'types'], limitMs: 5 * MINUTE_MS, counts: 'exit' },
  {
    name: 'build',
    needs: [],
    command: [process.execPath, '--import', 'tsx', '.esbuild.ts', '--tests'],
    limitMs: 2 * MINUTE_MS,
    counts: 'exit',
  },
  {
    name: 'unit',
    needs: ['build'],
    command: script('mochaSuite.ts', 'unit'),
    limitMs: 5 * MINUTE_MS,
    counts: 'results',
    prepare: needBrowser,
  },
  {
    name: 'contract',
    needs: ['build'],
    command: script('mochaSuite.ts', 'contract'),
    limitMs: 12 * MINUTE_MS,
    counts: 'results',
    prepare: needBrowser,
  },
  {
    name: 'editor',
    needs: ['build'],
    command: script('editorSuite.ts'),
    limitMs: 10 * MINUTE_MS,
    counts: 'results',
    // The suite chooses and gets its VS Code itself.
    prepare: needBrowser,
  },
  {
    name: 'ui',
    needs: ['build'],
    command: script('mochaSuite.ts', 'ui'),
    limitMs: 15 * MINUTE_MS,
    counts: 'results',
    prepare: needWindow,
  },
];

/**
 * Runs one suite and counts its tests. Never rejects: a suite that cannot run, does not come to its end or ends with
 * an error that no test accounts for adds one failed test, and a line says why.
 */
export async function runSuite(suite: Suite): Promise<Counts> {
  const results = join(CACHE, 'results', `${suite.name}.jsonl`);
  let broken: string | undefined;
  try {
    await mkdir(join(CACHE, 'results'), { recursive: true });
    await rm(results, { force: true });
    await suite.prepare?.(new Steps());
    const [program, ...args] = suite.command;
    const env = { ...process.env, [RESULTS_ENV]: results };
    const { code, signal } = await runChild(program, args, { cwd: ROOT, env, limitMs: suite.limitMs });
    if (code !== 0) broken = `ended with ${signal ?? `exit code ${code ?? 'unknown'}`}`;
  } catch (error) {
    broken = error instanceof Error ? error.message : String(error);
  }
  if (suite.counts === 'exit') {
    return oneTest(suite.name, broken);
  }
  const { counts, complete } = await readResults(results);
  if (!complete) broken ??= 'ended before its last test';
  // Failed tests explain an exit code; nothing else does.
  if (broken === undefined || (complete && counts.failed > 0)) return counts;
  console.log(`The suite ${suite.name} did not run as it should: ${broken}.`);
  return { ...counts, failed: counts.failed + 1 };
}

function oneTest(name: string, broken: string | undefined): Counts {
  console.log(broken === undefined ? `${name}: no complaints` : `${name}: failed (${broken})`);
  return broken === undefined ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
}
