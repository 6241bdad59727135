import { link, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { isFileError } from './errors';
import { isAlive } from './processes';
import { randomId } from './randomId';

/**
 * The right to be the one shared service of a data folder: a file that only one process can create. It names its owner,
 * so that the file of a process that is gone can be told from a living one's.
 */
export class Lock {
  readonly #file: string;
  readonly #mark = `${process.pid} ${randomId()}`;

  constructor(dataFolder: string) {
    this.#file = path.join(dataFolder, 'service.lock');
  }

  /** Takes the lock. Gives `true` when it is ours, else the pid of the living process that holds it. */
  async take(): Promise<true | number> {
    for (;;) {
      if (await this.#create()) return true;
      const held = await readFile(this.#file, 'utf8').catch(() => undefined);
      if (held === undefined) continue;
      const owner = Number(held.split(' ')[0]);
      if (isAlive(owner)) return owner;
      await this.#removeStale(held);
    }
  }

  /** Takes the lock away from an owner that lives but does not do its work, such as a stranger with a reused pid. */
  async break(owner: number): Promise<void> {
    const held = await readFile(this.#file, 'utf8').catch(() => undefined);
    if (held !== undefined && Number(held.split(' ')[0]) === owner) await this.#removeStale(held);
  }

  /** Gives the lock back, if it is still ours. */
  async release(): Promise<void> {
    const held = await readFile(this.#file, 'utf8').catch(() => undefined);
    if (held === this.#mark) await rm(this.#file, { force: true });
  }

  /** The file appears together with its text: written aside, then linked, which fails when the name is taken. */
  async #create(): Promise<boolean> {
    const draft = `${this.#file}.${randomId()}`;
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(this.#mark);
      await handle.close();
      await link(draft, this.#file);
      return true;
    } catch (error) {
      if (isFileError(error, 'EEXIST')) return false;
      throw error;
    } finally {
      await rm(draft, { force: true });
    }
  }

  /** Two starters may see the same stale file; who moved away a fresh one by mistake puts it back. */
  async #removeStale(expected: string): Promise<void> {
    const aside = `${this.#file}.${randomId()}`;
    try {
      await rename(this.#file, aside);
    } catch (error) {
      if (isFileError(error, 'ENOENT')) return;
      throw error;
    }
    try {
      if ((await readFile(aside, 'utf8')) !== expected) await link(aside, this.#file).catch(() => undefined);
    } finally {
      await rm(aside, { force: true });
    }
  }
}
