import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Logger } from './log';

/** The local service had this long to print its address. */
const START_LIMIT_MS = 20_000;

/** How long a running service may take to answer the request for a lease. */
const LEASE_LIMIT_MS = 3000;

export interface LocalServiceOptions {
  /** Path of the bundle `local.js`. */
  script: string;
  /** Folder for its sessions and profiles, shared by all windows of this user. */
  dataDir: string;
  /** Chromium to start; empty for the one that the service finds. */
  browserPath: string;
  log: Logger;
  /** Called once when the connection to the service ends without `dispose`. */
  onLost: () => void;
}

/** The local service could not be started; the message is for people. */
export class LocalServiceError extends Error {
  override readonly name = 'LocalServiceError';
}

/** A running local service that this process keeps alive. */
export interface LocalService {
  baseUrl: string;
  token: string;
  /** True when this call started it, false when another window had. */
  started: boolean;
  /** Lets go of it; it ends by itself when nobody holds it any more. */
  dispose(): void;
}

/**
 * The local service of this user: the running one, or else a new process. It lives as long as somebody holds a lease, which is
 * an open connection, so that a killed editor lets go as surely as a closed one.
 * @throws LocalServiceError
 */
export async function connectLocalService(options: LocalServiceOptions, signal?: AbortSignal): Promise<LocalService> {
  const running = await readState(options.dataDir);
  if (running) {
    const held = await takeLease(running, options.onLost).catch(() => undefined);
    if (held) {
      options.log.debug('The local service is running already.');
      return { ...running, started: false, dispose: held };
    }
  }
  signal?.throwIfAborted();
  const address = await startProcess(options);
  try {
    return { ...address, started: true, dispose: await takeLease(address, options.onLost) };
  } catch (cause) {
    throw new LocalServiceError('The local service started but does not answer. See the log.', { cause });
  }
}

interface Address {
  baseUrl: string;
  token: string;
}

async function readState(dataDir: string): Promise<Address | undefined> {
  try {
    return decodeAddress(await readFile(join(dataDir, 'service.json'), 'utf8'));
  } catch {
    // No file, or one of a service that was killed while writing it: start a new one.
    return undefined;
  }
}

function decodeAddress(text: string): Address | undefined {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || !('baseUrl' in value) || !('token' in value)) return undefined;
  const { baseUrl, token } = value;
  return typeof baseUrl === 'string' && typeof token === 'string' ? { baseUrl, token } : undefined;
}

/** Starts `local.js` with the Node that runs this code, and reads the one line of JSON that it prints when it is ready. */
function startProcess(options: LocalServiceOptions): Promise<Address> {
  const args = [options.script, '--shared', '--data-dir', options.dataDir];
  if (options.browserPath !== '') args.push('--browser', options.browserPath);
  const child = spawn(process.execPath, args, {
    // Outlives this window when another one still holds a lease.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    // In desktop VS Code `execPath` is Electron, which is a Node only with this variable.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    windowsHide: true,
  });
  return new Promise((resolve, reject) => {
    let printed = '';
    let complaints = '';
    const fail = (why: string, cause?: unknown): void => {
      clearTimeout(timer);
      if (child.exitCode === null) child.kill('SIGKILL');
      const lines = complaints.split('\n').filter((line) => line.trim() !== '');
      // A crash prints its error in the middle, between source and stack; a refusal is the last line.
      const said = lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1) ?? why;
      reject(new LocalServiceError(`The local service did not start: ${said}`, { cause }));
    };
    const timer = setTimeout(() => {
      fail(`no answer within ${START_LIMIT_MS / 1000} s`);
    }, START_LIMIT_MS);
    child.once('error', (error) => {
      fail(error.message, error);
    });
    child.once('exit', (code) => {
      if (!printed.includes('\n')) fail(`it ended with code ${code}`);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaints = (complaints + text).slice(-4000);
      options.log.debug(`local service: ${text.trimEnd()}`);
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      const end = printed.indexOf('\n');
      if (end < 0) return;
      try {
        const address = decodeAddress(printed.slice(0, end));
        if (!address) throw new Error('it printed no address');
        clearTimeout(timer);
        letGo(child);
        resolve(address);
      } catch (error) {
        fail('it printed something that is not its address', error);
      }
    });
  });
}

/** Keeps the child's output flowing without keeping this process alive for it. */
function letGo(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.resume();
    if (stream instanceof Socket) stream.unref();
  }
}

/** Opens the connection that keeps the service alive; the returned function closes it. */
function takeLease({ baseUrl, token }: Address, onLost: () => void): Promise<() => void> {
  return new Promise((resolve, reject) => {
    let released = false;
    const request = get(`${baseUrl}/sideload/lease`, { headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.resume();
      if (response.statusCode !== 200) {
        released = true;
        request.destroy();
        reject(new Error(`the lease was answered with ${response.statusCode}`));
        return;
      }
      request.setTimeout(0);
      response.once('close', () => {
        if (!released) onLost();
      });
      resolve(() => {
        released = true;
        request.destroy();
      });
    });
    request.setTimeout(LEASE_LIMIT_MS, () => request.destroy(new Error('no answer')));
    request.once('error', (error) => {
      if (!released) reject(error);
    });
  });
}
