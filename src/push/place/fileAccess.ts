import * as l10n from '@vscode/l10n';
import { STORE_LEVEL } from '../../archive/compress';
import { zipFile } from '../../archive/zip';
import { DevToolsError } from '../../devtools/protocol/connect';
import { configure, readState } from '../../devtools/extensions/extensionState';
import type { LoadedExtension } from '../../devtools/protocol/loadedExtensions';
import { folderOf } from '../../devtools/inPage/extensionsPageCalls';
import { callOf } from '../../devtools/protocol/pageCall';
import { idOf, idOfKey } from '../../manifest/values/extensionId';
import { NO_FILES_MARK } from '../../service/interface';
import type { Delivery } from '../browserDelivery';
import { find } from './findExtension';
import { placedKey } from '../prepare/stableKey';
import { folderPath, newSibling, placeWithoutRestart, replaceFiles } from './place';
import { KEEPS_FROM_FILES, standIn } from './standIn';
import type { PushLink } from '../pushLink';

/** Where the build is going to be. */
interface Destination {
  delivery: Delivery;
  folderName: string;
  /** Of the folder, on the browser's machine. */
  path: string;
  /** What Chromium has loaded from there. */
  loaded: LoadedExtension | undefined;
  /** The key that the build will have in its manifest; undefined when its id is that of the path. */
  key: string | undefined;
}

/** How a delivery ends that has begun by taking the access. Neither rejects. */
export interface FileAccessTaken {
  /** The build has not come: removes what was placed for it, and brings back what was there before. */
  undo: () => Promise<void>;
  /** The build has come. */
  done: () => Promise<void>;
}

/** What was placed for a build. */
interface StandIns {
  /** Of what was loaded. */
  readonly ids: string[];
  /** Whether anything is in the place of the build. */
  isPlaced: boolean;
  /** The folder with what was there before. */
  held: string | undefined;
}

/**
 * Takes the access to files of the browser's machine (`file:` addresses) from an extension before its next build is there, so that no statement
 * of that build ever has it. Chromium gives it to every unpacked extension that is new to it, and keeps what is set for the id (C-FLAG-FILE-ACCESS).
 * So where the build would be new, an extension of the same id that does nothing is loaded in its place first. The local service loads a marked
 * folder at no start of the browser, since the settings may be lost in between.
 * @throws DevToolsError where it cannot be taken: then nothing may be delivered
 */
export async function takeFileAccess(delivery: Delivery): Promise<FileAccessTaken> {
  const destination = await destinationOf(delivery);
  await mark(destination);
  if (await takeFromLoaded(destination)) return { undo: () => Promise.resolve(), done: () => Promise.resolve() };
  delivery.known.drop(delivery.browser, destination.path);
  const placed: StandIns = { ids: [], isPlaced: false, held: undefined };
  try {
    await loadStandIns(destination, placed);
  } catch (error) {
    await removeStandIns(destination, placed);
    throw error;
  }
  return { undo: () => removeStandIns(destination, placed), done: () => dropHeld(destination, placed) };
}

/** @throws DevToolsError where DevTools does not reach the browser, or the service has no operations for files */
async function destinationOf(delivery: Delivery): Promise<Destination> {
  const { service, browser, prepared, order, folderName: base, signal } = delivery;
  const { machines } = delivery.known;
  const listing = machines.list(service, browser.id, signal);
  listing.catch(() => undefined);
  const found = await find(delivery, listing, order.delivery);
  await listing;
  if (!found || machines.lacksFiles) throw impossible();
  const { folderName, loaded } = found;
  const key = placedKey(prepared, folderName === base ? undefined : folderPath({ root: machines.keyRoot }, base));
  return { delivery, folderName, path: folderPath(machines, folderName), loaded, key };
}

/** Has the local service load the folder at no start of the browser. */
async function mark({ delivery, folderName }: Destination): Promise<void> {
  const { service, browser, known, signal } = delivery;
  const { bytes } = await zipFile(`${NO_FILES_MARK}${folderName}`, Buffer.alloc(0), STORE_LEVEL);
  await service.uploadZip(browser.id, bytes, known.machines.root, signal);
}

/** Takes the access from the extension that is loaded; false where the build will not have its settings. */
function takeFromLoaded({ delivery, path, loaded, key }: Destination): Promise<boolean> {
  const { connections, browser, signal } = delivery;
  return connections.use(
    browser,
    async (link) => {
      if (loaded?.enabled !== true || !(await isIdOf(link, loaded, key))) return false;
      if (key !== undefined && (await keeperOf(link, path)) === undefined) return false;
      await switchOff(link, loaded.id);
      return true;
    },
    signal,
  );
}

