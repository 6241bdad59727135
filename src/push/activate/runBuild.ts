import type { Logger } from '../../service/logger';
import { type Activated, activate, type Placed } from './activate';
import { needsOfLoad, takeSnapshot } from './snapshot';
import { contentScriptsText, type ReloadKind } from '../prepare/changes';
import type { DeliveryOutcome } from '../outcome';
import { folderTimeOf } from './placed';
import type { Prepared } from '../prepare/prepare';
import { isWorthSpare, placedFiles } from '../place/spare';
import { type Verification, verify } from './verify';

/** A build that Chromium was asked to load, and what it runs now. */
interface Started {
  activated: Activated;
  seen: Verification;
  /** Resolves when pages are reopened and tabs updated, for which nobody waits who is done; never rejects. */
  finished: Promise<void>;
}

/** Makes Chromium run a build whose files are in place, and verifies that. Rejects when the service or the browser fails. */
export async function runBuild(placed: Placed): Promise<DeliveryOutcome> {
  const { delivery, path, loaded, previous, staged } = placed;
  const { browser, connections, known, log, prepared } = delivery;
  const { manifest, archive } = prepared;
  const pushedIds = delivery.pushedIds();
  delivery.uploaded();
  return await connections.use(browser, async (link) => {
    const start = async (from: Placed): Promise<Started> => {
      const activated = await activate(link, from);
      delivery.tell({ step: 'verifying' });
      const { extensionId, enabled, snapshot } = activated;
      const verifying = verify(link, snapshot.watch, extensionId, { ...placed, enabled, pushedIds });
      const finished = verifying.then(nothing, nothing).then(() => finish(activated, log));
      const seen = await verifying;
      return { activated, seen, finished };
    };
    let isRunning = false;
    let isUntouched = false;
    let watchedId = loaded?.id;
    try {
      const first = await start(placed);
      let { activated, seen, finished } = first;
      const reason = reasonToLoadAgain(seen);
      if (reason !== undefined) {
        log.info(`${reason} Loading the extension again.`);
        await first.finished;
        await link.processes.release(activated.extensionId);
        const snapshot = await takeSnapshot(link, activated.extensionId, needsOfLoad(placed.snapshot.tabs, manifest));
        ({ activated, seen, finished } = await start({ ...placed, snapshot }));
      }
      const { extensionId, snapshot } = activated;
      watchedId = extensionId;
      isUntouched = loaded !== undefined && snapshot.reload === 'none';
      if (seen.state === 'running') {
        isRunning = true;
        const workerScripts = snapshot.watch ? new Set(seen.scripts) : (previous?.workerScripts ?? new Set<string>());
        const build = {
          extensionId,
          contentScripts: contentScriptsText(manifest.raw),
          digests: archive.digests,
          workerScripts,
          files: placedFiles(placed.archive),
        };
        if (manifest.serviceWorker !== undefined) void link.processes.keep(extensionId);
        known.record(browser, path, build, folderTimeOf(path, delivery));
      }
      // Whoever looks at the browser finds the icon, and keeps what he has chosen since.
      if (!loaded) void link.pin(extensionId).catch(() => undefined);
      const outcome = outcomeOf(seen, extensionId, prepared, snapshot.reload, delivery.elapsedMs());
      // The next push swaps the folders, between which a panel finds no file, and looks for open panels.
      if (snapshot.sidePanels.length > 0) await finished;
      return outcome;
    } finally {
      // Where nothing has changed, the errors until now are those of what runs.
      if (watchedId !== undefined && !isUntouched) connections.watchErrors(browser, watchedId);
      if (isRunning && previous && isWorthSpare(archive)) {
        const { files } = previous;
        const kept = staged.keep().then((spare) => (spare === undefined ? undefined : { path: spare, files }));
        known.keepSpare(browser, path, kept);
      } else {
        void staged.commit();
      }
    }
  });
}

const nothing = (): void => undefined;

async function finish({ finish, snapshot }: Activated, log: Logger): Promise<void> {
  void snapshot.watch?.dispose();
  try {
    await finish();
  } catch (error) {
    log.warn(`After the push: ${String(error)}`);
  }
  await snapshot.dispose();
}

/** Why another load may cure what runs; undefined when it cannot. */
function reasonToLoadAgain(seen: Verification): string | undefined {
  if (seen.state === 'wrong' && seen.needsLoad) return seen.reason;
  // Chromium has ended it, as it may while it terminates a previous worker that is busy without end (C-WORKER-BUSY).
  const hasEnded = seen.state === 'workerFailed' && seen.faults.length === 0;
  return hasEnded ? 'The service worker has ended without an error before it had started.' : undefined;
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
        kind: 'running',
        extensionId,
        name: seen.extension.name,
        version: seen.extension.version,
        worker: seen.worker,
        ...(seen.pausedAt !== undefined && { pausedAt: seen.pausedAt }),
        reload,
        files: archive.files,
        bytes: archive.zipBytes,
        digest: archive.digest,
        ms,
      };
    case 'workerFailed':
      return { kind: 'workerFailed', extensionId, version: seen.extension.version, faults: seen.faults };
    case 'doubled':
      return {
        kind: 'doubled',
        extensionId,
        name: seen.extension.name,
        version: seen.extension.version,
        others: seen.others,
      };
    case 'wrong':
      return { kind: 'wrong', reason: seen.reason };
  }
}
