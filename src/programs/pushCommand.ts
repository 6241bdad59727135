import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '../base/errorMessage';
import { type BuildFolders, type ErrorRecord, recordOf } from '../console/errorSpots';
import type { PartError } from '../console/extensionErrors';
import type { PushStep } from '../push/outcome';
import type { BrowserOutcome } from '../push/pushRun';
import { ServiceError } from '../service/serviceErrors';
import type { Logger } from '../service/logger';
import type { Browser } from '../service/model';
import { oneLine } from '../agents/bounds';
import { browserName, runningBrowsers } from '../agents/namedBrowsers';
import { createBrowserTool } from '../agents/browserTools';
import { onEndSignal } from './endSignals';
import { HeadlessWindow } from './headless/headlessWindow';
import { pushText } from '../agents/pushText';
import { errorLines, SETTLE_MS } from '../agents/runtimeErrors';
import { Input } from '../agents/valueSchema';
import { ToolError } from '../agents/tool';
import { findingJson, shownPath } from './checkCommand';
import type { CliOptions } from './cliOptions';
import { EXIT, exitCodeOf, exitCodeOfAll } from '../agents/exitCodes';
import { chooseService } from './serviceChoice';

/** How often `run` asks whether its browser is still there, in milliseconds. */
const POLL_MS = 3000;

/** Most browsers that an error names. */
const MOST_NAMES = 20;

/** A window of a program and what ends it. */
export interface ProgramWindow {
  window: HeadlessWindow;
  /** Aborts when the program is asked to end, for example by Ctrl+C. */
  signal: AbortSignal;
  /** Ends the browsers that were started, and all connections. */
  end: () => Promise<void>;
}

/** Opens a window for folders; `onStep` is called with each step of a push, and its folder. @throws AddressError, ServiceChoiceError */
export function openProgramWindow(
  options: CliOptions,
  log: Logger,
  onStep: (step: PushStep, folder: string) => void,
): ProgramWindow {
  const { exclude, include, headless, localhost } = options;
  const stop = new AbortController();
  onEndSignal(() => stop.abort());
  const service = chooseService({ ...options, log });
  const window = new HeadlessWindow({
    // Sources may be beside the extension folder, in the folder in which the program runs.
    roots: [process.cwd(), ...options.folders.map((folder) => resolve(folder))],
    ...service,
    log,
    settings: { exclude, include },
    localhost,
    browserDefaults: headless ? { headless } : {},
    onStep,
  });
  const end = async (): Promise<void> => {
    await window.endCreated();
    await window.dispose();
  };
  return { window, signal: stop.signal, end };
}

/** The browser of a command line, else the only one that runs, else a new one. @throws ToolError, ServiceError */
export async function browserFor(
  window: HeadlessWindow,
  { browser: named, command }: CliOptions,
  signal: AbortSignal,
): Promise<Browser> {
  if (named !== undefined) return await namedBrowser(window, named, signal);
  const only = onlyOne(command === 'push' ? await runningBrowsersOf(window, signal) : []);
  if (only) return only;
  await createBrowserTool.run(new Input({}), window, signal).catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error.kind !== 'unsupported') throw error;
    throw new ToolError('The service starts no browsers. Name one that runs by its id with --browser.');
  });
  const [browser] = window.created;
  if (!browser) throw new ToolError('No browser was started.');
  return browser;
}

/** The only one of the browsers that run; undefined without any. @throws ToolError when there are several */
export function onlyOne(running: readonly Browser[]): Browser | undefined {
  const [only, ...others] = running;
  if (others.length === 0) return only;
  const names = running.slice(0, MOST_NAMES).map(browserName).join(', ');
  throw new ToolError(`Several browsers are running. Name one with --browser: ${names}.`);
}

/**
 * The browser that an id or a name stands for. No list is asked for: of a service that describes no browsers, the id is all that is needed.
 * @throws ToolError, ServiceError
 */
async function namedBrowser(window: HeadlessWindow, named: string, signal: AbortSignal): Promise<Browser> {
  const gone = new ToolError(`No browser "${oneLine(named, 100)}" is running. Check the name or id.`);
  try {
    const browser = await (await window.client()).getBrowser(named, signal);
    if (browser.deletedAt) throw gone;
    return browser;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // An answer that names the browser is about the browser; any other 404 says that the service does not have this operation.
    if (error.kind === 'notFound' && error.namesSubject) throw gone;
    if (error.kind !== 'notFound' && error.kind !== 'unsupported') throw error;
    return { id: named, devToolsUrl: '' };
  }
}

async function runningBrowsersOf(window: HeadlessWindow, signal: AbortSignal): Promise<Browser[]> {
  try {
    return await runningBrowsers(window, signal);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind !== 'unsupported') throw error;
    throw new ToolError('The service lists no browsers. Name one by its id with --browser.');
  }
}

