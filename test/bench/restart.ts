import { setTimeout as delay } from 'node:timers/promises';
import { packFiles } from '../support/packFiles';
import { selectFiles } from '../support/selectFiles';
import { checkFolder } from '../../src/manifest/check';
import { QUIET_MS } from '../../src/push/turns/quiet';
import type { ServiceClient } from '../../src/service/client';
import type { Beacon } from './beacon';
import type { Subject } from './subject';

/**
 * Milliseconds from the save of the worker's file to the first statement of the new worker by the documented upload alone:
 * a new folder name, because the service refuses one that is taken, and the restart that comes with it. Each sample has a
 * browser of its own with one build before, because older folders stay on the command line and would slow later starts.
 */
export async function restart(client: ServiceClient, subject: Subject, beacon: Beacon): Promise<number> {
  const { id } = await client.createBrowser({ headless: true, timeoutSeconds: 600 });
  const upload = async (name: string): Promise<void> => {
    const { files } = await selectFiles(subject.folder);
    const bytes = await (await packFiles(subject.folder, files)).zip();
    await client.uploadExtensionsToBrowser(id, [{ name, zip: bytes }]);
  };
  try {
    const before = await subject.saveWorker();
    await Promise.all([upload('build-1'), beacon.called(before)]);
    const saved = performance.now();
    const build = await subject.saveWorker();
    await delay(QUIET_MS);
    await checkFolder(subject.folder);
    const [called] = await Promise.all([beacon.called(build), upload('build-2')]);
    return called - saved;
  } finally {
    await client.deleteBrowser(id);
  }
}
