import type { ApiStorageArea, ExtensionApi } from './chromeApi';

declare const chrome: Partial<ExtensionApi>;
declare const self: {
  chrome?: Partial<ExtensionApi>;
  /** The areas whose changes were reported since they were read last. */
  reported?: Set<string>;
  sideloadStorageChanged?: (area: string) => void;
};

/** Why a page could not do it; see `StorageError`. */
export interface StorageRefusal {
  error: 'gone' | 'noStorage' | 'refused' | 'tooLarge';
  message?: string;
}

/** What {@link writeArea} is to do, in JSON: of each key the digest that is expected, null where it should not be there. */
export interface AreaChange {
  set: Record<string, unknown>;
  remove: string[];
  expected: [key: string, digest: string | null][];
}

/**
 * Reports changes of areas from now on by the function `binding`, each area once until it is read again: an extension that writes a thousand
 * times a second causes one message.
 */
export function watchAreas(binding: 'sideloadStorageChanged'): void {
  const reported = new Set<string>();
  self.reported = reported;
  chrome.storage?.onChanged.addListener((_changes, area) => {
    if (reported.has(area)) return;
    reported.add(area);
    self[binding]?.(area);
  });
}

/** The items of an area, in JSON; `tooLarge` with its size in bytes when it has more than `mostBytes`. */
export async function readArea(area: ApiStorageArea, mostBytes: number): Promise<StorageRefusal | { json: string }> {
  if (self.chrome?.runtime?.id === undefined) return { error: 'gone' };
  const store = chrome.storage?.[area];
  if (!store) return { error: 'noStorage' };
  try {
    self.reported?.delete(area);
    const bytes = (await store.getBytesInUse?.(null)) ?? 0;
    if (bytes > mostBytes) return { error: 'tooLarge', message: String(bytes) };
    return { json: JSON.stringify(await store.get(null)) };
  } catch (error) {
    return { error: 'refused', message: (error as Error).message };
  }
}

/**
 * Writes to an area if its values are the expected ones: `json` is an {@link AreaChange}, of which `__proto__` may be a key. Resolves to the
 * keys that have other values. Between the comparison and the write, nothing but this page's own work passes. What is removed is removed last;
 * when the rest has room only without it, first, and it is put back when the write fails nevertheless.
 */
export async function writeArea(area: ApiStorageArea, json: string): Promise<StorageRefusal | { changed?: string[] }> {
  if (self.chrome?.runtime?.id === undefined) return { error: 'gone' };
  const store = chrome.storage?.[area];
  if (!store) return { error: 'noStorage' };
  const { set, remove, expected } = JSON.parse(json) as AreaChange;
  const own = {
    /** The SHA-256 of a value as JSON, with the keys of objects sorted, in hex. */
    async digestOf(value: unknown): Promise<string> {
      const text = JSON.stringify(value, (_key, inner: unknown) =>
        typeof inner === 'object' && inner !== null && !Array.isArray(inner)
          ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
          : inner,
      );
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
      return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    },
  };
  try {
    const keys = expected.map(([key]) => key);
    const now = await store.get(keys);
    const digests = await Promise.all(
      keys.map(async (key) => (Object.hasOwn(now, key) ? await own.digestOf(now[key]) : null)),
    );
    const changed = keys.filter((_key, at) => digests[at] !== expected[at]?.[1]);
    if (changed.length > 0) return { changed };
    const isSetting = Object.keys(set).length > 0;
    let isRemoved = remove.length === 0;
    try {
      if (isSetting) await store.set(set);
    } catch (error) {
      if (isRemoved) throw error;
      const removed = await store.get(remove);
      await store.remove(remove);
      isRemoved = true;
      try {
        await store.set(set);
      } catch (second) {
        await store.set(removed);
        throw second;
      }
    }
    if (!isRemoved) await store.remove(remove);
    return {};
  } catch (error) {
    return { error: 'refused', message: (error as Error).message };
  }
}

/** Removes all items of an area. */
export async function clearArea(area: ApiStorageArea): Promise<StorageRefusal | Record<string, never>> {
  if (self.chrome?.runtime?.id === undefined) return { error: 'gone' };
  const store = chrome.storage?.[area];
  if (!store) return { error: 'noStorage' };
  try {
    await store.clear();
    return {};
  } catch (error) {
    return { error: 'refused', message: (error as Error).message };
  }
}

/** How many bytes each of the areas takes. */
export async function sizesOfAreas(areas: readonly ApiStorageArea[]): Promise<StorageRefusal | number[]> {
  if (self.chrome?.runtime?.id === undefined) return { error: 'gone' };
  const { storage } = chrome;
  if (!storage) return { error: 'noStorage' };
  try {
    return await Promise.all(areas.map(async (area) => (await storage[area]?.getBytesInUse?.(null)) ?? 0));
  } catch (error) {
    return { error: 'refused', message: (error as Error).message };
  }
}
