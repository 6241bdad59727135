import { rmSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '../base/runningProcess';
import { shortDigest } from '../push/folderName';

/** How many builds are kept, how large one may be, and all together, in bytes. */
const LIMITS = { count: 10, each: 32 * 1024 * 1024, all: 96 * 1024 * 1024 };

/**
 * The zips of builds that were pushed last, in a folder on disk, so that one of them can be the old version of an update test. They go when they are
 * disposed of; what a process that was killed has left goes with the next first build.
 */
export class PushedBuilds {
  /** Where those of this process are. Process ids mean nothing on another machine that shares the folder. */
  readonly #own: string;
  readonly #machine = shortDigest(hostname());
  /** How many bytes each has, by its digest; oldest first. */
  readonly #kept = new Map<string, number>();
  /** The work so far, one build after another. */
  #work: Promise<void> = Promise.resolve();
  #isOpen = true;

  /** `folder`: where processes have a folder each, absolute; it need not exist. `pid`: of this one. */
  constructor(
    private readonly folder: string,
    private readonly limits = LIMITS,
    pid = process.pid,
  ) {
    this.#own = join(folder, `${this.#machine}-${pid}`);
  }

  /**
   * Keeps a build in place of the oldest ones, unless it is too large; `zip` makes it, of `bytes` bytes. Never rejects: what cannot be written is
   * not kept.
   */
  async keep(digest: string, bytes: number, zip: () => Promise<Uint8Array>): Promise<void> {
    this.#work = this.#work.then(() => this.#keep(digest, bytes, zip)).catch(() => undefined);
    await this.#work;
  }

  /** The path of the zip of a build; undefined when it is not kept. */
  pathOf(digest: string): string | undefined {
    return this.#kept.has(digest) ? join(this.#own, `${digest}.zip`) : undefined;
  }

  /** Removes all builds of this process. */
  dispose(): void {
    this.#isOpen = false;
    this.#kept.clear();
    // The process may end at once.
    rmSync(this.#own, { recursive: true, force: true });
  }

  async #keep(digest: string, bytes: number, zip: () => Promise<Uint8Array>): Promise<void> {
    const known = this.#kept.get(digest);
    if (known !== undefined) {
      // It is the newest one now.
      this.#kept.delete(digest);
      this.#kept.set(digest, known);
      return;
    }
    if (!this.#isOpen || bytes > this.limits.each) return;
    if (this.#kept.size === 0) await this.#removeLeft();
    await mkdir(this.#own, { recursive: true, mode: 0o700 });
    await writeFile(join(this.#own, `${digest}.zip`), await zip(), { mode: 0o600 });
    this.#kept.set(digest, bytes);
    if (!this.#isOpen) this.dispose();
    await this.#removeOldest();
  }

  async #removeOldest(): Promise<void> {
    const all = (): number => [...this.#kept.values()].reduce((sum, bytes) => sum + bytes, 0);
    for (const digest of this.#kept.keys()) {
      if (this.#kept.size <= this.limits.count && all() <= this.limits.all) return;
      this.#kept.delete(digest);
      await rm(join(this.#own, `${digest}.zip`), { force: true });
    }
  }

  /** Removes what processes have left that are gone. */
  async #removeLeft(): Promise<void> {
    const names = await readdir(this.folder).catch(() => []);
    const gone = names
      .filter((name) => {
        const [machine, pid] = name.split('-');
        return machine === this.#machine && /^\d+$/.test(pid ?? '') && !isRunning(Number(pid));
      })
      .map((name) => join(this.folder, name));
    // Another process may have had the same id.
    await Promise.all([...gone, this.#own].map((path) => rm(path, { recursive: true, force: true })));
  }
}