/**
 * Loads extensions that do nothing in the place of a build, to have its settings before it, and notes them in `placed`. Undo it by
 * {@link removeStandIns}, also when it rejects.
 */
async function loadStandIns(destination: Destination, placed: StandIns): Promise<void> {
  const { delivery, key } = destination;
  const { connections, browser } = delivery;
  if (key !== undefined) {
    // Whether a build may run in tabs that show files is decided by the id of its path, also where it has another one.
    const keeper = await loadStandIn(destination, undefined, placed);
    await connections.use(browser, (link) => link.setEnabled(keeper, false));
  }
  const id = await loadStandIn(destination, key, placed);
  // It may be one that kept a build with a key from files before.
  if (key === undefined) await connections.use(browser, (link) => link.setEnabled(id, true));
}

/** Loads one without access to files, and resolves to its id. */
async function loadStandIn(
  { delivery, folderName, path, loaded }: Destination,
  key: string | undefined,
  placed: StandIns,
): Promise<string> {
  const { connections, browser, signal } = delivery;
  const placement = { to: delivery, folderName, zip: () => standIn(key, KEEPS_FROM_FILES) };
  const isFirst = !placed.isPlaced;
  if (isFirst && loaded) {
    // Noted before it is done: the answer may be lost.
    placed.held = newSibling(delivery.known.machines, folderName, 'held');
    await delivery.service.moveFile(browser.id, path, placed.held);
  }
  const staged = await (isFirst ? placeWithoutRestart(placement, signal) : replaceFiles(placement, signal));
  placed.isPlaced = true;
  await staged.commit();
  return await connections.use(browser, async (link) => {
    // Without Developer mode, the extension may be disabled when its settings change (C-RELOAD-DEVELOPER-MODE).
    await link.prepare();
    const id = await link.loadFolder(path);
    placed.ids.push(id);
    await switchOff(link, id);
    return id;
  });
}

/** Removes them, and the folder, or brings back what was there before. Never rejects. */
async function removeStandIns(
  { delivery, path, loaded }: Destination,
  { ids, isPlaced, held }: StandIns,
): Promise<void> {
  if (!isPlaced && held === undefined) return;
  const { service, browser, connections, log } = delivery;
  const before = held === undefined ? undefined : loaded;
  try {
    if (isPlaced) await service.deleteDirectory(browser.id, path);
    if (held !== undefined) await service.moveFile(browser.id, held, path);
    await connections.use(browser, async (link) => {
      // With its id, what an extension has stored would go, too.
      for (const id of ids) if (id !== before?.id) await link.uninstall(id);
      if (!before) return;
      await link.loadFolder(path);
      await link.setEnabled(before.id, before.enabled);
    });
  } catch (error) {
    log.warn(`The stand-in in ${path} was not removed: ${String(error)}`);
  }
}

/** Removes what was there before. Never rejects. */
async function dropHeld({ delivery: { service, browser, log } }: Destination, { held }: StandIns): Promise<void> {
  if (held === undefined) return;
  await service.deleteDirectory(browser.id, held).catch((error: unknown) => {
    log.debug(`${held} could not be removed: ${String(error)}`);
  });
}

/** The disabled extension by which a folder is kept from files, whose id is that of the path; undefined without one. */
async function keeperOf(link: PushLink, path: string): Promise<string | undefined> {
  const keepers = (await link.extensions()).filter(
    (extension) => extension.path === path && !extension.enabled && extension.name === KEEPS_FROM_FILES.name,
  );
  for (const { id } of keepers) if (!(await hasFileAccess(link, id))) return id;
  return undefined;
}

/** Whether an extension that was delivered has access to files of the browser's machine; true where that is unknown. */
async function hasFileAccess(link: PushLink, id: string): Promise<boolean> {
  return (await readState(link, id))?.fileAccess.isOn !== false;
}

async function switchOff(link: PushLink, id: string): Promise<void> {
  if (!(await hasFileAccess(link, id))) return;
  // A process that had the access keeps a part of it: it may go on saving files as downloads.
  await link.processes.release(id);
  await configure(link, id, { fileAccess: false });
  if (await hasFileAccess(link, id)) throw impossible();
}

/** Whether a build with this key, or with none, will have the id of the extension that is loaded from its folder. */
async function isIdOf(link: PushLink, { id }: LoadedExtension, key: string | undefined): Promise<boolean> {
  if (key !== undefined) return idOfKey(key) === id;
  const path = await link.evaluateOnExtensionsPage(callOf(folderOf, id));
  // On Windows this is false (C-ID-DIGEST), which is always right.
  return typeof path === 'string' && idOf(Buffer.from(path, 'utf8')) === id;
}

function impossible(): DevToolsError {
  return new DevToolsError(l10n.t('the access to files of this machine cannot be taken from the extension'));
}
