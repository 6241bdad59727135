import { STORE_LEVEL } from '../archive/compress';
import { zipFile } from '../archive/zip';

/**
 * The archive of an extension that does nothing, for a folder that must not be empty: when a folder on Chromium's command line holds
 * no extension, a headful browser shows a modal error dialog at each start. `key` determines the extension's id; without one the
 * folder's path does.
 */
export async function standIn(key?: string): Promise<Uint8Array<ArrayBuffer>> {
  const manifest = {
    manifest_version: 3,
    name: 'Removed by Sideload',
    version: '1',
    description: 'Keeps the place of an extension that was removed or refused, and does nothing.',
    ...(key === undefined ? {} : { key }),
  };
  const { bytes } = await zipFile('manifest.json', Buffer.from(JSON.stringify(manifest), 'utf8'), STORE_LEVEL);
  return bytes;
}
