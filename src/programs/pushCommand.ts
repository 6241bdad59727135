import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { PushStep } from '../push/outcome';
import type { BrowserEnd } from '../push/run';
import type { Logger } from '../service/log';
import type { BrowserSession } from '../service/model';
import { browserName, findBrowser, runningBrowsers } from '../tools/browsers';
import { createBrowserTool } from '../tools/browserTools';
import { HeadlessWindow } from '../tools/headlessWindow';
import { pushText } from '../tools/pushText';
import { errorLines, SETTLE_MS } from '../tools/runtimeErrors';
import { runTool } from '../tools/run';
import { ToolError } from '../tools/tool';
import { findingJson, shownPath } from './checkCommand';
import type { CliOptions } from './cliOptions';
import { EXIT, exitCodeOf } from '../tools/exitCodes';
import { chooseService } from './serviceChoice';

/** A window of a program and what ends it. */
export interface ProgramWindow {
  window: HeadlessWindow;
  /** Aborts when the program is asked to end, for example by Ctrl+C. */
  signal: AbortSignal;
  /** Ends the browsers that were started, and all connections. */
  end: () => Promise<void>;
}

/** Opens a window for a folder. @throws AddressError, ServiceChoiceError */
export function openProgramWindow(options: CliOptions, log: Logger, onStep: (step: PushStep) => void): ProgramWindow {
  const { exclude, include, headless } = options;
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      stop.abort();
    });
  }
  const service = chooseService({ ...options, log });
  const window = new HeadlessWindow({
    // Sources may be beside the extension folder, in the folder in which the program runs.
    roots: [process.cwd(), ...options.folders.map((folder) => resolve(folder))],
    isLocal: service.isLocal,
    connect: service.connect,
    log,
    settings: { exclude, include },
    browserDefaults: headless ? { headless } : {},
    onStep,
  });
  const end = async (): Promise<void> => {
    await window.endCreated();
    await window.dispose();
    service.release();
  };
  return { window, signal: stop.signal, end };
}

/** The browser of a command line, else the only one that runs, else a new one. @throws ToolError, ServiceError */
export async function browserFor(
  window: HeadlessWindow,
  { browser, command }: CliOptions,
  signal: AbortSignal,
): Promise<BrowserSession> {
  const mustCreate = command !== 'push' && browser === undefined;
  if (!mustCreate && (browser !== undefined || (await runningBrowsers(window, signal)).length > 0)) {
    return await findBrowser(window, browser, signal);
  }
  const { isError, text } = await runTool(createBrowserTool, {}, window, signal);
  const [session] = window.created;
  if (isError || !session) throw new ToolError(text);
  return session;
}

/** Pushes a folder and prints how that ended; `run` then waits for a signal to end. Resolves to the exit code. */
export async function pushFolder(options: CliOptions, log: Logger, print: (line: string) => void): Promise<number> {
  const [folder = '.'] = options.folders;
  const path = resolve(folder);
  const findings: object[] = [];
  const { window, signal, end } = openProgramWindow(options, log, (step) => {
    if (step.step === 'checked') findings.push(...step.findings.map(findingJson));
  });
  try {
    const session = await browserFor(window, options, signal);
    const browserEnd = await window.push(path, session, false, signal);
    await delay(SETTLE_MS, undefined, { signal }).catch(() => undefined);
    const code = exitCodeOf(browserEnd.end);
    if (options.json) print(JSON.stringify({ ...jsonOf(folder, browserEnd, code), findings }));
    else await printEnd(window, path, browserEnd, print);
    if (options.command !== 'run' || options.once || code !== EXIT.running) return code;
    print('It stays open until Ctrl+C.');
    // A waiting promise does not keep the process alive, and neither do idle connections.
    const alive = setInterval(() => undefined, 60_000);
    if (!signal.aborted) await once(signal, 'abort');
    clearInterval(alive);
    return code;
  } finally {
    await end();
  }
}

async function printEnd(
  window: HeadlessWindow,
  folder: string,
  browserEnd: BrowserEnd,
  print: (line: string) => void,
): Promise<void> {
  print(await pushText(browserEnd, { folder, root: window.rootOf(folder), show: shownPath }));
  const build = window.build(browserEnd.session.session_id);
  if (browserEnd.end.outcome !== 'running' || !build) return;
  const errors = window.errors(browserEnd.session, build.extensionId);
  for (const line of await errorLines(window, errors, build, 'since the push', shownPath)) print(line);
}

function jsonOf(folder: string, { session, end, archive }: BrowserEnd, exitCode: number): object {
  const running =
    end.outcome === 'running' ? { extensionId: end.extensionId, worker: end.worker, ms: Math.round(end.ms) } : {};
  const chromium = end.outcome === 'refusedByBrowser' ? { chromium: end.chromium } : {};
  const faults = end.outcome === 'workerFailed' ? { faults: end.faults } : {};
  const error =
    end.outcome === 'failed' ? { error: end.error instanceof Error ? end.error.message : String(end.error) } : {};
  const build = archive
    ? { name: archive.name, version: archive.version, digest: archive.digest, bytes: archive.bytes }
    : {};
  return {
    folder,
    browser: browserName(session),
    outcome: end.outcome,
    exitCode,
    ...build,
    ...running,
    ...chromium,
    ...faults,
    ...error,
  };
}
