import { storeFile } from '../archive/compress';
import { zipOf } from '../archive/zip';

/**
 * The archive of an extension that does nothing, for a folder that must not be empty: once a folder is on Chromium's command line,
 * a browser with windows stands still before an error window at each start when there is no extension in it. `key` gives it an
 * id; without one its folder does.
 */
export function standIn(key?: string): Uint8Array<ArrayBuffer> {
  const manifest = {
    manifest_version: 3,
    name: 'Removed by Sideload',
    version: '1',
    description: 'Keeps the place of an extension that was removed or refused, and does nothing.',
    ...(key === undefined ? {} : { key }),
  };
  return zipOf([storeFile('manifest.json', Buffer.from(JSON.stringify(manifest), 'utf8')).entry]);
}
