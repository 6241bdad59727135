import { workspace, type WorkspaceFolder } from 'vscode';

/** The folders of the workspace whose files are on a disk; none of a virtual one. */
export function foldersOnDisk(): WorkspaceFolder[] {
  return (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
}

/** Their paths, absolute. */
export function rootsOnDisk(): string[] {
  return foldersOnDisk().map(({ uri }) => uri.fsPath);
}
