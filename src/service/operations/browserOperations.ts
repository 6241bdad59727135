import { expectNoContent, jsonOf } from '../decode/answer';
import { decodeBrowser } from '../decode/decode';
import type { Browser, CreateBrowserRequest, UpdateBrowserRequest } from '../model';
import type { Content, FormPart, UploadProgress } from '../wire/body';
import type { HttpResponse } from '../wire/http';
import { get, jsonBody, MEBIBYTE, remove, type Operation } from './operation';
import type { List } from './pagedRequest';

/** Filters of a list of browsers: active ones by default, with all of the tags. */
export interface BrowserQuery {
  status?: 'active' | 'deleted' | 'all';
  query?: string;
  tags?: Record<string, string>;
}

/** An archive to unpack on a browser's machine, and the name of its folder there. */
export interface ExtensionUpload {
  name: string;
  zip: Content;
}

/** The longest record of a browser, in bytes: it may hold a browser policy of 5 MiB. */
export const BROWSER_BYTES = 16 * MEBIBYTE;

/** `GET /browsers` */
export function listBrowsers(query: BrowserQuery): List<Browser> {
  return {
    name: 'listBrowsers',
    path: ['browsers'],
    query: { ...query },
    item: decodeBrowser,
    idOf: (browser) => browser.id,
  };
}

/** `POST /browsers` */
export function createBrowser(request: CreateBrowserRequest, signal?: AbortSignal): Operation<Browser> {
  return {
    name: 'createBrowser',
    signal,
    method: 'POST',
    path: ['browsers'],
    body: jsonBody(request),
    timeLimit: 'long',
    maxBytes: BROWSER_BYTES,
    read: (response) => decodeBrowser(jsonOf(response)),
  };
}

/** `GET /browsers/{id_or_name}`; deleted browsers are included only on request. */
export function getBrowser(idOrName: string, signal?: AbortSignal, includeDeleted = false): Operation<Browser> {
  const read = (response: HttpResponse): Browser => decodeBrowser(jsonOf(response));
  const query = includeDeleted ? { include_deleted: true } : {};
  return { ...get('getBrowser', ['browsers', idOrName], read, query), maxBytes: BROWSER_BYTES, signal };
}

/** `PATCH /browsers/{id_or_name}` */
export function updateBrowser(
  idOrName: string,
  changes: UpdateBrowserRequest,
  signal?: AbortSignal,
): Operation<Browser> {
  return {
    name: 'updateBrowser',
    signal,
    method: 'PATCH',
    path: ['browsers', idOrName],
    body: jsonBody(changes),
    timeLimit: 'long',
    maxBytes: BROWSER_BYTES,
    read: (response) => decodeBrowser(jsonOf(response)),
  };
}

/** `DELETE /browsers/{id_or_name}` */
export function deleteBrowser(idOrName: string, signal?: AbortSignal): Operation<void> {
  return { ...remove('deleteBrowser', ['browsers', idOrName]), signal };
}

/** `POST /browsers/{id}/extensions`: for each extension, first the name and then the archive. */
export function uploadExtensionsToBrowser(
  id: string,
  extensions: readonly ExtensionUpload[],
  signal?: AbortSignal,
  onProgress?: UploadProgress,
): Operation<void> {
  const parts = extensions.flatMap(({ name, zip }, index): FormPart[] => [
    { name: `extensions[${index}][name]`, value: name },
    {
      name: `extensions[${index}][zip_file]`,
      fileName: `${name}.zip`,
      content: zip,
      contentType: 'application/zip',
    },
  ]);
  return {
    name: 'uploadExtensionsToBrowser',
    signal,
    method: 'POST',
    path: ['browsers', id, 'extensions'],
    body: { kind: 'multipart', parts },
    accept: '*/*',
    timeLimit: 'long',
    onProgress,
    read: expectNoContent,
  };
}
