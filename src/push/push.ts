import { TooLargeError } from '../archive/limits';
import { type Archive, levelFor, packFiles } from '../archive/packer';
import type { FolderPackers } from '../archive/packers';
import { type LeftOut, type Selection, selectFiles } from '../archive/select';
import { listExtensions, LoadRefusedError } from '../devtools/extensions';
import type { BrowserLink } from '../devtools/link';
import type { WorkerFault } from '../devtools/workers';
import { checkFolder, type CheckResult } from '../manifest/check';
import type { Manifest } from '../manifest/manifest';
import type { Finding } from '../manifest/finding';
import type { ServiceClient } from '../service/client';
import type { Logger } from '../service/log';
import type { BrowserSession } from '../service/model';
import { activate, type Tabs } from './activate';
import type { KnownBrowsers } from './browsers';
import { contentScriptFiles, type Reload, reloadFor, textsOf } from './changes';
import { findLocalhostUses, type LocalhostUse } from './developmentBuild';
import { folderNameOf } from './folderName';
import { clearLeftovers, folderPath, type Placement, placeFirst, placeNext, RestartDeclinedError } from './place';
import { type Verification, verify } from './verify';

/** One push: which folder, to which browser. */
export interface PushRequest {
  service: ServiceClient;
  session: BrowserSession;
  /** What this window keeps of browsers between pushes. */
  browsers: KnownBrowsers;
  /** Whether the browser runs on this machine. */
  isLocal: boolean;
  /** What is kept of packed files between pushes, so that a push packs only what has changed; absent, all is packed anew. */
  packers?: FolderPackers;
  /** Which tabs are loaded again when a content script has changed. */
  tabs: Tabs;
  /** Absolute path of the folder that holds `manifest.json`. */
  folder: string;
  /** Name of the folder on the browser; empty to make one from the manifest. */
  folderName: string;
  exclude: readonly string[];
  include: readonly string[];
  /** Digest of an archive that the browser runs already; the same content is then not delivered again. */
  unchangedDigest?: string | undefined;
  /** Asked before a delivery that restarts the browser; false ends the push as cancelled. */
  confirmRestart: () => Promise<boolean>;
  log: Logger;
  onStep: (step: PushStep) => void;
}

/** Where a push stands. Times in milliseconds, sizes in bytes. */
export type PushStep =
  | { step: 'checking' }
  | { step: 'checked'; findings: readonly Finding[]; ms: number }
  | { step: 'packing'; done: number; total: number }
  | { step: 'packed'; files: number; bytes: number; ms: number }
  | { step: 'uploading'; bytes: number; restarts: boolean }
  | { step: 'uploaded'; restarted: boolean; ms: number }
  | { step: 'verifying' };

/** How a push ended. `running` alone means that the browser was seen to run this build. */
export type PushOutcome =
  | {
      outcome: 'running';
      extensionId: string;
      name: string;
      version: string;
      /** `kept`: nothing of it has changed, so it was left as it is. */
      worker: 'running' | 'kept' | 'none';
      /** What Chromium was asked for. */
      reload: Reload;
      files: number;
      bytes: number;
      digest: string;
      ms: number;
    }
  | { outcome: 'unchanged'; digest: string }
  | { outcome: 'refusedByCheck'; findings: readonly Finding[] }
  | { outcome: 'tooLarge'; message: string }
  | { outcome: 'leftOut'; files: readonly LeftOut[] }
  | { outcome: 'needsLocalhost'; uses: readonly LocalhostUse[] }
  | { outcome: 'refusedByBrowser'; chromium: string }
  | { outcome: 'workerFailed'; extensionId: string; version: string; faults: readonly WorkerFault[] }
  | { outcome: 'doubled'; name: string; version: string; otherIds: readonly string[] }
  | { outcome: 'wrong'; reason: string }
  | { outcome: 'cancelled' };

/**
 * Checks a folder, packs it, brings it into the browser and verifies what runs there.
 * A faulty folder is an outcome; a service, a browser or a disk that fails rejects with its error, which says what to do.
 */
export async function push(request: PushRequest, signal?: AbortSignal): Promise<PushOutcome> {
  const started = performance.now();
  try {
    const checked = await check(request, signal);
    if (checked.findings.some(({ severity }) => severity === 'error') || !checked.manifest) {
      return { outcome: 'refusedByCheck', findings: checked.findings };
    }
    const packed = await pack(request, checked.manifest.files, signal);
    if ('outcome' in packed) return packed;
    if (packed.digest === request.unchangedDigest) return { outcome: 'unchanged', digest: packed.digest };
    return await deliverAndVerify(request, checked.manifest, packed, started, signal);
  } catch (error) {
    if (signal?.aborted || error instanceof RestartDeclinedError) return { outcome: 'cancelled' };
    if (error instanceof TooLargeError) return { outcome: 'tooLarge', message: error.message };
    if (error instanceof LoadRefusedError) return { outcome: 'refusedByBrowser', chromium: error.chromium };
    throw error;
  }
}

