// Covers: src/local
import Kernel from '@onkernel/sdk';
import { build } from 'esbuild';
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BUNDLES } from '../../.esbuild';
import { SERVICE_USER } from '../support/extensionsRoot';
import { isLoadingOverDevTools } from '../support/loading';

// Not in dist/: another build there would take the program away from under the tests.
const BUILD = mkdtempSync(path.join(tmpdir(), 'sideload-build-'));
// Some tests run it as another user.
chmodSync(BUILD, 0o755);
/** The options of the service that tests have with more than ours: `test/standins/local/main.ts`. */
const VARIANT_OPTIONS = ['--behaviour', '--faults', '--pools'];
const VARIANT_SCRIPT = path.join(BUILD, 'variant.js');
/** The bundle that `buildService` makes. */
export const SCRIPT = path.join(BUILD, 'local.js');
const START_LIMIT_MS = 20_000;
const running = new Set<ChildProcess>();

// Whatever ends the test run, no service stays; its browsers end with it.
process.once('exit', () => {
  running.forEach((child) => child.kill('SIGKILL'));
  rmSync(BUILD, { recursive: true, force: true });
});

let built: Promise<unknown> | undefined;

/** Builds the service's program, as `dist/local.js` is built, once per test run; beside it the one with more. */
export function buildService(): Promise<unknown> {
  const { local } = BUNDLES;
  const variant = path.join(__dirname, '..', 'standins', 'local', 'main.ts');
  built ??= Promise.all([
    build({ ...local, sourcemap: 'inline', outfile: SCRIPT }),
    build({ ...local, entryPoints: [variant], sourcemap: 'inline', outfile: VARIANT_SCRIPT }),
  ]);
  return built;
}

/** The user who runs a service; by default the one who runs the tests. */
export interface User {
  uid?: number;
  gid?: number;
}

export interface ServiceExit {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A local service as a process of its own, with the official client pointed at it. */
export class TestService {
  readonly client: Kernel;

  private constructor(
    private readonly child: ChildProcess,
    readonly exited: Promise<ServiceExit>,
    readonly baseUrl: string,
    readonly token: string,
    readonly dataFolder: string,
    private readonly ownsFolder: boolean,
  ) {
    this.client = new Kernel({ baseURL: baseUrl, apiKey: token, maxRetries: 0 });
  }

  /** Starts one; without a folder it gets a new one that goes at its end. */
  static async start(
    args: readonly string[] = [],
    dataFolder?: string,
    env?: NodeJS.ProcessEnv,
    user?: User,
  ): Promise<TestService> {
    const folder = dataFolder ?? (await newFolder());
    const { child, exited } = await launch([...args, '--data-dir', folder], env, user);
    const { baseUrl, token } = await firstLine(child, exited);
    return new TestService(child, exited, baseUrl, token, folder, dataFolder === undefined);
  }

  get pid(): number {
    assert(this.child.pid !== undefined);
    return this.child.pid;
  }

  /** A raw request with the token; `headers` may replace it. */
  request(pathAndQuery: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers({ authorization: `Bearer ${this.token}` });
    new Headers(init.headers).forEach((value, name) => headers.set(name, value));
    return fetch(this.baseUrl + pathAndQuery, { ...init, headers });
  }

  /** Sends a signal and waits for the end. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<ServiceExit> {
    this.child.kill(signal);
    return this.exited;
  }

  /** Ends it and removes its data. */
  async stop(): Promise<void> {
    const exit = await this.end();
    if (this.ownsFolder) await rm(this.dataFolder, { recursive: true, force: true, maxRetries: 5 });
    assert.equal(exit.stderr, '', 'the service complained');
  }
}

/** Runs the service's program to its end, for command lines that do not start a service. */
export async function runToEnd(args: readonly string[]): Promise<ServiceExit> {
  const { exited } = await launch(args);
  return exited;
}

/** A new empty folder under the system's temporary one, by the path that programs see of it: that of Windows may be a short one. */
export async function newFolder(): Promise<string> {
  return await realpath(await mkdtemp(path.join(tmpdir(), 'sideload-contract-')));
}

async function launch(args: readonly string[], env: NodeJS.ProcessEnv = process.env, user: User = {}) {
  await buildService();
  const loading = isLoadingOverDevTools() ? ['--load-over-devtools'] : [];
  const home = ['--service-user', SERVICE_USER];
  const script = args.some((arg) => VARIANT_OPTIONS.includes(arg)) ? VARIANT_SCRIPT : SCRIPT;
  const child = spawn(process.execPath, [script, ...home, ...args, ...loading], {
    ...user,
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  running.add(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const exited = once(child, 'close').then(([code]): ServiceExit => {
    running.delete(child);
    return { code: typeof code === 'number' ? code : null, ...output };
  });
  return { child, exited };
}

async function firstLine(
  child: ChildProcess,
  exited: Promise<ServiceExit>,
): Promise<{ baseUrl: string; token: string }> {
  const line = new Promise<string>((resolve) => {
    let text = '';
    child.stdout?.on('data', (more: string) => {
      text += more;
      if (text.includes('\n')) resolve(text);
    });
  });
  const failed = exited.then(({ code, stderr }) => Promise.reject(new Error(`It ended with ${code}: ${stderr}`)));
  failed.catch(() => undefined);
  const late = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The service printed no address.')), START_LIMIT_MS);
    void Promise.race([line, exited]).then(() => clearTimeout(timer));
  });
  const value: unknown = JSON.parse(await Promise.race([line, failed, late]));
  assert(typeof value === 'object' && value !== null && 'baseUrl' in value && 'token' in value);
  assert(typeof value.baseUrl === 'string' && typeof value.token === 'string');
  assert.deepEqual(Object.keys(value), ['baseUrl', 'token']);
  return { baseUrl: value.baseUrl, token: value.token };
}
