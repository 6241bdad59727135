import { basename } from 'node:path/posix';
import type { LoadedExtension } from '../devtools/protocol/loadedExtensions';
import { LoadRefusedError } from '../devtools/protocol/loadRefused';
import type { FileInfo } from '../service/model';
import type { Placed } from './activate/activate';
import { bothOrNone, folderTimeOf, needsOf } from './activate/placed';
import { type BrowserSnapshot, takeSnapshot } from './activate/snapshot';
import { runBuild } from './activate/runBuild';
import { type Delivery, RestartDeclinedError } from './browserDelivery';
import { type Plan, planOf } from './deliveryPlan';
import { nextFolderName } from './folderName';
import type { DeliveryOutcome } from './outcome';
import { type FileAccessTaken, takeFileAccess } from './place/fileAccess';
import { find, unverified } from './place/findExtension';
import { clearLeftovers } from './place/leftovers';
import { folderPath, placeWithoutRestart, replaceFiles, type StagedBuild, stagedAt } from './place/place';
import { placeByUpload } from './place/placeByUpload';
import { unblockAfter } from './place/unblock';
import { type Upload, uploadOf } from './place/upload';
import { placeNext } from './placeNext';
import { changedPaths, type KnownBuild } from './prepare/changes';

/**
 * Brings a packed extension into one browser and verifies what runs there. Rejects when the service or the browser fails, with
 * an error that says what to do.
 */
export async function deliver(delivery: Delivery): Promise<DeliveryOutcome> {
  const { browser, cancellation, demands, prepared } = delivery;
  let access: FileAccessTaken | undefined;
  try {
    await prepared.localhost?.open(browser, delivery.signal);
    if (demands.withoutFiles) access = await takeFileAccess(delivery);
    const placed = (await placeNext(delivery)) ?? (await placeAsPlanned(delivery));
    cancellation.commit();
    if (!('kind' in placed)) await prepared.localhost?.allow(browser, placed.path);
    const outcome = 'kind' in placed ? placed : await runBuild(placed);
    await access?.done();
    return outcome;
  } catch (error) {
    await access?.undo();
    if (error instanceof LoadRefusedError) return { kind: 'refusedByBrowser', chromium: error.chromium };
    if (error instanceof RestartDeclinedError) return error.outcome;
    if (cancellation.signal.aborted) return { kind: 'cancelled' };
    throw error;
  } finally {
    cancellation.commit();
  }
}

/** What a delivery has found in the browser, and what it does now. */
interface Found {
  plan: Plan;
  /** What is in the folder of extensions. */
  entries: Promise<FileInfo[]>;
  folderName: string;
  path: string;
  loaded: LoadedExtension | undefined;
  /** The build that runs, where that is certain. */
  running: KnownBuild | undefined;
}

/** What each plan does: it places the build, or is over with an outcome. */
const WAYS: Record<Plan, (delivery: Delivery, found: Found) => Promise<Placed | DeliveryOutcome>> = {
  unchanged: ({ prepared }) => Promise.resolve({ kind: 'unchanged', digest: prepared.archive.digest }),
  unverified: deliverUnverified,
  newFolder: placeInNewFolder,
  next: placeInFolder,
  first: placeInFolder,
  firstInPlace: placeInFolder,
  firstKept: placeInFolder,
};

/** Finds out what is in the browser now, and places the build as that demands; the outcome when the delivery is over then. */
async function placeAsPlanned(delivery: Delivery): Promise<Placed | DeliveryOutcome> {
  const { service, browser, known, mode, isKeptByService, prepared, signal } = delivery;
  const { machines } = known;
  // Read meanwhile, because the first push to a browser needs it.
  const entries = machines.list(service, browser.id, signal);
  entries.catch(() => undefined);
  const found = await find(delivery, entries);
  const { lacksFiles } = machines;
  const { folderName, loaded } = found ?? { folderName: delivery.folderName, loaded: undefined };
  const path = folderPath(machines, folderName);
  const mayBeKnown = loaded?.enabled === true && !lacksFiles;
  const running = mayBeKnown ? await known.build(browser, path, folderTimeOf(path, delivery, signal)) : undefined;
  // A folder of the same name may have been pushed there since.
  const isSame = (build: KnownBuild): boolean => changedPaths(build.digests, prepared.archive.digests).length === 0;
  const isUnchanged = delivery.isUnchanged && (running === undefined || isSame(running));
  const [isReached, isLoaded, isCertain] = [found !== undefined, loaded !== undefined, running !== undefined];
  const plan = planOf({ mode, isUnchanged, isReached, lacksFiles, isLoaded, isCertain, isKeptByService });
  return await WAYS[plan](delivery, { plan, entries, folderName, path, loaded, running });
}

/** A question that takes longer, in milliseconds, was put to a person. */
const AT_ONCE_MS = 500;

