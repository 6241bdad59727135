import { jsonOf } from '../decode/answer';
import { decodeFileInfo } from '../decode/decode';
import { longListOf } from '../decode/decodeFields';
import type { FileInfo } from '../model';
import type { Content, UploadProgress } from '../wire/body';
import type { HttpResponse } from '../wire/http';
import { command, download, get, MEBIBYTE, upload, zipPart, type Operation } from './operation';

/** Files on a browser's machine. Paths are absolute. */

/** The longest list of a folder, in bytes: some 80,000 entries. */
const FOLDER_BYTES = 16 * MEBIBYTE;

const path = (id: string, operation: string): string[] => ['browsers', id, 'fs', operation];

/** `GET /browsers/{id}/fs/list_files`: the entries of a folder. */
export function listFiles(id: string, folder: string, signal?: AbortSignal): Operation<FileInfo[]> {
  const read = async (response: HttpResponse): Promise<FileInfo[]> => {
    const value = jsonOf(response);
    // An empty folder may be null (source: the open in-VM server, whose lists are Go slices).
    return value === null ? [] : await longListOf(value, 'files', decodeFileInfo);
  };
  return { ...get('listFiles', path(id, 'list_files'), read, { path: folder }), maxBytes: FOLDER_BYTES, signal };
}

/** `GET /browsers/{id}/fs/file_info`: one file or folder. */
export function fileInfo(id: string, file: string, signal?: AbortSignal): Operation<FileInfo> {
  const read = (response: HttpResponse): FileInfo => decodeFileInfo(jsonOf(response));
  return { ...get('fileInfo', path(id, 'file_info'), read, { path: file }), signal };
}

/** `PUT /browsers/{id}/fs/create_directory`: `mode` in octal digits, such as `755`. */
export function createDirectory(id: string, folder: string, mode?: string, signal?: AbortSignal): Operation<void> {
  const body = { path: folder, ...(mode === undefined ? {} : { mode }) };
  return { ...command('createDirectory', 'PUT', path(id, 'create_directory'), body), signal };
}

/** `PUT /browsers/{id}/fs/delete_directory`: a folder with its content. It succeeds for a missing folder, so it may be retried. */
export function deleteDirectory(id: string, folder: string, signal?: AbortSignal): Operation<void> {
  const request = command('deleteDirectory', 'PUT', path(id, 'delete_directory'), { path: folder });
  return { ...request, idempotent: true, signal };
}

/** `PUT /browsers/{id}/fs/delete_file` */
export function deleteFile(id: string, file: string, signal?: AbortSignal): Operation<void> {
  const request = command('deleteFile', 'PUT', path(id, 'delete_file'), { path: file });
  return { ...request, idempotent: true, notFoundIsDone: true, signal };
}

/** `PUT /browsers/{id}/fs/move`: a rename. */
export function moveFile(id: string, from: string, to: string): Operation<void> {
  return command('moveFile', 'PUT', path(id, 'move'), { src_path: from, dest_path: to });
}

/** `GET /browsers/{id}/fs/read_file`: a file of at most `maxBytes`. */
export function readFile(id: string, file: string, signal?: AbortSignal, maxBytes?: number): Operation<Uint8Array> {
  return { ...download('readFile', path(id, 'read_file'), { path: file }, maxBytes), signal };
}

/** `PUT /browsers/{id}/fs/write_file`: creates parent folders; `mode` in octal digits. */
export function writeFile(
  id: string,
  file: string,
  content: Content,
  mode?: string,
  signal?: AbortSignal,
): Operation<void> {
  const operation = upload('writeFile', 'PUT', path(id, 'write_file'), { kind: 'bytes', content });
  return { ...operation, query: { path: file, mode }, signal };
}

/** `POST /browsers/{id}/fs/upload_zip`: unpacks over existing files and removes none. */
export function uploadZip(
  id: string,
  zip: Content,
  folder: string,
  signal?: AbortSignal,
  onProgress?: UploadProgress,
): Operation<void> {
  const parts = [zipPart('zip_file', 'files.zip', zip), { name: 'dest_path', value: folder }];
  return { ...upload('uploadZip', 'POST', path(id, 'upload_zip'), { kind: 'multipart', parts }), onProgress, signal };
}
