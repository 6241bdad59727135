import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';

const run = promisify(execFile);

const APT_LIMIT_MS = 600_000;
const START_LIMIT_MS = 20_000;

const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** A screen without a monitor (Xvfb) for browsers with windows, and a keyboard that reaches whatever window is in front. */
export class Display {
  private constructor(
    private readonly child: ChildProcess,
    /** As in the environment variable DISPLAY. */
    readonly name: string,
  ) {}

  /** Starts one under a number of its own. Installs what it needs where that can be done without asking (Debian, as root). */
  static async start(): Promise<Display> {
    await ensureProgram('Xvfb', ['-help'], 'xvfb');
    await ensureProgram('xdotool', ['version'], 'xdotool');
    // It tells its number on the fourth channel.
    const args = ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'];
    const child = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    running.add(child);
    child.once('exit', () => running.delete(child));
    const told = child.stdio[3];
    assert(told instanceof Readable);
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('Xvfb ended at once.')));
    ended.catch(() => undefined);
    const signal = AbortSignal.timeout(START_LIMIT_MS);
    const number = String(await Promise.race([once(told, 'data', { signal }), ended])).trim();
    return new Display(child, `:${number}`);
  }

  /** Presses a key by its X name, as a person at the keyboard would. */
  async press(key: string): Promise<void> {
    await this.#tool('key', key);
  }

  /** Titles of the windows that can be seen. */
  async titles(): Promise<string[]> {
    const ids = (await this.#tool('search', '--onlyvisible', '--name', '.').catch(() => ''))
      .split('\n')
      .filter(Boolean);
    return Promise.all(ids.map(async (id) => (await this.#tool('getwindowname', id).catch(() => '')).trim()));
  }

  async stop(): Promise<void> {
    const exited = once(this.child, 'exit');
    if (this.child.exitCode !== null || !this.child.kill('SIGTERM')) return;
    await exited;
  }

  async #tool(...args: string[]): Promise<string> {
    return (await run('xdotool', args, { env: { ...process.env, DISPLAY: this.name } })).stdout;
  }
}

/** Makes sure that a program is there; throws with what to install. */
async function ensureProgram(program: string, args: readonly string[], debianPackage: string): Promise<void> {
  const isThere = (): Promise<boolean> =>
    run(program, args).then(
      () => true,
      (error: unknown) => !(error instanceof Error && 'code' in error && error.code === 'ENOENT'),
    );
  if (await isThere()) return;
  if (process.getuid?.() === 0) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const install = ['install', '-y', '--no-install-recommends', debianPackage];
    await run('apt-get', ['update'], { env, timeout: APT_LIMIT_MS }).catch(() => undefined);
    await run('apt-get', install, { env, timeout: APT_LIMIT_MS }).catch(() => undefined);
  }
  assert(await isThere(), `Install the program ${program} (Debian and Ubuntu: apt-get install ${debianPackage}).`);
}
