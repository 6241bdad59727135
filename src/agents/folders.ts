import { realpath, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { locateElsewhere, locateExtensionFolders } from '../archive/locate';
import { isWithin, pathFrom } from '../base/disk';
import { withoutSources } from '../push/prepare/sourceFolders';
import { oneLine } from './bounds';
import { words, type ValueSchema } from './valueSchema';
import { ToolError, type ToolWindow } from './tool';

/** Folders that an answer names, and how much of each path. */
const MOST_NAMED = 20;
const MOST_SHOWN = 200;

/** The member of an input that names an extension folder. */
export const FOLDER: ValueSchema = words(
  'Folder with the manifest.json of the extension as the browser loads it (after a build, such as "dist"), relative to the workspace or absolute. Without it, the one that the user has chosen, or the only one in the workspace.',
  4096,
);

/** An extension folder, and the workspace folder that holds it; both absolute. */
export interface FoundFolder {
  folder: string;
  root: string;
}

/**
 * The extension folder that an input names, else the one that was chosen before, else the only one in the workspace. A folder outside of
 * the workspace, also through a link, is refused.
 * @throws ToolError
 */
export async function findFolder(window: ToolWindow, named: string | undefined): Promise<FoundFolder> {
  if (window.roots.length === 0) throw new ToolError('No folder is open. Ask the user to open that of the extension.');
  if (named !== undefined) return await namedFolder(window, named);
  const chosen = await window.chosenFolders();
  const found = chosen.length > 0 ? chosen : await locateIn(window);
  const [first, ...others] = found;
  if (first === undefined) throw await notFound(window);
  if (others.length > 0) {
    const names = found.slice(0, MOST_NAMED).map((folder) => oneLine(shownPath(window.roots, folder), MOST_SHOWN));
    throw new ToolError(`Several folders hold an extension. Name one with "folder": ${names.join(', ')}.`);
  }
  return { folder: first, root: rootOf(window.roots, first) ?? first };
}

/** The extension folders of the workspace, where one that only holds the sources of another one is not meant. */
async function locateIn(window: ToolWindow): Promise<readonly string[]> {
  const found = (await Promise.all(window.roots.map((root) => locateExtensionFolders(root)))).flat();
  return await withoutSources(found, (folder) => window.settingsOf(folder));
}

/** Why no extension was found, with the folders that an agent may have to name. */
async function notFound({ roots }: ToolWindow): Promise<ToolError> {
  const elsewhere = (await Promise.all(roots.map((root) => locateElsewhere(root)))).flat();
  const names = elsewhere.slice(0, MOST_NAMED).map((folder) => oneLine(shownPath(roots, folder), MOST_SHOWN));
  return new ToolError(
    names.length === 0
      ? 'No folder of the workspace holds a manifest.json with "manifest_version". Build the extension, or name its folder with "folder".'
      : `No usual build folder of the workspace holds a manifest.json with "manifest_version". Build the extension, or name its folder with "folder"; others that hold one: ${names.join(', ')}.`,
  );
}

async function namedFolder({ roots }: ToolWindow, named: string): Promise<FoundFolder> {
  if (named.includes('\0')) throw new ToolError('"folder" has a character that no path has.');
  const candidates = roots.map((root) => resolve(root, named));
  const inside = candidates.filter((path) => rootOf(roots, path) !== undefined);
  if (inside.length === 0) throw outside(named);
  let isFile = false;
  for (const path of inside) {
    const root = rootOf(roots, path);
    const stats = await stat(path).catch(() => undefined);
    if (root === undefined || !stats) continue;
    if (!stats.isDirectory()) {
      isFile = true;
      continue;
    }
    // A link may lead out of the workspace.
    const [realRoot, realFolder] = await Promise.all([realpath(root), realpath(path)]);
    if (!isWithin(realRoot, realFolder)) throw outside(named);
    return { folder: path, root };
  }
  const what = `"${named.slice(0, 200)}"`;
  throw new ToolError(
    isFile
      ? `${what} is a file. Name the folder that holds manifest.json.`
      : `The folder ${what} does not exist in the workspace. Build the extension first.`,
  );
}

function outside(named: string): ToolError {
  return new ToolError(`"${named.slice(0, 200)}" is outside of the workspace. Name a folder in it.`);
}

function rootOf(roots: readonly string[], path: string): string | undefined {
  return roots.find((root) => isWithin(root, path));
}

/** A path as answers name it: relative to its workspace folder, with `/`. */
export function shownPath(roots: readonly string[], path: string): string {
  const root = rootOf(roots, path);
  return root === undefined ? path.split(sep).join('/') : pathFrom(root, path);
}
