/** The archive is no zip, or holds what must not be written. The message names the entry. */
export class ArchiveError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ArchiveError';
  }
}

/**
 * Whether an error is a fault of this machine's disk, which is the service's affair, and not the archive's, which may ask for
 * the impossible (a file as a folder).
 */
export function isDiskFault(error: unknown): boolean {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return false;
  return !['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'EINVAL'].includes(String(error.code));
}
