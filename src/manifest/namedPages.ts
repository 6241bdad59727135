import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isWithin, readRegularFile } from '../base/disk';
import { fieldOf } from '../base/fields';

/** A larger manifest is not read, in bytes. */
const MAX_MANIFEST_BYTES = 2 * 1024 * 1024;

/** A page of an extension: what it is for, as the key of its manifest, and its path. */
export interface ManifestPage {
  key: string;
  path: string;
}

/** The pages that a manifest names: popup, options, side panel and replaced pages of the browser. */
export function pagesOf(manifest: unknown): ManifestPage[] {
  const places: readonly (readonly string[])[] = [
    ['action', 'default_popup'],
    ['browser_action', 'default_popup'],
    ['page_action', 'default_popup'],
    ['options_ui', 'page'],
    ['options_page'],
    ['side_panel', 'default_path'],
    ['devtools_page'],
    ['chrome_url_overrides', 'newtab'],
    ['chrome_url_overrides', 'history'],
    ['chrome_url_overrides', 'bookmarks'],
  ];
  return places.flatMap((keys) => {
    const path = keys.reduce(fieldOf, manifest);
    return typeof path === 'string' && path !== '' ? [{ key: keys.join('.'), path }] : [];
  });
}

/** The manifest in an extension folder; undefined when there is none that can be read. */
export async function readManifest(folder: string): Promise<unknown> {
  const bytes = await readRegularFile(join(folder, 'manifest.json'), MAX_MANIFEST_BYTES);
  const { parse } = await import('jsonc-parser');
  return bytes && parse(bytes.toString('utf8'));
}

/** Which paths are files in an extension folder, whose path is absolute: asked for the few paths that a person names. */
export function filesIn(folder: string): (path: string) => boolean {
  return (path) => {
    const file = join(folder, path);
    try {
      return isWithin(folder, file) && (statSync(file, { throwIfNoEntry: false })?.isFile() ?? false);
    } catch {
      // What was typed is longer than a name may be, or in a folder that cannot be read.
      return false;
    }
  };
}
