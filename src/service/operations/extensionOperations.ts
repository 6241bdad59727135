import { jsonOf } from '../decode/answer';
import { decodeStoredExtension } from '../decode/decode';
import type { StoredExtension } from '../model';
import type { Content, UploadProgress } from '../wire/body';
import { download, get, remove, zipPart, type Operation } from './operation';
import type { List, NameQuery } from './pagedRequest';

/** `GET /extensions` */
export function listExtensions(query: NameQuery): List<StoredExtension> {
  return { name: 'listExtensions', path: ['extensions'], query: { ...query }, item: decodeStoredExtension };
}

/** `POST /extensions`: first the archive, then its name. */
export function uploadExtension(
  zip: Content,
  name: string | undefined,
  signal?: AbortSignal,
  onProgress?: UploadProgress,
): Operation<StoredExtension> {
  const file = zipPart('file', `${name ?? 'extension'}.zip`, zip);
  return {
    name: 'uploadExtension',
    signal,
    method: 'POST',
    path: ['extensions'],
    body: { kind: 'multipart', parts: name === undefined ? [file] : [file, { name: 'name', value: name }] },
    timeLimit: 'long',
    // It names nothing that could be missing.
    notFoundIsMissing: true,
    onProgress,
    read: (response) => decodeStoredExtension(jsonOf(response)),
  };
}

/** `GET /extensions/{id_or_name}/metadata`: the record. Without `metadata` the same path gives the archive. */
export function getExtension(idOrName: string, signal?: AbortSignal): Operation<StoredExtension> {
  const path = ['extensions', idOrName, 'metadata'];
  return { ...get('getExtension', path, (response) => decodeStoredExtension(jsonOf(response))), signal };
}

/** `GET /extensions/{id_or_name}`: the archive. */
export function downloadExtension(idOrName: string, signal?: AbortSignal): Operation<Uint8Array> {
  return { ...download('downloadExtension', ['extensions', idOrName]), signal };
}

/** `GET /extensions/from_chrome_store`: the published version of the extension at an address of the Chrome Web Store, as a zip. */
export function downloadPublished(url: string, signal?: AbortSignal): Operation<Uint8Array> {
  // A 404 may be about the extension, which the query names: it does not say that the service has no such operation.
  return { ...download('downloadPublished', ['extensions', 'from_chrome_store'], { url }), signal };
}

/** `DELETE /extensions/{id_or_name}` */
export function deleteExtension(idOrName: string, signal?: AbortSignal): Operation<void> {
  return { ...remove('deleteExtension', ['extensions', idOrName]), signal };
}
