import { access } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';

/**
 * The folder relative to which bundlers name the sources of a build: the nearest one with a `package.json` at or above the extension folder,
 * within the workspace folder `root`; else `root`. Never rejects.
 */
export async function projectRoot(folder: string, root: string): Promise<string> {
  for (let at = folder; at !== root && isWithin(at, root); at = dirname(at)) {
    const isProject = await access(join(at, 'package.json')).then(
      () => true,
      () => false,
    );
    if (isProject) return at;
  }
  return root;
}

function isWithin(path: string, root: string): boolean {
  return relative(root, path).split(sep)[0] !== '..';
}
