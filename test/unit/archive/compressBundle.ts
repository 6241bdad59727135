import { build } from 'esbuild';
import { join } from 'node:path';
import { BUNDLES } from '../../../.esbuild';

/** Builds the worker thread into `folder` as it ships; resolves to the path of the bundle. */
export async function buildCompressBundle(folder: string): Promise<string> {
  const script = join(folder, 'compress.js');
  await build({ ...BUNDLES.compress, outfile: script });
  return script;
}
