import type { SelectedFile } from './selection';
import type { ZipEntry } from './zip';

/** A packed file: its entry, its size in bytes, and the SHA-256 in hex of its content. */
export interface PackedFile {
  entry: ZipEntry;
  size: number;
  digest: string;
  /** The length of its part of an archive, in bytes. */
  zipBytes: number;
}

/** A file as it was packed last. */
export interface KnownFile extends PackedFile {
  level: number;
  /** The file's metadata at that time. */
  selected: SelectedFile;
  readAtMs: number;
}

/**
 * A file that was written this shortly before it was read is read again, in milliseconds: a later write may have the same time,
 * because some file systems count time in steps of two seconds.
 */
const TIME_STEP_MS = 2000;

/** Whether a file's content must be the known one, by its metadata. */
export function isUntouched({ selected: before, readAtMs }: KnownFile, now: SelectedFile): boolean {
  return (
    before.size === now.size &&
    before.mtimeMs === now.mtimeMs &&
    before.ctimeMs === now.ctimeMs &&
    Math.max(now.mtimeMs, now.ctimeMs) + TIME_STEP_MS < readAtMs
  );
}
