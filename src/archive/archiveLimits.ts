import * as l10n from '@vscode/l10n';
import { sizeText } from '../base/units';
import { ArchiveError } from './error';
import type { SelectedFile } from './selection';

const MEBIBYTE = 1024 * 1024;

/** Largest archive of one extension that the service accepts: its virtual machine answers 400 to a larger one. */
export const MAX_ARCHIVE_BYTES = 50 * MEBIBYTE;

/**
 * A folder of more bytes than this is refused without being read: few extensions compress to a fifth, so a folder of this size is the
 * wrong one.
 */
export const MAX_FOLDER_BYTES = 256 * MEBIBYTE;

/** How many files a refusal names: enough to show the cause, few enough for one line. */
const NAMED_FILES = 3;

/**
 * The most files of an archive, in which each is listed in one piece. Extensions have hundreds of files; a zip can count 65,535 without
 * the extension for huge archives, which JSZip does not write.
 */
export const MAX_FILES = 16_384;

/** Throws the ArchiveError about a folder of more files than an archive may have. */
export function refuseCount(folder: string, count: number): void {
  if (count <= MAX_FILES) return;
  const message = l10n.t(
    '{0} holds more than {1} files to pack: choose the folder of the built extension, or exclude files.',
    folder,
    MAX_FILES,
  );
  throw new ArchiveError('folder', folder, message);
}

/** The sentence that refuses an archive of this size and names its largest files by uncompressed size; undefined up to the limit. */
export function refuseTooLarge(
  archiveBytes: number,
  files: readonly SelectedFile[],
  maxBytes = MAX_ARCHIVE_BYTES,
): string | undefined {
  if (archiveBytes <= maxBytes) return undefined;
  return l10n.t(
    'The archive has {0}, and the service takes at most {1}. The largest files are {2}: remove them or exclude them.',
    sizeText(archiveBytes),
    sizeText(maxBytes),
    namesOfLargest(files),
  );
}

/** The sentence that ends a pack whose archive exceeds the limit before all files are packed; undefined while it does not. */
export function refuseUnfinished(
  packedBytes: number,
  files: readonly SelectedFile[],
  maxBytes = MAX_ARCHIVE_BYTES,
): string | undefined {
  if (packedBytes <= maxBytes) return undefined;
  return l10n.t(
    'The archive has more than {0}, which is the most that the service takes. The largest files are {1}: remove them or exclude them.',
    sizeText(maxBytes),
    namesOfLargest(files),
  );
}

/** The sentence that refuses a folder by the sizes of its files alone; undefined when the folder may fit into an archive. */
export function refuseFolder(files: readonly SelectedFile[]): string | undefined {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes <= MAX_FOLDER_BYTES) return undefined;
  return l10n.t(
    'The folder has {0} to pack, and the service takes at most {1}. The largest files are {2}: remove them or exclude them.',
    sizeText(bytes),
    sizeText(MAX_ARCHIVE_BYTES),
    namesOfLargest(files),
  );
}

function namesOfLargest(files: readonly SelectedFile[]): string {
  const named = largestFiles(files, NAMED_FILES).map(({ path, size }) => `${path} (${sizeText(size)})`);
  return named.join(', ');
}

/** The service would refuse the archive for its size. The message names the largest files and says what to do. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}

/** The `count` largest files, largest first; equal sizes keep their order. */
export function largestFiles(files: readonly SelectedFile[], count: number): SelectedFile[] {
  return files.toSorted((a, b) => b.size - a.size).slice(0, count);
}
