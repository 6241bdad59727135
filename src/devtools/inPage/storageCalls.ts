import type { ApiStorageArea, ExtensionApi } from './chromeApi';

declare const chrome: Partial<ExtensionApi>;
declare const self: {
  chrome?: Partial<ExtensionApi>;
  /** The areas whose changes were reported since they were read last. */
  reported?: Set<string>;
  /** What was read of areas and not taken yet, by the number of the reading: JSON objects, in their order. */
  unread?: Map<number, string[]>;
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

/** The beginning of an area's items, a JSON object, and where the others are: `pieces` more, which {@link readPiece} gives by their `reading`. */
export interface AreaStart {
  json: string;
  reading: number;
  pieces: number;
}

/**
 * The items of an area as they are now, in JSON objects of about `pieceLength` characters: the first, while the page keeps the others. `tooLarge`
 * with the size in bytes when the area has more than `mostBytes`.
 */
export async function readArea(
  area: ApiStorageArea,
  mostBytes: number,
  pieceLength: number,
): Promise<StorageRefusal | AreaStart> {
  if (self.chrome?.runtime?.id === undefined) return { error: 'gone' };
  const store = chrome.storage?.[area];
  if (!store) return { error: 'noStorage' };
  try {
    self.reported?.delete(area);
    const bytes = (await store.getBytesInUse?.(null)) ?? 0;
    if (bytes > mostBytes) return { error: 'tooLarge', message: String(bytes) };
    const pieces: string[] = [];
    let members: string[] = [];
    let length = 0;
    for (const [key, value] of Object.entries(await store.get(null))) {
      const member = `${JSON.stringify(key)}:${JSON.stringify(value)}`;
      members.push(member);
      length += member.length;
      if (length < pieceLength) continue;
      pieces.push(`{${members.join()}}`);
      members = [];
      length = 0;
    }
    if (members.length > 0 || pieces.length === 0) pieces.push(`{${members.join()}}`);
    const [json = '{}', ...others] = pieces;
    const unread = (self.unread ??= new Map<number, string[]>());
    const reading = Math.max(0, ...unread.keys()) + 1;
    if (others.length > 0) unread.set(reading, others);
    return { json, reading, pieces: others.length };
  } catch (error) {
    return { error: 'refused', message: (error as Error).message };
  }
}

/** The next piece of a reading, which the page then forgets; `gone` when it has none, as after a reload of the extension. */
export function readPiece(reading: number): StorageRefusal | { json: string } {
  const pieces = self.unread?.get(reading);
  const json = pieces?.shift();
  if (pieces?.length === 0) self.unread?.delete(reading);
  return json === undefined ? { error: 'gone' } : { json };
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
