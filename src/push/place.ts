import { randomBytes } from 'node:crypto';
import { LoadRefusedError } from '../devtools/extensions';
import type { ServiceClient } from '../service/client';
import { ServiceError } from '../service/errors';
import type { Logger } from '../service/log';
import { EXTENSIONS_ROOT, type BrowserSession, type FileInfo } from '../service/model';
import { reconcile } from '../service/reconcile';
import { shortDigest } from './folderName';
import { standIn } from './standIn';

/** The user declined the restart of the browser. */
export class RestartDeclinedError extends Error {
  override readonly name = 'RestartDeclinedError';
}

/** Where a build goes. */
export interface Placement {
  service: ServiceClient;
  session: BrowserSession;
  /** Legal by `folderNameOf`. */
  folderName: string;
  zip: Uint8Array;
  log: Logger;
  /** Called before the archive goes out; `restarts` when Chromium will restart for it. */
  onUpload: (restarts: boolean) => void;
  /** Called with the number of bytes sent so far. */
  onSent: (bytes: number) => void;
}

/** A build whose files are in their folder on the browser's machine, on disk, but not loaded by Chromium yet. */
export interface StagedBuild {
  /** Whether Chromium was restarted for it, so that nothing of the previous build runs any more. */
  restarted: boolean;
  /** Restores the previous build's files; where there were none, leaves an extension that does nothing, or nothing. */
  rollback: () => Promise<void>;
  /** Removes the backup of the previous build's files. */
  commit: () => Promise<void>;
}

/** A temporary folder beside an extension's: `new` is being unpacked, `old` is the backup of the previous build. */
type Sibling = 'new' | 'old';

/** The folder of an extension on the browser's machine. */
export function folderPath(folderName: string): string {
  return `${EXTENSIONS_ROOT}/${folderName}`;
}

/**
 * Places a build by the documented upload, which adds the folder to Chromium's command line, so that the extension is loaded after a
 * restart too, and restarts Chromium. The service refuses a name that exists, so an existing folder is renamed first.
 * @throws LoadRefusedError, RestartDeclinedError, ServiceError; the previous folder is restored then.
 */
export async function placeByUpload(placement: Placement, signal?: AbortSignal): Promise<StagedBuild> {
  const { service, session, folderName, zip, log, onUpload, onSent } = placement;
  onUpload(true);
  const isFirst = !(await hasFolder(placement, signal));
  const backup = await backUp(placement, isFirst);
  try {
    await service.uploadExtensionsToBrowser(session.session_id, [{ name: folderName, zip }], signal, onSent);
  } catch (error) {
    const mayBeThere = error instanceof ServiceError && error.mayHaveHappened;
    if (mayBeThere)
      log.warn(`The answer to the upload was lost (${error.message}). Checking the browser's disk instead.`);
    // An upload is never sent twice: if the folder exists, the upload has happened, and verification checks what runs.
    if (!mayBeThere || !(await reconcile(() => hasFolder(placement), undefined, signal))) {
      await backup.rollback();
      throw isChromiumsRefusal(error) ? new LoadRefusedError(error.reasons.join(' ')) : error;
    }
  }
  const leaveStandIn = async (): Promise<void> => {
    const zip = await standIn();
    await service.uploadZip(session.session_id, zip, folderPath(folderName)).catch((error: unknown) => {
      log.warn(`${folderPath(folderName)} is left without an extension: ${String(error)}`);
    });
  };
  const rollback = async (): Promise<void> => {
    await backup.rollback();
    if (isFirst) await leaveStandIn();
  };
  return { restarted: true, rollback, commit: backup.commit };
}

/**
 * Places a first build without a restart: its folder is not on Chromium's command line, so the extension is gone after the next
 * restart. An existing folder of this name that Chromium has not loaded is a leftover.
 * @throws ServiceError
 */
export async function placeWithoutRestart(placement: Placement, signal?: AbortSignal): Promise<StagedBuild> {
  const { service, session, folderName, zip, onUpload, onSent } = placement;
  onUpload(false);
  const backup = await backUp(placement, !(await hasFolder(placement, signal)));
  try {
    await service.uploadZip(session.session_id, zip, folderPath(folderName), signal, onSent);
  } catch (error) {
    await backup.rollback();
    throw error;
  }
  return { restarted: false, ...backup };
}

