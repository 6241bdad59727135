import type { SelectOptions } from './extensionSource';
import { FileTree } from './fileTree';
import type { Selection } from './selection';

/**
 * Selects the files of an extension folder that are packed.
 *
 * Symbolic links are never followed; links, sockets, pipes and devices are not packed, nor are files whose names a zip cannot carry
 * safely. All files and folders that are left out are returned with the reason, so that the caller can compare them with the files that
 * the manifest names. Subfolders that cannot be read are left out in the same way; an unreadable extension folder is an
 * {@link ArchiveError}.
 */
export async function selectFiles(folder: string, options: SelectOptions = {}): Promise<Selection> {
  const tree = new FileTree(folder, options);
  await tree.readAll(options.signal);
  return tree.selection();
}
