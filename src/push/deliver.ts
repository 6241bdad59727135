import { LoadRefusedError } from '../devtools/extensions';
import { type BrowserSnapshot, activate, takeSnapshot } from './activate';
import { type ReloadKind, reloadFor, textsOf } from './changes';
import { contentScriptFiles } from './contentScripts';
import type { DeliverRequest } from './deliverRequest';
import { type LoadedState, find } from './find';
import { folderNameOf, nextFolderName } from './folderName';
import { withStableKey } from './key';
import type { DeliveryOutcome } from './outcome';
import {
  type Placement,
  type StagedBuild,
  clearLeftovers,
  folderPath,
  placeBeside,
  placeFirst,
  placeNext,
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
  try {
    const found = await find(prepared.manifest.name, request, signal);
    return found
      ? await deliverWithDevTools(prepared, request, found, signal)
      : await deliverWithoutDevTools(prepared, request, signal);
  } catch (error) {
    if (signal?.aborted || error instanceof RestartDeclinedError) return { outcome: 'cancelled' };
    if (error instanceof LoadRefusedError) return { outcome: 'refusedByBrowser', chromium: error.chromium };
    throw error;
  }
}

/** Delivers to a browser that can be looked at. */
async function deliverWithDevTools(
  prepared: Prepared,
  request: DeliverRequest,
  { folderName, loaded }: LoadedState,
  signal: AbortSignal | undefined,
): Promise<DeliveryOutcome> {
  const { session, browsers, delivery, log, onStep } = request;
  const { manifest, archive, folder } = prepared;
  const path = folderPath(folderName);
  const folderTime = (): Promise<string | undefined> => timeOf(path, request);
  const known = loaded?.enabled ? await browsers.build(session, path, folderTime) : undefined;
  if (known && archive.digest === request.unchangedDigest) return { outcome: 'unchanged', digest: archive.digest };
  const upload = uploadOf(prepared, request, folderName, signal);
  if (!known) await clearLeftovers(upload.placement, signal);
  // What runs is uncertain until it is seen again.
  browsers.forget(session, path);
  const isNext = loaded !== undefined && delivery !== 'restart';
  const previous = isNext ? known : undefined;
  const { reload, changed } = reloadFor(previous, archive.digests, textsOf(manifest.raw));
  const scripts = contentScriptFiles(manifest.raw);
  const tabs = changed.some((file) => scripts.has(file)) ? request.tabs : 'none';
  const note = (): Promise<BrowserSnapshot> =>
    browsers.use(session, (link) => takeSnapshot(link, loaded?.id, reload, tabs), signal);
  const { placed, surroundings } = isNext
    ? await placeAndNote(upload.placement, note, signal)
    : await placeThenNote(upload.placement, delivery === 'inPlace' ? placeBeside : placeFirst, note, signal);
  upload.done();
  return await browsers.use(session, async (link) => {
    const activated = await activate({ link, path, placed, loaded, reload, tabs, manifest, surroundings, log });
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
      const seen = await verify(link.connection, watch, build, signal);
      if (seen.state === 'running') {
        const workerScripts = watch ? new Set(seen.scripts) : (previous?.workerScripts ?? new Set<string>());
        browsers.note(session, path, { extensionId, digests: archive.digests, workerScripts }, folderTime);
      }
      return outcomeOf(seen, extensionId, prepared, activated.reload);
    } finally {
      await watch?.dispose();
      void activated.finish().catch((error: unknown) => {
        log.warn(`After the push: ${String(error)}`);
      });
    }
  });
}

/**
 * Delivers with the documented operations alone: a new folder each time and one key in all of them. Chromium loads all folders
 * in their order, the newest takes the place of those before, and its worker is new (measured on Chromium 156; under the name
 * of before, the old worker would go on running).
 */
