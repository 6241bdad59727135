import * as l10n from '@vscode/l10n';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { Socket } from 'node:net';
import { resolve as resolvePath } from 'node:path';
import { succeeds } from '../base/succeeds';
import { optionalText } from '../base/fields';
import { readLocalState } from './localEnd';
import type { Logger } from './logger';

/** Time limit for the local service to print its address, or anything else that shows that it is at work. */
const START_LIMIT_MS = 20_000;

/** Time limit for a running service to answer the request for a lease. */
const LEASE_LIMIT_MS = 3000;

export interface LocalServiceOptions {
  /** Path of the bundle `local.js`. */
  script: string;
  /** The folder of its sessions and profiles, shared by all windows of this user. */
  dataDir: string;
  /** Path of Chromium; empty to let the service find one. Without it, a service that runs already goes on with the one it has. */
  browserPath?: string;
  /** The process that goes on when a window of an editor reloads; the browsers wait longer for the window to come back while it runs. */
  editorPid?: number;
  log: Logger;
  /** Called once when the connection to the service ends without `dispose`. */
  onLost: () => void;
}

/** The local service could not be started; the message can be shown. */
export class LocalServiceError extends Error {
  override readonly name = 'LocalServiceError';
}

/** A running local service that this process keeps alive. */
export interface LocalService {
  baseUrl: string;
  token: string;
  /** True when this call started it, or another program did so at the same time; false when it was already running. */
  started: boolean;
  /** Releases the lease; the service ends when there are no more leases. */
  dispose(): void;
}

/**
 * Connects to the local service of this user, or starts it. The service runs as long as there is a lease, which is an open connection, so
 * that a killed editor releases it as well as a closed one.
 * @throws LocalServiceError
 */
export async function connectLocalService(options: LocalServiceOptions): Promise<LocalService> {
  const running = await readLocalState(options.dataDir);
  if (running) {
    const release = await takeLease(running, options).catch(() => undefined);
    if (release) {
      options.log.debug('The local service is already running.');
      return { baseUrl: running.baseUrl, token: running.token, started: false, dispose: release };
    }
  }
  const address = await startProcess(options);
  try {
    return { ...address, started: true, dispose: await takeLease(address, options) };
  } catch (cause) {
    throw new LocalServiceError(l10n.t('The local service started but does not answer. See the log.'), { cause });
  }
}

interface Address {
  baseUrl: string;
  token: string;
}

function decodeAddress(text: string): Address | undefined {
  const value: unknown = JSON.parse(text);
  const [baseUrl, token] = [optionalText(value, 'baseUrl'), optionalText(value, 'token')];
  return baseUrl === undefined || token === undefined ? undefined : { baseUrl, token };
}

/** Starts `local.js` with the Node of this process, and reads the line of JSON that it prints when it is ready. */
async function startProcess(options: LocalServiceOptions): Promise<Address> {
  const dataDir = resolvePath(options.dataDir);
  const args = [options.script, '--shared', '--data-dir', dataDir];
  if (options.browserPath) args.push('--browser', options.browserPath);
  const isThere = await succeeds(mkdir(dataDir, { recursive: true, mode: 0o700 }));
  const child = spawn(process.execPath, args, {
    // The service outlives this window while another one has a lease.
    detached: true,
    // Windows refuses to rename or remove the folder in which a process runs, and this one may run in that of a project. It also looks there
    // first for programs that are started by their names. Where the folder cannot be made, the service says why.
    ...(isThere && { cwd: dataDir }),
    stdio: ['ignore', 'pipe', 'pipe'],
    // In desktop VS Code `execPath` is Electron, which runs as Node only with this variable.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    windowsHide: true,
  });
  return await new Promise((resolve, reject) => {
    let printed = '';
    let errorOutput = '';
    const fail = (why: string, cause?: unknown): void => {
      clearTimeout(timer);
      if (child.exitCode === null) child.kill('SIGKILL');
      const lines = errorOutput.split('\n').filter((line) => line.trim() !== '');
      // A crash prints its error between source and stack; a refusal is the last line.
      const reason = lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1) ?? why;
      reject(new LocalServiceError(l10n.t('The local service did not start: {0}', reason), { cause }));
    };
    const timer = setTimeout(() => fail(l10n.t('no answer within {0} s', START_LIMIT_MS / 1000)), START_LIMIT_MS);
    child.once('error', (error) => fail(error.message, error));
    child.once('exit', (code) => {
      if (!printed.includes('\n')) fail(l10n.t('it ended with code {0}', String(code)));
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      // It may have to wait for one that ends.
      if (!printed.includes('\n')) timer.refresh();
      errorOutput = (errorOutput + text).slice(-4000);
      options.log.debug(`local service: ${text.trimEnd()}`);
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      const end = printed.indexOf('\n');
      if (end < 0) return;
      try {
        const address = decodeAddress(printed.slice(0, end));
        if (!address) throw new Error('The line is not an address.');
        clearTimeout(timer);
        detach(child);
        resolve(address);
      } catch (error) {
        fail(l10n.t('it printed something other than its address'), error);
      }
    });
  });
}

/** Lets this process end before the child, whose error output is logged until then. */
function detach(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.resume();
    if (stream instanceof Socket) stream.unref();
  }
}

/**
 * Opens the connection that keeps the service running; the returned function closes it. The request names the browser that the service
 * starts from now on: one that runs already was started with an earlier setting.
 */
function takeLease(
  { baseUrl, token }: Address,
  { browserPath, editorPid, onLost }: Pick<LocalServiceOptions, 'browserPath' | 'editorPid' | 'onLost'>,
): Promise<() => void> {
  const query = new URLSearchParams({
    ...(browserPath !== undefined && { browser: browserPath }),
    ...(editorPid !== undefined && { editor: String(editorPid) }),
  });
  return new Promise((resolve, reject) => {
    let released = false;
    const request = get(
      `${baseUrl}/sideload/lease?${query.toString()}`,
      // Node's own agent may ask a proxy of the environment for it.
      { headers: { authorization: `Bearer ${token}` }, agent: new Agent() },
      (response) => {
        response.resume();
        if (response.statusCode !== 200) {
          released = true;
          request.destroy();
          reject(new Error(`The request for a lease was answered with ${response.statusCode}.`));
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
      },
    );
    request.setTimeout(LEASE_LIMIT_MS, () => request.destroy(new Error('no answer')));
    request.once('error', (error) => {
      if (!released) reject(error);
    });
  });
}
