import * as l10n from '@vscode/l10n';
import { itemsOf, STORAGE_AREAS, type StorageArea, type StorageItems } from '../../devtools/storage/extensionStorage';
import type { LoadedExtension } from '../../devtools/extensions/loadedExtensions';
import { UserError } from '../errorTexts';
import { fieldOf, isObject } from '../../base/fields';
import { MOST_LEVELS, parsed, problemOfValues, type TextProblem } from './storageText';

/** What the first key of an exported file says. */
const FORMAT = 'sideload-storage';
const VERSION = 1;

/** Levels of the file around a value. */
const LEVELS_AROUND = 3;

export type StorageAreas = ReadonlyMap<StorageArea, StorageItems>;

/** All areas of an extension's storage as the text of a JSON file, which `readExport` reads. */
export function exportText({ id, name, version }: LoadedExtension, areas: StorageAreas): string {
  const content = {
    format: FORMAT,
    version: VERSION,
    extension: { id, name, version },
    areas: Object.fromEntries([...areas].map(([area, items]) => [area, Object.fromEntries(items)])),
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/**
 * The areas in the text of an exported file, as far as it has them.
 * @throws UserError which says what is wrong with it
 */
export function readExport(text: string): StorageAreas {
  const result = parsed(text);
  if ('problem' in result) throw refused(result.problem);
  const { value } = result;
  if (fieldOf(value, 'format') !== FORMAT || fieldOf(value, 'version') !== VERSION) {
    throw new UserError(
      l10n.t(
        'The file was not imported: it does not begin with "format": "{0}" and "version": {1}. Choose one that "Export Storage…" has saved.',
        FORMAT,
        VERSION,
      ),
    );
  }
  const areas = fieldOf(value, 'areas');
  if (!isObject(areas)) {
    throw new UserError(
      l10n.t('The file was not imported: "areas" is not an object. Correct it, or export the storage again.'),
    );
  }
  const entries = Object.entries(areas).map(([name, items]: [string, unknown]): [StorageArea, StorageItems] => {
    const area = STORAGE_AREAS.find((one) => one === name);
    if (!area) {
      throw new UserError(
        l10n.t('The file was not imported: there is no area {0}. Remove it from the file.', JSON.stringify(name)),
      );
    }
    if (!isObject(items)) {
      throw new UserError(
        l10n.t(
          'The file was not imported: the area {0} is not an object. Correct it, or export the storage again.',
          area,
        ),
      );
    }
    return [area, itemsOf(items)];
  });
  const problem = problemOfValues(text, MOST_LEVELS + LEVELS_AROUND);
  if (problem) throw refused(problem);
  return new Map(entries);
}

function refused({ line, column, message }: TextProblem): UserError {
  return new UserError(
    l10n.t(
      'The file was not imported: line {0}, column {1}: {2}. Correct it there and import the file again.',
      line,
      column,
      message,
    ),
  );
}
