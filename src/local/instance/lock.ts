import { constants } from 'node:fs';
import { copyFile, link, lstat, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { OWNER_ONLY } from '../atomicFile';
import { isFileError, messageOf } from '../httpErrors';
import { readOwnFile } from '../ownFile';
import { patiently } from '../patientFiles';
import { isAliveSince, startOf } from '../processes';
import { randomId } from '../randomId';

/** To remove a stale lock, or to write one, takes milliseconds; an older file of that kind was left behind by a process that died. */
const BREAKING_LIMIT_MS = 5_000;
const POLL_MS = 5;
/** What disks answer that have no second names for a file, such as exFAT. */
const NO_LINKS = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'];

/**
 * The lock of the shared service of a data folder: a file that only one process can create. It contains its owner's process id and the
 * owner's start, which show whether the lock is stale.
 */
export class Lock {
  readonly #file: string;
  readonly #breaker: string;
  readonly #mark = [process.pid, randomId(), startOf(process.pid)].join(' ').trimEnd();

  /** `linkFile` gives a file a second name, which fails when that exists. */
  constructor(
    dataFolder: string,
    private readonly linkFile = link,
  ) {
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
      const [pid, , start] = held.split(' ');
      const owner = Number(pid);
      if (isAliveSince(owner, start)) return owner;
      if (held === '' && (await isYoung(this.#file))) {
        // It is being written, on a disk without links.
        await delay(POLL_MS);
        continue;
      }
      await this.#removeStale(held);
    }
  }

  /** Breaks the lock of a running process that is not a working service, for example an unrelated one with a reused pid. */
  async break(owner: number): Promise<void> {
    const held = await this.#read();
    if (held !== undefined && Number(held.split(' ')[0]) === owner) await this.#removeStale(held);
  }

  /** Shows that this process, which has the lock, is still at work: whoever waits for it goes on waiting. Never rejects. */
  async renew(): Promise<void> {
    const held = await readOwnFile(this.#file).catch(() => undefined);
    if (held !== this.#mark) return;
    const now = new Date();
    await utimes(this.#file, now, now).catch(() => undefined);
  }

  /** When the lock was taken, or renewed last, in milliseconds since the epoch; undefined when nobody has it. */
  async renewedAt(): Promise<number | undefined> {
    return (await lstat(this.#file).catch(() => undefined))?.mtimeMs;
  }

  /** Releases the lock, if this process still has it. */
  async release(): Promise<void> {
    const held = await readOwnFile(this.#file).catch(() => undefined);
    if (held === this.#mark) await patiently(() => rm(this.#file, { force: true }));
  }

  /**
   * Creates the file with its content atomically: it is written under another name and then linked, which fails when the lock exists. On a disk without
   * links the file is there for a moment without its content.
   */
  async #create(): Promise<boolean> {
    const draft = `${this.#file}.${randomId()}`;
    try {
      await writeFile(draft, this.#mark, { mode: OWNER_ONLY, flag: 'wx' });
      await this.linkFile(draft, this.#file).catch(async (error: unknown) => {
        if (!isFileError(error, ...NO_LINKS)) throw error;
        await copyFile(draft, this.#file, constants.COPYFILE_EXCL);
      });
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
      if ((await this.#read()) === expected) await patiently(() => rm(this.#file, { force: true }));
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
    if (!(await isYoung(this.#breaker))) await rm(this.#breaker, { force: true });
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

/** Whether a file was written so short a time ago that its process may still be at it, or is not there. */
async function isYoung(file: string): Promise<boolean> {
  const stats = await lstat(file).catch(() => undefined);
  return !stats || Date.now() - stats.mtimeMs <= BREAKING_LIMIT_MS;
}
