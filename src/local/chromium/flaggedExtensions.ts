import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../errors';
import { isJsonObject } from '../fields';
import type { Chromium } from './chromium';

/**
 * The folders that are on the browser's command line (`flagged`), but not in its list of extensions. A folder that was replaced by a later
 * one with the same `key` is not included, since Chromium keeps only the last one.
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
    const real = await realpath(folder).catch(() => folder);
    if (loaded.has(folder) || loaded.has(real)) continue;
    const later = flagged.slice(flagged.lastIndexOf(folder) + 1);
    if (!(await isReplaced(folder, later))) missing.push(folder);
  }
  return missing;
}

/**
 * Chromium's texts about the folders that it did not load, from a second attempt to load them. Folders that it has loaded are not loaded
 * again, since that would renew workers that the service does not renew.
 */
export async function refusals(
  chromium: Chromium,
  folders: readonly string[],
  flagged: readonly string[],
): Promise<string[]> {
  const reasons: string[] = [];
  for (const folder of await notLoaded(chromium, folders, flagged)) {
    await chromium.loadUnpacked(folder).catch((error: unknown) => reasons.push(messageOf(error)));
  }
  return reasons;
}

/**
 * Loads the folders over DevTools into a browser that ignored all of them on its command line, as branded Chrome does since version 137;
 * otherwise does nothing. Refusals are ignored here and reported by `refusals`.
 */
export async function loadIfIgnored(chromium: Chromium, flagged: readonly string[]): Promise<void> {
  const missing = await notLoaded(chromium, flagged, flagged);
  if (missing.length < flagged.length) return;
  for (const folder of missing) await chromium.loadUnpacked(folder).catch(() => undefined);
}

async function loadedFolders(chromium: Chromium): Promise<Set<string> | undefined> {
  try {
    return new Set((await chromium.extensions()).map((extension) => extension.path));
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