/**
 * Places a later build: it is unpacked beside the previous one and replaces it by two renames, so that the folder never holds a
 * mixture of two builds. `signal` takes effect until the first rename.
 * @throws ServiceError; the previous build is restored then.
 */
export async function replaceFiles(placement: Placement, signal?: AbortSignal): Promise<StagedBuild> {
  const { service, session, folderName, zip, onUpload, onSent } = placement;
  const staged = newSibling(folderName, 'new');
  onUpload(false);
  try {
    await service.uploadZip(session.session_id, zip, staged, signal, onSent);
    signal?.throwIfAborted();
    const backup = await renameToBackup(placement).catch((error: unknown) => {
      if (!(error instanceof ServiceError) || error.kind !== 'notFound') throw error;
      // Loaded, but its folder is gone: a push was interrupted between its two renames. There is nothing to back up.
      return backUp(placement, true);
    });
    try {
      await service.moveFile(session.session_id, staged, folderPath(folderName));
    } catch (error) {
      await backup.rollback();
      throw error;
    }
    return { restarted: false, ...backup };
  } catch (error) {
    await discard(placement, staged);
    throw error;
  }
}

/** Renames the previous build's folder to a backup; `isFirst` when there is none. */
async function backUp(placement: Placement, isFirst: boolean): Promise<Omit<StagedBuild, 'restarted'>> {
  if (!isFirst) return await renameToBackup(placement);
  return { rollback: () => discard(placement, folderPath(placement.folderName)), commit: () => Promise.resolve() };
}

async function renameToBackup(placement: Placement): Promise<Omit<StagedBuild, 'restarted'>> {
  const { service, session, folderName } = placement;
  const path = folderPath(folderName);
  const previous = newSibling(folderName, 'old');
  await service.moveFile(session.session_id, path, previous);
  const rollback = async (): Promise<void> => {
    await discard(placement, path);
    await service.moveFile(session.session_id, previous, path);
  };
  return { rollback, commit: () => discard(placement, previous) };
}

async function discard({ service, session, log }: Placement, folder: string): Promise<void> {
  await service.deleteDirectory(session.session_id, folder).catch((error: unknown) => {
    log.debug(`${folder} could not be removed: ${String(error)}`);
  });
}

/** Prefix of the names of the temporary folders beside the folder of an extension. */
function siblingPrefix(folderName: string, sibling: Sibling): string {
  return `.sideload-${sibling}-${shortDigest(folderName)}-`;
}

function newSibling(folderName: string, sibling: Sibling): string {
  return `${EXTENSIONS_ROOT}/${siblingPrefix(folderName, sibling)}${randomBytes(6).toString('hex')}`;
}

/**
 * Removes the temporary folders that an interrupted push of this extension left behind. When the push was interrupted between its
 * two renames, the previous build is restored. Needed once per browser and window.
 */
export async function clearLeftovers(placement: Placement, signal?: AbortSignal): Promise<void> {
  const { service, session, folderName, log } = placement;
  const entries = await listRoot(placement, signal);
  const leftovers = (sibling: Sibling): FileInfo[] =>
    entries.filter(({ name }) => name.startsWith(siblingPrefix(folderName, sibling)));
  const backups = leftovers('old').sort((a, b) => b.mod_time.localeCompare(a.mod_time));
  if (!entries.some(({ name }) => name === folderName)) {
    const latest = backups.shift();
    if (latest) {
      log.info('A push to this browser was interrupted; restoring the previous build.');
      await service.moveFile(session.session_id, latest.path, folderPath(folderName));
    }
  }
  for (const { path } of [...leftovers('new'), ...backups]) {
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
    // No extension has been uploaded to this browser yet, so the folder of extensions does not exist.
    if (error instanceof ServiceError && error.kind === 'notFound') return [];
    throw error;
  }
}

/** Whether an error is a 400 that carries Chromium's own text in its details. */
function isChromiumsRefusal(error: unknown): error is ServiceError {
  return (
    error instanceof ServiceError &&
    error.kind === 'badRequest' &&
    error.details.some((detail) => detail.code === 'invalid_input' && detail.message !== undefined)
  );
}
