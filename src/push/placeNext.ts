import { basename } from 'node:path/posix';
import type { Placed } from './activate/activate';
import type { Delivery } from './browserDelivery';
import { type StagedFolder, stage, stagedAt, swapUnlessAborted } from './place/place';
import { bothOrNone, folderTimeOf, needsOf } from './activate/placed';
import { type BrowserSnapshot, takeSnapshot } from './activate/snapshot';
import { changesOf, stageOnSpare } from './place/spare';
import { type Upload, uploadOf } from './place/upload';

/**
 * Places a build over the one that this window has pushed last, without waiting for the browser's word that this one still runs: the
 * question, the files, and the reading of what is open go out together. Undefined, and nothing has changed in the browser, when this window
 * does not know the build that runs.
 * @throws ServiceError; the previous build is restored then.
 */
export async function placeNext(delivery: Delivery): Promise<Placed | undefined> {
  const { browser, connections, known, log, signal } = delivery;
  const expected = known.expectedBuild(browser, delivery.folderName);
  // Whether something is unchanged is asked before anything is sent.
  const isAhead = delivery.mode !== 'restart' && !delivery.isUnchanged && !known.machines.lacksFiles;
  if (!expected || !isAhead) return undefined;
  const { path, build: previous } = expected;
  const needs = await needsOf(delivery, previous);
  const upload = await uploadOf(delivery, basename(path));
  const confirming = known
    .confirm(browser, path, folderTimeOf(path, delivery, signal), signal)
    .catch((error: unknown) => {
      log.debug(`What runs is unknown: ${String(error)}`);
      return undefined;
    });
  const taking = connections.use(browser, (link) => takeSnapshot(link, previous.extensionId, needs), signal);
  taking.catch(() => undefined);
  let staged: StagedFolder;
  try {
    staged = await stageNext(upload, delivery, path);
  } catch (error) {
    await disposeOf(taking);
    throw error;
  }
  const loaded = await confirming;
  if (!loaded) {
    await Promise.all([staged.discard(), disposeOf(taking)]);
    return undefined;
  }
  // What runs is uncertain until it is verified again.
  known.drop(browser, path);
  const files = await bothOrNone(swapUnlessAborted(staged, signal), taking, log);
  return { ...files, delivery, archive: upload.archive, path, loaded, previous };
}

/** Brings the files of a build to the browser: what differs from a spare there, or else all of them. */
async function stageNext(
  upload: Upload,
  { browser, known, order, signal }: Delivery,
  path: string,
): Promise<StagedFolder> {
  const spare = await known.takeSpare(browser, path);
  const changes = spare && changesOf(spare.files, upload.archive, order);
  if (spare && !changes) void stagedAt(upload, spare.path).discard();
  const onSpare = spare && changes && (await stageOnSpare(upload, spare, changes, signal));
  return onSpare ?? (await stage(upload, signal));
}

async function disposeOf(taking: Promise<BrowserSnapshot>): Promise<void> {
  const snapshot = await taking.catch(() => undefined);
  await snapshot?.dispose();
}
