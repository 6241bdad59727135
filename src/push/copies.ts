import { DevToolsError } from '../devtools/connect';
import { listExtensions, type LoadedExtension, loadUnpacked, uninstall } from '../devtools/extensions';
import { EXTENSIONS_ROOT } from '../service/model';
import type { DeliverRequest } from './deliverRequest';
import { keyIn } from './key';
import { placeNext } from './place';
import { standIn } from './standIn';

/**
 * Takes copies of an extension out of a browser, with their storage. The folder of one that was uploaded stays on Chromium's
 * command line, so an extension that does nothing takes its place.
 * @throws DevToolsError when a copy is still there afterwards; it says which.
 */
export async function removeCopies(
  { service, session, browsers, log }: Pick<DeliverRequest, 'service' | 'session' | 'browsers' | 'log'>,
  copies: readonly LoadedExtension[],
  signal?: AbortSignal,
): Promise<void> {
  await browsers.use(
    session,
    async ({ connection }) => {
      for (const { id, path } of copies) {
        const folderName = path.startsWith(`${EXTENSIONS_ROOT}/`) ? path.slice(EXTENSIONS_ROOT.length + 1) : '';
        if (folderName !== '' && !folderName.includes('/')) {
          const manifest = await service.readFile(session.session_id, `${path}/manifest.json`, signal);
          const onUpload = (): Promise<void> => Promise.resolve();
          const zip = standIn(keyIn(manifest));
          const placed = await placeNext({ service, session, folderName, zip, log, onUpload }, signal);
          await loadUnpacked(connection, path);
          await placed.keep();
        }
        await uninstall(connection, id);
        browsers.forget(session, path);
      }
      const ids = new Set(copies.map(({ id }) => id));
      const left = (await listExtensions(connection)).filter(({ id, enabled }) => enabled && ids.has(id));
      if (left.length > 0) {
        const names = left.map(({ id, path }) => `${id} (${path})`).join(', ');
        throw new DevToolsError(`Chromium keeps ${names}; remove it in chrome://extensions, or create another browser`);
      }
    },
    signal,
  );
}
