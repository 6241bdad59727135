import * as l10n from '@vscode/l10n';
import { LoadRefusedError } from '../devtools/extensions';
import { type BrowserSnapshot, activate, takeSnapshot } from './activate';
import { type ReloadKind, reloadFor, textsOf } from './changes';
import { Cancellation } from './cancellation';
import { contentScriptFiles } from './contentScripts';
import type { DeliverRequest, RestartAnswer } from './deliverRequest';
import { type LoadedState, find } from './find';
import { folderNameOf, nextFolderName } from './folderName';
import { withStableKey } from './key';
import type { DeliveryOutcome } from './outcome';
import {
  type Placement,
  type StagedBuild,
  clearLeftovers,
  folderPath,
  placeByUpload,
  placeWithoutRestart,
  replaceFiles,
  RestartDeclinedError,
} from './place';
import type { Prepared } from './prepare';
import { mayBeBlocked, unblock } from './unblock';
import { type Verification, verify } from './verify';

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
    const found = await find(prepared.manifest.name, request, cancellation.signal);
    return found
      ? await deliverWithDevTools(prepared, request, found, cancellation)
      : await deliverWithoutDevTools(prepared, request, cancellation);
  } catch (error) {
    if (error instanceof LoadRefusedError) return { outcome: 'refusedByBrowser', chromium: error.chromium };
    if (error instanceof RestartDeclinedError || cancellation.signal.aborted) return { outcome: 'cancelled' };
    throw error;
  } finally {
    cancellation.commit();
  }
}

/** Delivers to a browser that DevTools reaches. */
async function deliverWithDevTools(
  prepared: Prepared,
  request: DeliverRequest,
  { folderName, loaded }: LoadedState,
  cancellation: Cancellation,
): Promise<DeliveryOutcome> {
  const { session, browsers, delivery, log, onStep } = request;
  const { signal } = cancellation;
  const { manifest, archive, folder } = prepared;
  const path = folderPath(folderName);
  const folderTime = (): Promise<string | undefined> => timeOf(path, request);
  const known = loaded?.enabled ? await browsers.knownBuild(session, path, folderTime) : undefined;
  if (known && archive.digest === request.unchangedDigest) return { outcome: 'unchanged', digest: archive.digest };
  const upload = await uploadOf(prepared, request, folderName, cancellation);
  if (!known) await clearLeftovers(upload.placement, signal);
  // What runs is uncertain until it is verified again.
  browsers.dropBuild(session, path);
  const isNext = loaded !== undefined && delivery !== 'restart';
  const previous = isNext ? known : undefined;
  const { reload, changed } = reloadFor(previous, archive.digests, textsOf(manifest.raw));
  const scripts = contentScriptFiles(manifest.raw);
  const tabs = changed.some((file) => scripts.has(file)) ? request.tabs : 'none';
  const takeNow = (): Promise<BrowserSnapshot> =>
    browsers.use(session, (link) => takeSnapshot(link, loaded?.id, reload, tabs), signal);
  const isRestart = !isNext && delivery !== 'inPlace' && (await upload.askToRestart(true)) === 'restart';
  const { staged, snapshot } = isNext
    ? await placeAndSnapshot(upload.placement, takeNow, signal)
    : await placeThenSnapshot(upload.placement, isRestart ? placeByUpload : placeWithoutRestart, takeNow, signal);
  cancellation.commit();
  upload.done();
  return await browsers.use(session, async (link) => {
    const activated = await activate({ link, path, staged, loaded, reload, tabs, manifest, snapshot, log });
    const { extensionId, watch } = activated;
    try {
      onStep({ step: 'verifying' });
      const build = {
        extensionId,
        path,
        folder,
        version: manifest.version,
        hasWorker: manifest.serviceWorker !== undefined,
        digests: archive.digests,
      };
      const seen = await verify(link.connection, watch, build);
      if (seen.state === 'running') {
        const workerScripts = watch ? new Set(seen.scripts) : (previous?.workerScripts ?? new Set<string>());
        browsers.recordBuild(session, path, { extensionId, digests: archive.digests, workerScripts }, folderTime);
      }
      return outcomeOf(seen, extensionId, prepared, activated.reload, upload.elapsedMs());
    } finally {
      await watch?.dispose();
      // Whoever looks at the browser finds the icon, and keeps what he has chosen since.
      if (!loaded) void link.pin(extensionId).catch(() => undefined);
      void activated.finish().catch((error: unknown) => {
        log.warn(`After the push: ${String(error)}`);
      });
    }
  });
}

/**
 * Delivers with the documented operations alone: a new folder for each push, and the same key in all of them. Chromium loads the
 * folders in their order, the newest replaces the earlier ones, and its worker is new (measured on Chromium 156; under an unchanged
 * folder name, the previous worker would keep running).
 */
async function deliverWithoutDevTools(
  prepared: Prepared,
  request: DeliverRequest,
  cancellation: Cancellation,
): Promise<DeliveryOutcome> {
  const { manifest, archive } = prepared;
  const { digest } = archive;
  if (digest === request.unchangedDigest) return { outcome: 'unchanged', digest };
  const folderName = nextFolderName(folderNameOf(manifest.name, request.folderName));
  const upload = await uploadOf(prepared, request, folderName, cancellation);
  if ((await upload.askToRestart(false)) !== 'restart') throw new RestartDeclinedError();
  await placeByUpload(upload.placement, cancellation.signal);
  upload.done();
  const { name, version } = manifest;
  return { outcome: 'unverified', name, version, digest, ms: upload.elapsedMs() };
}

