import * as l10n from '@vscode/l10n';
import type { Archive } from '../../archive/packer';
import type { PackedFile } from '../../archive/knownFile';
import { contentOf } from '../../archive/zip';
import type { LoadedExtension } from '../../devtools/protocol/loadedExtensions';
import { pathInExtension } from '../../devtools/protocol/extensionUrl';
import type { WorkerFault, WorkerScript, WorkerStart } from '../../devtools/workers/startingWorker';
import type { WorkerWatch } from '../../devtools/workers/workers';
import { isSameVersion } from '../../manifest/values/version';
import type { Prepared } from '../prepare/prepare';
import type { PushLink } from '../pushLink';
import type { Activated, Placed } from './activate';

/** A larger script, compared as text, would hold the extension host. */
const MAX_SCRIPT_BYTES = 32 * 1024 * 1024;

/**
 * What the browser runs. Only `running` may be reported as running. `needsLoad`: another load cures it. The worker runs another script than
 * the build's, as it may when a reload follows a load at once (C-WORKER-STALE); Chromium does not give it its script (C-WORKER-NO-SCRIPT), or refuses
 * its API calls. `pausedAt`: a debugger has paused the worker, which runs the build's scripts so far.
 */
export type Verification =
  | {
      state: 'running';
      extension: LoadedExtension;
      worker: 'running' | 'paused' | 'kept' | 'none';
      scripts: string[];
      pausedAt?: string;
    }
  | { state: 'workerFailed'; extension: LoadedExtension; faults: WorkerFault[] }
  | { state: 'doubled'; extension: LoadedExtension; others: LoadedExtension[] }
  | { state: 'wrong'; reason: string; needsLoad?: boolean };

/** What is verified of a build that was placed. */
interface Verified extends Pick<Placed, 'path'> {
  delivery: { prepared: Pick<Prepared, 'manifest' | 'archive'> };
  staged: { restarted: boolean };
  enabled?: Activated['enabled'];
  /** The ids as which the folder was pushed to the browser: another name in its manifest gives it another one. */
  pushedIds: Promise<readonly string[]>;
}

/**
 * Verifies over DevTools that the browser runs what was delivered: exactly one enabled copy, from our folder, with our version,
 * whose new worker has run this build's scripts to the end. Without `watch` nothing was reloaded and the worker is not verified.
 * Rejects when the connection is lost or `signal` aborts.
 */
export async function verify(
  link: Pick<PushLink, 'extensions'>,
  watch: WorkerWatch | undefined,
  extensionId: string,
  { delivery, path, staged, enabled, pushedIds }: Verified,
  signal?: AbortSignal,
): Promise<Verification> {
  const { manifest, archive } = delivery.prepared;
  const hasWorker = manifest.serviceWorker !== undefined;
  const judged = (list: readonly LoadedExtension[]): Judgement => judge(list, extensionId, path, manifest.version);
  const starting = hasWorker ? watch?.started(extensionId, signal) : undefined;
  const comparing = starting?.then((start) => findOtherScript(scriptsOf(start), extensionId, archive));
  // Workers of a browser that was restarted just now may end once more, so it is listed afterwards.
  if (staged.restarted) await Promise.all([comparing, enabled]);
  // Then what runs must go on running without a debugger before the user reads that it does.
  const leaving = staged.restarted ? watch?.dispose() : undefined;
  const [worker, other, listed] = await Promise.all([starting, comparing, link.extensions(), leaving]);
  // A browser that has just started may load the extension once more at that moment, and a disabled one is enabled now.
  const isSound = judged(listed).problem === undefined;
  if (!isSound) await enabled;
  // An extension that has removed or disabled itself meanwhile has no worker, either.
  const extensions = isSound && !isMissing(worker) ? listed : await link.extensions();
  const { problem: reason, extension } = judged(extensions);
  if (!extension) return { state: 'wrong', reason };
  switch (worker?.state) {
    case undefined:
      break;
    case 'failed':
      return { state: 'workerFailed', extension, faults: worker.faults };
    case 'absent':
    case 'noScript':
      return {
        state: 'wrong',
        reason: l10n.t('The service worker did not start.'),
        needsLoad: worker.state === 'noScript',
      };
    case 'endless':
      return {
        state: 'wrong',
        reason: l10n.t(
          'The service worker has begun its script, but its start does not end. Look in it for a loop or a wait without end.',
        ),
      };
    case 'apiRefused':
      return {
        state: 'wrong',
        reason: l10n.t(
          'The service worker runs, but Chromium refuses its calls of the extension API. If this stays, restart the browser.',
        ),
        needsLoad: true,
      };
    case 'paused':
    case 'running':
      if (other !== undefined) {
        return {
          state: 'wrong',
          reason: l10n.t('The service worker runs another {0} than the one that was pushed.', other),
          needsLoad: true,
        };
      }
  }
  const ofFolder = await pushedIds;
  const others = extensions.filter(
    (loaded) =>
      loaded.enabled && loaded.id !== extensionId && (loaded.name === extension.name || ofFolder.includes(loaded.id)),
  );
  if (others.length > 0) return { state: 'doubled', extension, others };
  return {
    state: 'running',
    extension,
    worker: worker?.state ?? (hasWorker ? 'kept' : 'none'),
    // A paused one may load any other script when it goes on.
    scripts: worker?.state === 'paused' ? [...archive.digests.keys()] : pathsOf(worker?.scripts ?? [], extensionId),
    ...(worker?.state === 'paused' && { pausedAt: worker.at }),
  };
}

