import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stats } from 'node:fs';
import { ArchiveError, systemCode } from './error';
import { DEFAULT_EXCLUSIONS } from './exclusions';
import { compileGlobs, type Globs } from './globs';
import { unsafeName } from './names';

/**
 * A file that goes into the archive: path relative to the folder with `/`, size in bytes, times in milliseconds. `mtimeMs` is the
 * time of the last write, which programs can set; `ctimeMs` is when the system last saw the file change.
 */
export interface SelectedFile {
  path: string;
  size: number;
  mtimeMs: number;
  ctimeMs: number;
}

/** A file or a whole folder that stays out. `reason` is a short phrase for people. */
export interface LeftOut {
  path: string;
  reason: string;
}

export interface Selection {
  /** Sorted by path, code unit by code unit. */
  files: SelectedFile[];
  /** Sorted likewise; a folder stands for everything in it that is not in `files`. */
  leftOut: LeftOut[];
  /** Sum of the sizes of `files`, in bytes. */
  totalBytes: number;
}

export interface SelectOptions {
  /** More globs to leave out, in the form of {@link Globs}. */
  exclude?: readonly string[];
  /** Globs that win over every exclusion. A folder that is left out is opened only for globs that name a path inside it. */
  include?: readonly string[];
  signal?: AbortSignal;
}

/**
 * Decides which files of an extension folder are packed.
 *
 * Symbolic links are never followed, and neither links nor sockets, pipes and devices are packed. Names that a zip cannot carry safely
 * stay out. Everything that stays out is told with its reason, so that the caller can compare with the files the manifest names.
 * Parts that cannot be read are left out and told; a folder that cannot be read itself is an {@link ArchiveError}.
 */
export async function selectFiles(folder: string, options: SelectOptions = {}): Promise<Selection> {
  const choose = chooser(options);
  const files: SelectedFile[] = [];
  const leftOut: LeftOut[] = [];
  const pending: Visit[] = [{ path: '', onlyIncluded: false }];

  for (let visit = pending.pop(); visit; visit = pending.pop()) {
    options.signal?.throwIfAborted();
    const { path: parent, onlyIncluded } = visit;
    const entries = await list(folder, parent);
    if (typeof entries === 'string') {
      leftOut.push({ path: parent, reason: entries });
      continue;
    }
    for (const { name, stats } of entries) {
      const path = parent === '' ? name : `${parent}/${name}`;
      const isFolder = stats?.isDirectory() ?? false;
      const choice = choose(path, isFolder, onlyIncluded);
      if (choice === 'skip') continue;
      if (choice !== 'take') {
        leftOut.push({ path, reason: choice.reason });
        if (choice.open) pending.push({ path, onlyIncluded: true });
        continue;
      }
      const refusal = unsafeName(name) ?? kindRefusal(stats);
      if (refusal !== undefined) leftOut.push({ path, reason: refusal });
      else if (isFolder) pending.push({ path, onlyIncluded: false });
      else if (stats) files.push({ path, size: stats.size, mtimeMs: stats.mtimeMs, ctimeMs: stats.ctimeMs });
    }
  }

  files.sort(byPath);
  leftOut.sort(byPath);
  return { files, leftOut, totalBytes: files.reduce((sum, { size }) => sum + size, 0) };
}

/** A folder still to be read. Below a folder that is left out only what is explicitly included counts. */
interface Visit {
  path: string;
  onlyIncluded: boolean;
}

/** What is to be done with a path: in; out and said so (a folder perhaps opened all the same); out, and said already by its parent. */
type Choice = 'take' | 'skip' | { reason: string; open: boolean };

function chooser({ exclude = [], include = [] }: SelectOptions) {
  const included: Globs = compileGlobs(include);
  const excluded: Globs = compileGlobs(exclude);
  const defaults = DEFAULT_EXCLUSIONS.map(({ glob, reason }) => ({ globs: compileGlobs([glob]), reason }));

  return (path: string, isFolder: boolean, onlyIncluded: boolean): Choice => {
    if (included.match(path) !== undefined) return 'take';
    const open = isFolder && included.reachesInto(path);
    if (onlyIncluded) return open ? { reason: 'only a part of it is included', open } : 'skip';
    const glob = excluded.match(path);
    if (glob !== undefined) return { reason: `excluded by your setting "${glob}"`, open };
    const exclusion = defaults.find(({ globs }) => globs.match(path) !== undefined);
    return exclusion ? { reason: exclusion.reason, open } : 'take';
  };
}

function kindRefusal(stats: Stats | undefined): string | undefined {
  if (!stats) return 'its name cannot be used';
  if (stats.isSymbolicLink()) return 'symbolic links are never followed; put the file itself there';
  return stats.isFile() || stats.isDirectory() ? undefined : 'not a regular file';
}

/** `stats` is missing for a name that is unsafe: the system may not find it again under the name it gave. */
interface Entry {
  name: string;
  stats?: Stats;
}

/** The entries of one folder; a phrase when it cannot be read. The extension folder itself must be readable. */
async function list(folder: string, path: string): Promise<Entry[] | string> {
  try {
    const names = await readdir(join(folder, path));
    const entries = await Promise.all(names.map((name) => inspect(join(folder, path), name)));
    return entries.filter((found) => found !== undefined);
  } catch (error) {
    const code = systemCode(error);
    if (path !== '') return `cannot be read (${code})`;
    throw new ArchiveError('folder', folder, folderSentence(folder, code), { cause: error });
  }
}

/** Undefined for what vanished since the folder was listed: it is no part of the folder any more. */
async function inspect(parent: string, name: string): Promise<Entry | undefined> {
  if (unsafeName(name) !== undefined) return { name };
  try {
    return { name, stats: await lstat(join(parent, name)) };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function folderSentence(folder: string, code: string): string {
  if (code === 'ENOENT')
    return `The extension folder ${folder} does not exist. Choose another folder or build the extension first.`;
  if (code === 'ENOTDIR') return `${folder} is a file. Choose the folder that holds manifest.json.`;
  return `The extension folder ${folder} cannot be read (${code}). Check its permissions.`;
}

function byPath(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
