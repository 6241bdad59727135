import type { JsonPath } from './finding';
import type { JsonNode } from './json/node';
import type { Context } from './rule';
import { portablePath } from './values/portable';
import { extensionOf, isScript, pageFile } from './values/resource';

/**
 * A file that a manifest names: the name as written, its place in the manifest, and the resulting path in the folder, which is the one in
 * Chromium's texts.
 */
export interface NamedFile {
  written: string;
  path: JsonPath;
  file: string;
}

export type ScriptKind = 'js' | 'css';

/** A file of a content script. `file` is empty when Chromium does not accept the name as that of a file. */
export interface NamedScript extends NamedFile {
  kind: ScriptKind;
}

export interface NamedIcon extends NamedFile {
  /** The manifest key in Chromium's text about a missing file. */
  key: 'icons' | (typeof ACTION_KEYS)[number];
  /** The name in Chromium's text about a file of the wrong type. */
  place: string;
}

/** The worker's file; undefined when there is none, or when Chromium does not accept the value as a file (R-SW-VALUE). */
export function workerFile({ manifest }: Pick<Context, 'manifest'>): NamedFile | undefined {
  const written = manifest.stringAt('background', 'service_worker');
  if (!written) return undefined;
  const file = pageFile(written);
  return file === undefined ? undefined : { written, path: ['background', 'service_worker'], file };
}

/** The files of each content script, scripts before style sheets, which is Chromium's order; names are literal. */
export function contentScripts({ manifest }: Pick<Context, 'manifest'>): NamedScript[][] {
  return manifest
    .itemsAt('content_scripts')
    .map((entry, index) => [...scriptsIn(entry, index, 'js'), ...scriptsIn(entry, index, 'css')]);
}

function* scriptsIn(entry: JsonNode, index: number, kind: ScriptKind): Generator<NamedScript> {
  const files = entry.kind === 'dictionary' ? entry.members.get(kind)?.value : undefined;
  if (files?.kind !== 'list') return;
  for (const [at, node] of files.items.entries()) {
    if (node.kind !== 'string') continue;
    const file = portablePath(node.value) ?? '';
    yield { kind, written: node.value, path: ['content_scripts', index, kind, at], file };
  }
}

/** True for a name with the extension of a script or a style sheet (R-CS-MIME). */
export function hasScriptType({ kind, file }: NamedScript): boolean {
  return kind === 'js' ? isScript(file) : ['css', 'scss'].includes(extensionOf(file));
}

/** The keys of toolbar buttons; a manifest of version 3 has only the first. */
export const ACTION_KEYS = ['action', 'browser_action', 'page_action'] as const;

/** Every icon of the extension and of its toolbar button; names are literal, and those that Chromium refuses (R-ICON-TYPE) are omitted. */
export function iconFiles({ manifest }: Pick<Context, 'manifest'>): NamedIcon[] {
  const icons = iconsIn(manifest.at('icons'), ['icons'], 'icons');
  for (const key of ACTION_KEYS) {
    const path = [key, 'default_icon'];
    const node = manifest.at(...path);
    if (node?.kind !== 'string') icons.push(...iconsIn(node, path, key));
    else {
      const file = portablePath(node.value);
      if (file !== undefined) icons.push({ key, place: 'default_icon', written: node.value, path, file });
    }
  }
  return icons;
}

function iconsIn(node: JsonNode | undefined, path: JsonPath, key: NamedIcon['key']): NamedIcon[] {
  if (node?.kind !== 'dictionary') return [];
  const found: NamedIcon[] = [];
  for (const [size, { value }] of node.members) {
    const file = value.kind === 'string' ? portablePath(value.value) : undefined;
    if (value.kind !== 'string' || file === undefined) continue;
    found.push({ key, place: `icons["${size}"]`, written: value.value, path: [...path, size], file });
  }
  return found;
}

/** Extensions of pictures. Source: names of missing files, measured on Chromium 156 (R-ICON-MIME). */
const IMAGE_EXTENSIONS: ReadonlySet<string> = new Set([
  ...['png', 'apng', 'jpg', 'jpeg', 'jpe', 'jfif', 'pjpeg', 'pjp', 'gif', 'webp', 'svg', 'svgz'],
  ...['bmp', 'ico', 'avif', 'jxl', 'xbm'],
]);

/** True for a file with the extension of a picture (R-ICON-MIME). */
export function hasImageType({ file }: { file: string }): boolean {
  return IMAGE_EXTENSIONS.has(extensionOf(file));
}
