import { randomBytes } from 'node:crypto';
import { ServiceError } from '../../service/serviceErrors';
import type { BrowserMachines } from './browserMachines';
import type { Delivery, InBrowser } from '../browserDelivery';
import { shortDigest } from '../folderName';

/** A folder on a browser, and the files that go there. */
export interface Placement {
  to: InBrowser;
  /** Legal by `folderNameOf`. */
  folderName: string;
  /** Makes the zip of the files, where it is sent. */
  zip: () => Promise<Uint8Array>;
  /** Whether the folder exists already, where that was read just now. */
  isThere?: boolean;
  /** What hears how far a build has been sent. */
  progress?: Pick<Delivery, 'begin' | 'sent'>;
}

/** A build whose files are in their folder on the browser's machine, on disk, but not loaded by Chromium yet. */
export interface StagedBuild {
  /** Whether Chromium was restarted for it, so that nothing of the previous build runs any more. */
  restarted: boolean;
  /** Restores the previous build's files; where there were none, leaves an extension that does nothing, or nothing. */
  rollback: () => Promise<void>;
  /** Removes the backup of the previous build's files. */
  commit: () => Promise<void>;
  /** Keeps the backup as a spare instead, and resolves to its path; undefined when there is none. Never rejects. */
  keep: () => Promise<string | undefined>;
}

/** The files of the next build in a folder of their own, beside the one that they are to replace. */
export interface StagedFolder {
  /** @throws ServiceError; the previous build is restored then. */
  swap: () => Promise<StagedBuild>;
  /** Never rejects. */
  discard: () => Promise<void>;
}

/**
 * A folder beside an extension's: `new` is being unpacked, `old` is the backup of the previous build, `spare` is one that the next build is
 * made of, `held` has what comes back when the whole delivery fails.
 */
export type Sibling = 'new' | 'old' | 'spare' | 'held';

/** The folder of an extension on the browser's machine. */
export function folderPath({ root }: Pick<BrowserMachines, 'root'>, folderName: string): string {
  return `${root}/${folderName}`;
}

/**
 * Places a first build without a restart: its folder is not on Chromium's command line, so the extension is gone after the next
 * restart. An existing folder of this name that Chromium has not loaded is a leftover.
 * @throws ServiceError
 */