async function deliverWithoutDevTools(
  prepared: Prepared,
  request: DeliverRequest,
  signal: AbortSignal | undefined,
): Promise<DeliveryOutcome> {
  const { manifest, archive, started } = prepared;
  const { digest } = archive;
  if (digest === request.unchangedDigest) return { outcome: 'unchanged', digest };
  const folderName = nextFolderName(folderNameOf(manifest.name, request.folderName));
  const upload = uploadOf(prepared, request, folderName, signal);
  await placeFirst(upload.placement, signal);
  upload.done();
  const { name, version } = manifest;
  return { outcome: 'unverified', name, version, digest, ms: performance.now() - started };
}

/** When a folder on the browser's machine was made or was last added to; undefined when the service does not tell. */
async function timeOf(path: string, { service, session, log }: DeliverRequest): Promise<string | undefined> {
  try {
    return (await service.fileInfo(session.session_id, path)).mod_time;
  } catch (error) {
    log.debug(`The time of ${path} is not known: ${String(error)}`);
    return undefined;
  }
}

/** Where a build goes, with the steps of its way told. */
function uploadOf(
  prepared: Prepared,
  { service, session, folderName: configured, confirmRestart, log, onStep }: DeliverRequest,
  folderName: string,
  signal: AbortSignal | undefined,
): { placement: Placement; done: () => void } {
  const base = folderNameOf(prepared.manifest.name, configured);
  const archive = folderName === base ? prepared.archive : withStableKey(prepared, folderPath(base));
  let begun = { at: performance.now(), restarts: false };
  const onUpload = async (restarts: boolean): Promise<void> => {
    if (restarts && !(await confirmRestart())) throw new RestartDeclinedError();
    signal?.throwIfAborted();
    begun = { at: performance.now(), restarts };
    onStep({ step: 'uploading', bytes: archive.bytes.length, restarts });
  };
  const done = (): void => {
    onStep({ step: 'uploaded', restarted: begun.restarts, ms: performance.now() - begun.at });
  };
  return { placement: { service, session, folderName, zip: archive.bytes, log, onUpload }, done };
}

/** Places a build while the browser is looked at: neither waits for the other. */
async function placeAndNote(
  placement: Placement,
  note: () => Promise<BrowserSnapshot>,
  signal: AbortSignal | undefined,
): Promise<{ placed: StagedBuild; surroundings: BrowserSnapshot }> {
  const [placed, noted] = await Promise.allSettled([placeNext(placement, signal), note()]);
  if (placed.status === 'rejected') {
    if (noted.status === 'fulfilled') await noted.value.watch?.dispose();
    throw placed.reason;
  }
  if (noted.status === 'rejected') {
    await placed.value.undo().catch((error: unknown) => {
      placement.log.warn(`The build before could not be put back: ${String(error)}`);
    });
    throw noted.reason;
  }
  return { placed: placed.value, surroundings: noted.value };
}

/** Places a build and looks at the browser that it has restarted, which may stand still over it. */
async function placeThenNote(
  placement: Placement,
  place: (placement: Placement, signal?: AbortSignal) => Promise<StagedBuild>,
  note: () => Promise<BrowserSnapshot>,
  signal: AbortSignal | undefined,
): Promise<{ placed: StagedBuild; surroundings: BrowserSnapshot }> {
  const placed = await place(placement, signal);
  try {
    return { placed, surroundings: await note() };
  } catch (error) {
    if (!placed.restarted || !mayBeBlocked(placement.session, error)) throw error;
    const { service, session, log } = placement;
    const end = await unblock({ service, session, mend: placed.undo, log }, signal);
    if (end === 'answers') return { placed, surroundings: await note() };
    if (end === 'silent') throw error;
    throw new LoadRefusedError('it stood still before its window "Error Loading Extension", which was closed');
  }
}

function outcomeOf(
  seen: Verification,
  extensionId: string,
  { archive, started }: Prepared,
  reload: ReloadKind,
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
        ms: performance.now() - started,
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
