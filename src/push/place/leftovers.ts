import type { FileInfo } from '../../service/model';
import { folderPath, type Placement, type Sibling, siblingPrefix } from './place';

/**
 * Removes the temporary folders that an interrupted push of this extension left behind, and the spares of other windows. When the push was
 * interrupted between its two renames, the previous build is restored. Needed once per browser and window. `entries`: of the folder of
 * extensions, read just now. Resolves to whether the folder of the extension is among them, also when it has come back.
 */
export async function clearLeftovers(
  { to: { service, browser, known, log }, folderName }: Placement,
  entries: readonly FileInfo[],
  signal?: AbortSignal,
): Promise<boolean> {
  const leftovers = (sibling: Sibling): FileInfo[] =>
    entries.filter(({ name }) => name.startsWith(siblingPrefix(folderName, sibling)));
  const backups = leftovers('old').sort((a, b) => b.modifiedAt.localeCompare(a.modifiedAt));
  const isThere = entries.some(({ name }) => name === folderName);
  const latest = isThere ? undefined : backups.shift();
  if (latest) {
    log.info('A push to this browser was interrupted; restoring the previous build.');
    await service.moveFile(browser.id, latest.path, folderPath(known.machines, folderName));
  }
  for (const { path } of [...leftovers('new'), ...leftovers('spare'), ...backups]) {
    await service.deleteDirectory(browser.id, path, signal);
  }
  return isThere || latest !== undefined;
}
