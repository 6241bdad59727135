import * as l10n from '@vscode/l10n';
import { basename } from 'node:path/posix';
import { listExtensions } from '../devtools/extensions/loadedExtensions';
import { LoadRefusedError } from '../devtools/protocol/loadRefused';
import type { FileInfo } from '../service/model';
import { type BrowserSnapshot, takeSnapshot } from './activate/activate';
import { Cancellation } from './pointOfNoReturn';
import type { DeliverRequest } from './deliverRequest';
import { takeFileAccess } from './place/fileAccess';
import { type LoadedState, find, whyUnverified } from './place/findExtension';
import { folderNameOf, nextFolderName } from './folderName';
import { clearLeftovers } from './place/leftovers';
import type { DeliveryOutcome } from './outcome';
import {
  type Placement,
  type StagedBuild,
  folderPath,
  placeWithoutRestart,
  replaceFiles,
  stagedAt,
} from './place/place';
import { placeByUpload } from './place/placeByUpload';
import { type Placed, bothOrNone, folderTimeOf, needsOf } from './activate/placed';
import { placeNext } from './placeNext';
import type { Prepared } from './prepare/prepare';
import { runBuild } from './activate/runBuild';
import { mayBeBlocked, unblock } from './place/unblock';
import { RestartDeclinedError, type Upload, uploadOf } from './place/upload';

/**
 * Brings a packed extension into one browser and verifies what runs there. Rejects when the service or the browser fails, with
 * an error that says what to do.
 */
export async function deliver(
  prepared: Prepared,
  request: DeliverRequest,
  signal?: AbortSignal,
): Promise<DeliveryOutcome> {
  const cancellation = new Cancellation(signal);
  try {
    return await (request.withoutFiles === true
      ? deliverWithoutFiles(prepared, request, cancellation)
      : deliverNow(prepared, request, cancellation));
  } catch (error) {
    if (error instanceof LoadRefusedError) return { outcome: 'refusedByBrowser', chromium: error.chromium };
    if (error instanceof RestartDeclinedError || cancellation.signal.aborted) return { outcome: 'cancelled' };
    throw error;
  } finally {
    cancellation.commit();
  }
}

async function deliverNow(
  prepared: Prepared,
  request: DeliverRequest,
  cancellation: Cancellation,
): Promise<DeliveryOutcome> {
  const placed =
    (await placeNext(prepared, request, cancellation)) ?? (await placeAny(prepared, request, cancellation));
  if ('outcome' in placed) return placed;
  cancellation.commit();
  return await runBuild(prepared, request, placed);
}

/** Delivers in place, after the extension has lost its access to files: a browser that restarts would load it with that access. */
async function deliverWithoutFiles(
  prepared: Prepared,
  request: DeliverRequest,
  cancellation: Cancellation,
): Promise<DeliveryOutcome> {
  const { undo } = await takeFileAccess(prepared, request, cancellation.signal);
  let isThere = false;
  try {
    const outcome = await deliverNow(prepared, { ...request, delivery: 'inPlace' }, cancellation);
    isThere = outcome.outcome !== 'refusedByBrowser' && outcome.outcome !== 'cancelled';
    return outcome;
  } finally {
    if (!isThere) await undo();
  }
}

/** Places a build wherever the browser has the extension now; the outcome when the delivery is over then. */
async function placeAny(
  prepared: Prepared,
  request: DeliverRequest,
  cancellation: Cancellation,
): Promise<Placed | DeliveryOutcome> {
  // Read meanwhile, because the first push to a browser needs it.
  const { service, session, known } = request;
  const entries = known.machines.list(service, session.id, cancellation.signal);
  entries.catch(() => undefined);
  const found = await find(prepared.manifest.name, request, entries, cancellation.signal);
  return found
    ? await placeFound(prepared, request, { ...found, entries }, cancellation)
    : await deliverWithoutDevTools(prepared, request, entries, cancellation);
}

