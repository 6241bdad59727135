import { Uri, workspace } from 'vscode';
import { readFolderSettings } from '../settings';

/**
 * The manifest of the version of an extension that people have, where the setting `sideload.updateFrom` names one: as an option of the check, empty
 * where there is none. Git reads it, which obeys the repository: not in Restricted Mode. Never rejects.
 */
export async function publishedFor(folder: string): Promise<{ publishedManifest?: string }> {
  const uri = Uri.file(folder);
  const { updateFrom } = readFolderSettings(uri);
  if (updateFrom === '' || !workspace.isTrusted) return {};
  const { publishedManifest } = await import('../../publish/publishedManifest');
  const text = await publishedManifest(updateFrom, folder, workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? folder);
  return text === undefined ? {} : { publishedManifest: text };
}
