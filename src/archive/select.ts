import type { ChoiceOptions } from './choice';
import { FileTree } from './fileTree';
import type { Selection } from './selection';

export interface SelectOptions extends ChoiceOptions {
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
  const tree = new FileTree(folder, options);
  await tree.readAll(options.signal);
  return tree.selection();
}
