import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readlink, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { CDPSession } from 'puppeteer-core/internal/api/CDPSession.js';
import { Connection } from 'puppeteer-core/internal/cdp/Connection.js';
import { _keyDefinitions } from 'puppeteer-core/internal/common/USKeyboardLayout.js';
import { PipeTransport } from 'puppeteer-core/internal/node/PipeTransport.js';
import { internal, messageOf } from '../errors';
import { isAlive, runningOfGroup } from '../processes';
import { chromiumFlags, type ChromiumLaunch } from './chromiumFlags';

/** The service's own limit for a start (its later images wait as long). */
const START_LIMIT_MS = 90_000;
const COMMAND_LIMIT_MS = 30_000;
const GRACEFUL_CLOSE_MS = 5_000;
const GROUP_END_LIMIT_MS = 250;
const GROUP_POLL_MS = 10;
const KEPT_STDERR_LINES = 20;
/** Links in the profile, to files of the same name where the socket is. */
const SOCKET = 'SingletonSocket';
const COOKIE = 'SingletonCookie';
const LISTENING = /^DevTools listening on (ws:\/\/\S+)/;

/** A DevTools session with one page; ends with the work it was opened for. */
export type PageSession = CDPSession;

/** The keys of a US keyboard in the terms of DevTools' input commands, by name of the key or of its place. */
export const US_KEYBOARD = _keyDefinitions;

/** An extension as the browser itself lists it. */
export interface LoadedExtension {
  id: string;
  name: string;
  version: string;
  path: string;
  enabled: boolean;
}

/** One running Chromium of a session. It ends when told to, when it crashes, or when this process ends in any way. */
export class Chromium {
  /** Settles when the process has ended, for whatever reason, and its locks are gone. */
  readonly ended: Promise<void>;

  private constructor(
    private readonly child: ChildProcess,
    private readonly connection: Connection,
    readonly pid: number,
    /** Websocket address of the browser target, on loopback; holds a secret. */
    readonly debuggerUrl: string,
    userDataFolder: string,
  ) {
    // Locks that cannot be removed are met, and told, by the next start.
    this.ended = hasEnded(child).then(() => removeLocks(userDataFolder).catch(() => undefined));
  }

  /** Starts the browser and waits until DevTools answers; throws an `ApiError` 500 with Chromium's last words if not. */
  static async start(launch: ChromiumLaunch): Promise<Chromium> {
    await removeLocks(launch.userDataFolder);
    const child = spawn(launch.executable, chromiumFlags(launch), {
      // A process group of its own: it can be killed whole, and Ctrl+C in a terminal reaches the service first.
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      windowsHide: launch.headless,
    });
    // A failed signal is told by an event; the exit is what counts.
    child.on('error', () => undefined);
    const stderr = new StderrReader(child);
    const abort = new AbortController();
    try {
      const failed = Promise.race([
        once(child, 'error').then(([error]) => Promise.reject(asError(error))),
        once(child, 'exit').then(() => Promise.reject(new Error('it ended at once'))),
        delay(START_LIMIT_MS, undefined, { signal: abort.signal, ref: false }).then(() =>
          Promise.reject(new Error(`DevTools did not answer within ${START_LIMIT_MS / 1000} s`)),
        ),
      ]);
      failed.catch(() => undefined);
      const connection = connect(child);
      const [debuggerUrl] = await Promise.race([
        Promise.all([stderr.debuggerUrl, connection.send('Browser.getVersion')]),
        failed,
      ]);
      if (child.pid === undefined) throw new Error('it has no process id');
      const chromium = new Chromium(child, connection, child.pid, debuggerUrl, launch.userDataFolder);
      await chromium.#fitWindow(launch);
      return chromium;
    } catch (error) {
      await killGroup(child);
      await removeLocks(launch.userDataFolder).catch(() => undefined);
      const details = stderr.lines.map((message) => ({ code: 'browser_output', message }));
      throw internal(`The browser ${launch.executable} could not be started: ${messageOf(error)}.`, details);
    } finally {
      abort.abort();
    }
  }

  /** Sends a command of the browser target over the pipe. */
  readonly send: Connection['send'] = (method, params, options) => this.connection.send(method, params, options);

  /** The extensions the browser has, as its DevTools list them. */
  async extensions(): Promise<LoadedExtension[]> {
    const { extensions } = await this.connection.send('Extensions.getExtensions');
    return extensions;
  }

