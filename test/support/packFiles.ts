import { STORE_LEVEL } from '../../src/archive/compress';
import { CompressThreads } from '../../src/archive/compressThreads';
import { FolderSource } from '../../src/archive/folderSource';
import { type Archive, FolderPacker, type PackOptions } from '../../src/archive/packer';
import type { SelectedFile } from '../../src/archive/selection';
import { MemorySource } from '../standins/memorySource';

/** Packs the selected files once, with threads of its own; rejects as {@link FolderPacker.pack} does. */
export async function packFiles(
  folder: string,
  files: readonly SelectedFile[],
  options: PackOptions = {},
): Promise<Archive> {
  const threads = new CompressThreads();
  try {
    return await new FolderPacker(new FolderSource(folder), threads).pack(files, options);
  } finally {
    threads.dispose();
  }
}

/** Packs files with these texts, by path, without compressing them. */
export async function packTexts(texts: Readonly<Record<string, string>>): Promise<Archive> {
  const source = new MemorySource(texts);
  const { files } = await source.list();
  return new FolderPacker(source).pack(files, { level: STORE_LEVEL });
}

/** An archive with its zip in place of what makes it: one that can be compared. */
export async function madeOf(
  packing: Archive | Promise<Archive>,
): Promise<Omit<Archive, 'zip'> & { bytes: Uint8Array }> {
  const { zip, ...rest } = await packing;
  return { ...rest, bytes: await zip() };
}
