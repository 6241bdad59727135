import { type Archive, replaceFiles } from '../../archive/packer';
import { isObject, optionalText } from '../../base/fields';
import { valueOf } from '../../manifest/json/node';
import { parseJson } from '../../manifest/json/parse';
import { Text } from '../../manifest/source/text';
import type { Prepared } from './prepare';

/**
 * The archive with a `key` in its manifest, made from `path`; a key of the user's own is kept. The user's own file is not touched.
 *
 * The id of an extension is the digest of its key, for which any bytes will do, or of its path (C-ID-DIGEST). So with the path's own bytes for a key,
 * a folder of any name gets the id that the extension has in the folder `path`.
 */
export async function withStableKey({ archive, manifest: { raw } }: Prepared, path: string): Promise<Archive> {
  if (!isObject(raw) || 'key' in raw) return archive;
  const key = stableKey(path);
  return replaceFiles(archive, new Map([['manifest.json', Buffer.from(JSON.stringify({ ...raw, key }), 'utf8')]]));
}

function stableKey(path: string): string {
  return Buffer.from(path, 'utf8').toString('base64');
}

/**
 * The key of a build as it is placed; undefined when Chromium makes its id from its path. `path`: what {@link withStableKey} makes a key of,
 * where it does.
 */
export function placedKey(
  { manifest: { raw } }: Pick<Prepared, 'manifest'>,
  path: string | undefined,
): string | undefined {
  if (isObject(raw) && 'key' in raw) return optionalText(raw, 'key');
  return path === undefined ? undefined : stableKey(path);
}

/** The key in the text of a manifest on a browser; undefined when it has none or is not a manifest. */
export function keyIn(manifest: Uint8Array): string | undefined {
  const parsed = parseJson(new Text(manifest));
  return 'root' in parsed ? optionalText(valueOf(parsed.root), 'key') : undefined;
}