  /** Loads (or reloads) an unpacked folder; rejects with Chromium's own sentence when it refuses. */
  async loadUnpacked(folder: string): Promise<void> {
    try {
      await this.connection.send('Extensions.loadUnpacked', { path: folder });
    } catch (error) {
      throw new Error(messageOf(error).replace(/^Protocol error \([^)]*\): /, ''), { cause: error });
    }
  }

  /** Runs `work` on a DevTools session with one page, and lets go of the page afterwards. */
  async onPage<T>(targetId: string, work: (page: PageSession) => Promise<T>): Promise<T> {
    const { targetInfos } = await this.connection.send('Target.getTargets');
    const target = targetInfos.find((info) => info.targetId === targetId);
    if (!target) throw internal('The page went away.');
    const page = await this.connection.createSession(target);
    try {
      return await work(page);
    } finally {
      await page.detach().catch(() => undefined);
    }
  }

  /** Ends the browser the way the service does at a restart: SIGKILL, no grace. Resolves when it has `ended`. */
  async kill(): Promise<void> {
    await killGroup(this.child);
    await this.ended;
  }

  /** Lets the browser write its state and quit; killed when that takes more than five seconds. */
  async close(): Promise<void> {
    this.connection.send('Browser.close').catch(() => undefined);
    await Promise.race([this.ended, delay(GRACEFUL_CLOSE_MS, undefined, { ref: false })]);
    await this.kill();
  }

  /** Gives the page itself the size of the viewport; the window around it is larger. */
  async #fitWindow(launch: ChromiumLaunch): Promise<void> {
    const { targetInfos } = await this.connection.send('Target.getTargets');
    const page = targetInfos.find((info) => info.type === 'page');
    if (page) await fitContents(this, page.targetId, launch.viewport.width, launch.viewport.height);
  }
}

/** Sets the size of the page area of the window that shows a target. A screen too small for it gives what it can. */
export async function fitContents(chromium: Chromium, targetId: string, width: number, height: number): Promise<void> {
  try {
    const { windowId } = await chromium.send('Browser.getWindowForTarget', { targetId });
    await chromium.send('Browser.setContentsSize', { windowId, width, height });
  } catch {
    // A maximised, full-screen or kiosk window keeps its size; coordinates are checked against the viewport anyway.
  }
}

function connect(child: ChildProcess): Connection {
  const [, , , toBrowser, fromBrowser] = child.stdio;
  if (!(toBrowser instanceof Writable) || !(fromBrowser instanceof Readable))
    throw new Error('it has no DevTools pipe');
  return new Connection('', new PipeTransport(toBrowser, fromBrowser), 0, COMMAND_LIMIT_MS);
}

/** Reads Chromium's stderr to its end: a full pipe would stop the browser. */
class StderrReader {
  readonly lines: string[] = [];
  readonly debuggerUrl: Promise<string>;

  constructor(child: ChildProcess) {
    this.debuggerUrl = new Promise((resolve) => {
      if (!child.stderr) return;
      createInterface({ input: child.stderr }).on('line', (line) => {
        const url = LISTENING.exec(line)?.[1];
        // That line holds the secret of the DevTools address: never kept.
        if (url !== undefined) return resolve(url);
        this.lines.push(line);
        if (this.lines.length > KEPT_STDERR_LINES) this.lines.shift();
      });
    });
  }
}

function hasEnded(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return Promise.resolve();
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

async function killGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  const ended = hasEnded(child);
  if (process.platform === 'win32') {
    // Chromium's other processes are in a job of the first one and end with it.
    child.kill('SIGKILL');
    return ended;
  }
  const group = -child.pid;
  if (!signal(group, 'SIGKILL')) return ended;
  await ended;
  // The network process may still hold the cookie file; a new start must not meet it. Where the system lists no processes and
  // nobody reaps orphans, their remains stay visible, hence the limit.
  const limit = Date.now() + GROUP_END_LIMIT_MS;
  const members = runningOfGroup(child.pid);
  const isLeft = (): boolean => (members ? members.some(isAlive) : signal(group, 0));
  while (isLeft() && Date.now() < limit) await delay(GROUP_POLL_MS);
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/**
 * Removes what says that a browser has this profile. A killed one leaves it, and the next start would first ask who that is.
 * The socket to ask at lies in a folder of its own, in the system's temporary folder.
 */
async function removeLocks(userDataFolder: string): Promise<void> {
  const socket = await readlink(path.join(userDataFolder, SOCKET)).catch(() => undefined);
  if (socket !== undefined && path.basename(socket) === SOCKET) await removeSocketFolder(path.dirname(socket));
  const locks = [SOCKET, COOKIE, 'SingletonLock', 'DevToolsActivePort'];
  await Promise.all(locks.map((name) => rm(path.join(userDataFolder, name), { force: true })));
}

/** Where more is in the folder than a browser makes, it is another's, and stays. */
async function removeSocketFolder(folder: string): Promise<void> {
  await Promise.all([SOCKET, COOKIE].map((name) => rm(path.join(folder, name), { force: true })));
  await rmdir(folder).catch(() => undefined);
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
