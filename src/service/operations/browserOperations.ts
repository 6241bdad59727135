import { jsonOf } from '../decode/answer';
import { decodeBrowser } from '../decode/decode';
import { UPLOAD_RESTART, type UploadRestart } from '../interface';
import type { Browser, CreateBrowserRequest, UpdateBrowserRequest } from '../model';
import type { Content, FormPart, UploadProgress } from '../wire/body';
import type { HttpResponse } from '../wire/http';
import { get, MEBIBYTE, remove, send, upload, zipPart, type Operation } from './operation';
import type { List } from './pagedRequest';

/** Filters of a list of browsers: active ones by default, with all of the tags. */
export interface BrowserQuery {
  status?: 'active' | 'deleted' | 'all';
  query?: string;
  tags?: Record<string, string>;
}

/** The longest record of a browser, in bytes: it may hold a browser policy of 5 MiB. */
export const BROWSER_BYTES = 16 * MEBIBYTE;

/** The browser in an answer. @throws DecodeError */
export function readBrowser(response: HttpResponse): Browser {
  return decodeBrowser(jsonOf(response));
}

/** `GET /browsers` */
export function listBrowsers(query: BrowserQuery): List<Browser> {
  return { name: 'listBrowsers', path: ['browsers'], query: { ...query }, item: decodeBrowser };
}

/** `POST /browsers` */
export function createBrowser(request: CreateBrowserRequest, signal?: AbortSignal): Operation<Browser> {
  const operation = send('createBrowser', 'POST', ['browsers'], request, readBrowser);
  return { ...operation, timeLimit: 'long', maxBytes: BROWSER_BYTES, signal };
}

/** `GET /browsers/{id_or_name}`; deleted browsers are included only on request. */
export function getBrowser(idOrName: string, signal?: AbortSignal, includeDeleted = false): Operation<Browser> {
  const query = includeDeleted ? { include_deleted: true } : {};
  return { ...get('getBrowser', ['browsers', idOrName], readBrowser, query), maxBytes: BROWSER_BYTES, signal };
}

/** `PATCH /browsers/{id_or_name}` */
export function updateBrowser(
  idOrName: string,
  changes: UpdateBrowserRequest,
  signal?: AbortSignal,
): Operation<Browser> {
  const operation = send('updateBrowser', 'PATCH', ['browsers', idOrName], changes, readBrowser);
  return { ...operation, timeLimit: 'long', maxBytes: BROWSER_BYTES, signal };
}

/** `DELETE /browsers/{id_or_name}` */
export function deleteBrowser(idOrName: string, signal?: AbortSignal): Operation<void> {
  return { ...remove('deleteBrowser', ['browsers', idOrName]), signal };
}

/**
 * `POST /browsers/{id}/extensions`: for each extension, first the name and then the archive. `restart`: the caller loads them over DevTools, and
 * this is what the local service does.
 */
export function uploadExtensionsToBrowser(
  id: string,
  extensions: readonly { name: string; zip: Content }[],
  signal?: AbortSignal,
  onProgress?: UploadProgress,
  restart?: UploadRestart,
): Operation<void> {
  const parts = extensions.flatMap(({ name, zip }, index): FormPart[] => [
    { name: `extensions[${index}][name]`, value: name },
    zipPart(`extensions[${index}][zip_file]`, `${name}.zip`, zip),
  ]);
  const body = { kind: 'multipart', parts } as const;
  const operation = upload('uploadExtensionsToBrowser', 'POST', ['browsers', id, 'extensions'], body);
  return { ...operation, ...(restart && { query: { [UPLOAD_RESTART]: restart } }), onProgress, signal };
}
