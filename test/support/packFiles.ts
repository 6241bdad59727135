import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { STORE_LEVEL } from '../../src/archive/compress';
import { CompressThreads } from '../../src/archive/compressThreads';
import { FolderSource } from '../../src/archive/folderSource';
import { type Archive, FolderPacker, type PackOptions } from '../../src/archive/packer';
import { selectFiles } from '../../src/archive/select';
import type { SelectedFile } from '../../src/archive/selection';

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
export async function packTexts(texts: Record<string, string>): Promise<Archive> {
  const folder = await mkdtemp(join(tmpdir(), 'sideload-texts-'));
  try {
    for (const [path, text] of Object.entries(texts)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const { files } = await selectFiles(folder);
    return await packFiles(folder, files, { level: STORE_LEVEL });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
