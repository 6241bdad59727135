import { CompressThreads } from '../../src/archive/compressThreads';
import { type Archive, FolderPacker, type PackOptions } from '../../src/archive/packer';
import type { SelectedFile } from '../../src/archive/selection';

/** Packs the selected files once, with threads of its own; rejects as {@link FolderPacker.pack} does. */
export async function packFiles(
  folder: string,
  files: readonly SelectedFile[],
  options: PackOptions = {},
): Promise<Archive> {
  const threads = new CompressThreads();
  try {
    return await new FolderPacker(folder, threads).pack(files, options);
  } finally {
    threads.dispose();
  }
}
