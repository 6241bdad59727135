import { basename } from 'node:path/posix';
import { type BrowserSnapshot, takeSnapshot } from './activate/activate';
import type { Cancellation } from './pointOfNoReturn';
import type { DeliverRequest } from './deliverRequest';
import { folderNameOf } from './folderName';
import { type StagedFolder, stage, stagedAt, swapUnlessAborted } from './place/place';
import { bothOrNone, folderTimeOf, needsOf, type Placed } from './activate/placed';
import type { Prepared } from './prepare/prepare';
import { changesOf, stageOnSpare } from './place/spare';
import { type Upload, uploadOf } from './place/upload';

/**
 * Places a build over the one that this window has pushed last, without waiting for the browser's word that this one still runs: the
 * question, the files, and the look at what is open go out together. Undefined, and nothing has changed in the browser, when this window
 * does not know the build that runs.
 * @throws ServiceError; the previous build is restored then.
 */
export async function placeNext(
  prepared: Prepared,
  request: DeliverRequest,
  cancellation: Cancellation,
): Promise<Placed | undefined> {
  const { session, connections, known, delivery, log } = request;
  const { signal } = cancellation;
  const { archive, manifest } = prepared;
  const expected = known.expectedBuild(session, folderNameOf(manifest.name, request.folderName));
  // Whether something is unchanged is asked before anything is sent.
  if (!expected || delivery === 'restart' || archive.digest === request.unchangedDigest) return undefined;
  if (known.machines.lacksFiles) return undefined;
  const { path, build: previous } = expected;
  const needs = needsOf(prepared, request, previous);
  const upload = await uploadOf(prepared, request, basename(path), cancellation);
  const confirming = known.confirm(session, path, folderTimeOf(path, request), signal).catch((error: unknown) => {
    log.debug(`What runs is unknown: ${String(error)}`);
    return undefined;
  });
  const taking = connections.use(session, (link) => takeSnapshot(link, previous.extensionId, needs), signal);
  taking.catch(() => undefined);
  let staged: StagedFolder;
  try {
    staged = await stageNext(upload, request, path, signal);
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
  known.drop(session, path);
  const files = await bothOrNone(swapUnlessAborted(staged, signal), taking, log);
  return { ...files, tabs: needs.tabs, upload, path, loaded, previous };
}

/** Brings the files of a build to the browser: what differs from a spare there, or else all of them. */
async function stageNext(
  { archive, placement }: Upload,
  { session, known }: DeliverRequest,
  path: string,
  signal: AbortSignal,
): Promise<StagedFolder> {
  const spare = await known.takeSpare(session, path);
  const changes = spare && changesOf(spare.files, archive);
  if (spare && !changes) void stagedAt(placement, spare.path).discard();
  const onSpare = spare && changes && (await stageOnSpare(placement, spare, changes, signal));
  return onSpare ?? (await stage(placement, signal));
}

async function disposeOf(taking: Promise<BrowserSnapshot>): Promise<void> {
  const snapshot = await taking.catch(() => undefined);
  await snapshot?.dispose();
}
