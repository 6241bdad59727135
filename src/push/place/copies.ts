import * as l10n from '@vscode/l10n';
import { basename, dirname } from 'node:path/posix';
import { DevToolsError } from '../../devtools/protocol/connect';
import type { LoadedExtension } from '../../devtools/protocol/loadedExtensions';
import { ServiceError } from '../../service/serviceErrors';
import type { InBrowser } from '../browserDelivery';
import { keyIn } from '../prepare/stableKey';
import { replaceFiles } from './place';
import { standIn } from './standIn';

/** The longest manifest that is read from a browser, in bytes. */
const MOST_MANIFEST_BYTES = 16 * 1024 * 1024;

/**
 * Removes copies of an extension from a browser, with their storage. The folder of an uploaded copy stays on Chromium's command
 * line, so an extension that does nothing replaces it.
 * @throws DevToolsError when a copy is still enabled afterwards; the message says which.
 */
export async function removeCopies(
  to: InBrowser,
  copies: readonly LoadedExtension[],
  signal?: AbortSignal,
): Promise<void> {
  const { browser, connections, known } = to;
  await connections.use(
    browser,
    async (link) => {
      for (const { id, path } of copies) {
        if (dirname(path) === known.machines.root) {
          const manifest = await manifestIn(to, path, signal);
          // A copy whose files are gone stays loaded until the browser restarts, and is uninstalled as it is.
          if (manifest) {
            const zip = (): Promise<Uint8Array> => standIn(keyIn(manifest));
            const staged = await replaceFiles({ to, folderName: basename(path), zip }, signal);
            await link.loadFolder(path);
            await staged.commit();
          }
        }
        await link.uninstall(id);
        known.drop(browser, path);
      }
      const ids = new Set(copies.map(({ id }) => id));
      const remaining = (await link.extensions()).filter(({ id, enabled }) => enabled && ids.has(id));
      if (remaining.length > 0) {
        const names = remaining.map(({ id, path }) => `${id} (${path})`).join(', ');
        throw new DevToolsError(
          l10n.t('Chromium keeps {0}; remove it in chrome://extensions, or create another browser', names),
        );
      }
    },
    signal,
  );
}

/** The manifest in a folder on the browser's machine; undefined when it has none. @throws ServiceError */
async function manifestIn(
  { service, browser }: InBrowser,
  path: string,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | undefined> {
  try {
    return await service.readFile(browser.id, `${path}/manifest.json`, signal, MOST_MANIFEST_BYTES);
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'notFound') return undefined;
    throw error;
  }
}
