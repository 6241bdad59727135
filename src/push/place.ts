import { randomBytes } from 'node:crypto';
import { LoadRefusedError } from '../devtools/extensions';
import type { ServiceClient } from '../service/client';
import { ServiceError } from '../service/errors';
import type { Logger } from '../service/log';
import { reconcile } from '../service/reconcile';
import { EXTENSIONS_ROOT, type BrowserSession, type FileInfo } from '../service/model';

/** The user did not want the browser to be restarted. */
export class RestartDeclinedError extends Error {
  override readonly name = 'RestartDeclinedError';
}

/** Where a build goes, and how it is told that it goes. */
export interface Placement {
  service: ServiceClient;
  session: BrowserSession;
  /** Legal by `folderNameOf`. */
  folderName: string;
  zip: Uint8Array;
  log: Logger;
  /** Awaited before the archive goes out; `restarts` when Chromium will restart for it. A rejection ends the delivery. */
  onUpload: (restarts: boolean) => Promise<void>;
}

/** A build's files lie in their folder on the browser's machine; Chromium does not know yet. */
export interface Placed {
  /** Puts the files of the build before back. */
  undo: () => Promise<void>;
  /** Removes the files of the build before. */
  keep: () => Promise<void>;
}

const STAGED = '.sideload-new-';
const PREVIOUS = '.sideload-old-';

/** The folder of an extension on the browser's machine. */
export function folderPath(folderName: string): string {
  return `${EXTENSIONS_ROOT}/${folderName}`;
}

/**
 * The first build for a browser, by the documented upload: it puts the folder on Chromium's command line, so that the
 * extension is there after a restart too, and restarts Chromium. A folder of our name that Chromium has not loaded is a
 * leftover and goes first, because the service refuses it.
 * @throws LoadRefusedError, RestartDeclinedError, ServiceError
 */
export async function placeFirst(placement: Placement, signal?: AbortSignal): Promise<Placed> {
  const { service, session, folderName, zip, log, onUpload } = placement;
  await onUpload(true);
  if (await hasFolder(placement, signal)) {
    log.debug(`A folder ${folderName} is on the browser but not loaded; it is replaced.`);
    await service.deleteDirectory(session.session_id, folderPath(folderName), signal);
  }
  try {
    await service.uploadExtensionsToBrowser(session.session_id, [{ name: folderName, zip }], signal);
  } catch (error) {
    if (isChromiumsRefusal(error)) throw new LoadRefusedError(error.reasons.join(' '));
    if (!(error instanceof ServiceError) || !error.mayHaveHappened) throw error;
    // Never sent twice: what counts is whether the folder is there, and verification looks at what runs.
    log.warn(`The answer to the upload was lost (${error.message}). Looking at the browser instead.`);
    if (!(await reconcile(() => hasFolder(placement), undefined, signal))) throw error;
  }
  return { undo: () => Promise.resolve(), keep: () => Promise.resolve() };
}

/**
 * A later build: unpacked beside the one before, then put into its place by two renames, so that the folder never holds a
 * mixture. `signal` takes effect until the first rename.
 * @throws ServiceError; the build before is in its place then.
 */
export async function placeNext(placement: Placement, signal?: AbortSignal): Promise<Placed> {
  const { service, session, folderName, zip, log, onUpload } = placement;
  const id = session.session_id;
  const path = folderPath(folderName);
  const mark = randomBytes(6).toString('hex');
  const staged = `${EXTENSIONS_ROOT}/${STAGED}${mark}`;
  const previous = `${EXTENSIONS_ROOT}/${PREVIOUS}${mark}`;
  const discard = async (folder: string): Promise<void> => {
    await service.deleteDirectory(id, folder).catch((error: unknown) => {
      log.debug(`${folder} could not be removed: ${String(error)}`);
    });
  };
  await onUpload(false);
  try {
    await service.uploadZip(id, zip, staged, signal);
    signal?.throwIfAborted();
    await service.moveFile(id, path, previous);
  } catch (error) {
    await discard(staged);
    throw error;
  }
  const undo = async (): Promise<void> => {
    await discard(path);
    await service.moveFile(id, previous, path);
  };
  try {
    await service.moveFile(id, staged, path);
  } catch (error) {
    await undo();
    await discard(staged);
    throw error;
  }
  return { undo, keep: () => discard(previous) };
}

/**
 * Removes what an interrupted push left beside the extension's folder. When it was cut off between its two renames, the build
 * before is put back. Needed once per browser and window.
 */
export async function clearLeftovers(placement: Placement, signal?: AbortSignal): Promise<void> {
  const { service, session, folderName, log } = placement;
  const entries = await listRoot(placement, signal);
  const aside = entries
    .filter(({ name }) => name.startsWith(PREVIOUS))
    .sort((a, b) => b.mod_time.localeCompare(a.mod_time));
  const [latest] = aside;
  // Other extensions of ours may be on this browser: only a single folder aside can be told to be this one's.
  if (latest && aside.length === 1 && !entries.some(({ name }) => name === folderName)) {
    log.info(`A push to this browser was cut off; the build before is put back.`);
    await service.moveFile(session.session_id, latest.path, folderPath(folderName));
    aside.length = 0;
  }
  const staged = entries.filter(({ name }) => name.startsWith(STAGED));
  for (const { path } of [...staged, ...aside]) {
    await service.deleteDirectory(session.session_id, path, signal);
  }
}

async function hasFolder(placement: Placement, signal?: AbortSignal): Promise<boolean> {
  return (await listRoot(placement, signal)).some(({ name }) => name === placement.folderName);
}

async function listRoot({ service, session }: Placement, signal: AbortSignal | undefined): Promise<FileInfo[]> {
  try {
    return await service.listFiles(session.session_id, EXTENSIONS_ROOT, signal);
  } catch (error) {
    // No extension has been uploaded to this browser yet, so its root is not there either.
    if (error instanceof ServiceError && error.kind === 'notFound') return [];
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
