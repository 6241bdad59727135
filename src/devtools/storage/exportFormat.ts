import { fieldOf, isObject, textField } from '../../base/fields';
import { itemsOf, STORAGE_AREAS, type StorageArea, type StorageItems } from './extensionStorage';

/** What the first keys of a file with exported storage say. */
export const EXPORT_FORMAT = 'sideload-storage';
export const EXPORT_VERSION = 1;

/** The items of areas. */
export type StorageAreas = ReadonlyMap<StorageArea, StorageItems>;

/** Exported storage: of which extension, and its areas as far as the file has them. */
export interface ExportedStorage {
  extension: { id: string; name: string; version: string };
  areas: StorageAreas;
}

/** Why a file holds no exported storage; `name` is that of the area that it is about. */
export type ExportProblem = { problem: 'format' | 'areas' } | { problem: 'unknownArea' | 'items'; name: string };

/** The exported storage in the parsed text of a file, or why it is none. */
export function exportedStorage(value: unknown): ExportedStorage | ExportProblem {
  if (fieldOf(value, 'format') !== EXPORT_FORMAT || fieldOf(value, 'version') !== EXPORT_VERSION) {
    return { problem: 'format' };
  }
  const areas = fieldOf(value, 'areas');
  if (!isObject(areas)) return { problem: 'areas' };
  const found = new Map<StorageArea, StorageItems>();
  for (const [name, items] of Object.entries(areas)) {
    const area = STORAGE_AREAS.find((one) => one === name);
    if (!area) return { problem: 'unknownArea', name };
    if (!isObject(items)) return { problem: 'items', name };
    found.set(area, itemsOf(items));
  }
  const extension = fieldOf(value, 'extension');
  const text = (name: string): string => textField(extension, name);
  return { extension: { id: text('id'), name: text('name'), version: text('version') }, areas: found };
}
