import * as l10n from '@vscode/l10n';
import { window } from 'vscode';
import { readRegularFile } from '../../base/disk';
import { exportedStorage, type ExportedStorage } from '../../devtools/storage/exportFormat';
import type { OldVersionName } from '../../publish/oldVersion';
import { UserError } from '../errorTexts';
import { askText, pick, type Choice } from '../notify';

/** The largest file with storage that is read, in bytes. */
const MOST_STORAGE_BYTES = 64 * 1024 * 1024;

/** A build of the extension that was pushed and is kept. */
export interface KeptBuild {
  /** Of its zip. */
  path: string;
  /** Its version and the beginning of its digest. */
  label: string;
  /** When and where it was pushed last. */
  description: string;
}

/**
 * Asks from which old version an update of the extension in `folder` is tested; undefined when the user cancels. `builds`: those that are kept of it,
 * newest first.
 */
export async function askOldVersion(folder: string, builds: readonly KeptBuild[]): Promise<OldVersionName | undefined> {
  const { tagsOf } = await import('../../publish/gitVersion');
  const tags = await tagsOf(folder);
  const choices: (Choice & { ask: () => Promise<OldVersionName | undefined> })[] = [
    ...builds.map(({ path, label, description }) => ({
      group: 'build',
      icon: 'history',
      label,
      description,
      ask: () => Promise.resolve<OldVersionName>({ from: 'build', path, label }),
    })),
    ...tags.map((revision) => ({
      group: 'tag',
      icon: 'tag',
      label: revision,
      ask: () => Promise.resolve<OldVersionName>({ from: 'git', revision }),
    })),
    { group: 'other', icon: 'git-commit', label: l10n.t('Tag or Commit…'), ask: askRevision },
    { group: 'other', icon: 'folder', label: l10n.t('Folder…'), ask: () => askPath('folder') },
    { group: 'other', icon: 'file-zip', label: l10n.t('Zip or Crx File…'), ask: () => askPath('file') },
    { group: 'other', icon: 'archive', label: l10n.t('Stored Extension…'), ask: askStored },
    { group: 'other', icon: 'cloud-download', label: l10n.t('Published Version…'), ask: askPublished },
  ];
  const chosen = await pick(choices, { placeHolder: l10n.t('Select the old version that users have') });
  return await chosen?.ask();
}

async function askRevision(): Promise<OldVersionName | undefined> {
  const revision = await askText({ title: l10n.t('Tag or commit of the old version'), placeHolder: 'v1.2.3' });
  return revision ? { from: 'git', revision: revision.trim() } : undefined;
}

async function askPath(from: 'folder' | 'file'): Promise<OldVersionName | undefined> {
  const [chosen] =
    (await window.showOpenDialog({
      title: l10n.t('Old Version'),
      canSelectFolders: from === 'folder',
      canSelectFiles: from === 'file',
      ...(from === 'file' && { filters: { [l10n.t('Packed extensions')]: ['zip', 'crx'] } }),
    })) ?? [];
  return chosen && { from, path: chosen.fsPath };
}

async function askStored(): Promise<OldVersionName | undefined> {
  const idOrName = await askText({ title: l10n.t('Id or name of the stored extension') });
  return idOrName ? { from: 'stored', idOrName: idOrName.trim() } : undefined;
}

async function askPublished(): Promise<OldVersionName | undefined> {
  const { publishedId } = await import('../../publish/storeDownload');
  const text = await askText({
    title: l10n.t('Id or address of the published extension'),
    placeHolder: 'https://chromewebstore.google.com/detail/…',
    problemOf: (value) =>
      publishedId(value.trim()) === undefined
        ? l10n.t('Enter 32 letters from a to p, or an address in the Chrome Web Store.')
        : undefined,
  });
  const id = text && publishedId(text.trim());
  return id ? { from: 'published', id } : undefined;
}

/** Asks for the file with what the old version has stored, by its path: `own` for what it stores by itself; undefined when the user cancels. */
export async function askStorage(): Promise<{ file: string } | 'own' | undefined> {
  const choices = [
    { icon: 'browser', label: l10n.t('What the old version stores when its pages are opened'), isFile: false },
    { icon: 'json', label: l10n.t('What "Export Storage…" has saved…'), isFile: true },
  ];
  const chosen = await pick(choices, { placeHolder: l10n.t('Select what the old version has stored') });
  if (!chosen) return undefined;
  if (!chosen.isFile) return 'own';
  const [file] = (await window.showOpenDialog({ title: l10n.t('Storage'), filters: { JSON: ['json'] } })) ?? [];
  return file && { file: file.fsPath };
}

/** The storage in a file, whose path is absolute. @throws UserError for a file without storage */
export async function storageIn(file: string): Promise<ExportedStorage> {
  const bytes = await readRegularFile(file, MOST_STORAGE_BYTES);
  let value: unknown;
  try {
    value = bytes && JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // It is no JSON, and so holds no storage.
  }
  const found = exportedStorage(value);
  if ('problem' in found) {
    throw new UserError(l10n.t('{0} holds no storage. Choose a file that "Export Storage…" has saved.', file));
  }
  return found;
}
