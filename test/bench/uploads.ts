import { join } from 'node:path';
import { packFiles } from '../support/packFiles';
import { selectFiles } from '../../src/archive/select';
import type { ServiceClient } from '../../src/service/client';
import { EXTENSIONS_ROOT, type BrowserSession } from '../../src/service/model';
import { writeFiles } from './archives';
import type { Measure } from './series';

const COUNTS = [10, 100, 1000];
const FILE_BYTES = 4000;

/** Pack and upload of folders of different sizes to a browser of the local service. */
export async function uploads(client: ServiceClient, root: string): Promise<Measure[]> {
  const session = await client.createBrowser({ headless: true, timeout_seconds: 3600 });
  const measures: Measure[] = [];
  for (const count of COUNTS) {
    const folder = join(root, `upload-${count}`);
    await writeFiles(folder, count, FILE_BYTES);
    measures.push({ name: `pack and upload of ${count} files`, run: () => packAndUpload(client, session, folder) });
  }
  return measures;
}

async function packAndUpload(client: ServiceClient, session: BrowserSession, folder: string): Promise<number> {
  const target = `${EXTENSIONS_ROOT}/.bench`;
  const started = performance.now();
  const { bytes } = await packFiles(folder, (await selectFiles(folder)).files, { level: 0 });
  await client.uploadZip(session.session_id, bytes, target);
  const took = performance.now() - started;
  await client.deleteDirectory(session.session_id, target);
  return took;
}
