import { build } from 'esbuild';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundledPackages, PAGE_BUNDLE, shippedPrograms } from '../../.esbuild';

/** The folders of the packages of others that the bundles contain, relative to the root, such as `node_modules/ws`; sorted. It takes some seconds. */
export async function bundledFolders(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sideload-bundled-'));
  try {
    const all = [shippedPrograms(folder, true), { ...PAGE_BUNDLE, outfile: join(folder, 'scroll.js') }];
    const built = await Promise.all(all.map((options) => build({ ...options, metafile: true })));
    return bundledPackages(built.map(({ metafile }) => metafile));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