/** The modification time of a folder on the browser's machine; undefined when the service does not report it. */
async function timeOf(path: string, { service, session, log }: DeliverRequest): Promise<string | undefined> {
  try {
    return (await service.fileInfo(session.session_id, path)).mod_time;
  } catch (error) {
    log.debug(`The modification time of ${path} is unknown: ${String(error)}`);
    return undefined;
  }
}

/** An upload of a build, which is reported as steps. */
interface Upload {
  placement: Placement;
  /** Asks whether the browser may be restarted for it. @throws RestartDeclinedError when it may not. */
  askToRestart: (canAvoid: boolean) => Promise<RestartAnswer>;
  /** To be called once the files are in place. */
  done: () => void;
  /** The duration of the push so far, in milliseconds, without the time for which a question waited. */
  elapsedMs: () => number;
}

async function uploadOf(
  prepared: Prepared,
  { service, session, folderName: configured, confirmRestart, log, onStep }: DeliverRequest,
  folderName: string,
  cancellation: Cancellation,
): Promise<Upload> {
  const base = folderNameOf(prepared.manifest.name, configured);
  const archive = folderName === base ? prepared.archive : await withStableKey(prepared, folderPath(base));
  let begun = { at: performance.now(), restarts: false };
  let askedMs = 0;
  const askToRestart = async (canAvoid: boolean): Promise<RestartAnswer> => {
    const asked = performance.now();
    const answer = await confirmRestart(session, canAvoid);
    askedMs += performance.now() - asked;
    cancellation.signal.throwIfAborted();
    if (answer === 'no') throw new RestartDeclinedError();
    return answer;
  };
  const onUpload = (restarts: boolean): void => {
    begun = { at: performance.now(), restarts };
    onSent(0);
  };
  const onSent = (sent: number): void => {
    const bytes = archive.bytes.length;
    // What has been sent restarts Chromium, whether or not the answer is awaited.
    if (begun.restarts && sent >= bytes) cancellation.commit();
    onStep({ step: 'uploading', bytes, sent, restarts: begun.restarts });
  };
  const done = (): void => {
    onStep({ step: 'uploaded', restarted: begun.restarts, ms: performance.now() - begun.at });
  };
  const placement = { service, session, folderName, zip: archive.bytes, log, onUpload, onSent };
  const elapsedMs = (): number => performance.now() - prepared.started - askedMs;
  return { placement, askToRestart, done, elapsedMs };
}

/** Places a build and takes the snapshot in parallel. */
async function placeAndSnapshot(
  placement: Placement,
  takeNow: () => Promise<BrowserSnapshot>,
  signal: AbortSignal | undefined,
): Promise<{ staged: StagedBuild; snapshot: BrowserSnapshot }> {
  const [staged, taken] = await Promise.allSettled([replaceFiles(placement, signal), takeNow()]);
  if (staged.status === 'rejected') {
    if (taken.status === 'fulfilled') await taken.value.watch?.dispose();
    throw staged.reason;
  }
  if (taken.status === 'rejected') {
    await staged.value.rollback().catch((error: unknown) => {
      placement.log.warn(`The previous build could not be restored: ${String(error)}`);
    });
    throw taken.reason;
  }
  return { staged: staged.value, snapshot: taken.value };
}

/** Places a build, which may restart the browser, and takes the snapshot then. Unblocks a browser that shows a modal dialog. */
async function placeThenSnapshot(
  placement: Placement,
  place: (placement: Placement, signal?: AbortSignal) => Promise<StagedBuild>,
  takeNow: () => Promise<BrowserSnapshot>,
  signal: AbortSignal | undefined,
): Promise<{ staged: StagedBuild; snapshot: BrowserSnapshot }> {
  const staged = await place(placement, signal);
  try {
    return { staged, snapshot: await takeNow() };
  } catch (error) {
    if (!staged.restarted || !mayBeBlocked(placement.session, error)) throw error;
    const { service, session, log } = placement;
    const end = await unblock({ service, session, restoreFiles: staged.rollback, log }, signal);
    if (end === 'answers') return { staged, snapshot: await takeNow() };
    if (end === 'silent') throw error;
    throw new LoadRefusedError(l10n.t('it showed the dialog "Error Loading Extension", which was closed'));
  }
}

function outcomeOf(
  seen: Verification,
  extensionId: string,
  { archive }: Prepared,
  reload: ReloadKind,
  ms: number,
): DeliveryOutcome {
  switch (seen.state) {
    case 'running':
      return {
        outcome: 'running',
        extensionId,
        name: seen.extension.name,
        version: seen.extension.version,
        worker: seen.worker,
        reload,
        files: archive.files,
        bytes: archive.bytes.length,
        digest: archive.digest,
        ms,
      };
    case 'workerFailed':
      return { outcome: 'workerFailed', extensionId, version: seen.extension.version, faults: seen.faults };
    case 'doubled':
      return {
        outcome: 'doubled',
        name: seen.extension.name,
        version: seen.extension.version,
        others: seen.others,
      };
    case 'wrong':
      return { outcome: 'wrong', reason: seen.reason };
  }
}
