import { isWithin } from '../../base/disk';
import { checkInThread } from './checkThread';
import type { FolderCheck } from './folderCheck';

/**
 * The folders without those that only hold the sources of another one: Chromium refuses them, and loads a folder below, as in a project whose
 * manifest names TypeScript files that the build in `dist` has compiled. Absolute paths, in the order of `found`; `listsOf` gives the lists of
 * files that are left out of a folder or sent. Where no folder holds another one, nothing is checked.
 */
export async function withoutSources(
  found: readonly string[],
  listsOf: (folder: string) => Pick<FolderCheck, 'exclude' | 'include'>,
): Promise<readonly string[]> {
  const inner = (path: string): string[] => found.filter((other) => other !== path && isWithin(path, other));
  if (found.every((path) => inner(path).length === 0)) return found;
  const loading = new Set<string>();
  for (const folder of found) {
    const { exclude, include } = listsOf(folder);
    const { findings } = await checkInThread({ folder, exclude, include });
    if (findings.every(({ severity }) => severity !== 'error')) loading.add(folder);
  }
  return found.filter((path) => loading.has(path) || !inner(path).some((other) => loading.has(other)));
}
