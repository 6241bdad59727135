import * as l10n from '@vscode/l10n';
import { workspace } from 'vscode';
import { isWithin } from '../../base/disk';
import { UserError } from '../errorTexts';

/**
 * Saves the unsaved editors of an extension folder, so that what is shown is what is sent.
 * @throws UserError when a file could not be saved
 */
export async function saveFiles(folder: string): Promise<void> {
  const dirty = workspace.textDocuments.filter(
    (document) => document.isDirty && document.uri.scheme === 'file' && isWithin(folder, document.uri.fsPath),
  );
  for (const document of dirty) {
    // `save` also resolves to false when something else, such as auto save, was faster.
    if (!(await document.save()) && document.isDirty) {
      throw new UserError(
        l10n.t('"{0}" could not be saved, so nothing was done. Save it, and try again.', document.fileName),
      );
    }
  }
}
