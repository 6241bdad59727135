import * as l10n from '@vscode/l10n';
import { workspace, type Memento, type WorkspaceFolder } from 'vscode';
import { optionalText } from '../../base/fields';
import { PROFILE_NAME_PATTERN } from '../../service/interface';
import { currentWorkspaceFolder, findExtensionFolder } from '../folder/extensionFolder';

/** Longest default name, in characters: a row shows no more. */
const DEFAULT_NAME_LENGTH = 40;

/** The name that is sent for a typed one: the service knows no blanks in names. */
export function nameFor(text: string): string {
  return text.trim().replace(/\s+/g, '-');
}

/** What is wrong with a typed name; undefined when it can be used, or is empty. */
export function nameProblem(text: string): string | undefined {
  const name = nameFor(text);
  return name === '' || PROFILE_NAME_PATTERN.test(name)
    ? undefined
    : l10n.t('Use letters, digits, ".", "_", "-" and blanks, at most 255.');
}

/** What becomes of a typed name; undefined when it is used as it is. */
export function nameNote(text: string): string | undefined {
  const name = nameFor(text);
  return name === text ? undefined : l10n.t('The name will be "{0}".', name);
}

/** A name after the extension that is open, which differs from all of `taken`. */
export async function defaultName(memory: Memento, taken: readonly string[]): Promise<string> {
  const name = (await nameOfExtension(memory)) ?? 'browser';
  const used = new Set(taken);
  let unique = name;
  for (let count = 2; used.has(unique); count++) unique = `${name}-${count}`;
  return unique;
}

/** The name of the extension that is pushed without a question; undefined without a folder. */
async function nameOfExtension(memory: Memento): Promise<string | undefined> {
  const folder = (await currentWorkspaceFolder(memory)) ?? workspace.workspaceFolders?.[0];
  if (!folder) return undefined;
  const path = await findExtensionFolder(folder, memory, { ask: false }).then(
    (extension) => extension?.path,
    () => undefined,
  );
  return await nameOf(folder, path);
}

/**
 * The name in the manifest of the extension in `path`, else that of the workspace folder, with the characters that names may have.
 * Undefined when none is left.
 */
export async function nameOf(folder: WorkspaceFolder, path: string | undefined): Promise<string | undefined> {
  const fromManifest = path === undefined ? undefined : await nameInManifest(path);
  return asName(fromManifest ?? '') ?? asName(folder.name);
}

/** Undefined for a name that is translated elsewhere, and for a manifest that cannot be read. */
async function nameInManifest(folder: string): Promise<string | undefined> {
  const { readManifest } = await import('../../manifest/namedPages');
  const name = optionalText(await readManifest(folder), 'name');
  return name?.startsWith('__MSG_') ? undefined : name;
}

/** `text` with the characters that names may have; undefined when none is left. */
function asName(text: string): string | undefined {
  const name = text
    .slice(0, DEFAULT_NAME_LENGTH)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  return name === '' ? undefined : name;
}
