import { link, lstat, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { OWNER_ONLY } from '../atomicFile';
import { isFileError, messageOf } from '../httpErrors';
import { readOwnFile } from '../ownFile';
import { isAlive } from '../processes';
import { randomId } from '../randomId';

/** Removing a stale lock takes milliseconds; an older breaker file was left behind by a process that died. */
const BREAKING_LIMIT_MS = 5_000;
const POLL_MS = 5;

/**
 * The lock of the shared service of a data folder: a file that only one process can create. It contains its owner's process id, which
 * shows whether the lock is stale.
 */
export class Lock {
  readonly #file: string;
  readonly #breaker: string;
  readonly #mark = `${process.pid} ${randomId()}`;

  constructor(dataFolder: string) {
    this.#file = path.join(dataFolder, 'service.lock');
    this.#breaker = `${this.#file}.breaking`;
  }

  /**
   * Acquires the lock. Returns `true`, or the pid of the running process that has it. Rejects when there is something in its place that
   * cannot be read, such as a folder or another user's file.
   */
  async acquire(): Promise<true | number> {
    for (;;) {
      if (await this.#create()) return true;
      const held = await this.#read();
      if (held === undefined) {
        // It was released just now.
        await delay(POLL_MS);
        continue;
      }
      const owner = Number(held.split(' ')[0]);
      if (isAlive(owner)) return owner;
      await this.#removeStale(held);
    }
  }

  /** Breaks the lock of a running process that is not a working service, for example an unrelated one with a reused pid. */
  async break(owner: number): Promise<void> {
    const held = await this.#read();
    if (held !== undefined && Number(held.split(' ')[0]) === owner) await this.#removeStale(held);
  }

  /** Releases the lock, if this process still has it. */
  async release(): Promise<void> {
    const held = await readOwnFile(this.#file).catch(() => undefined);
    if (held === this.#mark) await rm(this.#file, { force: true });
  }

  /** Creates the file with its content atomically: it is written under another name and then linked, which fails when the lock exists. */
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
   * Removes the lock file if it still has the stale content. Only one process at a time may do so; otherwise one of two processes that
   * found it stale could remove the new lock of a third.
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
    // Another process is breaking the lock, which takes milliseconds, unless it died.
    const since = await lstat(this.#breaker).catch(() => undefined);
    if (since && Date.now() - since.mtimeMs > BREAKING_LIMIT_MS) await rm(this.#breaker, { force: true });
    await delay(POLL_MS);
    return false;
  }

  async #read(): Promise<string | undefined> {
    try {
      return await readOwnFile(this.#file);
    } catch (error) {
      throw new Error(`The lock ${this.#file} cannot be read. Remove it. (${messageOf(error)})`, { cause: error });
    }
  }
}
