import { randomBytes } from 'node:crypto';
import { connectDevTools, type Connection } from '../devtools/connect';
import { listExtensions, loadUnpacked, LoadRefusedError } from '../devtools/extensions';
import { WorkerWatch } from '../devtools/workers';
import type { ServiceClient } from '../service/client';
import { ServiceError } from '../service/errors';
import type { Logger } from '../service/log';
import { EXTENSIONS_ROOT, type BrowserSession } from '../service/model';

/** The user did not want the browser to be restarted. */
export class RestartDeclinedError extends Error {
  override readonly name = 'RestartDeclinedError';
}

/** Where and what to deliver. */
export interface Delivery {
  service: ServiceClient;
  session: BrowserSession;
  /** Legal by `folderNameOf`. */
  folderName: string;
  zip: Uint8Array;
  log: Logger;
  /** Awaited before the archive goes out; `restarts` when Chromium will restart for it. A rejection ends the delivery. */
  onUpload: (restarts: boolean) => Promise<void>;
  /** Called when the archive is on the browser's machine, before it is loaded. */
  onUploaded: () => void;
}

/** The archive lies in `path` on the browser's machine and Chromium has loaded it. The caller disposes of both handles. */
export interface Delivered {
  extensionId: string;
  path: string;
  connection: Connection;
  /** Watches since before the load, so that the new worker cannot be missed. */
  watch: WorkerWatch;
}

/**
 * Brings an archive into a running browser and has Chromium load it.
 *
 * The first time the service's upload is used: it puts the folder on Chromium's command line, so that the extension is there
 * after a restart too, and restarts Chromium. A restart alone goes on running a worker that it knows from before (measured on
 * Chromium 156, 62 of 62), so `Extensions.loadUnpacked` follows always. Later pushes replace the folder's files and load it
 * again, without a restart: tabs, storage and the extension's id stay.
 *
 * @throws LoadRefusedError when Chromium refuses the new build; the folder then holds the previous build again.
 * @throws ServiceError, DevToolsError, or the reason of `signal`, which takes effect until the files are in place.
 */
export async function deliver(delivery: Delivery, signal?: AbortSignal): Promise<Delivered> {
  const { session, folderName } = delivery;
  const path = `${EXTENSIONS_ROOT}/${folderName}`;
  let connection = await connectDevTools(session.cdp_ws_url, signal);
  try {
    const isLoaded = (await listExtensions(connection)).some((extension) => extension.path === path);
    if (isLoaded) return await replace(delivery, path, connection, signal);
    connection.dispose();
    await uploadFirst(delivery, path, signal);
    delivery.onUploaded();
    connection = await connectDevTools(session.cdp_ws_url);
    return await load(path, connection);
  } catch (error) {
    connection.dispose();
    throw error;
  }
}

async function load(path: string, connection: Connection): Promise<Delivered> {
  const watch = await WorkerWatch.begin(connection);
  try {
    // After a restart the previous worker may just have started: it is not the one to wait for.
    watch.forget();
    return { extensionId: await loadUnpacked(connection, path), path, connection, watch };
  } catch (error) {
    await watch.dispose();
    throw error;
  }
}

/** The documented upload. A folder of our name that Chromium has not loaded is a leftover and goes first: the service refuses it. */
async function uploadFirst(delivery: Delivery, path: string, signal: AbortSignal | undefined): Promise<void> {
  const { service, session, folderName, zip, log } = delivery;
  await delivery.onUpload(true);
  if (await folderExists(delivery, signal)) {
    log.debug(`A folder ${folderName} is on the browser but not loaded; it is replaced.`);
    await service.deleteDirectory(session.session_id, path, signal);
  }
  try {
    await service.uploadExtensionsToBrowser(session.session_id, [{ name: folderName, zip }], signal);
  } catch (error) {
    if (isChromiumsRefusal(error)) throw new LoadRefusedError(error.reasons.join(' '));
    if (!isAnswerLost(error)) throw error;
    // Never sent twice: what counts is whether the folder is there, and verification looks at what runs.
    log.warn(`The answer to the upload was lost (${error.message}). Looking at the browser instead.`);
    if (!(await folderExists(delivery, undefined))) throw error;
  }
}

async function folderExists(
  { service, session, folderName }: Delivery,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    const entries = await service.listFiles(session.session_id, EXTENSIONS_ROOT, signal);
    return entries.some((entry) => entry.name === folderName);
  } catch (error) {
    // No extension has been uploaded to this browser yet, so its root is not there either.
    if (error instanceof ServiceError && error.kind === 'notFound') return false;
    throw error;
  }
}

/** Chromium's own text stands in the details of a 400. */
function isChromiumsRefusal(error: unknown): error is ServiceError {
  return (
    error instanceof ServiceError &&
    error.kind === 'badRequest' &&
    error.details.some((detail) => detail.code === 'invalid_input' && detail.message !== undefined)
  );
}

function isAnswerLost(error: unknown): error is ServiceError {
  return error instanceof ServiceError && ['timeout', 'unreachable', 'server'].includes(error.kind);
}

/** Puts the new build into the place of the loaded one by two renames, and the old one back if Chromium refuses the new. */
async function replace(
  { service, session, zip, log, onUpload, onUploaded }: Delivery,
  path: string,
  connection: Connection,
  signal: AbortSignal | undefined,
): Promise<Delivered> {
  const id = session.session_id;
  const mark = randomBytes(6).toString('hex');
  const staged = `${EXTENSIONS_ROOT}/.sideload-new-${mark}`;
  const previous = `${EXTENSIONS_ROOT}/.sideload-old-${mark}`;
  const discard = async (folder: string): Promise<void> => {
    await service.deleteDirectory(id, folder).catch((error: unknown) => {
      log.debug(`${folder} could not be removed: ${String(error)}`);
    });
  };
  await onUpload(false);
  try {
    await service.uploadZip(id, zip, staged, signal);
    signal?.throwIfAborted();
    // From here on there is no way back half-way: the folder must never stay without a build.
    await service.moveFile(id, path, previous);
  } catch (error) {
    await discard(staged);
    throw error;
  }
  const putBack = async (): Promise<void> => {
    await discard(path);
    await service.moveFile(id, previous, path);
  };
  try {
    await service.moveFile(id, staged, path);
  } catch (error) {
    await putBack();
    await discard(staged);
    throw error;
  }
  onUploaded();
  try {
    const delivered = await load(path, connection);
    await discard(previous);
    return delivered;
  } catch (error) {
    if (error instanceof LoadRefusedError) await putBack();
    else await discard(previous);
    throw error;
  }
}
