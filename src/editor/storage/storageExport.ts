import * as l10n from '@vscode/l10n';
import {
  EXPORT_FORMAT,
  EXPORT_VERSION,
  exportedStorage,
  type ExportProblem,
  type StorageAreas,
} from '../../devtools/storage/exportFormat';
import { MOST_BYTES } from '../../devtools/storage/extensionStorage';
import type { LoadedExtension } from '../../devtools/protocol/loadedExtensions';
import { UserError } from '../errorTexts';
import { MOST_LEVELS, parsed, problemOfValues, type TextProblem } from './storageText';

/** Levels of the file around a value. */
const LEVELS_AROUND = 3;

/** All areas of an extension's storage as the text of a JSON file, which `readExport` reads. */
export function exportText({ id, name, version }: LoadedExtension, areas: StorageAreas): string {
  const content = {
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    extension: { id, name, version },
    areas: Object.fromEntries([...areas].map(([area, items]) => [area, Object.fromEntries(items)])),
  };
  const text = JSON.stringify(content, null, 2);
  // Indented, many small values can take more than an import reads.
  return `${Buffer.byteLength(text) < MOST_BYTES ? text : JSON.stringify(content)}\n`;
}

/**
 * The areas in the text of an exported file, as far as it has them.
 * @throws UserError which says what is wrong with it
 */
export function readExport(text: string): StorageAreas {
  const result = parsed(text);
  if ('problem' in result) throw refused(result.problem);
  const found = exportedStorage(result.value);
  if ('problem' in found) throw new UserError(problemText(found));
  const problem = problemOfValues(text, MOST_LEVELS + LEVELS_AROUND);
  if (problem) throw refused(problem);
  return found.areas;
}

function problemText(found: ExportProblem): string {
  switch (found.problem) {
    case 'format':
      return l10n.t(
        'The file was not imported: it does not begin with "format": "{0}" and "version": {1}. Choose one that "Export Storage…" has saved.',
        EXPORT_FORMAT,
        EXPORT_VERSION,
      );
    case 'areas':
      return l10n.t('The file was not imported: "areas" is not an object. Correct it, or export the storage again.');
    case 'unknownArea':
      return l10n.t(
        'The file was not imported: there is no area {0}. Remove it from the file.',
        JSON.stringify(found.name),
      );
    case 'items':
      return l10n.t(
        'The file was not imported: the area {0} is not an object. Correct it, or export the storage again.',
        found.name,
      );
  }
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