/** Whether a worker is not there, for a reason that it has not said itself. */
function isMissing(worker: WorkerStart | undefined): boolean {
  switch (worker?.state) {
    case 'absent':
    case 'noScript':
      return true;
    case 'failed':
      return worker.faults.length === 0;
    default:
      return false;
  }
}

type Judgement = { extension: LoadedExtension; problem?: undefined } | { problem: string; extension?: undefined };

/** The extension in the browser's list if it is the build's; else what is wrong. */
function judge(extensions: readonly LoadedExtension[], extensionId: string, path: string, version: string): Judgement {
  const extension = extensions.find(({ id }) => id === extensionId);
  if (!extension) {
    return {
      problem: l10n.t(
        'The browser does not list the extension after loading it. If it removes itself, look in its code for {0}.',
        'chrome.management.uninstallSelf',
      ),
    };
  }
  if (extension.path !== path) {
    return { problem: l10n.t('The browser runs the extension from another folder, {0}.', extension.path) };
  }
  if (!extension.enabled) {
    return {
      problem: l10n.t(
        'The browser has disabled the extension. Look for the reason at {0}, and in its code for {1}.',
        'chrome://extensions',
        'chrome.management.setEnabled',
      ),
    };
  }
  if (!isSameVersion(extension.version, version)) {
    return { problem: l10n.t('The browser runs version {0}, not {1}.', extension.version, version) };
  }
  return { extension };
}

function scriptsOf(start: WorkerStart): readonly WorkerScript[] {
  return 'scripts' in start ? start.scripts : [];
}

/** Paths of the extension's own scripts. */
function pathsOf(scripts: readonly WorkerScript[], extensionId: string): string[] {
  return scripts.flatMap(({ url }) => pathInExtension(url, extensionId) ?? []);
}

/** Path of the first script of ours that a worker runs with another text than the build's; undefined when all are the build's. */
async function findOtherScript(
  scripts: readonly WorkerScript[],
  extensionId: string,
  { digests, packed }: Archive,
): Promise<string | undefined> {
  for (const script of scripts) {
    const path = pathInExtension(script.url, extensionId);
    if (path === undefined || digests.get(path) === script.hash) continue;
    const file = packed.find(({ entry }) => entry.name === path);
    if (!file || !(await isSameScript(script, file))) return path;
  }
  return undefined;
}

/**
 * Compares a script with the file that was packed: WebAssembly by its bytes, because V8's hash of it is none of the file's (C-SCRIPT-HASH); other
 * scripts as text, because their bytes may differ from what the browser decodes (byte order mark, invalid UTF-8).
 */
async function isSameScript(script: WorkerScript, { entry, size }: PackedFile): Promise<boolean> {
  if (size > MAX_SCRIPT_BYTES) return false;
  const [bytes, running] = await Promise.all([contentOf(entry), script.read()]);
  return typeof running === 'string'
    ? new TextDecoder().decode(bytes) === running.replace(/^\uFEFF/, '')
    : running.equals(bytes);
}
