/**
 * Runs test/editor in extension hosts of a real VS Code, each folder of it in one host. Ends with 1 when a test failed or the run broke.
 * Arguments: the test files to run, such as `debugging.ts` or `restricted/restricted.ts`; all without any.
 */
import { runTests } from '@vscode/test-electron';
import { access, appendFile, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { TOKEN_VARIABLE } from '../../src/service/serviceAddress';
import { ensureBrowser } from '../machine/browser';
import { atEnd, endAll } from '../support/cleanup';
import { CACHE, FAILURES, ROOT, SAMPLE, SCRATCH } from '../support/paths';
import { endProcessesNaming } from '../support/processes';
import { releaseOfSuite } from '../machine/releases';
import { FOREIGN_SETTINGS } from '../support/foreignSettings';
import { FILES_ENV, RESULTS_ENV, readResults, type ResultLine, type Results } from './results';
import { startServer, windowAddress } from '../machine/server';
import type { ServerBuild } from '../machine/serverBuild';
import { dose } from './seed';
import { SERVICE_ENV } from '../support/serviceEnvironment';
import { startServiceProcess } from '../support/serviceProcess';
import { Steps, seconds } from '../support/steps';
import { ensureEditorBuild, type DesktopBuild } from '../machine/vscode';
import { VIRTUAL_SCHEME } from '../support/virtualScheme';
import { Workbench } from '../workbench/workbench';

/** Longest time for all tests in the extension host, in milliseconds. */
const RUN_LIMIT_MS = dose(30, 36) * 60_000;

/** Interval at which the results file is read, in milliseconds. */
const LOOK_MS = 200;

const RELEASE = releaseOfSuite();

/** Prefix of its log and its screenshots. */
const NAME = RELEASE === 'newest' ? 'editor' : 'editor-oldest';

/** A small window takes less time to draw. In CSS pixels. */
const WINDOW_SIZE = { width: 800, height: 600 };

const TESTS = join(CACHE, 'build', 'editor');

/** An extension host with a workspace of its own. */
interface Host {
  /** The folder of its tests within test/editor. */
  readonly name: string;
  readonly isTrusted: boolean;
  /** Makes the workspace in a folder of its own; returns the path to open. */
  readonly prepare: (parent: string) => Promise<string>;
}

const HOSTS: readonly Host[] = [
  { name: '.', isTrusted: true, prepare: copySample },
  { name: 'restricted', isTrusted: false, prepare: copyOfForeigner },
  { name: 'virtual', isTrusted: true, prepare: virtualWorkspace },
];

/** What VS Code would draw and no test here looks at: that is what the tests of the user interface are for. */
const UNSHOWN = {
  'breadcrumbs.enabled': false,
  'debug.inlineValues': 'off',
  'debug.internalConsoleOptions': 'neverOpen',
  'debug.openDebug': 'neverOpen',
  'debug.toolBarLocation': 'hidden',
  'editor.occurrencesHighlight': 'off',
  'editor.semanticHighlighting.enabled': false,
} as const;

/**
 * With inline candidates, VS Code asks the debugger for them before it draws the breakpoints of a file, and draws them in the file that its editor has
 * then. When the debugger has stopped in a shorter one meanwhile, it moves the breakpoint to the last line of that (seen in 1.139).
 */
const UNMOVED = { 'debug.showInlineBreakpointCandidates': false } as const;

/** A window that is not trusted and does not ask about it. */
const UNTRUSTED = {
  'security.workspace.trust.enabled': true,
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
} as const;

async function main(): Promise<number> {
  const steps = new Steps();
  const resultsFile = process.env[RESULTS_ENV] ?? join(CACHE, 'results', `${NAME}.jsonl`);
  await mkdir(join(CACHE, 'results'), { recursive: true });
  if (process.env[RESULTS_ENV] === undefined) await rm(resultsFile, { force: true });
  const browser = await ensureBrowser(steps.say);
  const build = await ensureEditorBuild(steps.say, RELEASE);
  const env = await service();
  const files = process.argv.slice(2);
  const filesOf = ({ name }: Host): string[] =>
    files.filter((file) => dirname(file) === name).map((file) => basename(file));
  const hosts = HOSTS.filter((host) => files.length === 0 || filesOf(host).length > 0);
  let isComplete = hosts.length > 0;
  for (const host of hosts) {
    const withFiles = { ...env, [FILES_ENV]: filesOf(host).join(',') };
    isComplete = (await runHost(host, build, browser.path, withFiles, resultsFile)) && isComplete;
  }
  if (isComplete) await append(resultsFile, [{ kind: 'end' }]);
  const { counts } = await readResults(resultsFile);
  await endAll();
  return isComplete && counts.failed === 0 ? 0 : 1;
}

/** Runs the tests of one host, and adds their results to the file of the suite. Whether they came to their end. */
async function runHost(
  host: Host,
  build: ServerBuild | DesktopBuild,
  browserPath: string,
  env: Record<string, string>,
  resultsFile: string,
): Promise<boolean> {
  // VS Code does not report that the tests are missing.
  await access(testsOf(host));
  const ofHost = `${resultsFile}.${host.name}`;
  await rm(ofHost, { force: true });
  const folder = await workspace(host);
  const withResults = { ...env, [RESULTS_ENV]: ofHost };
  try {
    if (build.kind === 'desktop') await runOnDesktop(host, build, folder, ofHost, withResults);
    else await runOnServer(host, build, folder, ofHost, withResults, browserPath);
  } finally {
    const { lines } = await readResults(ofHost);
    await append(
      resultsFile,
      lines.filter(({ kind }) => kind !== 'end'),
    );
  }
  return (await readResults(ofHost)).complete;
}

async function append(file: string, lines: readonly ResultLine[]): Promise<void> {
  await appendFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

const settingsOf = ({ isTrusted }: Host): object => ({ ...UNMOVED, ...(isTrusted ? {} : UNTRUSTED) });

const testsOf = ({ name }: Host): string => join(TESTS, name, 'index.js');

async function workspace(host: Host): Promise<string> {
  await mkdir(join(SCRATCH, 'workspaces'), { recursive: true });
  const parent = await mkdtemp(join(SCRATCH, 'workspaces', 'editor-'));
  atEnd(`workspace ${host.name} of the editor suite`, () => rm(parent, { recursive: true, force: true }));
  return host.prepare(parent);
}

/** Copies the sample: the tests change and save its files. */
async function copySample(parent: string): Promise<string> {
  const folder = join(parent, 'sample');
  await cp(SAMPLE, folder, { recursive: true });
  return folder;
}

/** A copy of the sample with settings of somebody else. */
async function copyOfForeigner(parent: string): Promise<string> {
  const folder = await copySample(parent);
  await mkdir(join(folder, '.vscode'), { recursive: true });
  await writeFile(join(folder, '.vscode', 'settings.json'), JSON.stringify(FOREIGN_SETTINGS));
  return folder;
}

async function virtualWorkspace(parent: string): Promise<string> {
  const file = join(parent, 'virtual.code-workspace');
  await writeFile(file, JSON.stringify({ folders: [{ uri: `${VIRTUAL_SCHEME}:/virtual` }] }));
  return file;
}

/** Starts a service for the browsers of the tests; returns the environment variables by which the extension host finds it. */
async function service(): Promise<Record<string, string>> {
  await mkdir(join(SCRATCH, 'workspaces'), { recursive: true });
  const dataDir = await mkdtemp(join(SCRATCH, 'workspaces', 'service-'));
  atEnd('data of the service', () => rm(dataDir, { recursive: true, force: true, maxRetries: 3 }));
  const { baseUrl, token } = await startServiceProcess(dataDir);
  return { [SERVICE_ENV]: baseUrl, [TOKEN_VARIABLE]: token };
}

async function runOnServer(
  host: Host,
  build: ServerBuild,
  folder: string,
  resultsFile: string,
  env: Record<string, string>,
  browserPath: string,
): Promise<void> {
  const settings = { ...UNSHOWN, ...settingsOf(host) };
  const server = await startServer(build, { name: NAME, env, settings, serviceEndMs: 0 });
  const tests = { extensionDevelopmentPath: ROOT, extensionTestsPath: testsOf(host) };
  const address = windowAddress(server, { folder, ...tests });
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
  host: Host,
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
  await mkdir(join(userData, 'User'));
  await writeFile(join(userData, 'User', 'settings.json'), JSON.stringify(settingsOf(host)));
  const trust = host.isTrusted ? ['--disable-workspace-trust'] : [];
  let ended = false;
  const run = runTests({
    vscodeExecutablePath: build.executable,
    extensionDevelopmentPath: ROOT,
    extensionTestsPath: testsOf(host),
    extensionTestsEnv: env,
    launchArgs: [folder, '--disable-extensions', ...trust, `--user-data-dir=${userData}`],
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
