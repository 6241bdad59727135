import * as l10n from '@vscode/l10n';
import { basename, dirname } from 'node:path';
import { commands, Uri, window, workspace } from 'vscode';
import { findingText } from '../../agents/findingText';
import { shortened, sizeText } from '../../base/units';
import { COMMANDS } from '../../ids';
import type { PackResult, StorePackage } from '../../push/prepare/storePackage';
import { RefusedError } from '../errorTexts';
import { pickOneExtension } from '../folder/extensionFolder';
import { saveFiles } from '../folder/saveFiles';
import { offer, withProgressUnlessCancelled } from '../notify';
import { readFolderSettings } from '../settings';
import { requireTrust } from '../trust';
import type { PushWiring } from './pushWiring';

/**
 * Checks the extension for a store, and writes its package to a file that the user chooses. Nothing is uploaded.
 * @throws UserError when there is no package; the Problems panel then has the entries.
 */
export async function exportPackage({ context, diagnostics, log }: PushWiring): Promise<void> {
  requireTrust();
  const extension = await pickOneExtension(context.workspaceState);
  if (!extension) return;
  const { path, workspaceFolder } = extension;
  await saveFiles(path);
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
  const saved = l10n.t('The package was saved to {0}: {1} files, {2}.', file.fsPath, made.files.length, size);
  const left = l10n.t('Files that hardly any extension needs were left out, which the log names.');
  const text = result.leftOut.length > 0 ? `${saved} ${left}` : saved;
  if ((await offer(text, showLog)) === showLog) await commands.executeCommand(COMMANDS.showLog);
}

function packageOf(result: PackResult): StorePackage {
  if (result.package) return result.package;
  throw new RefusedError(refusalText(result));
}

function refusalText({ findings, missing }: PackResult): string {
  if (missing.length > 0) {
    const files = missing.map(({ path, reason }) => `${path} (${reason})`).join(', ');
    return l10n.t(
      'There is no package, because files that the extension needs are left out of it: {0}. Move them, or add them by the setting sideload.include.',
      files,
    );
  }
  const [first, ...others] = findings.filter(({ severity }) => severity === 'error');
  if (!first) return l10n.t('There is no package, because the manifest could not be read.');
  const { line, column } = first.range.start;
  const where = `${first.file}:${line + 1}:${column + 1}`;
  return others.length === 0
    ? l10n.t('There is no package, because Chromium would refuse it: {0}: {1}', where, shortened(first.message))
    : l10n.t(
        'There is no package, because Chromium would refuse it for {0} reasons. The first: {1}: {2}',
        others.length + 1,
        where,
        shortened(first.message),
      );
}
