import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../errors';
import { isFields } from '../fields';
import type { Chromium } from './chromium';

/**
 * Those of the folders that the browser does not list although they stood on its command line. A folder whose place was
 * taken by a later one with the same `key` is left out: Chromium keeps only the last, and that is right.
 *
 * Promises an empty list for a browser that is too old to tell.
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
 * Why the browser did not load some of the folders, in Chromium's own words: it is asked to load them once more, and
 * says. A folder that came by the command line is not loaded a second time, which would renew a worker that the service
 * leaves old.
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
 * Loads the folders over DevTools into a browser that ignored all of them on its command line, as branded Chrome does
 * since version 137. Does nothing in a browser that listened. A refusal is not told here; `refusals` asks again.
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
    return isFields(manifest) && typeof manifest['key'] === 'string' ? manifest['key'] : undefined;
  } catch {
    // Missing or broken: then it has no key, and Chromium will say the rest.
    return undefined;
  }
}
