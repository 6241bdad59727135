import type { DeliverRequest } from './deliverRequest';
import { activate } from './activate';
import type { ReloadKind } from './changes';
import type { DeliveryOutcome } from './outcome';
import { folderTimeOf, type Placed } from './placed';
import type { Prepared } from './prepare';
import { isWorthSpare, placedFiles } from './spare';
import { type Verification, verify } from './verify';

/** Makes Chromium run a build whose files are in place, and verifies that. Rejects when the service or the browser fails. */
export async function runBuild(
  prepared: Prepared,
  request: DeliverRequest,
  { upload, path, loaded, previous, staged, ...placed }: Placed,
): Promise<DeliveryOutcome> {
  const { session, browsers, log, onStep } = request;
  const { manifest, archive, folder } = prepared;
  upload.done();
  return await browsers.use(session, async (link) => {
    const activated = await activate({ link, path, loaded, manifest, log, staged, ...placed });
    const { extensionId, snapshot } = activated;
    const { watch } = snapshot;
    let isRunning = false;
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
      isRunning = seen.state === 'running';
      if (seen.state === 'running') {
        const workerScripts = watch ? new Set(seen.scripts) : (previous?.workerScripts ?? new Set<string>());
        const files = placedFiles(upload.archive);
        const known = { extensionId, digests: archive.digests, workerScripts, files };
        browsers.recordBuild(session, path, known, folderTimeOf(path, request));
      }
      return outcomeOf(seen, extensionId, prepared, activated.reload, upload.elapsedMs());
    } finally {
      // Nobody waits for the rest.
      void watch?.dispose();
      // Whoever looks at the browser finds the icon, and keeps what he has chosen since.
      if (!loaded) void link.pin(extensionId).catch(() => undefined);
      if (isRunning && previous && isWorthSpare(archive)) {
        const { files } = previous;
        const kept = staged.keep().then((spare) => (spare === undefined ? undefined : { path: spare, files }));
        browsers.keepSpare(session, path, kept);
      } else {
        void staged.commit();
      }
      void activated
        .finish()
        .catch((error: unknown) => {
          log.warn(`After the push: ${String(error)}`);
        })
        .finally(() => snapshot.dispose());
    }
  });
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
