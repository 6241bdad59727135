import { link, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { OWNER_ONLY } from '../atomicFile';
import { isFileError } from '../errors';
import { isAlive } from '../processes';
import { randomId } from '../randomId';

/** Removing a stale lock takes milliseconds; a mark older than this was left by a process that died. */
const BREAKING_LIMIT_MS = 5_000;
const BREAKING_POLL_MS = 5;

/**
 * The right to be the one shared service of a data folder: a file that only one process can create. It names its owner,
 * so that the file of a process that is gone can be told from a living one's.
 */
export class Lock {
  readonly #file: string;
  readonly #breaker: string;
  readonly #mark = `${process.pid} ${randomId()}`;

  constructor(dataFolder: string) {
    this.#file = path.join(dataFolder, 'service.lock');
    this.#breaker = `${this.#file}.breaking`;
  }

  /** Takes the lock. Gives `true` when it is ours, else the pid of the living process that holds it. */
  async take(): Promise<true | number> {
    for (;;) {
      if (await this.#create()) return true;
      const held = await this.#read();
      if (held === undefined) continue;
      const owner = Number(held.split(' ')[0]);
      if (isAlive(owner)) return owner;
      await this.#removeStale(held);
    }
  }

  /** Takes the lock away from an owner that lives but does not do its work, such as a stranger with a reused pid. */
  async break(owner: number): Promise<void> {
    const held = await this.#read();
    if (held !== undefined && Number(held.split(' ')[0]) === owner) await this.#removeStale(held);
  }

  /** Gives the lock back, if it is still ours. */
  async release(): Promise<void> {
    const held = await this.#read();
    if (held === this.#mark) await rm(this.#file, { force: true });
  }

  /** The file appears together with its text: written aside, then linked, which fails when the name is taken. */
  async #create(): Promise<boolean> {
    const draft = `${this.#file}.${randomId()}`;
    try {
      await writeFile(draft, this.#mark, { mode: OWNER_ONLY, flag: 'wx' });
      await link(draft, this.#file);
      return true;
    } catch (error) {
      if (isFileError(error, 'EEXIST')) return false;
      throw error;
    } finally {
      await rm(draft, { force: true });
    }
  }

  /**
   * Removes the lock file if it still says what was found stale. Only one process at a time may look and remove: two that
   * had both found it stale could else remove the fresh lock of a third.
   */
  async #removeStale(expected: string): Promise<void> {
    if (!(await this.#beginBreaking())) return;
    try {
      if ((await this.#read()) === expected) await rm(this.#file, { force: true });
    } finally {
      await rm(this.#breaker, { force: true });
    }
  }

  async #beginBreaking(): Promise<boolean> {
    try {
      await writeFile(this.#breaker, this.#mark, { mode: OWNER_ONLY, flag: 'wx' });
      return true;
    } catch (error) {
      if (!isFileError(error, 'EEXIST')) throw error;
    }
    // Somebody else is at it, for milliseconds, unless that process died just then.
    const since = await stat(this.#breaker).catch(() => undefined);
    if (since && Date.now() - since.mtimeMs > BREAKING_LIMIT_MS) await rm(this.#breaker, { force: true });
    await delay(BREAKING_POLL_MS);
    return false;
  }

  #read(): Promise<string | undefined> {
    return readFile(this.#file, 'utf8').catch(() => undefined);
  }
}
