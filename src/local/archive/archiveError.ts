/** The archive is not a zip, or contains an entry that must not be written. The message names the entry. */
export class ArchiveError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ArchiveError';
  }
}

/**
 * Whether an error is a fault of this machine's disk, and not of the archive, which may have impossible entries (a file that is also a
 * folder).
 */
export function isDiskFault(error: unknown): boolean {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return false;
  return !['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'EINVAL'].includes(String(error.code));
}
