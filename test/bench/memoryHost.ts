/** A process of its own that packs a folder and uploads it as a push does, and prints how much memory that took, in MB. */
import { join } from 'node:path';
import { CompressThreads } from '../../src/archive/compressThreads';
import { FolderSource } from '../../src/archive/folderSource';
import { FolderPacker, levelFor } from '../../src/archive/packer';
import { selectFiles } from '../support/selectFiles';
import { parseBaseUrl } from '../../src/service/serviceAddress';
import { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';
import { EXTENSIONS_ROOT } from '../support/extensionsRoot';
import { ROOT } from '../support/paths';
import { MEMORY_ENV, type MemoryTask } from './memoryTask';

const KIB = 1024;
const MB = 1_000_000;
const TARGET = `${EXTENSIONS_ROOT}/.bench-memory`;

async function main(): Promise<void> {
  const { baseUrl, token, browserId, folder } = JSON.parse(process.env[MEMORY_ENV] ?? '') as MemoryTask;
  const client = new ServiceClient({ baseUrl: parseBaseUrl(baseUrl), token, log: silentLogger });
  const threads = new CompressThreads({ script: join(ROOT, 'dist', 'compress.js') });
  // The first request loads what every window has loaded.
  await client.getBrowser(browserId);
  const before = process.memoryUsage.rss();
  const { files, totalBytes } = await selectFiles(folder);
  const archive = await new FolderPacker(new FolderSource(folder), threads).pack(files, {
    level: levelFor(true, totalBytes),
  });
  await client.uploadZip(browserId, await archive.zip(), TARGET);
  const extraMb = (process.resourceUsage().maxRSS * KIB - before) / MB;
  await client.deleteDirectory(browserId, TARGET);
  threads.dispose();
  await client.close();
  console.log(JSON.stringify({ extraMb }));
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