/** Places a build in a browser that DevTools reaches; the outcome when it need not, or must not. */
async function placeFound(
  prepared: Prepared,
  request: DeliverRequest,
  { folderName, loaded, entries }: LoadedState & { entries: Promise<FileInfo[]> },
  cancellation: Cancellation,
): Promise<Placed | DeliveryOutcome> {
  const { session, connections, known, delivery } = request;
  const { signal } = cancellation;
  const { archive } = prepared;
  if (known.machines.lacksFiles) return await placeInNewFolder(prepared, request, cancellation);
  const path = folderPath(known.machines, folderName);
  const running = loaded?.enabled ? await known.build(session, path, folderTimeOf(path, request)) : undefined;
  if (running && archive.digest === request.unchangedDigest) return { outcome: 'unchanged', digest: archive.digest };
  const upload = await uploadOf(prepared, request, folderName, cancellation);
  const { placement } = upload;
  // It may have been made after the folders were listed.
  const spare = await known.takeSpare(session, path);
  if (spare) void stagedAt(placement, spare.path).discard();
  if (!running) await clearLeftovers(placement, await entries, signal);
  // What runs is uncertain until it is verified again.
  known.drop(session, path);
  const isNext = loaded !== undefined && delivery !== 'restart';
  const previous = isNext ? running : undefined;
  const needs = needsOf(prepared, request, previous);
  const takeNow = (): Promise<BrowserSnapshot> =>
    connections.use(session, (link) => takeSnapshot(link, loaded?.id, needs), signal);
  const isRestart = !isNext && delivery !== 'inPlace' && (await upload.askToRestart(true)) === 'restart';
  const files = isNext
    ? await bothOrNone(replaceFiles(placement, signal), takeNow(), request.log)
    : await placeThenSnapshot(placement, isRestart ? placeByUpload : placeWithoutRestart, takeNow, connections, signal);
  return { ...files, tabs: needs.tabs, upload, path, loaded, previous };
}

/**
 * Delivers with the documented operations alone: a new folder for each push, and the same key in all of them. Chromium loads the
 * folders in their order, the newest replaces the earlier ones, and its worker is new (measured on Chromium 156; under an unchanged
 * folder name, the previous worker would keep running).
 */
async function deliverWithoutDevTools(
  prepared: Prepared,
  request: DeliverRequest,
  entries: Promise<unknown>,
  cancellation: Cancellation,
): Promise<DeliveryOutcome> {
  const { manifest, archive } = prepared;
  const { digest } = archive;
  if (digest === request.unchangedDigest) return { outcome: 'unchanged', digest };
  // It finds the folder of extensions, on whose path the extension's id depends.
  await entries.catch(() => undefined);
  cancellation.signal.throwIfAborted();
  const { upload } = await uploadToNewFolder(prepared, request, cancellation);
  upload.done();
  const { name, version } = manifest;
  return { outcome: 'unverified', name, version, digest, ms: upload.elapsedMs(), why: whyUnverified(request.session) };
}

/** Places a build by the documented upload in a folder that no push has used, where its key keeps its id. */
async function uploadToNewFolder(
  prepared: Prepared,
  request: DeliverRequest,
  cancellation: Cancellation,
): Promise<{ upload: Upload; staged: StagedBuild }> {
  const folderName = nextFolderName(folderNameOf(prepared.manifest.name, request.folderName));
  const upload = await uploadOf(prepared, request, folderName, cancellation);
  if ((await upload.askToRestart(false)) !== 'restart') throw new RestartDeclinedError();
  return { upload, staged: await placeByUpload(upload.placement, cancellation.signal) };
}

/** Places a build where the service has no operations for files, and DevTools can verify what runs. */
async function placeInNewFolder(
  prepared: Prepared,
  request: DeliverRequest,
  cancellation: Cancellation,
): Promise<Placed | DeliveryOutcome> {
  const { session, connections, known, unchangedDigest } = request;
  const { archive } = prepared;
  if (archive.digest === unchangedDigest) return { outcome: 'unchanged', digest: archive.digest };
  const { upload, staged } = await uploadToNewFolder(prepared, request, cancellation);
  const { folderName } = upload.placement;
  const extensions = await connections.use(
    session,
    ({ connection }) => listExtensions(connection),
    cancellation.signal,
  );
  const path =
    extensions.find((extension) => basename(extension.path) === folderName)?.path ??
    folderPath(known.machines, folderName);
  const needs = needsOf(prepared, request, undefined);
  const snapshot = await connections.use(session, (link) => takeSnapshot(link, undefined, needs), cancellation.signal);
  return { staged, snapshot, tabs: needs.tabs, upload, path, loaded: undefined, previous: undefined };
}

/** Places a build, which may restart the browser, and takes the snapshot then. Unblocks a browser that shows a modal dialog. */
async function placeThenSnapshot(
  placement: Placement,
  place: (placement: Placement, signal?: AbortSignal) => Promise<StagedBuild>,
  takeNow: () => Promise<BrowserSnapshot>,
  { parts }: Pick<DeliverRequest['connections'], 'parts'>,
  signal: AbortSignal | undefined,
): Promise<{ staged: StagedBuild; snapshot: BrowserSnapshot }> {
  const staged = await place(placement, signal);
  try {
    return { staged, snapshot: await takeNow() };
  } catch (error) {
    if (!staged.restarted || !mayBeBlocked(placement.session, error)) throw error;
    const { service, session, log } = placement;
    const end = await unblock({ service, session, restoreFiles: staged.rollback, log, parts }, signal);
    if (end === 'answers') return { staged, snapshot: await takeNow() };
    if (end === 'silent') throw error;
    throw new LoadRefusedError(l10n.t('it showed the dialog "Error Loading Extension", which was closed'));
  }
}
