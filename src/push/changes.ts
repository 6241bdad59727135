/** What a browser was last seen to run, as far as the next push needs it. */
export interface KnownBuild {
  extensionId: string;
  /** SHA-256 in hex of each file, by path. */
  digests: ReadonlyMap<string, string>;
  /** Paths of the scripts that the worker ran. */
  workerScripts: ReadonlySet<string>;
}

/**
 * What Chromium has to be asked for so that a new build runs:
 * `load` – `Extensions.loadUnpacked`, which reads the manifest and keeps the old build when it refuses the new;
 * `reload` – the faster reload of the same manifest;
 * `pages` – nothing: the files are read when a page is loaded, so its pages are loaded again;
 * `none` – nothing has changed.
 * Source: measured on Chromium 156, by which edits show without a reload.
 */
export type ReloadKind = 'load' | 'reload' | 'pages' | 'none';

/** What a change of `manifestTexts` (every string in the manifest) and files asks for. */
export function reloadFor(
  previous: KnownBuild | undefined,
  digests: ReadonlyMap<string, string>,
  manifestTexts: ReadonlySet<string>,
): { reload: ReloadKind; changed: string[] } {
  if (!previous) return { reload: 'load', changed: [...digests.keys()] };
  const changed = changedPaths(previous.digests, digests);
  if (changed.length === 0) return { reload: 'none', changed };
  const isReadAtLoad = (path: string): boolean =>
    path === 'manifest.json' || (isOfCatalogues(path) && (isSwitched(path) || namesMessages(manifestTexts)));
  const isSwitched = (path: string): boolean => previous.digests.has(path) !== digests.has(path);
  if (changed.some(isReadAtLoad)) return { reload: 'load', changed };
  const isRead = (path: string): boolean =>
    previous.workerScripts.has(path) || isNamed(path, manifestTexts) || mayBeRegistered(path, manifestTexts);
  const needsReload = changed.some(isRead);
  return { reload: needsReload ? 'reload' : 'pages', changed };
}

/** Paths that came, went or have other content, sorted. */
function changedPaths(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort();
}

function isOfCatalogues(path: string): boolean {
  return path.startsWith('_locales/');
}

/** Then the texts of message catalogues are part of the manifest. */
function namesMessages(manifestTexts: ReadonlySet<string>): boolean {
  return [...manifestTexts].some((text) => text.includes('__MSG_'));
}

/** Whether the manifest names a file for something that is read at load: everything but pages. */
function isNamed(path: string, manifestTexts: ReadonlySet<string>): boolean {
  if (/\.html?$/i.test(path)) return false;
  return [path, `/${path}`, `./${path}`].some((name) => manifestTexts.has(name));
}

/**
 * Whether the worker may have registered a file as a content script, which nobody outside of it can see; Chromium reads such
 * files when the extension is loaded.
 */
function mayBeRegistered(path: string, manifestTexts: ReadonlySet<string>): boolean {
  return manifestTexts.has('scripting') && /\.(?:m?js|css)$/i.test(path);
}

/** Every string value in a JSON value, at any depth. */
export function textsOf(value: unknown): Set<string> {
  const texts = new Set<string>();
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string') texts.add(next);
    else if (typeof next === 'object' && next !== null) waiting.push(...(Object.values(next) as unknown[]));
  }
  return texts;
}
