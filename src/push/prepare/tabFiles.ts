import pLimit from 'p-limit';
import type { Archive } from '../../archive/packer';
import type { PackedFile } from '../../archive/knownFile';
import { contentOf } from '../../archive/zip';
import { accessibleFiles } from '../../manifest/accessibleFiles';
import { MANIFEST_FILE } from '../../manifest/load';
import type { Manifest } from '../../manifest/manifest';
import { contentScriptFiles } from './injectableScripts';
import { LocalhostScan } from './localhostScan';

/** A larger script is a bundle with everything in it, which names no other. */
const MOST_BYTES = 1024 * 1024;

/** Scripts that are read at the same time. */
const PARALLEL_FILES = 8;

/** The last part of what may be a path, in quotes. It is bounded, since a line of a bundle may be a megabyte long. */
const NAME = /(?<=["'`/])[^"'`/\\?#\r\n]{1,100}(?=["'`?#])/g;

/** The names in scripts, by their entries, which stay the same as long as the files do. */
const known = new WeakMap<PackedFile['entry'], readonly string[]>();

/**
 * Whether one of the files at `paths` comes into tabs with the content scripts of a build: `declared` by its manifest, or `named` by such a script or by
 * one that this names, as for an import, a fetch or an element of the page. Of equal names in different folders each counts. Pages of the extension are
 * none of them: in a frame, they are reloaded without the tab.
 */
export async function loadedIntoTabs(
  manifest: unknown,
  { packed }: Pick<Archive, 'packed'>,
  paths: readonly string[],
): Promise<'declared' | 'named' | undefined> {
  const declared = contentScriptFiles(manifest);
  if (declared.size === 0) return undefined;
  if (paths.some((path) => declared.has(path))) return 'declared';
  const isAccessible = accessibleFiles(manifest);
  const isLoadable = (path: string): boolean => !/\.html?$/i.test(path) && isAccessible(path);
  const asked = new Set(paths.filter(isLoadable));
  if (asked.size === 0) return undefined;
  const seen = new Set(declared);
  let next = packed.filter(({ entry }) => declared.has(entry.name));
  while (next.length > 0) {
    const named = new Set((await pLimit(PARALLEL_FILES).map(next.filter(isScript), namesIn)).flat());
    next = packed.filter(({ entry: { name } }) => named.has(lastPart(name)) && !seen.has(name) && isLoadable(name));
    for (const { entry } of next) seen.add(entry.name);
    if (next.some(({ entry }) => asked.has(entry.name))) return 'named';
  }
  return undefined;
}

/** Whether a development server updates the tabs of a build: its manifest lets that in, or its worker or a content script connects to it. */
export async function isServed(
  { raw, serviceWorker }: Pick<Manifest, 'raw' | 'serviceWorker'>,
  { packed }: Pick<Archive, 'packed'>,
): Promise<boolean> {
  const names = contentScriptFiles(raw).add(MANIFEST_FILE);
  if (serviceWorker) names.add(serviceWorker.path);
  const parts = packed.filter(({ entry }) => names.has(entry.name));
  return (await new LocalhostScan().find(parts)).length > 0;
}

function isScript({ entry, size }: PackedFile): boolean {
  return size <= MOST_BYTES && /\.m?js$/i.test(entry.name);
}

async function namesIn({ entry }: PackedFile): Promise<readonly string[]> {
  const before = known.get(entry);
  if (before) return before;
  const names = namesInScript(Buffer.from(await contentOf(entry)).toString('utf8'));
  known.set(entry, names);
  return names;
}

/** The names that may be of files in a script, each with nothing before its last slash. */
export function namesInScript(text: string): readonly string[] {
  return text.match(NAME) ?? [];
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
