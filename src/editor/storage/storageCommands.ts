import * as l10n from '@vscode/l10n';
import { commands, Uri, window, workspace } from 'vscode';
import {
  clearSiteData,
  clearStorage,
  MOST_BYTES,
  readStorage,
  STORAGE_AREAS,
  StorageError,
  storageSizes,
  writeStorage,
  type StorageArea,
} from '../../devtools/storage/extensionStorage';
import { inFileName } from '../../base/disk';
import { sizeText } from '../../base/units';
import type { BrowserWiring } from '../browsers/browserWiring';
import { UserError } from '../errorTexts';
import type { BrowserExtension } from '../lists/browserContents';
import { browserLabel } from '../lists/labels';
import { askModal, confirm, pick, pickMany, showInformation, showStatus } from '../notify';
import { serviceMark, storageUri } from './storageAddress';
import type { StorageAreas } from '../../devtools/storage/exportFormat';
import { exportText, readExport } from './storageExport';
import { explained, withPage } from './storageTarget';
import { changeBetween } from './storageText';

const WRITABLE: readonly StorageArea[] = STORAGE_AREAS.filter((area) => area !== 'managed');

/** Asks for an area and opens it as a document. */
export async function openStorage(wiring: BrowserWiring, chosen: BrowserExtension): Promise<void> {
  const service = serviceMark(wiring.connection.key);
  const sizes = await withPage(wiring, chosen, storageSizes);
  if (!sizes) return;
  const choices = STORAGE_AREAS.map((area) => ({ label: area, description: areaText(area, sizes[area]), area }));
  const choice = await pick(choices, { placeHolder: l10n.t('Select the area of chrome.storage to open') });
  if (!choice) return;
  // A document that the API opens stays open for minutes after its editor, and the page with it.
  const uri = storageUri(service, chosen.browser, chosen.extension, choice.area);
  await commands.executeCommand('vscode.open', uri, { preview: false });
}

/** Clears the areas that the user ticks, after a confirmation. */
export async function clear(wiring: BrowserWiring, chosen: BrowserExtension): Promise<void> {
  const { browser, extension } = chosen;
  // An extension without the permission for `chrome.storage` may have the rest.
  const sizes = await withPage(wiring, chosen, (page) =>
    storageSizes(page).catch((error: unknown) => {
      if (error instanceof StorageError && error.reason === 'noStorage') return 'none' as const;
      throw error;
    }),
  );
  if (!sizes) return;
  const choices = [
    ...(sizes === 'none' ? [] : WRITABLE).map((area) => ({
      label: `chrome.storage.${area}`,
      description: sizes === 'none' ? '' : sizeText(sizes[area]),
      picked: area === 'local',
      area,
    })),
    { label: l10n.t('IndexedDB, caches, localStorage and files'), area: undefined },
  ];
  const picked = await pickMany(choices, { placeHolder: l10n.t('Select what to clear') });
  if (!picked || picked.length === 0) return;
  const isConfirmed = await confirm(
    l10n.t('Clear the storage of {0} in {1}?', extension.name, browserLabel(browser)),
    picked.map(({ label }) => label),
    l10n.t('Clear'),
  );
  if (!isConfirmed) return;
  const isDone = await withPage(wiring, chosen, async (page) => {
    await Promise.all(picked.map(({ area }) => (area ? clearStorage(page, area) : clearSiteData(page, extension.id))));
    return true;
  });
  if (isDone !== true) return;
  const what = picked.map(({ label }) => label).join(', ');
  wiring.log.info(`Cleared ${what} of ${extension.name} in ${browserLabel(browser)}`);
  showStatus(l10n.t('The storage of {0} was cleared', extension.name));
}

