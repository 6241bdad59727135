import { cp, mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CACHE, ROOT } from '../support/paths';

/** What has no part in a package, or is made for it. */
const NOT_COPIED: ReadonlySet<string> = new Set(['node_modules', '.git', basename(CACHE), 'dist', 'test']);

/**
 * Copies the repository, without its caches and tests, to a folder in which a package is built: the build of a package replaces `dist/`, which
 * other tests use, and vsce looks at every file, which takes 15 s with the VS Code that lies in the caches.
 */
export async function copyToPackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const entries = (await readdir(ROOT)).filter((name) => !NOT_COPIED.has(name));
  await Promise.all(entries.map((name) => cp(join(ROOT, name), join(folder, name), { recursive: true })));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
}
