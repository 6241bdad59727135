import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ROOT } from '../support/paths';

const run = promisify(execFile);

/**
 * The files that differ from a commit of git in the working tree, from the root of the repository: changed, new, renamed (both names)
 * and deleted ones, but for what git ignores. Rejects with a sentence when git has no such commit.
 */
export async function changedSince(ref: string): Promise<string[]> {
  const lists = await Promise.all([
    git(['diff', '--name-only', '--no-renames', '-z', ref, '--']),
    git(['ls-files', '--others', '--exclude-standard', '-z']),
  ]).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Git cannot compare with ${ref}. Name a commit, a branch or a tag after --changed. ${reason}`, {
      cause: error,
    });
  });
  return [...new Set(lists.flat())].sort();
}

async function git(args: readonly string[]): Promise<string[]> {
  const { stdout } = await run('git', [...args], { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 });
  return stdout.split('\0').filter((name) => name !== '');
}