/** Saves all areas to a file that the user chooses. */
export async function exportStorage(wiring: BrowserWiring, chosen: BrowserExtension): Promise<void> {
  const { browser, extension } = chosen;
  const areas = await withPage(wiring, chosen, async (page) => {
    const read = STORAGE_AREAS.map(async (area) => [area, await readStorage(page, area)] as const);
    return new Map(await Promise.all(read));
  });
  if (!areas) return;
  const folder = exportFolder();
  const fileName = `${inFileName(extension.name)}-storage.json`;
  const file = await window.showSaveDialog({
    title: l10n.t('Export Storage'),
    filters: { JSON: ['json'] },
    ...(folder ? { defaultUri: Uri.joinPath(folder, fileName) } : {}),
  });
  if (!file) return;
  await workspace.fs.writeFile(file, Buffer.from(exportText(extension, areas)));
  wiring.log.info(`Exported the storage of ${extension.name} in ${browserLabel(browser)} to ${file.fsPath}`);
  showInformation(l10n.t('The storage of {0} was saved to {1}.', extension.name, file.fsPath));
}

/** Where exported files are kept unless the user chooses another folder: beside the workspace folder, so that none is pushed. */
function exportFolder(): Uri | undefined {
  const [folder] = workspace.workspaceFolders ?? [];
  return folder && Uri.joinPath(folder.uri, '..');
}

/** Reads a file of `exportStorage`, which the user chooses, into the areas. */
export async function importStorage(wiring: BrowserWiring, chosen: BrowserExtension): Promise<void> {
  const { browser, extension } = chosen;
  const folder = exportFolder();
  const [file] =
    (await window.showOpenDialog({
      title: l10n.t('Import Storage'),
      filters: { JSON: ['json'] },
      ...(folder ? { defaultUri: folder } : {}),
    })) ?? [];
  if (!file) return;
  const { size } = await workspace.fs.stat(file);
  if (size > MOST_BYTES) {
    throw new UserError(
      l10n.t(
        'The file is too large to be imported: {0} of at most {1}. Remove keys from it.',
        sizeText(size),
        sizeText(MOST_BYTES),
      ),
    );
  }
  const areas = readExport(new TextDecoder().decode(await workspace.fs.readFile(file)));
  const written = WRITABLE.filter((area) => areas.has(area));
  if (written.length === 0) {
    throw new UserError(l10n.t('The file has no area that can be written. Choose one with local, sync or session.'));
  }
  const [merge, replace] = [l10n.t('Merge'), l10n.t('Replace')];
  const choice = await askModal(
    l10n.t('Import {0} into {1} in {2}?', file.path.split('/').at(-1) ?? '', extension.name, browserLabel(browser)),
    [
      ...written.map((area) => l10n.t('{0}: {1} keys', area, areas.get(area)?.size ?? 0)),
      ...((areas.get('managed')?.size ?? 0) > 0 ? [l10n.t('managed is left out: a policy sets it.')] : []),
      l10n.t('Merge keeps other keys; Replace removes them.'),
    ],
    merge,
    replace,
  );
  if (choice !== merge && choice !== replace) return;
  const isDone = await withPage(wiring, chosen, async (page) => {
    await writeAreas(written, areas, choice === replace, page);
    return true;
  });
  if (isDone !== true) return;
  wiring.log.info(`Imported ${written.join(', ')} into ${extension.name} in ${browserLabel(browser)}`);
  showInformation(l10n.t('Imported into the storage of {0}: {1}.', extension.name, written.join(', ')));
}

/** Writes area after area. @throws UserError which says which ones were written before Chromium refused one */
async function writeAreas(
  written: readonly StorageArea[],
  areas: StorageAreas,
  isReplacing: boolean,
  page: Parameters<typeof readStorage>[0],
): Promise<void> {
  const done: StorageArea[] = [];
  for (const area of written) {
    try {
      const { set, remove } = await changeBetween(await readStorage(page, area), areas.get(area) ?? new Map());
      await writeStorage(page, area, { set, remove: isReplacing ? remove : [] });
      done.push(area);
    } catch (error) {
      const cause = explained(error);
      if (!(cause instanceof UserError)) throw cause;
      throw new UserError(
        done.length === 0
          ? l10n.t('Nothing was imported; {0}: {1}', area, cause.message)
          : l10n.t('Only {0} was imported; {1}: {2}', done.join(', '), area, cause.message),
      );
    }
  }
}

function areaText(area: StorageArea, bytes: number): string {
  return area === 'managed' ? l10n.t('set by a policy, read-only') : sizeText(bytes);
}
