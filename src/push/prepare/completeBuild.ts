import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { ChoiceOptions } from '../../archive/choice';
import { readRegularFile } from '../../base/disk';
import { succeeds } from '../../base/succeeds';
import { checkInThread } from './checkThread';

/** A file that was written so short a time ago may still be written to, in milliseconds: a file watcher reports late. */
const FRESH_MS = 30;

/** The end of the name under which tools write a file until they rename it, as Parcel (`popup.js.4711.a`) and write-file-atomic (`popup.js.1234567`). */
const UNFINISHED = /\.(?:[a-z][0-9a-z]*\.\d{2,}(?:\.[0-9a-z]{1,4})?|tmp)$/i;

/** The end of a name that a finished file has, whatever is before: `popup.html.12345678.js`. */
const FINISHED = /\.(?:[cm]?js|css|html?|json|map|wasm|png|jpe?g|gif|svg|webp|ico|woff2?|[ot]tf|mp[34]|txt)$/i;

/** A lock of git that is older was left by one that has crashed, in milliseconds. */
const LOCK_LIMIT_MS = 60_000;

/** The largest file that names a folder of git. */
const MAX_LINK_BYTES = 64 * 1024;

/**
 * Whether a build in `folder`, absolute, is complete: its manifest has no errors, all files that it names exist, none of them was
 * written just now, none of those that were `written`, absolute paths, is one that a tool has yet to rename, and git is not writing, as it does to
 * switch branches. Files that `rules` leave out of the archive are not looked at. It asks the disk and not the list of a source, which may rest
 * on what a file watcher has reported so far.
 */
export async function isCompleteBuild(
  folder: string,
  { exclude = [], include = [] }: ChoiceOptions,
  written: readonly string[] = [],
): Promise<boolean> {
  if (await isGitWriting(folder)) return false;
  for (const path of written) if (isUnfinished(basename(path)) && (await succeeds(stat(path)))) return false;
  const { findings, manifest } = await checkInThread({ folder, exclude, include });
  if (!manifest || findings.some(({ severity }) => severity === 'error')) return false;
  // One after the other: a manifest may name 50,000 files.
  for (const file of manifest.files) {
    const found = await stat(join(folder, file)).catch(() => undefined);
    if (!found || isFresh(found.mtimeMs)) return false;
  }
  return true;
}

function isUnfinished(name: string): boolean {
  return UNFINISHED.test(name) && !FINISHED.test(name);
}

/** A file with a time that is still to come says nothing: the clock of its disk may be another. */
function isFresh(mtimeMs: number): boolean {
  const ageMs = Date.now() - mtimeMs;
  return ageMs >= 0 && ageMs < FRESH_MS;
}

/** Whether git writes to the work tree that holds `folder`: it locks its index before the first file and unlocks it after the last. */
async function isGitWriting(folder: string): Promise<boolean> {
  const git = join(folder, '.git');
  // In a further work tree and in a submodule it is a file, which names the folder.
  const link = await readRegularFile(git, MAX_LINK_BYTES);
  const [, named = git] = /^gitdir: (.+)/.exec(link?.toString('utf8') ?? '') ?? [];
  const lock = await stat(resolve(folder, named.trimEnd(), 'index.lock')).catch(() => undefined);
  if (lock) return Date.now() - lock.mtimeMs < LOCK_LIMIT_MS;
  const parent = dirname(folder);
  return parent !== folder && (await isGitWriting(parent));
}
