import type { LeftOut, SelectedFile, Selection } from './selection';

/** A file that is packed. `name` is the last part of its path. */
export interface ContentsFile {
  kind: 'file';
  name: string;
  path: string;
  /** Bytes. */
  size: number;
}

/** A folder with the files of an archive. */
export interface ContentsFolder {
  kind: 'folder';
  name: string;
  /** Relative to the extension folder, with `/`; empty for the extension folder itself. */
  path: string;
  /** Bytes of all files below it. */
  size: number;
  /** The number of all files below it. */
  count: number;
  /** Largest first; entries of the same size by name. */
  entries: (ContentsFolder | ContentsFile)[];
}

/** What a push would send, and what it would not. */
export interface Contents {
  root: ContentsFolder;
  leftOut: readonly LeftOut[];
}

/** The selected files as a tree. */
export function contentsOf({ files, leftOut }: Selection): Contents {
  const root = folder('', '');
  const folders = new Map<string, ContentsFolder>([['', root]]);
  for (const file of files) addFile(folders, file);
  for (const { entries } of folders.values()) entries.sort(byRank);
  return { root, leftOut };
}

function folder(path: string, name: string): ContentsFolder {
  return { kind: 'folder', name, path, size: 0, count: 0, entries: [] };
}

function addFile(folders: Map<string, ContentsFolder>, { path, size }: SelectedFile): void {
  let parent = folderAt(folders, parentOf(path));
  parent.entries.push({ kind: 'file', name: path.slice(path.lastIndexOf('/') + 1), path, size });
  for (;;) {
    parent.size += size;
    parent.count += 1;
    if (parent.path === '') return;
    parent = folderAt(folders, parentOf(parent.path));
  }
}

function folderAt(folders: Map<string, ContentsFolder>, path: string): ContentsFolder {
  const known = folders.get(path);
  if (known) return known;
  const made = folder(path, path.slice(path.lastIndexOf('/') + 1));
  folders.set(path, made);
  folderAt(folders, parentOf(path)).entries.push(made);
  return made;
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

function byRank(a: ContentsFolder | ContentsFile, b: ContentsFolder | ContentsFile): number {
  return b.size - a.size || (a.name < b.name ? -1 : 1);
}
