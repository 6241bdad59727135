import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Installer, trimmedNames, unpackFor } from '../../../src/local/sessions/installation';

/**
 * As the service's image of January 2026 did it: archives of any size are unpacked in place, also two of one name, and nothing is taken back
 * when one fails or Chromium refuses it.
 */
export const earlierInstaller: Installer = {
  maxArchiveBytes: 2 * 1024 ** 3,
  isWhole: false,
  isRestartOptional: false,
  checkNames: (uploads, extensionsFolder) => trimmedNames(uploads, extensionsFolder),
  install: async (uploads, extensionsFolder) => {
    const folders = new Set<string>();
    for (const upload of uploads) {
      const folder = join(extensionsFolder, upload.name);
      await mkdir(folder, { recursive: true });
      await unpackFor(upload, folder);
      folders.add(folder);
    }
    return [...folders];
  },
};
