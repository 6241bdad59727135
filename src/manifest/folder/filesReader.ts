import type { FolderEntry, FolderReader } from './folderReader';

/** Reads files that are in memory, by path. */
export function filesReader(files: ReadonlyMap<string, Uint8Array>): FolderReader {
  const folders = entriesOf(files.keys());
  const found = <T>(path: string, value: T | undefined): Promise<T> =>
    value === undefined ? Promise.reject(new Error(`There is no ${path}`)) : Promise.resolve(value);
  const sizeOf = (path: string): number => files.get(path)?.length ?? 0;
  return {
    list: (path) => found(path, folders.get(path)),
    stat: (path) => {
      const kind = files.has(path) ? 'file' : folders.has(path) ? 'folder' : undefined;
      return found(path, kind && { kind, size: sizeOf(path) });
    },
    read: (path) => found(path, files.get(path)),
    sizeOf: (paths) => Promise.resolve(paths.reduce((sum, path) => sum + sizeOf(path), 0)),
  };
}

/** The entries of each folder with one of these files in it, by the path of the folder; that of the root is empty. */
function entriesOf(files: Iterable<string>): Map<string, FolderEntry[]> {
  const folders = new Map<string, FolderEntry[]>([['', []]]);
  const add = (path: string, kind: FolderEntry['kind']): void => {
    const slash = path.lastIndexOf('/');
    const parent = path.slice(0, Math.max(slash, 0));
    const entry = { name: path.slice(slash + 1), kind };
    const known = folders.get(parent);
    if (known) known.push(entry);
    else {
      folders.set(parent, [entry]);
      add(parent, 'folder');
    }
  };
  for (const file of files) add(file, 'file');
  return folders;
}
