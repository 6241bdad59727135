import type { SelectOptions } from '../../src/archive/extensionSource';
import { FolderSource } from '../../src/archive/folderSource';
import type { Selection } from '../../src/archive/selection';

/** The files of a folder on disk that are packed, listed for the first time. */
export function selectFiles(folder: string, options?: SelectOptions): Promise<Selection> {
  return new FolderSource(folder).list(options);
}
