import { relative, sep } from 'node:path';
import { Uri, workspace } from 'vscode';

/** An extension folder as messages name it, from its absolute path: the workspace folder, and the path in it with `/`. */
export function shownFolder(path: string): string {
  const folder = workspace.getWorkspaceFolder(Uri.file(path));
  if (!folder) return path;
  return [folder.name, ...relative(folder.uri.fsPath, path).split(sep)].filter(Boolean).join('/');
}
