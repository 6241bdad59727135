import { only } from '../../base/only';
import { LoadRefusedError } from '../../devtools/protocol/loadRefused';
import type { UploadRestart } from '../../service/interface';
import { ServiceError } from '../../service/serviceErrors';
import { reconcile } from '../../service/reconcile';
import { backUp, folderPath, hasFolder, isThere, type Placement, type StagedBuild } from './place';
import { standIn } from './standIn';

/**
 * Places a build by the documented upload, which adds the folder to Chromium's command line, so that the extension is loaded after a
 * restart too, and restarts Chromium unless `restart` says later. The service refuses a name that exists, so an existing folder is renamed first.
 * @throws LoadRefusedError, ServiceError; the previous folder is restored then.
 */
export async function placeByUpload(
  placement: Placement,
  signal?: AbortSignal,
  restart?: UploadRestart,
): Promise<StagedBuild> {
  return only(await placeAllByUpload([placement], signal, restart));
}

/**
 * Places several builds in one browser by one upload, and thus with one restart at most: all of them, or none.
 * @throws LoadRefusedError, ServiceError; the previous folders are restored then.
 */
export async function placeAllByUpload(
  placements: readonly Placement[],
  signal?: AbortSignal,
  restart?: UploadRestart,
): Promise<readonly StagedBuild[]> {
  const [first] = placements;
  if (!first) return [];
  const { service, browser, known, log, connections } = first.to;
  const { machines } = known;
  const uploads = await Promise.all(
    placements.map(async ({ folderName, zip }) => ({ name: folderName, zip: await zip() })),
  );
  const restarts = restart !== 'later';
  for (const [at, { progress }] of placements.entries()) {
    // What the service takes is one archive for all.
    progress?.begin(lengthAt(uploads, at), { restarts, isFinal: at === placements.length - 1 });
  }
  const backups: { isFirst: boolean; placement: Placement; backup: Omit<StagedBuild, 'restarted'> }[] = [];
  const restore = async (which = backups): Promise<void> => {
    for (const { backup } of which) await backup.rollback();
  };
  try {
    for (const placement of placements) {
      const isFirst = machines.lacksFiles || !(await isThere(placement, signal));
      backups.push({ isFirst, placement, backup: await backUp(placement, isFirst) });
    }
  } catch (error) {
    await restore();
    throw error;
  }
  // The service's answer has its way to go when the browser is there again.
  const stopReopening = restarts ? connections.reopenWhenLost(browser) : undefined;
  try {
    await service.uploadExtensionsToBrowser(browser.id, uploads, signal, progressOf(placements, uploads), restart);
    machines.noteUploaded();
  } catch (error) {
    const mayBeThere = error instanceof ServiceError && error.mayHaveHappened && !machines.lacksFiles;
    if (mayBeThere)
      log.warn(`The answer to the upload was lost (${error.message}). Checking the browser's disk instead.`);
    // An upload is never sent twice: if the folders exist, the upload has happened, and verification checks what runs.
    const areThere = async (): Promise<boolean> =>
      (await Promise.all(placements.map((placement) => hasFolder(placement)))).every(Boolean);
    const checking = mayBeThere ? reconcile(areThere, undefined, signal, connections.clock) : Promise.resolve(false);
    const isDone = await checking.catch(async (unknown: unknown) => {
      // A folder that is new stays: if it came after all, Chromium's command line names it.
      await restore(backups.filter(({ isFirst }) => !isFirst));
      throw unknown;
    });
    if (!isDone) {
      await restore();
      throw isChromiumsRefusal(error) ? new LoadRefusedError(error.reasons.join(' ')) : error;
    }
  } finally {
    stopReopening?.();
  }
  return backups.map(({ isFirst, placement, backup }) => {
    const rollback = async (): Promise<void> => {
      await backup.rollback();
      if (isFirst) await leaveStandIn(placement);
    };
    return { ...backup, restarted: restarts, rollback };
  });
}

/** Reports to each of the placements how much of its upload has been sent, when `sent` bytes of all have been. */
function progressOf(placements: readonly Placement[], uploads: readonly { zip: Uint8Array }[]): (sent: number) => void {
  return (sent) => {
    let before = 0;
    for (const [at, { progress }] of placements.entries()) {
      const length = lengthAt(uploads, at);
      progress?.sent(Math.max(0, Math.min(length, sent - before)));
      before += length;
    }
  };
}

function lengthAt(uploads: readonly { zip: Uint8Array }[], at: number): number {
  return uploads[at]?.zip.length ?? 0;
}

async function leaveStandIn({ to: { service, browser, known, log }, folderName }: Placement): Promise<void> {
  const path = folderPath(known.machines, folderName);
  const zip = await standIn();
  await service.uploadZip(browser.id, zip, path).catch((error: unknown) => {
    log.warn(`${path} is left without an extension: ${String(error)}`);
  });
}

/**
 * Whether an error is a 400 that carries Chromium's own text in its details, and says so. A service refuses archives for reasons of its own,
 * too, with the same codes: what Chromium has not said is not put into its mouth.
 */
function isChromiumsRefusal(error: unknown): error is ServiceError {
  return (
    error instanceof ServiceError &&
    error.kind === 'badRequest' &&
    /\bchrom(?:ium|e)\b/i.test(error.message) &&
    error.details.some((detail) => detail.code === 'invalid_input' && detail.message !== undefined)
  );
}
