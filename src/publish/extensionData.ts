import type { BrowserLink } from '../devtools/connection/link';
import { listAlarms } from '../devtools/extensions/extensionState';
import { databasesOf } from '../devtools/inPage/updateCalls';
import { evaluate } from '../devtools/protocol/evaluate';
import { NotEnabledError } from '../devtools/protocol/extensionPage';
import { HiddenPage } from '../devtools/protocol/hiddenPage';
import { callOf } from '../devtools/protocol/pageCall';
import type { StorageAreas } from '../devtools/storage/exportFormat';
import {
  readStorage,
  sortedKeys,
  STORAGE_AREAS,
  StorageError,
  type StorageArea,
  type StorageItems,
  writeStorage,
} from '../devtools/storage/extensionStorage';

/** The areas that an update keeps: Chromium empties `session` at each load of an extension. */
const KEPT_AREAS = STORAGE_AREAS.filter((area) => area !== 'session');

/** What an extension has stored. */
export interface ExtensionData {
  /** Those of {@link KEPT_AREAS} that it may use. */
  areas: StorageAreas;
  /** The databases of IndexedDB. */
  databases: readonly { name: string; version: number }[];
  /** The alarms; `period` in minutes, null for one that goes off once. */
  alarms: readonly { name: string; period: number | null }[];
}

/** What differs in an extension's data: an item of an area, a database or an alarm; `before` and `after` as JSON, absent where it is not there. */
export interface DataDifference {
  where: StorageArea | 'indexedDB' | 'alarms';
  name: string;
  before?: string;
  after?: string;
}

/** Opens a hidden page of the extension `id`. @throws NotEnabledError */
export async function openPage({ connection }: BrowserLink, id: string): Promise<HiddenPage> {
  const page = await HiddenPage.open(connection, id);
  if (!page) throw new NotEnabledError();
  return page;
}

/** Runs `act` with such a page, and closes it. @throws NotEnabledError */
export async function withPage<T>(link: BrowserLink, id: string, act: (page: HiddenPage) => Promise<T>): Promise<T> {
  const page = await openPage(link, id);
  try {
    return await act(page);
  } finally {
    await page.close();
  }
}

/** What an extension has stored now. */
export async function readData(page: HiddenPage): Promise<ExtensionData> {
  const areas = new Map<StorageArea, StorageItems>();
  for (const area of KEPT_AREAS) {
    const items = await readStorage(page, area).catch(withoutStorage);
    if (items) areas.set(area, items);
  }
  const databases: { name: string; version: number }[] = await evaluate(page.session, callOf(databasesOf));
  const alarms = (await listAlarms(page)) ?? [];
  return {
    areas,
    databases: databases.map(({ name, version }) => ({ name: String(name), version: Number(version) })),
    alarms: alarms.map(({ name, periodInMinutes = null }) => ({ name: String(name), period: periodInMinutes })),
  };
}

/** Gives the areas of a file to an extension, in place of what these areas hold; Chromium lets nobody write `managed`. @throws StorageError */
export async function fillStorage(page: HiddenPage, areas: StorageAreas): Promise<void> {
  for (const [area, items] of areas) {
    if (area === 'managed') continue;
    const now = await readStorage(page, area);
    const remove = [...now.keys()].filter((key) => !items.has(key));
    await writeStorage(page, area, { set: items, remove });
  }
}

/** What differs between the data before and after an update, sorted by where it is. */
export function differencesOf(before: ExtensionData, after: ExtensionData): DataDifference[] {
  const [old, now] = [placesOf(before), placesOf(after)];
  return [...old.keys()].flatMap((where) => {
    const [first, second] = [old.get(where) ?? new Map<string, string>(), now.get(where) ?? new Map<string, string>()];
    const names = [...new Set([...first.keys(), ...second.keys()])].sort();
    return names.flatMap((name): DataDifference[] => {
      const [one, other] = [first.get(name), second.get(name)];
      if (one === other) return [];
      return [{ where, name, ...(one !== undefined && { before: one }), ...(other !== undefined && { after: other }) }];
    });
  });
}

/** The areas, or databases, that had something before and have nothing after; an update removes all alarms (C-ALARMS-UPDATE). */
export function emptied(before: ExtensionData, after: ExtensionData): DataDifference['where'][] {
  const [old, now] = [placesOf(before), placesOf(after)];
  return [...old.keys()].filter(
    (where) => where !== 'alarms' && (old.get(where)?.size ?? 0) > 0 && (now.get(where)?.size ?? 0) === 0,
  );
}

/** The data as text for a comparison: the same data always gives the same text. */
export function dataText(data: ExtensionData): string {
  const places = [...placesOf(data)].map(([where, values]) => {
    const sorted = [...values].sort(([a], [b]) => (a < b ? -1 : 1));
    return [where, Object.fromEntries(sorted.map(([name, json]) => [name, JSON.parse(json) as unknown]))];
  });
  return `${JSON.stringify(Object.fromEntries(places), null, 2)}\n`;
}

/** All places with their values as JSON, by name. */
function placesOf({ areas, databases, alarms }: ExtensionData): Map<DataDifference['where'], Map<string, string>> {
  const json = (value: unknown): string => JSON.stringify(value, sortedKeys) ?? 'null';
  const kept = KEPT_AREAS.map((area) => {
    const items = [...(areas.get(area) ?? [])].map(([key, value]) => [key, json(value)] as const);
    return [area, new Map(items)] as const;
  });
  return new Map<DataDifference['where'], Map<string, string>>([
    ...kept,
    ['indexedDB', new Map(databases.map(({ name, version }) => [name, json({ version })]))],
    ['alarms', new Map(alarms.map(({ name, period }) => [name, json({ period })]))],
  ]);
}

function withoutStorage(error: unknown): undefined {
  // An area that the extension may not use, or that Chromium refuses, as `managed` without a schema.
  if (error instanceof StorageError && error.reason !== 'gone' && error.reason !== 'tooLarge') return undefined;
  throw error;
}