async function check({ folder, onStep }: PushRequest, signal: AbortSignal | undefined): Promise<CheckResult> {
  onStep({ step: 'checking' });
  const started = performance.now();
  const result = await checkFolder(folder, signal ? { signal } : {});
  onStep({ step: 'checked', findings: result.findings, ms: performance.now() - started });
  return result;
}

async function pack(
  { folder, exclude, include, isLocal, packers, onStep }: PushRequest,
  needed: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Archive | PushOutcome> {
  const started = performance.now();
  const abort = signal ? { signal } : {};
  const selection = await selectFiles(folder, { exclude, include, ...abort });
  const files = missing(needed, selection);
  if (files.length > 0) return { outcome: 'leftOut', files };
  const uses = isLocal
    ? []
    : await findLocalhostUses(
        folder,
        selection.files.map(({ path }) => path),
      );
  if (uses.length > 0) return { outcome: 'needsLocalhost', uses };
  const progress = (done: number, total: number): void => {
    onStep({ step: 'packing', done, total });
  };
  progress(0, selection.files.length);
  const options = { ...abort, onProgress: progress, level: levelFor(isLocal, selection.totalBytes) };
  const archive = await (packers
    ? packers.of(folder).pack(selection.files, options)
    : packFiles(folder, selection.files, options));
  onStep({ step: 'packed', files: archive.files, bytes: archive.bytes.length, ms: performance.now() - started });
  return archive;
}

/** Files that the manifest names and that are on the disk, but that are not packed, each with the reason. */
function missing(needed: readonly string[], { files, leftOut }: Selection): LeftOut[] {
  const packed = new Set(files.map(({ path }) => path));
  return needed
    .filter((path) => !packed.has(path))
    .flatMap((path) => {
      const rule = leftOut.find((entry) => path === entry.path || path.startsWith(`${entry.path}/`));
      return rule ? [{ path, reason: rule.reason }] : [];
    });
}

async function deliverAndVerify(
  request: PushRequest,
  manifest: Manifest,
  archive: Archive,
  started: number,
  signal: AbortSignal | undefined,
): Promise<PushOutcome> {
  const { service, session, browsers, log, onStep } = request;
  const bytes = archive.bytes.length;
  const folderName = folderNameOf(manifest.name, request.folderName);
  const path = folderPath(folderName);
  let upload = { started: performance.now(), restarts: false };
  const placement: Placement = {
    service,
    session,
    folderName,
    zip: archive.bytes,
    log,
    onUpload: async (restarts) => {
      if (restarts && !(await request.confirmRestart())) throw new RestartDeclinedError();
      signal?.throwIfAborted();
      upload = { started: performance.now(), restarts };
      onStep({ step: 'uploading', bytes, restarts });
    },
  };
  const previous = browsers.build(session, path);
  if (!previous) await clearLeftovers(placement, signal);
  const isLoaded = await browsers.use(session, (link) => isLoadedFrom(link, path), signal);
  // What runs is uncertain until it is seen again.
  browsers.note(session, path, undefined);
  const placed = isLoaded ? await placeNext(placement, signal) : await placeFirst(placement, signal);
  onStep({ step: 'uploaded', restarted: upload.restarts, ms: performance.now() - upload.started });
  const { reload, changed } = reloadFor(isLoaded ? previous : undefined, archive.digests, textsOf(manifest.raw));
  const contentScripts = contentScriptFiles(manifest.raw);
  return await browsers.use(session, async (link) => {
    const activated = await activate({
      link,
      path,
      placed,
      previous: isLoaded ? previous : undefined,
      reload,
      tabs: request.tabs,
      contentScriptsChanged: changed.some((file) => contentScripts.has(file)),
    });
    const { extensionId, watch } = activated;
    try {
      onStep({ step: 'verifying' });
      const build = {
        extensionId,
        path,
        folder: request.folder,
        version: manifest.version,
        hasWorker: manifest.serviceWorker !== undefined,
        digests: archive.digests,
      };
      const seen = await verify(link.connection, watch, build, signal);
      if (seen.state === 'running') {
        const workerScripts = watch ? new Set(seen.scripts) : (previous?.workerScripts ?? new Set<string>());
        browsers.note(session, path, { extensionId, digests: archive.digests, workerScripts });
      }
      return outcomeOf(seen, extensionId, archive, reload, performance.now() - started);
    } finally {
      await watch?.dispose();
      void activated.finish().catch((error: unknown) => {
        log.warn(`After the push: ${String(error)}`);
      });
    }
  });
}

async function isLoadedFrom(link: BrowserLink, path: string): Promise<boolean> {
  return (await listExtensions(link.connection)).some((extension) => extension.path === path);
}

function outcomeOf(seen: Verification, extensionId: string, archive: Archive, reload: Reload, ms: number): PushOutcome {
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
        otherIds: seen.others.map(({ id }) => id),
      };
    case 'wrong':
      return { outcome: 'wrong', reason: seen.reason };
  }
}
