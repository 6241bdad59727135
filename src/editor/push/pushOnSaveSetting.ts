import * as l10n from '@vscode/l10n';
import { ConfigurationTarget, workspace, type WorkspaceFolder } from 'vscode';
import { SETTINGS } from '../../ids';
import { showStatus } from '../notify';
import type { PushOnSave } from '../settings';

/** Sets when a workspace folder is pushed by itself, and says so. */
export async function setPushOnSave(folder: WorkspaceFolder, mode: PushOnSave): Promise<void> {
  // A setting of the folder wins over that of a workspace file.
  const scope = ConfigurationTarget.WorkspaceFolder;
  await workspace.getConfiguration(undefined, folder.uri).update(SETTINGS.pushOnSave, mode, scope);
  const texts: Record<PushOnSave, string> = {
    off: l10n.t('Push on save is off for {0}', folder.name),
    onSave: l10n.t('Push on save is on for {0}', folder.name),
    onBuild: l10n.t('{0} is pushed after each build', folder.name),
  };
  showStatus(texts[mode]);
}
