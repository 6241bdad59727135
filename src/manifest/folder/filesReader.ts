import type { FolderEntry, FolderReader } from './folderReader';

/** The entries of each folder with one of these files in it, by name, by the path of the folder; that of the root is empty. */
export function entriesOf(files: Iterable<string>): Map<string, Map<string, FolderEntry>> {
  const folders = new Map([['', new Map<string, FolderEntry>()]]);
  for (const file of files) {
    let isKnown = false;
    for (let path = file; !isKnown;) {
      const slash = path.lastIndexOf('/');
      const [parent, name] = [path.slice(0, Math.max(slash, 0)), path.slice(slash + 1)];
      const entries = folders.get(parent);
      // The folders above a known one are known, too.
      isKnown = entries !== undefined;
      folders.set(
        parent,
        (entries ?? new Map<string, FolderEntry>()).set(name, { name, kind: path === file ? 'file' : 'folder' }),
      );
      path = parent;
    }
  }
  return folders;
}

/** Reads files that are in memory, by path. */
export function filesReader(files: ReadonlyMap<string, Uint8Array>): FolderReader {
  const folders = entriesOf(files.keys());
  const found = <T>(path: string, value: T | undefined): Promise<T> =>
    value === undefined ? Promise.reject(new Error(`There is no ${path}`)) : Promise.resolve(value);
  const sizeOf = (path: string): number => files.get(path)?.length ?? 0;
  return {
    list: async (path) => [...(await found(path, folders.get(path))).values()],
    stat: (path) => {
      const kind = files.has(path) ? 'file' : folders.has(path) ? 'folder' : undefined;
      return found(path, kind && { kind, size: sizeOf(path) });
    },
    read: (path) => found(path, files.get(path)),
    sizeOf: (paths) => Promise.resolve(paths.reduce((sum, path) => sum + sizeOf(path), 0)),
  };
}
