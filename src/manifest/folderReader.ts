import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

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
  read(path: string): Promise<Uint8Array>;
}

/** Reads a folder of the disk. */
export function diskReader(root: string): FolderReader {
  return {
    async list(path) {
      const entries = await readdir(join(root, path), { withFileTypes: true });
      return entries.map((entry) => ({
        name: entry.name,
        kind: entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : 'other',
      }));
    },
    async stat(path) {
      const stats = await stat(join(root, path));
      return { kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other', size: stats.size };
    },
    read: (path) => readFile(join(root, path)),
  };
}
