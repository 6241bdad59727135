import { type Archive, replaceFile } from '../archive/packer';
import type { Prepared } from './prepare';

/**
 * The archive with a `key` in its manifest, made from `path`; a key that the user has stays. The user's own file is not touched.
 *
 * Chromium's id of an extension is the digest of its key, or, without one, of the path it is loaded from; and it takes any bytes for
 * a key. So with the path's own bytes for a key, a folder of any name gets the id that the extension has in the folder `path`.
 */
export function withStableKey({ archive, manifest: { raw } }: Prepared, path: string): Archive {
  const isObject = typeof raw === 'object' && raw !== null && !Array.isArray(raw);
  if (!isObject || 'key' in raw) return archive;
  const key = Buffer.from(path, 'utf8').toString('base64');
  return replaceFile(archive, 'manifest.json', Buffer.from(JSON.stringify({ ...raw, key }), 'utf8'));
}
