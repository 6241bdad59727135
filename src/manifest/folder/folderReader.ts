import { readFileSync, statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Breather } from './breather';

/** What stands in a folder; a link is told as one, whatever it leads to. */
export interface FolderEntry {
  name: string;
  kind: 'file' | 'folder' | 'link' | 'other';
}

export type FileKind = 'file' | 'folder' | 'other';

export interface FileFacts {
  kind: FileKind;
  /** In bytes. */
  size: number;
}

/** Where an extension's files come from. Paths are relative to its root, with `/`; every method rejects when there is nothing to answer with. */
export interface FolderReader {
  list(path: string): Promise<FolderEntry[]>;
  /** What a path leads to, links followed. */
  stat(path: string): Promise<FileFacts>;
  /** The content of a file; `size` is what `stat` said. */
  read(path: string, size: number): Promise<Uint8Array>;
  /** The sum of the sizes of files, in bytes; those that are not there count nothing. */
  sizeOf(paths: readonly string[]): Promise<number>;
}

/** So many files are asked for at once; after that the event loop has a turn. */
const FILES_AT_ONCE = 200;

/** A file up to this many bytes is read at once: a thread would take several times as long as the file. */
const SMALL_BYTES = 64 * 1024;

/** Reads a folder of the disk. Small things are done without a thread, and others have a turn now and then. */
export function diskReader(root: string): FolderReader {
  const breather = new Breather();
  return {
    async list(path) {
      const entries = await readdir(join(root, path), { withFileTypes: true });
      return entries.map((entry) => ({
        name: entry.name,
        kind: entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : 'other',
      }));
    },
    async stat(path) {
      await breather.pause();
      const stats = statSync(join(root, path));
      return { kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other', size: stats.size };
    },
    async read(path, size) {
      await breather.pause();
      return size <= SMALL_BYTES ? readFileSync(join(root, path)) : await readFile(join(root, path));
    },
    async sizeOf(paths) {
      let sum = 0;
      for (const [index, path] of paths.entries()) {
        // Ten times cheaper than a promise for each of thousands of files.
        sum += sizeAt(join(root, path));
        if (index % FILES_AT_ONCE === FILES_AT_ONCE - 1) await setImmediate();
      }
      return sum;
    },
  };
}

function sizeAt(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    // Closed to us, or a link to itself: nothing that could be delivered.
    return 0;
  }
}
