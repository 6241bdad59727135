import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isJsonObject } from '../requestFields';
import { type Chromium, RefusalError } from './chromium';

/**
 * The folders that are on the browser's command line (`flagged`), but not in its list of extensions. A folder that was replaced by a later
 * one with the same `key` is not included (C-FLAG-NEWEST).
 *
 * Resolves to an empty list for a browser that is too old to list its extensions.
 */
async function notLoaded(
  chromium: Chromium,
  folders: readonly string[],
  flagged: readonly string[],
): Promise<string[]> {
  const loaded = await loadedFolders(chromium);
  if (!loaded) return [];
  const missing: string[] = [];
  for (const folder of folders) {
    if (await isIn(loaded, folder)) continue;
    const later = flagged.slice(flagged.lastIndexOf(folder) + 1);
    if (!(await isReplaced(folder, later))) missing.push(folder);
  }
  return missing;
}

/**
 * Chromium's texts about the folders that it did not load, from a second attempt to load them. Folders that it has loaded are not loaded
 * again, since that would renew workers that the service does not renew. Of several folders, each text begins with the name of its folder.
 * Rejects when the browser ends meanwhile, or does not answer.
 */
export async function refusals(
  chromium: Chromium,
  folders: readonly string[],
  flagged: readonly string[],
): Promise<string[]> {
  const reasons: string[] = [];
  for (const folder of await notLoaded(chromium, folders, flagged)) {
    await chromium.loadUnpacked(folder).catch(async (error: unknown) => {
      // A browser that did not answer, or has crashed, has refused nothing.
      if (!(error instanceof RefusalError)) throw error;
      await chromium.send('Browser.getVersion');
      reasons.push(folders.length > 1 ? `${path.basename(folder)}: ${error.message}` : error.message);
    });
  }
  return reasons;
}

/**
 * Loads the folders over DevTools, in their order, into a browser that has loaded none of them because it ignores `--load-extension`
 * (C-FLAG-IGNORED). This is detected by the browser's list of extensions instead of its brand and version, so that other brands and later versions
 * are covered.
 *
 * Such a load has the effect of the flag, also in that the first one after a restart runs the previous service worker (C-FLAG-BY-DEVTOOLS).
 *
 * Otherwise does nothing. Refusals are ignored here and reported by `refusals`.
 */
export async function loadIfIgnored(chromium: Chromium, flagged: readonly string[]): Promise<void> {
  const loaded = await loadedFolders(chromium);
  if (!loaded) return;
  const isLoaded = await Promise.all(flagged.map((folder) => isIn(loaded, folder)));
  if (isLoaded.includes(true)) return;
  // Also those that a later one with the same `key` replaces: that renews the worker, as it does on the command line.
  for (const folder of flagged) await chromium.loadUnpacked(folder).catch(() => undefined);
}

async function isIn(loaded: ReadonlySet<string>, folder: string): Promise<boolean> {
  return loaded.has(folder) || loaded.has(await realpath(folder).catch(() => folder));
}

async function loadedFolders(chromium: Chromium): Promise<Set<string> | undefined> {
  try {
    const { extensions } = await chromium.send('Extensions.getExtensions');
    return new Set(extensions.map(({ path: folder }) => folder));
  } catch (error) {
    if (error instanceof Error && error.message.includes("wasn't found")) return undefined;
    throw error;
  }
}

async function isReplaced(folder: string, later: readonly string[]): Promise<boolean> {
  const key = await keyOf(folder);
  if (key === undefined) return false;
  const laterKeys = await Promise.all(later.map(keyOf));
  return laterKeys.includes(key);
}

async function keyOf(folder: string): Promise<string | undefined> {
  try {
    const manifest: unknown = JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8'));
    return isJsonObject(manifest) && typeof manifest['key'] === 'string' ? manifest['key'] : undefined;
  } catch {
    // A missing or broken manifest has no key; Chromium reports the fault.
    return undefined;
  }
}
