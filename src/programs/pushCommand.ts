import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { FolderPoll } from '../archive/folderPoll';
import { ServiceError } from '../service/serviceErrors';
import type { Logger } from '../service/logger';
import type { Browser } from '../service/model';
import { oneLine } from '../agents/bounds';
import { browserName, runningBrowsers } from '../agents/namedBrowsers';
import { createBrowserTool } from '../agents/browserTools';
import { onEndSignal } from './endSignals';
import { type HeadlessOptions, HeadlessWindow } from './headless/headlessWindow';
import { Input } from '../agents/valueSchema';
import { ToolError } from '../agents/tool';
import type { CliOptions } from './cliOptions';
import { EXIT } from '../agents/exitCodes';
import { PushPrinter } from './pushPrinter';
import { chooseService } from './serviceChoice';
import { WrittenBuilds } from './writtenBuilds';

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

/** Opens a window for folders. @throws AddressError, ServiceChoiceError */
export function openProgramWindow(
  options: CliOptions,
  log: Logger,
  events: Pick<HeadlessOptions, 'onStep' | 'onErrors'> = {},
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
    ...events,
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

/**
 * Pushes folders and prints how that ended. `run` then waits for a signal to end, and with `--watch` what is written there is pushed until then. Resolves
 * to the exit code of what was pushed last.
 */
export async function pushFolders(options: CliOptions, log: Logger, print: (line: string) => void): Promise<number> {
  const { json, watch, once, exec, command } = options;
  // A folder that is named twice would be taken for two with the same name.
  const folders = options.folders.filter(
    (folder, at, all) => all.findIndex((other) => resolve(other) === resolve(folder)) === at,
  );
  const paths = folders.map((folder) => resolve(folder));
  const { window, signal, end } = openProgramWindow(options, log, {
    onStep: (step, path) => printer.noteStep(step, path),
    onErrors: () => printer.noteErrors(),
  });
  const printer = new PushPrinter(window, { folders, json, print, signal });
  try {
    // As they are now: what is written from now on may be in the first push, or in a later one.
    const polls = watch ? await Promise.all(paths.map((path) => FolderPoll.of(path, options))) : [];
    const browser = await browserFor(window, options, signal);
    await printer.show(await window.pushSet(paths, browser, {}, signal));
    const code = printer.exitCode;
    if (exec !== undefined && code === EXIT.running) {
      const { execWith } = await import('./execCommand');
      const { baseUrl } = await window.client();
      return await execWith(exec, { browser, service: baseUrl, extensionIds: printer.extensionIds }, signal);
    }
    const isOpen = code === EXIT.running || code === EXIT.delivered;
    if (!watch && (command !== 'run' || once || exec !== undefined || !isOpen)) return code;
    const stays = watch
      ? 'Changes are pushed until Ctrl+C or until you close the browser.'
      : 'It stays open until Ctrl+C or until you close it.';
    if (!json) print(stays);
    printer.follow();
    const builds = new WrittenBuilds(polls, {
      isComplete: (path, written) => window.isComplete(path, written),
      push: (path) => printer.showLater(window.push(path, browser, { skipUnchanged: printer.isRunning(path) }, signal)),
      warn: (reason) => log.warn(reason),
    });
    window.gate.follow(() => builds.untilPushed());
    const isThere = await untilEnded(window, browser, signal);
    await builds.end();
    if (!isThere && !json) print('The browser was closed.');
    return printer.exitCode;
  } finally {
    await end();
  }
}

/** Waits until a browser has ended, or `signal` aborts; resolves to whether it was there until then, as far as the service has said. */
async function untilEnded(window: HeadlessWindow, { id }: Browser, signal: AbortSignal): Promise<boolean> {
  const connecting = window.client();
  const client = await connecting;
  const isEnded = async (): Promise<boolean> => (await client.findBrowser(id, signal)) === undefined;
  while (!signal.aborted) {
    await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
    // The local service has ended with its browsers.
    if (window.connecting !== connecting) return false;
    // Whether it runs is not known while the service does not answer.
    if (await isEnded().catch(() => false)) return false;
  }
  return true;
}
