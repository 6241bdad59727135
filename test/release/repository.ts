import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A git repository with a work tree. Each method rejects with what git says. */
export class Repository {
  constructor(readonly root: string) {}

  /** Whether every file is as it was committed, and none is new. */
  async isClean(): Promise<boolean> {
    return (await this.git('status', '--porcelain')) === '';
  }

  /** All tags. */
  async tags(): Promise<string[]> {
    return (await this.git('tag', '--list')).split('\n').filter(Boolean);
  }

  /** When the commit that is checked out was made, in seconds since 1970. */
  async commitTime(): Promise<number> {
    return Number(await this.git('log', '-1', '--format=%ct'));
  }

  /** Clones what is checked out into a new folder. */
  async cloneTo(folder: string): Promise<Repository> {
    await this.git('clone', '--quiet', '--no-hardlinks', this.root, folder);
    const clone = new Repository(folder);
    await clone.git('checkout', '--quiet', '--detach', await this.git('rev-parse', 'HEAD'));
    return clone;
  }

  /** Commits all changes, by the person whose repository `author` is. */
  async commit(message: string, author: Repository): Promise<void> {
    const identity = await Promise.all(
      ['user.name', 'user.email'].map(async (key) => `${key}=${await author.git('config', key)}`),
    );
    await this.git(...identity.flatMap((one) => ['-c', one]), 'commit', '--quiet', '--all', '--message', message);
  }

  /** Takes over the commit that is checked out elsewhere, which must be the next one here, and gives it a tag. */
  async take(other: Repository, tag: string, message: string): Promise<void> {
    await this.git('fetch', '--quiet', other.root, 'HEAD');
    await this.git('merge', '--quiet', '--ff-only', 'FETCH_HEAD');
    await this.git('tag', '--annotate', tag, '--message', message);
  }

  private async git(...args: string[]): Promise<string> {
    const { stdout } = await run('git', ['-C', this.root, ...args], { maxBuffer: 2 ** 26 });
    return stdout.trim();
  }
}
