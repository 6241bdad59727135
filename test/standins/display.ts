import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ensureDisplayPrograms } from '../machine/displayPrograms';
import { pngOfXwd } from './xwd';

const run = promisify(execFile);

const START_LIMIT_MS = 60_000;

/** Nothing moves on a screen that is the same so long, and the longest time to wait for that, in milliseconds. */
const STILL_MS = 400;
const STILL_LIMIT_MS = 4000;

const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** A screen without a monitor (Xvfb) for browsers with windows, and a keyboard that reaches whatever window is in front. */
export class Display {
  private constructor(
    private readonly child: ChildProcess,
    /** Where its screen is a file. */
    private readonly folder: string,
    /** As in the environment variable DISPLAY. */
    readonly name: string,
  ) {}

  /** Starts one under a number of its own; its programs are installed when they can be. */
  static async start(): Promise<Display> {
    await ensureDisplayPrograms(console.log);
    const folder = await mkdtemp(join(tmpdir(), 'sideload-display-'));
    // It tells its number on the fourth channel.
    // Without -noreset it forgets a layout of its keyboard when a program disconnects and no other one is connected.
    const args = ['-noreset', '-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp', '-fbdir', folder];
    const child = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    running.add(child);
    child.once('exit', () => {
      running.delete(child);
      rmSync(folder, { recursive: true, force: true });
    });
    const told = child.stdio[3];
    assert(told instanceof Readable);
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('Xvfb ended at once.')));
    ended.catch(() => undefined);
    const signal = AbortSignal.timeout(START_LIMIT_MS);
    const number = String(await Promise.race([once(told, 'data', { signal }), ended])).trim();
    return new Display(child, folder, `:${number}`);
  }

  /** Presses a key by its X name, as a person at the keyboard would. */
  async press(key: string): Promise<void> {
    await this.tool('key', key);
  }

  /** Titles of the windows that can be seen. */
  async titles(): Promise<string[]> {
    const ids = (await this.tool('search', '--onlyvisible', '--name', '.').catch(() => '')).split('\n').filter(Boolean);
    return Promise.all(ids.map(async (id) => (await this.tool('getwindowname', id).catch(() => '')).trim()));
  }

  /** Saves a picture of the screen as PNG, as soon as nothing on it moves, or after a while; makes the folder. */
  async picture(file: string): Promise<void> {
    const end = performance.now() + STILL_LIMIT_MS;
    let screen = await this.#screen();
    for (let isStill = false; !isStill && performance.now() < end;) {
      await delay(STILL_MS);
      const next = await this.#screen();
      isStill = next.equals(screen);
      screen = next;
    }
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, pngOfXwd(screen));
  }

  /** Gives the keyboard a layout such as `de`. What a layout has no key for, xdotool types by changing it, which programs may notice too late. */
  async setLayout(layout: string): Promise<void> {
    await run('setxkbmap', ['-display', this.name, layout]);
  }

  /** What the screen shows now, as PNG. */
  async png(): Promise<Buffer> {
    return pngOfXwd(await this.#screen());
  }

  async stop(): Promise<void> {
    const exited = once(this.child, 'exit');
    if (this.child.exitCode !== null || !this.child.kill('SIGTERM')) return;
    await exited;
  }

  /** As Xvfb writes it. */
  #screen(): Promise<Buffer> {
    return readFile(join(this.folder, 'Xvfb_screen0'));
  }

  /** Runs xdotool with these commands, which reach whatever window is in front. */
  async tool(...args: string[]): Promise<string> {
    return (await run('xdotool', args, { env: { ...process.env, DISPLAY: this.name } })).stdout;
  }
}