/** Places a build in the folder of its extension, in a browser that DevTools reaches. */
async function placeInFolder(
  delivery: Delivery,
  { plan, entries, folderName, path, loaded, running }: Found,
): Promise<Placed> {
  const { browser, connections, known, log, signal } = delivery;
  const upload = await uploadOf(delivery, folderName);
  // It may have been made after the folders were listed.
  const spare = await known.takeSpare(browser, path);
  if (spare) void stagedAt(upload, spare.path).discard();
  const isThere = running ? undefined : await clearLeftovers(upload, await entries, signal);
  // What runs is uncertain until it is verified again.
  known.drop(browser, path);
  const previous = plan === 'next' ? running : undefined;
  const needs = await needsOf(delivery, previous);
  const takeNow = (isAfterRestart = false): Promise<BrowserSnapshot> => {
    const now = { ...needs, isAfterRestart, loadAhead: aheadOf(delivery, path) };
    return connections.use(browser, (link) => takeSnapshot(link, loaded?.id, now), signal);
  };
  const asked = performance.now();
  const isRestart = plan === 'first' && (await delivery.askToRestart({ canAvoid: true })) === 'restart';
  // After a question that a person has answered, others may have placed the extension, too.
  const isAnswered = performance.now() - asked > AT_ONCE_MS;
  const placement = { ...upload, ...(isThere !== undefined && !isAnswered && { isThere }) };
  const placeFirst = (): Promise<StagedBuild> =>
    isRestart || plan === 'firstKept'
      ? placeByUpload(placement, signal, delivery.uploadRestart({ restarts: isRestart }))
      : placeWithoutRestart(placement, signal);
  // Of an extension that runs, the files are never missing, whatever the answer was.
  const isReplaced = plan === 'next' || (plan === 'first' && !isRestart && loaded !== undefined);
  const files = await (isReplaced
    ? bothOrNone(replaceFiles(upload, signal), takeNow(), log)
    : thenSnapshot(delivery, await placeFirst(), takeNow));
  return { ...files, delivery, archive: upload.archive, path, loaded, previous };
}

/** The folder, where its build is loaded before it is activated: not where leave to use localhost comes first. */
function aheadOf({ prepared }: Delivery, path: string): string | undefined {
  return prepared.localhost ? undefined : path;
}

/**
 * Takes the snapshot after a build was placed; without one, the build is removed. After a restart for it, a browser that shows a modal dialog is
 * unblocked.
 */
async function thenSnapshot(
  delivery: Delivery,
  staged: StagedBuild,
  takeNow: (isAfterRestart: boolean) => Promise<BrowserSnapshot>,
): Promise<Pick<Placed, 'staged' | 'snapshot'>> {
  if (!staged.restarted) return await bothOrNone(Promise.resolve(staged), takeNow(false), delivery.log);
  const snapshot = await takeNow(true).catch(async (error: unknown) => {
    await unblockAfter(error, delivery, staged.rollback, delivery.signal);
    return await takeNow(true);
  });
  return { staged, snapshot };
}

/**
 * Delivers with the documented operations alone: a new folder for each push, and the same key in all of them. The newest folder replaces the earlier
 * ones, and its worker is new (C-FLAG-NEWEST), which it would not be in a folder of the same name (C-FLAG-OLD-WORKER).
 */
async function deliverUnverified(delivery: Delivery, { entries }: Found): Promise<DeliveryOutcome> {
  // It finds the folder of extensions, on whose path the extension's id depends.
  await entries.catch(() => undefined);
  delivery.signal.throwIfAborted();
  await uploadToNewFolder(delivery);
  return unverified(delivery);
}

/** Places a build where the service has no operations for files, and DevTools can verify what runs. */
async function placeInNewFolder(delivery: Delivery): Promise<Placed> {
  const { browser, connections, known, signal } = delivery;
  const { upload, staged } = await uploadToNewFolder(delivery);
  const { folderName, archive } = upload;
  const extensions = await connections.use(browser, (link) => link.extensions(), signal);
  const shown = extensions.find((extension) => basename(extension.path) === folderName);
  const path = shown?.path ?? folderPath(known.machines, folderName);
  const needs = { ...(await needsOf(delivery, undefined)), isAfterRestart: true, loadAhead: aheadOf(delivery, path) };
  const snapshot = await connections.use(browser, (link) => takeSnapshot(link, undefined, needs), signal);
  return { delivery, archive, path, loaded: undefined, previous: undefined, staged, snapshot };
}

/** Places a build by the documented upload in a folder that no push has used, where its key keeps its id. */
async function uploadToNewFolder(delivery: Delivery): Promise<{ upload: Upload; staged: StagedBuild }> {
  const upload = await uploadOf(delivery, nextFolderName(delivery.folderName));
  await delivery.askToRestart({ canAvoid: false });
  return { upload, staged: await placeByUpload(upload, delivery.signal) };
}
