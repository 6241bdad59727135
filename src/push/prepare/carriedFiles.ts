import pLimit from 'p-limit';
import { DEFLATE_LEVEL } from '../../archive/compress';
import { type Archive, replaceFiles } from '../../archive/packer';
import { contentOf } from '../../archive/zip';
import type { LocalhostGrant } from '../localhost';

/** Files that are read at the same time. */
const PARALLEL_FILES = 8;

const SCRIPT = /\.m?js$/i;

/**
 * The archive with its scripts changed so that their websockets reach servers of this machine; the user's own files stay. Resolves to the paths
 * of those that were changed, too.
 */
export async function withSockets(
  archive: Archive,
  grant: LocalhostGrant,
): Promise<{ archive: Archive; changed: readonly string[] }> {
  const scripts = archive.packed.filter(({ entry }) => SCRIPT.test(entry.name));
  const changed = new Map<string, Uint8Array>();
  await pLimit(PARALLEL_FILES).map(scripts, async ({ entry }) => {
    const script = Buffer.from(await contentOf(entry)).toString('utf8');
    const carried = grant.withSockets(script);
    if (carried !== script) changed.set(entry.name, Buffer.from(carried, 'utf8'));
  });
  return { archive: await replaceFiles(archive, changed, DEFLATE_LEVEL), changed: [...changed.keys()].sort() };
}
