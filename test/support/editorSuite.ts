/** Runs test/editor in the extension host of a real VS Code. Ends with 1 when a test failed or the run broke. */
import { runTests } from '@vscode/test-electron';
import { access, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { TOKEN_VARIABLE } from '../../src/editor/errors';
import { ensureBrowser } from './browser';
import { atEnd, endAll } from './cleanup';
import { CACHE, FAILURES, ROOT, SAMPLE } from './paths';
import { endProcessesNaming } from './processes';
import { releaseOfSuite } from './releases';
import { RESULTS_ENV, readResults, type Results } from './results';
import { startServer, windowAddress } from './server';
import type { ServerBuild } from './serverBuild';
import { SERVICE_ENV } from './serviceEnvironment';
import { startServiceProcess } from './serviceProcess';
import { Steps, seconds } from './steps';
import { ensureEditorBuild, type DesktopBuild } from './vscode';
import { Workbench } from './workbench';

/** Longest time for all tests in the extension host, in milliseconds. */
const RUN_LIMIT_MS = 8 * 60_000;

/** Interval at which the results file is read, in milliseconds. */
const LOOK_MS = 200;

const RELEASE = releaseOfSuite();

/** Prefix of its log and its screenshots. */
const NAME = RELEASE === 'newest' ? 'editor' : 'editor-oldest';

/** A small window takes less time to draw. In CSS pixels. */
const WINDOW_SIZE = { width: 800, height: 600 };

const TESTS = join(CACHE, 'build', 'editor', 'index.js');

async function main(): Promise<number> {
  const steps = new Steps();
  const resultsFile = process.env[RESULTS_ENV] ?? join(CACHE, 'results', `${NAME}.jsonl`);
  await mkdir(join(CACHE, 'results'), { recursive: true });
  if (process.env[RESULTS_ENV] === undefined) await rm(resultsFile, { force: true });
  // VS Code does not report that the tests are missing.
  await access(TESTS);
  const browser = await ensureBrowser(steps.say);
  const build = await ensureEditorBuild(steps.say, RELEASE);
  const folder = await workspace();
  const env = { [RESULTS_ENV]: resultsFile, ...(await service()) };
  if (build.kind === 'desktop') await runOnDesktop(build, folder, resultsFile, env);
  else await runOnServer(build, folder, resultsFile, env, browser.path);
  const { complete, counts } = await readResults(resultsFile);
  await endAll();
  return complete && counts.failed === 0 ? 0 : 1;
}

/** Copies the sample: the tests change and save its files. */
async function workspace(): Promise<string> {
  await mkdir(join(CACHE, 'workspaces'), { recursive: true });
  const parent = await mkdtemp(join(CACHE, 'workspaces', 'editor-'));
  atEnd('workspace of the editor suite', () => rm(parent, { recursive: true, force: true }));
  const folder = join(parent, 'sample');
  await cp(SAMPLE, folder, { recursive: true });
  return folder;
}

/** Starts a service for the browsers of the tests; returns the environment variables by which the extension host finds it. */
async function service(): Promise<Record<string, string>> {
  const dataDir = await mkdtemp(join(CACHE, 'workspaces', 'service-'));
  atEnd('data of the service', () => rm(dataDir, { recursive: true, force: true, maxRetries: 3 }));
  const { baseUrl, token } = await startServiceProcess(dataDir);
  return { [SERVICE_ENV]: baseUrl, [TOKEN_VARIABLE]: token };
}

async function runOnServer(
  build: ServerBuild,
  folder: string,
  resultsFile: string,
  env: Record<string, string>,
  browserPath: string,
): Promise<void> {
  const server = await startServer(build, { name: NAME, env, serviceEndMs: 0 });
  const address = windowAddress(server, { folder, extensionDevelopmentPath: ROOT, extensionTestsPath: TESTS });
  const window = await Workbench.open(address, { browserPath, wait: 'page', size: WINDOW_SIZE });
  try {
    await follow(resultsFile, () => window.page.isClosed());
  } catch (error) {
    await window.picture(join(FAILURES, `${NAME}.png`)).catch(() => undefined);
    throw error;
  } finally {
    await window.close();
    await server.stop();
  }
}

async function runOnDesktop(
  build: DesktopBuild,
  folder: string,
  resultsFile: string,
  env: Record<string, string>,
): Promise<void> {
  const userData = await mkdtemp(join(CACHE, 'desktop-data-'));
  atEnd('user data of the editor suite', () => rm(userData, { recursive: true, force: true, maxRetries: 3 }));
  atEnd('local service of the editor suite', async () => {
    await endProcessesNaming(userData, 0);
  });
  let ended = false;
  const run = runTests({
    vscodeExecutablePath: build.executable,
    extensionDevelopmentPath: ROOT,
    extensionTestsPath: TESTS,
    extensionTestsEnv: env,
    launchArgs: [folder, '--disable-extensions', '--disable-workspace-trust', `--user-data-dir=${userData}`],
  })
    // It rejects when a test failed; the results file has the test.
    .catch(() => undefined)
    .finally(() => (ended = true));
  await Promise.all([run, follow(resultsFile, () => ended)]);
}

/** Prints each test as it ends, until the suite or its VS Code ends. Rejects when that takes too long. */
async function follow(resultsFile: string, hasEnded: () => boolean): Promise<void> {
  const end = performance.now() + RUN_LIMIT_MS;
  let told = 0;
  for (;;) {
    // Checked before the file is read: it then holds everything that was written before the end.
    const isOver = hasEnded();
    const results = await readResults(resultsFile);
    tell(results, told);
    told = results.lines.length;
    if (results.complete || isOver) return;
    if (performance.now() > end) {
      throw new Error(
        `The tests in the extension host did not end within ${seconds(RUN_LIMIT_MS)}; see .vscode-test/logs/${NAME}.log`,
      );
    }
    await new Promise((settle) => setTimeout(settle, LOOK_MS));
  }
}

function tell({ lines }: Results, from: number): void {
  for (const line of lines.slice(from)) {
    if (line.kind !== 'test') continue;
    console.log(`  ${line.state.padEnd(7)} ${line.title} (${seconds(line.ms)})`);
    if (line.reason !== undefined) console.log(line.reason.replaceAll(/^/gm, '          '));
  }
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  async (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    await endAll();
    process.exitCode = 1;
  },
);
