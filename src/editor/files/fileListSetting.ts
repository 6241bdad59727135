import { ConfigurationTarget, Uri, workspace } from 'vscode';
import { fieldOf } from '../../base/fields';
import { SETTINGS } from '../../ids';
import { readFolderSettings } from '../settings';

/**
 * Adds one path to the files that are sent although they are left out by default, or to those that are left out: what the quick fix of a
 * finding asks for. Does nothing with an argument of another form.
 */
export async function addToFileList(argument: unknown): Promise<void> {
  const [folder, list, path] = ['folder', 'list', 'path'].map((name) => fieldOf(argument, name));
  if (typeof folder !== 'string' || typeof path !== 'string' || (list !== 'include' && list !== 'exclude')) return;
  const uri = Uri.file(folder);
  const glob = globOf(path);
  const globs = readFolderSettings(uri)[list];
  if (globs.includes(glob)) return;
  const setting = list === 'include' ? SETTINGS.include : SETTINGS.exclude;
  const target = ConfigurationTarget.WorkspaceFolder;
  await workspace.getConfiguration(undefined, uri).update(setting, [...globs, glob], target);
}

/** The glob that matches one path and no other. */
function globOf(path: string): string {
  return `/${path.replaceAll(/[\\*?[\]{}()!+@|]/g, String.raw`\$&`)}`;
}
