import { STORE_LEVEL } from '../../archive/compress';
import { zipFile } from '../../archive/zip';

const REMOVED = {
  name: 'Removed by Sideload',
  description: 'Keeps the place of an extension that was removed or refused, and does nothing.',
};

/** What an extension is called that keeps another one from files. */
export const KEEPS_FROM_FILES = {
  name: 'Kept from Files by Sideload',
  description: 'Keeps the extension that an agent has pushed from files of this machine, and does nothing.',
};

/**
 * The archive of an extension that does nothing, for a folder that must not be empty: one on Chromium's command line would open an error dialog at
 * each start (C-START-DIALOG). `key` determines the extension's id; without one the folder's path does.
 */
export async function standIn(key?: string, texts = REMOVED): Promise<Uint8Array<ArrayBuffer>> {
  const manifest = {
    manifest_version: 3,
    version: '1',
    ...texts,
    ...(key === undefined ? {} : { key }),
  };
  const { bytes } = await zipFile('manifest.json', Buffer.from(JSON.stringify(manifest), 'utf8'), STORE_LEVEL);
  return bytes;
}
