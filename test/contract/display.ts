import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { ensureDisplayPrograms } from '../support/displayPrograms';

const run = promisify(execFile);

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

  /** Starts one under a number of its own; its programs are installed when they can be. */
  static async start(): Promise<Display> {
    await ensureDisplayPrograms(console.log);
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
