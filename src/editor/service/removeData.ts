import * as l10n from '@vscode/l10n';
import { rm } from 'node:fs/promises';
import { commands, type Memento } from 'vscode';
import { sharedFolder } from '../../push/turns/sharedFolder';
import { UserError } from '../errorTexts';
import { confirm } from '../notify';
import type { ServiceWiring } from './connection';

/**
 * Asks, and removes what Sideload keeps on this machine: the local service's browsers, profiles and stored extensions, the tokens, what is
 * remembered for all windows and for this workspace, and the notes about pushes. Settings are the user's and stay. The window reloads then, since
 * its features remember the same.
 * @throws UserError when something cannot be removed
 */
export async function removeAllData({ connection, context, log }: ServiceWiring): Promise<void> {
  const detail = [
    l10n.t('The browsers of the local service end, and its profiles and stored extensions are deleted.'),
    l10n.t('Tokens of services, chosen folders and browsers, and notes about pushes are forgotten.'),
    l10n.t(
      'Settings stay, and so do browsers and profiles of other services. Close other windows first. This window reloads.',
    ),
  ];
  const question = l10n.t('Remove all data of Sideload from this computer?');
  if (!(await confirm(question, detail, l10n.t('Remove All Data')))) return;
  await connection.endLocal();
  await connection.tokens.clearAll();
  await Promise.all([context.globalState, context.workspaceState].map(forgetAll));
  const folders = [context.globalStorageUri.fsPath, context.storageUri?.fsPath, sharedFolder()];
  const failed: string[] = [];
  for (const folder of folders) {
    if (folder === undefined) continue;
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch((error: unknown) => {
      log.warn(`${folder} is not removed: ${String(error)}`);
      failed.push(folder);
    });
  }
  log.info('All data is removed');
  if (failed.length > 0)
    throw new UserError(l10n.t('These folders could not be removed. Delete them yourself: {0}', failed.join(', ')));
  await commands.executeCommand('workbench.action.reloadWindow');
}

async function forgetAll(memory: Memento): Promise<void> {
  for (const key of memory.keys()) await memory.update(key, undefined);
}
