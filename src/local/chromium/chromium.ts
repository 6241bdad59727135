import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Protocol } from 'devtools-protocol';
import type { CDPSession } from 'puppeteer-core/internal/api/CDPSession.js';
import { Connection } from 'puppeteer-core/internal/cdp/Connection.js';
import type { ConnectionTransport } from 'puppeteer-core/internal/common/ConnectionTransport.js';
import { _keyDefinitions } from 'puppeteer-core/internal/common/USKeyboardLayout.js';
import { internalError, messageOf } from '../httpErrors';
import { isAlive, runningInGroup } from '../processes';
import { BrowserPipe } from './browserPipe';
import { chromiumFlags, type ChromiumLaunch } from './chromiumFlags';
import { removeLocks } from './locks';
import { SharedPipe } from './sharedPipe';

/** The service's own limit for a start, in its later images. */
const START_LIMIT_MS = 90_000;
const COMMAND_LIMIT_MS = 30_000;
const GRACEFUL_CLOSE_MS = 5_000;
const GROUP_END_LIMIT_MS = 250;
const GROUP_POLL_MS = 10;
/** How long the pipe may stay open after the browser's process, in milliseconds: a child of it may have it, too. */
const PIPE_END_LIMIT_MS = 250;
const KEPT_STDERR_LINES = 20;

/** A DevTools session with one page, closed after its use. */
export type PageSession = CDPSession;

/** The keys of a US keyboard in the terms of DevTools' input commands, by key or by code. */
export const US_KEYBOARD = _keyDefinitions;

/** Chromium has refused an extension; the message is its text. */
export class RefusalError extends Error {
  override readonly name = 'RefusalError';
}

/** A running Chromium of a session. It ends on request, when it crashes, and when this process ends in any way. */
export class Chromium {
  /** Resolves when the process has ended, for any reason, and its locks are removed. */
  readonly ended: Promise<void>;

  private constructor(
    private readonly child: ChildProcess,
    /** What the clients of DevTools share. */
    readonly pipe: SharedPipe,
    private readonly connection: Connection,
    readonly pid: number,
    userDataFolder: string,
  ) {
    // Clients get what the browser has said last before they are closed. If locks cannot be removed, the next start reports it.
    this.ended = hasEnded(child)
      .then(() => Promise.race([pipe.ended, delay(PIPE_END_LIMIT_MS, undefined, { ref: false })]))
      .then(() => removeLocks(userDataFolder).catch(() => undefined));
  }

