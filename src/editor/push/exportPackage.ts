import * as l10n from '@vscode/l10n';
import { basename, dirname } from 'node:path';
import { commands, Uri, window, workspace } from 'vscode';
import { findingText } from '../../agents/findingText';
import { sizeText } from '../../base/units';
import { COMMANDS } from '../../ids';
import { outcomeText } from '../../push/outcomeText';
import type { PackResult, StorePackage } from '../../push/prepare/storePackage';
import { RefusedError } from '../errorTexts';
import { offer, withProgressUnlessCancelled } from '../notify';
import { readFolderSettings } from '../settings';
import type { PushWiring } from './pushWiring';

/**
 * Checks the extension for a store, and writes its package to a file that the user chooses. Nothing is uploaded.
 * @throws UserError when there is no package; the Problems panel then has the entries.
 */
export async function exportPackage({ pusher, diagnostics, log }: PushWiring): Promise<void> {
  const extension = await pusher.find();
  if (!extension) return;
  const { path, workspaceFolder } = extension;
  await workspace.saveAll(false);
  const { packForStore } = await import('../../push/prepare/storePackage');
  const { exclude, include } = readFolderSettings(workspaceFolder.uri);
  const result = await withProgressUnlessCancelled(l10n.t('Packing {0}', basename(path)), (signal) =>
    packForStore(path, { exclude, include }, signal),
  );
  if (!result) return;
  await diagnostics.check(path);
  for (const finding of result.findings) log.info(findingText(finding, path, (file) => file));
  const made = packageOf(result);
  const file = await window.showSaveDialog({
    title: l10n.t('Export Package'),
    filters: { ZIP: ['zip'] },
    // Beside the folder, so that it is no part of the next one.
    defaultUri: Uri.file(`${dirname(path)}/${basename(path)}.zip`),
  });
  if (!file) return;
  await workspace.fs.writeFile(file, made.bytes);
  for (const { path: name, size } of made.files) log.info(`In the package: ${name}, ${sizeText(size)}`);
  for (const name of result.leftOut) log.info(`Left out of the package: ${name}`);
  const size = sizeText(made.bytes.length);
  log.info(`Exported the package of ${path} to ${file.fsPath}: ${made.files.length} files, ${size}`);
  const showLog = l10n.t('Show Log');
  const text = l10n.t('The package was saved to {0}: {1} files, {2}.', file.fsPath, made.files.length, size);
  if ((await offer(text, showLog)) === showLog) await commands.executeCommand(COMMANDS.showLog);
}

function packageOf({ findings, missing, package: made }: PackResult): StorePackage {
  if (made) return made;
  const outcome = missing.length > 0 ? ({ kind: 'leftOut', files: [...missing] } as const) : undefined;
  throw new RefusedError(outcomeText(outcome ?? { kind: 'refusedByCheck', findings }, ''), {
    label: l10n.t('Show Problems'),
    command: 'workbench.actions.view.problems',
  });
}