/** Pushes folders and prints how that ended; `run` then waits for a signal to end. Resolves to the exit code. */
export async function pushFolders(options: CliOptions, log: Logger, print: (line: string) => void): Promise<number> {
  // A folder that is named twice would be taken for two with the same name.
  const folders = options.folders.filter(
    (folder, at, all) => all.findIndex((other) => resolve(other) === resolve(folder)) === at,
  );
  const paths = folders.map((folder) => resolve(folder));
  const findings = new Map<string, object[]>();
  const { window, signal, end } = openProgramWindow(options, log, (step, path) => {
    if (step.step === 'checked') findings.set(path, step.findings.map(findingJson));
  });
  try {
    const browser = await browserFor(window, options, signal);
    const outcomes = await window.pushSet(paths, browser, { mustReload: false }, signal);
    await delay(SETTLE_MS, undefined, { signal }).catch(() => undefined);
    for (const [index, browserOutcome] of outcomes.entries()) {
      const [folder = '', path = ''] = [folders[index], paths[index]];
      if (options.json) {
        const result = jsonOf(folder, browserOutcome, exitCodeOf(browserOutcome.outcome));
        const { browser: reached, outcome } = browserOutcome;
        const end =
          outcome.kind === 'running'
            ? { errors: await errorRecords(errorsOf(window, path, reached, outcome.extensionId)) }
            : { text: await textOf(window, path, browserOutcome) };
        print(JSON.stringify({ ...result, ...end, findings: findings.get(path) ?? [] }));
        continue;
      }
      if (folders.length > 1) print(`${oneLine(shownPath(path))}:`);
      await printEnd(window, path, browserOutcome, print);
    }
    const code = exitCodeOfAll(outcomes.map((browserOutcome) => browserOutcome.outcome));
    if (options.exec !== undefined && code === EXIT.running) {
      const { execWith } = await import('./execCommand');
      const ids = outcomes.flatMap(({ outcome }) => ('extensionId' in outcome ? [outcome.extensionId] : []));
      const { baseUrl } = await window.client();
      return await execWith(options.exec, { browser, service: baseUrl, extensionIds: ids }, signal);
    }
    const isOpen = code === EXIT.running || code === EXIT.delivered;
    if (options.command !== 'run' || options.once || options.exec !== undefined || !isOpen) return code;
    if (!options.json) print('It stays open until Ctrl+C or until you close it.');
    const isThere = await untilEnded(window, browser, signal);
    if (!isThere && !options.json) print('The browser was closed.');
    return code;
  } finally {
    await end();
  }
}

/** Waits until a browser has ended, or `signal` aborts; resolves to whether it was there until then, as far as the service has said. */
async function untilEnded(window: HeadlessWindow, { id }: Browser, signal: AbortSignal): Promise<boolean> {
  const client = await window.client();
  while (!signal.aborted) {
    await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
    const isEnded = await client.findBrowser(id, signal).then(
      (browser) => browser === undefined,
      // Whether it runs is not known while the service does not answer.
      () => false,
    );
    if (isEnded) return false;
  }
  return true;
}

/** How a push ended, for a person. */
function textOf(window: HeadlessWindow, folder: string, browserOutcome: BrowserOutcome): Promise<string> {
  return pushText(browserOutcome, { folder, root: window.rootOf(folder), show: shownPath, reader: 'person' });
}

async function printEnd(
  window: HeadlessWindow,
  folder: string,
  browserOutcome: BrowserOutcome,
  print: (line: string) => void,
): Promise<void> {
  print(await textOf(window, folder, browserOutcome));
  const { outcome, browser } = browserOutcome;
  if (outcome.kind !== 'running') return;
  const { errors, build } = errorsOf(window, folder, browser, outcome.extensionId);
  for (const line of await errorLines(window, errors, build, 'since the push', shownPath, 'person')) print(line);
}

/** The errors of an extension since the push, and the build that has them. */
function errorsOf(
  window: HeadlessWindow,
  folder: string,
  browser: Browser,
  extensionId: string,
): { errors: readonly PartError[]; build: BuildFolders } {
  const build = { folder, root: window.rootOf(folder), extensionId };
  return { errors: window.errors(browser, extensionId), build };
}

/** The same for a program. */
async function errorRecords({ errors, build }: ReturnType<typeof errorsOf>): Promise<ErrorRecord[]> {
  const records = await Promise.all(errors.map((error) => recordOf(error, build)));
  return records.map((record) => ({ ...record, file: shownPath(record.file) }));
}

function jsonOf(folder: string, { browser, outcome, archive }: BrowserOutcome, exitCode: number): object {
  const { kind } = outcome;
  return {
    folder,
    browser: browserName(browser),
    outcome: kind,
    exitCode,
    ...(archive && { name: archive.name, version: archive.version, digest: archive.digest, bytes: archive.bytes }),
    ...(kind === 'running' && { extensionId: outcome.extensionId, worker: outcome.worker, ms: Math.round(outcome.ms) }),
    ...(kind === 'refusedByBrowser' && { chromium: outcome.chromium }),
    ...(kind === 'workerFailed' && { faults: outcome.faults }),
    ...(kind === 'failed' && { error: errorMessage(outcome.error) }),
  };
}
