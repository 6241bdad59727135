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
import { internalError, messageOf } from '../errors';
import { isAlive, runningInGroup } from '../processes';
import { chromiumFlags, type ChromiumLaunch } from './chromiumFlags';

/** The service's own limit for a start, in its later images. */
const START_LIMIT_MS = 90_000;
const COMMAND_LIMIT_MS = 30_000;
const GRACEFUL_CLOSE_MS = 5_000;
const GROUP_END_LIMIT_MS = 250;
const GROUP_POLL_MS = 10;
const KEPT_STDERR_LINES = 20;
/** Links in the profile, to files of the same name in the folder of the socket. */
const SOCKET = 'SingletonSocket';
const COOKIE = 'SingletonCookie';
const LISTENING = /^DevTools listening on (ws:\/\/\S+)/;

/** A DevTools session with one page, closed after its use. */
export type PageSession = CDPSession;

/** The keys of a US keyboard in the terms of DevTools' input commands, by key or by code. */
export const US_KEYBOARD = _keyDefinitions;

/** An extension in the browser's own list. */
export interface LoadedExtension {
  id: string;
  name: string;
  version: string;
  path: string;
  enabled: boolean;
}

/** A running Chromium of a session. It ends on request, when it crashes, and when this process ends in any way. */
export class Chromium {
  /** Resolves when the process has ended, for any reason, and its locks are removed. */
  readonly ended: Promise<void>;

  private constructor(
    private readonly child: ChildProcess,
    private readonly connection: Connection,
    readonly pid: number,
    /** WebSocket URL of the browser target, on loopback; contains a secret. */
    readonly debuggerUrl: string,
    userDataFolder: string,
  ) {
    // If locks cannot be removed, the next start reports it.
    this.ended = hasEnded(child).then(() => removeLocks(userDataFolder).catch(() => undefined));
  }

  /** Starts the browser and waits until DevTools answers; otherwise throws an `ApiError` 500 with Chromium's last output. */
  static async start(launch: ChromiumLaunch): Promise<Chromium> {
    await removeLocks(launch.userDataFolder);
    const child = spawn(launch.executable, chromiumFlags(launch), {
      // In its own process group, the browser can be killed with its children, and Ctrl+C in a terminal does not reach it.
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      windowsHide: launch.headless,
    });
    // A failed signal emits an error; only the exit matters.
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
      throw internalError(`The browser ${launch.executable} could not be started: ${messageOf(error)}.`, details);
    } finally {
      abort.abort();
    }
  }

  /** Sends a command of the browser target over the pipe. */
  readonly send: Connection['send'] = (method, params, options) => this.connection.send(method, params, options);

  /** The extensions in the browser, as listed by DevTools. */
  async extensions(): Promise<LoadedExtension[]> {
    const { extensions } = await this.connection.send('Extensions.getExtensions');
    return extensions;
  }

  /** Loads (or reloads) an unpacked extension; rejects with Chromium's text when it refuses. */
  async loadUnpacked(folder: string): Promise<void> {
    try {
      await this.connection.send('Extensions.loadUnpacked', { path: folder });
    } catch (error) {
      throw new Error(messageOf(error).replace(/^Protocol error \([^)]*\): /, ''), { cause: error });
    }
  }

  /** Runs `work` with a DevTools session of one page, and then detaches it. */
  async onPage<T>(targetId: string, work: (page: PageSession) => Promise<T>): Promise<T> {
    const { targetInfos } = await this.connection.send('Target.getTargets');
    const target = targetInfos.find((info) => info.targetId === targetId);
    if (!target) throw internalError('The page was closed.');
    const page = await this.connection.createSession(target);
    try {
      return await work(page);
    } finally {
      await page.detach().catch(() => undefined);
    }
  }

  /** Kills the browser with SIGKILL, as the service does at a restart. Resolves when it has `ended`. */
  async kill(): Promise<void> {
    await killGroup(this.child);
    await this.ended;
  }

  /** Closes the browser so that it saves its state; kills it after five seconds. */
  async close(): Promise<void> {
    this.connection.send('Browser.close').catch(() => undefined);
    await Promise.race([this.ended, delay(GRACEFUL_CLOSE_MS, undefined, { ref: false })]);
    await this.kill();
  }

  /** Gives the page the size of the viewport; the window is larger. */
  async #fitWindow(launch: ChromiumLaunch): Promise<void> {
    const { targetInfos } = await this.connection.send('Target.getTargets');
    const page = targetInfos.find((info) => info.type === 'page');
    if (page) await fitContents(this, page.targetId, launch.viewport.width, launch.viewport.height);
  }
}

/** Sets the size of the page area in the window of a target, as far as the screen allows. */
export async function fitContents(chromium: Chromium, targetId: string, width: number, height: number): Promise<void> {
  try {
    const { windowId } = await chromium.send('Browser.getWindowForTarget', { targetId });
    await chromium.send('Browser.setContentsSize', { windowId, width, height });
  } catch {
    // A maximised, full-screen or kiosk window cannot be resized; coordinates are checked against the viewport anyway.
  }
}

function connect(child: ChildProcess): Connection {
  const [, , , toBrowser, fromBrowser] = child.stdio;
  if (!(toBrowser instanceof Writable) || !(fromBrowser instanceof Readable))
    throw new Error('it has no DevTools pipe');
  return new Connection('', new PipeTransport(toBrowser, fromBrowser), 0, COMMAND_LIMIT_MS);
}

/** Reads all of Chromium's stderr, since a full pipe would block the browser. */
class StderrReader {
  readonly lines: string[] = [];
  readonly debuggerUrl: Promise<string>;

  constructor(child: ChildProcess) {
    this.debuggerUrl = new Promise((resolve) => {
      if (!child.stderr) return;
      createInterface({ input: child.stderr }).on('line', (line) => {
        const url = LISTENING.exec(line)?.[1];
        // That line contains the secret of the DevTools URL, so it is not kept.
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
    // Chromium's other processes are in a job of the main process and end with it.
    child.kill('SIGKILL');
    return ended;
  }
  const group = -child.pid;
  if (!signal(group, 'SIGKILL')) return ended;
  await ended;
  // The network process may still have the cookie file open, so a new start has to wait for its end. Where processes cannot be listed,
  // zombies of the group look alive; hence the limit.
  const limit = Date.now() + GROUP_END_LIMIT_MS;
  const members = runningInGroup(child.pid);
  const isRunning = (): boolean => (members ? members.some(isAlive) : signal(group, 0));
  while (isRunning() && Date.now() < limit) await delay(GROUP_POLL_MS);
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/**
 * Removes the lock files of the profile, which a killed browser leaves behind, so that the next start does not contact that browser. Its
 * socket is in a folder of its own, in the system's temporary folder.
 */
async function removeLocks(userDataFolder: string): Promise<void> {
  const socket = await readlink(path.join(userDataFolder, SOCKET)).catch(() => undefined);
  if (socket !== undefined && path.basename(socket) === SOCKET) await removeSocketFolder(path.dirname(socket));
  const locks = [SOCKET, COOKIE, 'SingletonLock', 'DevToolsActivePort'];
  await Promise.all(locks.map((name) => rm(path.join(userDataFolder, name), { force: true })));
}

/** Removes the folder only if it has no other files. */
async function removeSocketFolder(folder: string): Promise<void> {
  await Promise.all([SOCKET, COOKIE].map((name) => rm(path.join(folder, name), { force: true })));
  await rmdir(folder).catch(() => undefined);
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
