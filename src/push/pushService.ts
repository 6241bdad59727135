import type { UploadRestart } from '../service/interface';
import type { FileInfo } from '../service/model';

/**
 * What a push needs of a service, whose browsers it knows by their ids: the files on a browser's machine, the upload that restarts Chromium, and
 * a key press. Operations reject with a `ServiceError`, whose kind says whether the operation or the file is missing, and whether something may
 * have happened; `signal` ends them. `onProgress` is called with the number of bytes sent so far.
 */
export interface PushService {
  /** Identifies the service; addresses of its browsers are checked against it. */
  readonly baseUrl: URL;
  /**
   * Adds extensions to Chromium's command line, each in a folder of its name that does not exist yet, and restarts it, or does what `restart` says:
   * only where the browser is `restartOptional`, and by a caller that loads them over DevTools.
   */
  uploadExtensionsToBrowser(
    id: string,
    uploads: readonly { name: string; zip: Uint8Array }[],
    signal?: AbortSignal,
    onProgress?: (sentBytes: number) => void,
    restart?: UploadRestart,
  ): Promise<void>;
  /** Unpacks an archive into a folder, beside what is there. */
  uploadZip(
    id: string,
    zip: Uint8Array,
    folder: string,
    signal?: AbortSignal,
    onProgress?: (sentBytes: number) => void,
  ): Promise<void>;
  listFiles(id: string, folder: string, signal?: AbortSignal): Promise<FileInfo[]>;
  fileInfo(id: string, path: string, signal?: AbortSignal): Promise<FileInfo>;
  /** Rejects when the file has more than `maxBytes`. */
  readFile(id: string, path: string, signal?: AbortSignal, maxBytes?: number): Promise<Uint8Array>;
  /** Renames a file or a folder: nothing ends it, since a build that is moved by halves is none. */
  moveFile(id: string, from: string, to: string): Promise<void>;
  /** Resolves also when there is none. */
  deleteFile(id: string, path: string, signal?: AbortSignal): Promise<void>;
  /** Deletes a folder with all that is in it; resolves also when there is none. */
  deleteDirectory(id: string, folder: string, signal?: AbortSignal): Promise<void>;
  pressKey(id: string, request: { keys: string[] }, signal?: AbortSignal): Promise<void>;
}
