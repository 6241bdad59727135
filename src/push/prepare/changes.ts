import { fieldOf, objectOf } from '../../base/fields';

/** The build that a browser was last verified to run, as far as the next push needs it. */
export interface KnownBuild {
  extensionId: string;
  /** What its manifest says of content scripts; see {@link contentScriptsText}. */
  contentScripts: string;
  /** SHA-256 in hex of each file, by path. */
  digests: ReadonlyMap<string, string>;
  /** Paths of the scripts that the worker ran. */
  workerScripts: ReadonlySet<string>;
  /** What was placed in its folder on the browser, by path. */
  files: PlacedFiles;
}

/** The files of a folder on the browser, by path: SHA-256 in hex, and size in bytes. */
export type PlacedFiles = ReadonlyMap<string, { digest: string; size: number }>;

/**
 * What makes Chromium run a new build:
 * `load` – `Extensions.loadUnpacked`, which reads the manifest and keeps the previous build when it refuses the new one (C-LOAD-REFUSED);
 * `reload` – the faster reload (C-RELOAD-FAST) with an unchanged manifest;
 * `pages` – no reload of the extension: its open pages are reloaded, which read the changed files;
 * `none` – nothing has changed.
 * Source: C-RELOAD-READS.
 */
export type ReloadKind = 'load' | 'reload' | 'pages' | 'none';

/** What changed files need. */
export interface ReloadNeed {
  reload: ReloadKind;
  /** Paths, sorted. */
  changed: string[];
  /** The files that are read with the extension only if it has registered them as content scripts (C-RELOAD-READS). */
  registrable: string[];
  /** The reload that is enough where it has registered none of these. */
  reloadUnregistered: ReloadKind;
}

/** The reload that the changed files need. `manifestTexts` holds every string in the manifest. */
export function reloadFor(
  previous: KnownBuild | undefined,
  digests: ReadonlyMap<string, string>,
  manifestTexts: ReadonlySet<string>,
): ReloadNeed {
  const needOf = (reload: ReloadKind, changed: string[], registrable: string[] = [], atLeast = reload): ReloadNeed => ({
    reload,
    changed,
    registrable,
    reloadUnregistered: atLeast,
  });
  if (!previous) return needOf('load', [...digests.keys()]);
  const changed = changedPaths(previous.digests, digests);
  if (changed.length === 0) return needOf('none', changed);
  const isReadAtLoad = (path: string): boolean =>
    path === 'manifest.json' || (isOfCatalogues(path) && (isSwitched(path) || namesMessages(manifestTexts)));
  const isSwitched = (path: string): boolean => previous.digests.has(path) !== digests.has(path);
  const isRead = (path: string): boolean =>
    previous.workerScripts.has(path) ||
    isNamed(path, manifestTexts) ||
    // A worker may instantiate a WebAssembly module, or read data, at any time after its start, and then keeps it.
    path.endsWith('.wasm') ||
    (previous.workerScripts.size > 0 && path.endsWith('.json')) ||
    // Messages stay as they were until the extension is reloaded (C-RELOAD-MESSAGES).
    isOfCatalogues(path);
  const registrable = changed.filter((path) => !isRead(path) && mayBeRegistered(path, manifestTexts));
  if (changed.some(isReadAtLoad)) return needOf('load', changed, registrable);
  if (changed.some(isRead)) return needOf('reload', changed, registrable);
  return needOf(registrable.length > 0 ? 'reload' : 'pages', changed, registrable, 'pages');
}

/** What a manifest says of content scripts, as a text that is another one when that has changed. */
export function contentScriptsText(manifest: unknown): string {
  return JSON.stringify(fieldOf(manifest, 'content_scripts') ?? null);
}

/** Paths of files that were added, removed or changed, sorted. */
export function changedPaths(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const changed = [...after.keys()].filter((path) => before.get(path) !== after.get(path));
  const removed = [...before.keys()].filter((path) => !after.has(path));
  return [...changed, ...removed].sort();
}

function isOfCatalogues(path: string): boolean {
  return path.startsWith('_locales/');
}

/** Whether the manifest refers to message catalogues, whose texts are then part of it. */
function namesMessages(manifestTexts: ReadonlySet<string>): boolean {
  return [...manifestTexts].some((text) => text.includes('__MSG_'));
}

/** Whether the manifest names a file that is read with the extension: everything but pages (C-RELOAD-READS). */
function isNamed(path: string, manifestTexts: ReadonlySet<string>): boolean {
  if (/\.html?$/i.test(path)) return false;
  return [path, `/${path}`, `./${path}`].some((name) => manifestTexts.has(name));
}

/** Whether the extension may have registered a file as a content script or a user script. */
function mayBeRegistered(path: string, manifestTexts: ReadonlySet<string>): boolean {
  return (manifestTexts.has('scripting') || manifestTexts.has('userScripts')) && /\.(?:m?js|css)$/i.test(path);
}

/** Every string value in a JSON value, at any depth. */
export function textsOf(value: unknown): Set<string> {
  const texts = new Set<string>();
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string') texts.add(next);
    const inner: unknown[] = Object.values(objectOf(next));
    waiting.push(...inner);
  }
  return texts;
}