export async function placeWithoutRestart(placement: Placement, signal?: AbortSignal): Promise<StagedBuild> {
  const { to, folderName, progress } = placement;
  const zip = await placement.zip();
  progress?.begin(zip.length, { restarts: false });
  const backup = await backUp(placement, !(await isThere(placement, signal)));
  try {
    await to.service.uploadZip(to.browser.id, zip, folderPath(to.known.machines, folderName), signal, progress?.sent);
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
  const staged = await stage(placement, signal);
  return await swapUnlessAborted(staged, signal);
}

/** Swaps, or discards what was staged when `signal` has aborted. */
export async function swapUnlessAborted(staged: StagedFolder, signal?: AbortSignal): Promise<StagedBuild> {
  if (signal?.aborted) await staged.discard();
  signal?.throwIfAborted();
  return await staged.swap();
}

/** Unpacks a build beside the previous one. @throws ServiceError */
export async function stage(placement: Placement, signal?: AbortSignal): Promise<StagedFolder> {
  const { to, folderName, progress } = placement;
  const staged = stagedAt(placement, newSibling(to.known.machines, folderName, 'new'));
  const zip = await placement.zip();
  progress?.begin(zip.length, { restarts: false });
  try {
    await to.service.uploadZip(to.browser.id, zip, staged.path, signal, progress?.sent);
  } catch (error) {
    await discardUpload(placement, staged.path);
    throw error;
  }
  removeUnfinished(placement);
  return staged;
}

/**
 * Removes the folder of an upload that has failed. The service may still be unpacking what it has received, and make the folder after that: so it is
 * removed once more when a later build has come through. Never rejects.
 */
export async function discardUpload(placement: Placement, path: string): Promise<void> {
  const { browser, known } = placement.to;
  known.noteUnfinished(browser, path);
  await discard(placement, path);
}

/** Removes what failed uploads to the browser have left, now that one has come through; nobody needs to wait for that. */
export function removeUnfinished(placement: Placement): void {
  const { browser, known } = placement.to;
  for (const path of known.takeUnfinished(browser)) void discard(placement, path);
}

/** A build that is complete in the folder `path`, or will be before it is swapped. */
export function stagedAt(placement: Placement, path: string): StagedFolder & { path: string } {
  const drop = (): Promise<void> => discard(placement, path);
  return {
    path,
    discard: drop,
    swap: async () => {
      try {
        return await swap(placement, path);
      } catch (error) {
        await drop();
        throw error;
      }
    },
  };
}

/**
 * How long the second rename lets the first one go ahead, in milliseconds: over several connections a request may overtake one that was
 * sent at the same moment. On this machine the first one is done by then.
 */
const AHEAD_MS = 4;

/** Renames the previous build's folder to a backup, and the folder `staged` to its name, without waiting for the answer in between. */
async function swap(placement: Placement, staged: string): Promise<StagedBuild> {
  const { service, browser, known, connections } = placement.to;
  const backup = backupOf(placement);
  const path = folderPath(known.machines, placement.folderName);
  const moveIn = (): Promise<void> => service.moveFile(browser.id, staged, path);
  const making = backup.make();
  const isAhead = Promise.race([making.catch(() => undefined), connections.clock.delay(AHEAD_MS)]);
  const [backedUp, movedIn] = await Promise.allSettled([making, isAhead.then(moveIn)]);
  const hadNone = backedUp.status === 'rejected' && isNotFound(backedUp.reason);
  // Loaded, but its folder is gone: a push was interrupted between its two renames. There is nothing to back up.
  const staging = { restarted: false, ...(hadNone ? noBackup(placement) : backup) };
  if (movedIn.status === 'fulfilled') return staging;
  if (backedUp.status === 'rejected' && !hadNone) {
    await backup.undo(backedUp.reason);
    throw backedUp.reason;
  }
  try {
    // It may have come before the other one, and found the folder still there.
    await moveIn();
    return staging;
  } catch (error) {
    // It was done the first time, and only the answer was lost.
    if (isNotFound(error) && mayHaveHappened(movedIn.reason)) return staging;
    await staging.rollback();
    throw error;
  }
}

function mayHaveHappened(error: unknown): boolean {
  return error instanceof ServiceError && error.mayHaveHappened;
}

/** The files of the build before. */
type Backup = Omit<StagedBuild, 'restarted'>;

/** Renames the previous build's folder to a backup; `isFirst` when there is none. */
export async function backUp(placement: Placement, isFirst: boolean): Promise<Backup> {
  if (isFirst) return noBackup(placement);
  const backup = backupOf(placement);
  try {
    await backup.make();
  } catch (error) {
    await backup.undo(error);
    throw error;
  }
  return backup;
}

function noBackup(placement: Placement): Backup {
  return {
    rollback: () => discard(placement, folderPath(placement.to.known.machines, placement.folderName)),
    commit: () => Promise.resolve(),
    keep: () => Promise.resolve(undefined),
  };
}

/** Attempts to rename a backup back. */
const ROLLBACK_ATTEMPTS = 3;

/** A backup of the previous build's folder. */
interface MadeBackup extends Backup {
  /** Makes it by renaming the folder. */
  make: () => Promise<void>;
  /** After `make` has failed with `error`: renames the folder back if only the answer was lost. Never rejects. */
  undo: (error: unknown) => Promise<void>;
}

function backupOf(placement: Placement): MadeBackup {
  const { folderName } = placement;
  const { service, browser, known, log } = placement.to;
  const { machines } = known;
  const path = folderPath(machines, folderName);
  const previous = newSibling(machines, folderName, 'old');
  /** Whether the backup is what is to run again: then nothing removes it. */
  let isNeeded = false;
  const moveBack = (): Promise<void> => service.moveFile(browser.id, previous, path);
  return {
    make: () => service.moveFile(browser.id, path, previous),
    undo: async (error) => {
      if (!mayHaveHappened(error)) return;
      await moveBack().catch((failure: unknown) => {
        log.debug(`${previous} is not renamed back: ${String(failure)}`);
      });
    },
    rollback: async () => {
      isNeeded = true;
      let mayBeBack = false;
      for (let attempt = 1; ; attempt++) {
        // Once more after a refused rename: the service may move the new build in after the answer to that was lost.
        if (!mayBeBack) await discard(placement, path);
        try {
          await moveBack();
          return;
        } catch (error) {
          // It was done before, and only the answer was lost.
          if (mayBeBack && isNotFound(error)) return;
          if (attempt === ROLLBACK_ATTEMPTS) throw error;
          mayBeBack ||= mayHaveHappened(error);
        }
      }
    },
    commit: async () => {
      if (!isNeeded) await discard(placement, previous);
    },
    keep: async () => {
      const spare = newSibling(machines, folderName, 'spare');
      try {
        await service.moveFile(browser.id, previous, spare);
        return spare;
      } catch (error) {
        log.debug(`${previous} cannot be kept: ${String(error)}`);
        // It may have been renamed, and only the answer was lost.
        await Promise.all([discard(placement, previous), discard(placement, spare)]);
        return undefined;
      }
    },
  };
}

function isNotFound(error: unknown): boolean {
  return error instanceof ServiceError && error.kind === 'notFound';
}

async function discard({ to: { service, browser, log } }: Placement, folder: string): Promise<void> {
  await service.deleteDirectory(browser.id, folder).catch((error: unknown) => {
    log.debug(`${folder} could not be removed: ${String(error)}`);
  });
}

/** Prefix of the names of the temporary folders beside the folder of an extension. */
export function siblingPrefix(folderName: string, sibling: Sibling): string {
  return `.sideload-${sibling}-${shortDigest(folderName)}-`;
}

/** A path for a temporary folder beside the folder of an extension, which no other one has. */
export function newSibling({ root }: BrowserMachines, folderName: string, sibling: Sibling): string {
  return `${root}/${siblingPrefix(folderName, sibling)}${randomBytes(6).toString('hex')}`;
}

/** Whether the folder of an extension exists before a build is placed. @throws ServiceError */
export async function isThere(placement: Placement, signal?: AbortSignal): Promise<boolean> {
  return placement.isThere ?? (await hasFolder(placement, signal));
}

/** Whether the folder of an extension exists on the browser's machine now. @throws ServiceError */
export async function hasFolder(
  { to: { service, browser, known }, folderName }: Placement,
  signal?: AbortSignal,
): Promise<boolean> {
  const entries = await known.machines.list(service, browser.id, signal);
  return entries.some(({ name }) => name === folderName);
}
