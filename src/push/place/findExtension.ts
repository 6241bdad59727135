import { basename, dirname } from 'node:path/posix';
import { DevToolsError } from '../../devtools/protocol/connect';
import type { LoadedExtension } from '../../devtools/protocol/loadedExtensions';
import { BlockedByPolicyError, requireInspection } from '../../devtools/protocol/inspection';
import { devToolsAddress } from '../../service/devToolsAddress';
import { mayBlockDevTools } from '../../service/devToolsPolicy';
import type { Browser, FileInfo } from '../../service/model';
import type { Delivery } from '../browserDelivery';
import { isFolderOf } from '../folderName';
import type { DeliveryOutcome, Unverifiable } from '../outcome';
import { unblock } from './unblock';
import type { PushLink } from '../pushLink';

/** The extension that is loaded from its folder on the browser; `loaded` is undefined when none is. */
interface LoadedState {
  folderName: string;
  loaded: LoadedExtension | undefined;
}

/**
 * Asks DevTools what the browser has loaded from the folder of the extension. Undefined when DevTools was never reached and a delivery of this
 * mode may restart the browser instead. `listing`: the entries of the folder of extensions; it also finds that folder. Once DevTools was reached, a failure is
 * temporary, and a restart would close tabs for nothing.
 * @throws DevToolsError
 */
export async function find(
  delivery: Delivery,
  listing: Promise<readonly FileInfo[]>,
  mode = delivery.mode,
): Promise<LoadedState | undefined> {
  const { service, browser, connections, known, folderName, log, signal } = delivery;
  const { machines } = known;
  const read = async (): Promise<LoadedState> => {
    const list = async (link: PushLink): Promise<LoadedExtension[]> => {
      if (mayBlockDevTools(browser.chromePolicy)) await requireInspection(link.connection);
      return await link.extensions();
    };
    const extensions = await connections.use(browser, list, signal);
    known.noteReached(browser);
    machines.noteLoaded(extensions.map(({ path }) => path));
    // Where the folder of extensions is not known, the listing fails for a reason that the placement reports.
    if (!machines.isCertain) await listing.catch(() => undefined);
    const ours = extensions.filter(
      ({ path }) => dirname(path) === machines.root && isFolderOf(folderName, basename(path)),
    );
    const loaded = ours.find(({ enabled }) => enabled) ?? ours[0];
    if (loaded) return { folderName: basename(loaded.path), loaded };
    return { folderName: folderOnDisk(folderName, await listing.catch(() => [])), loaded };
  };
  if (browser.devToolsUrl === '') {
    // Only a push without a restart needs DevTools.
    if (mode === 'inPlace') devToolsAddress('', service.baseUrl);
    return undefined;
  }
  const wasReached = known.wasReached(browser);
  try {
    // A kept connection may turn out to be lost; asking again over a new one does no harm.
    return await (wasReached ? read().catch(read) : read());
  } catch (error) {
    if (!(error instanceof DevToolsError) || signal.aborted) throw error;
    const isTemporary = wasReached && !(error instanceof BlockedByPolicyError);
    if (isTemporary && (await hasUnblocked(delivery))) return await read();
    if (isTemporary || mode === 'inPlace') throw error;
    log.warn(`DevTools cannot be reached (${error.message}), so the push restarts the browser and cannot be verified.`);
    return undefined;
  }
}

/**
 * The folder of an extension that is not loaded: the newest one of pushes that could not be verified, unless there is one of its own name. Chromium's
 * command line may name it, so that a second copy would run after a restart.
 */
function folderOnDisk(folderName: string, entries: readonly FileInfo[]): string {
  const own = entries.filter(({ name, isFolder }) => isFolder && isFolderOf(folderName, name));
  const names = own.map(({ name }) => name).sort();
  return names.includes(folderName) ? folderName : (names.at(-1) ?? folderName);
}

/** The outcome of a delivery by an upload that has succeeded, where `find` gives nothing. */
export function unverified(delivery: Delivery): DeliveryOutcome {
  delivery.uploaded();
  const { manifest, archive } = delivery.prepared;
  const { name, version } = manifest;
  const [digest, ms, why] = [archive.digest, delivery.elapsedMs(), whyUnverified(delivery.browser)];
  return { kind: 'unverified', name, version, digest, ms, why };
}

function whyUnverified({ devToolsUrl: address, chromePolicy: policy }: Browser): Unverifiable {
  if (address === '') return 'noAddress';
  return mayBlockDevTools(policy) ? 'policy' : 'unreachable';
}

/** Unblocks a browser that was reached before and now shows a dialog about a folder that somebody else has uploaded. */
async function hasUnblocked(delivery: Delivery): Promise<boolean> {
  // Nobody looks after a push by itself, and the key would go to whatever has the focus if there was no dialog.
  if (delivery.browser.headless || delivery.demands.skipUnchanged) return false;
  return (await unblock(delivery, () => Promise.resolve(), delivery.signal)) === 'unblocked';
}
