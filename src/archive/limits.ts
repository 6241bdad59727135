import type { SelectedFile } from './selection';

const BYTES_PER_KIB = 1024;
const BYTES_PER_MIB = 1024 * 1024;

/** Largest archive of one extension that the service accepts: its machine refuses more with 400. */
export const MAX_ARCHIVE_BYTES = 50 * BYTES_PER_MIB;

/**
 * Sum of the sizes from which a folder is refused without being read: an extension that compresses to a fifth is rare, and what
 * is this large is a wrong folder.
 */
const MAX_FOLDER_BYTES = 256 * BYTES_PER_MIB;

/** How many files a refusal names: enough to see what is wrong, few enough for one line. */
const NAMED_FILES = 3;

/**
 * The sentence that refuses an archive which is too large, with its largest files by uncompressed size; undefined when `archiveBytes`
 * is within {@link MAX_ARCHIVE_BYTES}.
 */
export function refuseTooLarge(archiveBytes: number, files: readonly SelectedFile[]): string | undefined {
  if (archiveBytes <= MAX_ARCHIVE_BYTES) return undefined;
  return `The archive has ${formatBytes(archiveBytes)}${sentenceOfLargest(files)}`;
}

/** The sentence that ends a pack whose archive is over the limit before all is packed; undefined while it is not. */
export function refuseUnfinished(packedBytes: number, files: readonly SelectedFile[]): string | undefined {
  if (packedBytes <= MAX_ARCHIVE_BYTES) return undefined;
  return `The archive has more than ${formatBytes(MAX_ARCHIVE_BYTES)}${sentenceOfLargest(files)}`;
}

/** The sentence that refuses a folder by the sizes of its files alone; undefined when it is worth packing. */
export function refuseFolder(files: readonly SelectedFile[]): string | undefined {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes <= MAX_FOLDER_BYTES) return undefined;
  return `The folder has ${formatBytes(bytes)} to pack${sentenceOfLargest(files)}`;
}

function sentenceOfLargest(files: readonly SelectedFile[]): string {
  const named = largestFiles(files, NAMED_FILES).map(({ path, size }) => `${path} (${formatBytes(size)})`);
  return (
    `, the service takes at most ${formatBytes(MAX_ARCHIVE_BYTES)}. ` +
    `The largest files are ${named.join(', ')}: remove them or exclude them.`
  );
}

/** An archive that the service would refuse for its size. The message names the largest files and says what to do. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}

/** The `count` largest files, largest first; equal sizes keep their order. */
export function largestFiles(files: readonly SelectedFile[], count: number): SelectedFile[] {
  return [...files].sort((a, b) => b.size - a.size).slice(0, count);
}

/** A size in bytes as people read it: `17 bytes`, `4.2 KiB`, `50.0 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < BYTES_PER_KIB) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  if (bytes < BYTES_PER_MIB) return `${(bytes / BYTES_PER_KIB).toFixed(1)} KiB`;
  return `${(bytes / BYTES_PER_MIB).toFixed(1)} MiB`;
}