  /** Starts the browser and waits until DevTools answers; otherwise throws an `ApiError` 500 with Chromium's last output. */
  static async start(launch: ChromiumLaunch): Promise<Chromium> {
    await removeLocks(launch.userDataFolder);
    const child = spawn(launch.executable, chromiumFlags(launch), {
      // In its own process group, the browser can be killed with its children, and Ctrl+C in a terminal does not reach it.
      detached: hasGroups(process.platform),
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      windowsHide: launch.headless,
    });
    // A failed signal emits an error; only the exit matters.
    child.on('error', () => undefined);
    const output = lastLines(child);
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
      const pipe = sharedPipe(child);
      const connection = ownConnection(pipe);
      // Without a limit of its own, which is that of a command.
      await Promise.race([connection.send('Browser.getVersion', undefined, { timeout: 0 }), failed]);
      if (child.pid === undefined) throw new Error('it has no process id');
      const chromium = new Chromium(child, pipe, connection, child.pid, launch.userDataFolder);
      await chromium.#fitWindow(launch);
      return chromium;
    } catch (error) {
      await killGroup(child);
      await removeLocks(launch.userDataFolder).catch(() => undefined);
      const details = output.map((message) => ({ code: 'browser_output', message }));
      throw internalError(`The browser ${launch.executable} could not be started: ${messageOf(error)}.`, details);
    } finally {
      abort.abort();
    }
  }

  /** Sends a command of the browser target over the pipe. */
  readonly send: Connection['send'] = (method, params, options) => this.connection.send(method, params, options);

  /** Opens a DevTools session with the browser target, for a client that then joins with its id. */
  async openSession(): Promise<string> {
    return (await this.connection.send('Target.attachToBrowserTarget')).sessionId;
  }

  /** Closes an opened session with all that was opened over it, such as paused pages and emulations. */
  closeSession(session: string): void {
    // The browser may have ended, and the session with it.
    this.connection.send('Target.detachFromTarget', { sessionId: session }).catch(() => undefined);
  }

  /** Loads (or reloads) an unpacked extension. @throws RefusalError; another error when the browser did not answer. */
  async loadUnpacked(folder: string): Promise<void> {
    try {
      await this.connection.send('Extensions.loadUnpacked', { path: folder });
    } catch (error) {
      throw refusalOf(error) ?? error;
    }
  }

  /** Runs `work` with a DevTools session of one page, and then detaches it. */
  async onPage<T>(targetId: string, work: (page: PageSession) => Promise<T>): Promise<T> {
    const { targetInfos } = await this.connection.send('Target.getTargets');
    const target = targetInfos.find((info) => info.targetId === targetId);
    if (!target) throw internalError('The page was closed.');
    return await this.onTarget(target, work);
  }

  /** Runs `work` with a DevTools session of a target that is open, and then detaches it. */
  async onTarget<T>(target: Protocol.Target.TargetInfo, work: (session: CDPSession) => Promise<T>): Promise<T> {
    const session = await this.connection.createSession(target);
    try {
      return await work(session);
    } finally {
      await session.detach().catch(() => undefined);
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

/** The refusal in the error of a command; undefined when that is not the browser's answer, but its absence. */
export function refusalOf(error: unknown): RefusalError | undefined {
  const [, text] = /^Protocol error \([^)]*\): (.*)$/s.exec(messageOf(error)) ?? [];
  return text === undefined ? undefined : new RefusalError(text, { cause: error });
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

function sharedPipe(child: ChildProcess): SharedPipe {
  const [, , , toBrowser, fromBrowser] = child.stdio;
  if (!(toBrowser instanceof Writable) || !(fromBrowser instanceof Readable))
    throw new Error('it has no DevTools pipe');
  return new SharedPipe(new BrowserPipe(toBrowser, fromBrowser));
}

/** The service's own connection, which has no session. */
function ownConnection(pipe: SharedPipe): Connection {
  const client = pipe.join(undefined, {
    onMessage: (message) => transport.onmessage?.(message.toString('utf8')),
    onClosed: () => transport.onclose?.(),
  });
  const transport: ConnectionTransport = {
    send: (message) => client.send(JSON.parse(message)),
    close: () => client.leave(),
  };
  return new Connection('', transport, 0, COMMAND_LIMIT_MS);
}

/** Reads all of Chromium's stderr, since a full pipe would block the browser, and remembers the last lines. */
function lastLines(child: ChildProcess): readonly string[] {
  const lines: string[] = [];
  if (!child.stderr) return lines;
  createInterface({ input: child.stderr }).on('line', (line) => {
    lines.push(line);
    if (lines.length > KEPT_STDERR_LINES) lines.shift();
  });
  return lines;
}

function hasEnded(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return Promise.resolve();
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

/** Whether processes have groups, which are killed together; on Windows a detached one has a console of its own instead. */
function hasGroups(platform: NodeJS.Platform): boolean {
  return platform !== 'win32';
}

/** Kills a browser with its children, the group of which it leads where there are groups. Resolves when they have ended, as far as that is known. */
export async function killGroup(child: ChildProcess, platform = process.platform): Promise<void> {
  if (child.pid === undefined) return;
  const ended = hasEnded(child);
  if (!hasGroups(platform)) {
    // The other processes end with the main process (C-END-JOB).
    child.kill('SIGKILL');
    return ended;
  }
  const group = -child.pid;
  if (!signal(group, 'SIGKILL')) return ended;
  await ended;
  // The network process may still have the cookie file open, so a new start has to wait for its end. Where processes cannot be listed,
  // zombies of the group look alive; hence the limit.
  const limit = Date.now() + GROUP_END_LIMIT_MS;
  const members = signal(group, 0) ? await runningInGroup(child.pid, platform) : [];
  const isRunning = (): boolean => (members ? members.some((pid) => isAlive(pid, platform)) : signal(group, 0));
  while (isRunning() && Date.now() < limit) await delay(GROUP_POLL_MS);
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
