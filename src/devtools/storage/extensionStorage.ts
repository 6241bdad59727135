import { createHash } from 'node:crypto';
import { fieldOf, isObject, numberField, objectOf, optionalText, textField } from '../../base/fields';
import {
  type AreaChange,
  clearArea,
  readArea,
  readPiece,
  sizesOfAreas,
  watchAreas,
  writeArea,
} from '../inPage/storageCalls';
import type { Protocol } from '../protocol/connect';
import { evaluate } from '../protocol/evaluate';
import type { HiddenPage } from '../protocol/hiddenPage';
import { callOf } from '../protocol/pageCall';

/** The areas of `chrome.storage`, as its API names them. */
export const STORAGE_AREAS = ['local', 'sync', 'session', 'managed'] as const;

export type StorageArea = (typeof STORAGE_AREAS)[number];

/** The largest area that is read, in bytes: the quota is 10 MB, but an extension with `unlimitedStorage` has none. */
export const MOST_BYTES = 40 * 1024 * 1024;

/** About how many characters of an area come in one message. */
const PIECE_LENGTH = 512 * 1024;

/** More pieces than the largest area has: JSON has at most six characters for a byte. */
const MOST_PIECES = (6 * MOST_BYTES) / PIECE_LENGTH + 1;

/** The function by which the page reports that an area has changed. */
const CHANGED = 'sideloadStorageChanged';

/** The items of an area by key: JSON values. */
export type StorageItems = ReadonlyMap<string, unknown>;

/** What a write does, all of it or nothing. */
export interface StorageChange {
  set: StorageItems;
  remove: readonly string[];
}

/** How a write ended. `changed`: these keys no longer have the expected values, and nothing was written. */
export type WriteEnd = { end: 'written' } | { end: 'changed'; keys: readonly string[] };

/**
 * Why storage could not be read or written. `gone`: the page is no longer one of the extension; `noStorage`: the extension has no permission
 * for it; `refused`: by Chromium, whose text is the message; `tooLarge`: the message is the size in bytes.
 */
export class StorageError extends Error {
  override readonly name = 'StorageError';

  constructor(
    readonly reason: 'gone' | 'noStorage' | 'refused' | 'tooLarge',
    message = '',
  ) {
    super(message);
  }
}

/** Calls `onChange` after an area has changed, by whomever; again only after the area was read. */
export async function watchStorage({ session }: HiddenPage, onChange: (area: StorageArea) => void): Promise<void> {
  session.on('Runtime.bindingCalled', ({ name, payload }: Protocol.Runtime.BindingCalledEvent) => {
    const area = STORAGE_AREAS.find((one) => one === payload);
    if (name === CHANGED && area) onChange(area);
  });
  await Promise.all([
    session.send('Runtime.addBinding', { name: CHANGED }),
    evaluate(session, callOf(watchAreas, CHANGED)),
  ]);
}

/**
 * The items of an area at one moment, in the order in which Chromium lists them. A large area comes in pieces, so that no message holds the thread
 * for long; they are asked for together.
 * @throws StorageError
 */
export async function readStorage({ session }: HiddenPage, area: StorageArea): Promise<StorageItems> {
  const start = checked(await evaluate(session, callOf(readArea, area, MOST_BYTES, PIECE_LENGTH)));
  const [reading, count] = [numberField(start, 'reading'), numberField(start, 'pieces')];
  const others = Array.from({ length: Math.min(count, MOST_PIECES) }, () =>
    evaluate(session, callOf(readPiece, reading)),
  );
  for (const other of others) other.catch(() => undefined);
  const items = new Map<string, unknown>();
  for (const answer of [Promise.resolve(start), ...others]) {
    const json = optionalText(checked(await answer), 'json');
    for (const [key, value] of itemsOf(json === undefined ? {} : JSON.parse(json))) items.set(key, value);
  }
  return items;
}

/**
 * Compares the present values with `expected`, where undefined stands for a missing key, and writes to the area only if all are equal.
 * @throws StorageError when nothing was written
 */
export async function writeStorage(
  { session }: HiddenPage,
  area: StorageArea,
  { set, remove }: StorageChange,
  expected: ReadonlyMap<string, unknown> = new Map(),
): Promise<WriteEnd> {
  const change: AreaChange = {
    set: Object.fromEntries(set),
    remove: [...remove],
    expected: [...expected].map(([key, value]) => [key, value === undefined ? null : digestOf(value)]),
  };
  // As text that the page parses: in a script, "__proto__" would not be a key like any other.
  const answer = checked(await evaluate(session, callOf(writeArea, area, JSON.stringify(change))));
  const changed: unknown = fieldOf(answer, 'changed');
  return Array.isArray(changed) ? { end: 'changed', keys: changed.map(String) } : { end: 'written' };
}

/** Removes all items of an area. @throws StorageError */
export async function clearStorage({ session }: HiddenPage, area: StorageArea): Promise<void> {
  checked(await evaluate(session, callOf(clearArea, area)));
}

/** How many bytes each area takes. @throws StorageError */
export async function storageSizes(page: HiddenPage): Promise<Record<StorageArea, number>> {
  const answer = checked(await evaluate(page.session, callOf(sizesOfAreas, STORAGE_AREAS)));
  const sizes = Array.isArray(answer) ? answer.map(Number) : [];
  const [local = 0, sync = 0, session = 0, managed = 0] = sizes;
  return { local, sync, session, managed };
}

/** What a site may store besides `chrome.storage`, as DevTools names it. */
const SITE_DATA = 'indexeddb,cache_storage,local_storage,file_systems';

/** Deletes IndexedDB, caches, `localStorage` and files of the extension `id`, which its pages and its worker have. */
export async function clearSiteData({ session }: HiddenPage, id: string): Promise<void> {
  await session.send('Storage.clearDataForOrigin', { origin: `chrome-extension://${id}`, storageTypes: SITE_DATA });
}

/** The members of a parsed JSON object as items; `__proto__` is a key like any other. */
export function itemsOf(value: unknown): StorageItems {
  return new Map(Object.entries(objectOf(value)));
}

/** The same digest as in the page. */
function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, sortedKeys)).digest('hex');
}

/** For `JSON.stringify`: the keys of objects sorted, of which Chromium keeps no order (C-STORAGE-ORDER). */
export function sortedKeys(_key: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function checked(answer: unknown): unknown {
  const error = fieldOf(answer, 'error');
  if (error === 'gone' || error === 'noStorage' || error === 'refused' || error === 'tooLarge') {
    throw new StorageError(error, textField(answer, 'message'));
  }
  return answer;
}
