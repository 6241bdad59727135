import { optionalText } from '../base/fields';
/**
 * Why an extension folder could not be packed:
 * `folder` – the folder itself is missing, is not a folder, cannot be read or has too many files; `gone` – a file was deleted after it was selected;
 * `changed` – a file is different from the selected one (size, time or kind); `unreadable` – the system refused to read it.
 */
export type ArchiveErrorKind = 'folder' | 'gone' | 'changed' | 'unreadable';

/** A folder that cannot be packed in its present state. The message is a sentence for people that names the file and what to do. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';

  /** `path` is relative to the folder with `/`, or the folder itself for kind `folder`. */
  constructor(
    readonly kind: ArchiveErrorKind,
    readonly path: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The system's code of a failed file operation, such as `ENOENT`; `UNKNOWN` for any other thrown value. */
export function systemCode(error: unknown): string {
  return (error instanceof Error ? optionalText(error, 'code') : undefined) ?? 'UNKNOWN';
}
