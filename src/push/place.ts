import { randomBytes } from 'node:crypto';
import { LoadRefusedError } from '../devtools/extensions';
import type { ServiceClient } from '../service/client';
import { ServiceError } from '../service/errors';
import type { Logger } from '../service/log';
import { EXTENSIONS_ROOT, type BrowserSession, type FileInfo } from '../service/model';
import { reconcile } from '../service/reconcile';
import { shortDigest } from './folderName';
import { standIn } from './standIn';

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
export interface StagedBuild {
  /** Whether Chromium was restarted for it, so that of the build before nothing runs any more. */
  restarted: boolean;
  /** Puts the files of the build before back; where there were none, an extension that does nothing, or nothing, is left. */
  undo: () => Promise<void>;
  /** Removes the files of the build before. */
  keep: () => Promise<void>;
}

/** A build that is being unpacked, and the one that it takes the place of. */
type Beside = 'new' | 'old';

/** The folder of an extension on the browser's machine. */
export function folderPath(folderName: string): string {
  return `${EXTENSIONS_ROOT}/${folderName}`;
}

/**
 * A build by the documented upload: it puts the folder on Chromium's command line, so that the extension is there after a
 * restart too, and restarts Chromium. The service refuses a name that is taken, so a folder of our name is moved aside first.
 * @throws LoadRefusedError, RestartDeclinedError, ServiceError; the folder of before is in its place then.
 */
export async function placeFirst(placement: Placement, signal?: AbortSignal): Promise<StagedBuild> {
  const { service, session, folderName, zip, log, onUpload } = placement;
  await onUpload(true);
  const isFirst = !(await hasFolder(placement, signal));
  const aside = await moveAside(placement, isFirst);
  try {
    await service.uploadExtensionsToBrowser(session.session_id, [{ name: folderName, zip }], signal);
  } catch (error) {
    const mayBeThere = error instanceof ServiceError && error.mayHaveHappened;
    if (mayBeThere) log.warn(`The answer to the upload was lost (${error.message}). Looking at the browser instead.`);
    // Never sent twice: what counts is whether the folder is there, and verification looks at what runs.
    if (!mayBeThere || !(await reconcile(() => hasFolder(placement), undefined, signal))) {
      await aside.undo();
      throw isChromiumsRefusal(error) ? new LoadRefusedError(error.reasons.join(' ')) : error;
    }
  }
  const leave = (): Promise<void> =>
    service.uploadZip(session.session_id, standIn(), folderPath(folderName)).catch((error: unknown) => {
      log.warn(`${folderPath(folderName)} is left without an extension: ${String(error)}`);
    });
  const undo = async (): Promise<void> => {
    await aside.undo();
    if (isFirst) await leave();
  };
  return { restarted: true, undo, keep: aside.keep };
}

/**
 * A first build without a restart: its folder is not on Chromium's command line, so it is gone after the next restart. A folder of
 * our name that Chromium has not loaded is a leftover.
 * @throws ServiceError
 */
export async function placeBeside(placement: Placement, signal?: AbortSignal): Promise<StagedBuild> {
  const { service, session, folderName, zip, onUpload } = placement;
  await onUpload(false);
  const aside = await moveAside(placement, !(await hasFolder(placement, signal)));
  try {
    await service.uploadZip(session.session_id, zip, folderPath(folderName), signal);
  } catch (error) {
    await aside.undo();
    throw error;
  }
  return { restarted: false, ...aside };
}

/**
 * A later build: unpacked beside the one before, then put into its place by two renames, so that the folder never holds a
 * mixture. `signal` takes effect until the first rename.
 * @throws ServiceError; the build before is in its place then.
 */
export async function placeNext(placement: Placement, signal?: AbortSignal): Promise<StagedBuild> {
  const { service, session, folderName, zip, onUpload } = placement;
  const staged = newFolderBeside(folderName, 'new');
  await onUpload(false);
  try {
    await service.uploadZip(session.session_id, zip, staged, signal);
    signal?.throwIfAborted();
    const aside = await renameAside(placement).catch((error: unknown) => {
      if (!(error instanceof ServiceError) || error.kind !== 'notFound') throw error;
      // Loaded and yet not there: a push was cut off between its two renames. There is nothing to keep.
      return moveAside(placement, true);
    });
    try {
      await service.moveFile(session.session_id, staged, folderPath(folderName));
    } catch (error) {
      await aside.undo();
      throw error;
    }
    return { restarted: false, ...aside };
  } catch (error) {
    await discard(placement, staged);
    throw error;
  }
}

/** Moves the folder of our name aside, unless this build `isFirst` to have it. */
async function moveAside(placement: Placement, isFirst: boolean): Promise<Omit<StagedBuild, 'restarted'>> {
  if (!isFirst) return await renameAside(placement);
  return { undo: () => discard(placement, folderPath(placement.folderName)), keep: () => Promise.resolve() };
}

async function renameAside(placement: Placement): Promise<Omit<StagedBuild, 'restarted'>> {
  const { service, session, folderName } = placement;
  const path = folderPath(folderName);
  const previous = newFolderBeside(folderName, 'old');
  await service.moveFile(session.session_id, path, previous);
  const undo = async (): Promise<void> => {
    await discard(placement, path);
    await service.moveFile(session.session_id, previous, path);
  };
  return { undo, keep: () => discard(placement, previous) };
}

async function discard({ service, session, log }: Placement, folder: string): Promise<void> {
  await service.deleteDirectory(session.session_id, folder).catch((error: unknown) => {
    log.debug(`${folder} could not be removed: ${String(error)}`);
  });
}

/** Begin of the names of the folders that lie beside the folder of an extension while it is pushed. */
function besidePrefix(folderName: string, beside: Beside): string {
  return `.sideload-${beside}-${shortDigest(folderName)}-`;
}

function newFolderBeside(folderName: string, beside: Beside): string {
  return `${EXTENSIONS_ROOT}/${besidePrefix(folderName, beside)}${randomBytes(6).toString('hex')}`;
}

/**
 * Removes what an interrupted push of this extension left beside its folder. When it was cut off between its two renames, the
 * build before is put back. Needed once per browser and window.
 */
export async function clearLeftovers(placement: Placement, signal?: AbortSignal): Promise<void> {
  const { service, session, folderName, log } = placement;
  const entries = await listRoot(placement, signal);
  const left = (beside: Beside): FileInfo[] =>
    entries.filter(({ name }) => name.startsWith(besidePrefix(folderName, beside)));
  const aside = left('old').sort((a, b) => b.mod_time.localeCompare(a.mod_time));
  if (!entries.some(({ name }) => name === folderName)) {
    const latest = aside.shift();
    if (latest) {
      log.info(`A push to this browser was cut off; the build before is put back.`);
      await service.moveFile(session.session_id, latest.path, folderPath(folderName));
    }
  }
  for (const { path } of [...left('new'), ...aside]) {
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
