import { fieldOf } from '../../base/fields';
import type { ContentScripts } from '../../devtools/inPage/stateCalls';
import { textsOf } from './changes';

/** Paths of the content scripts and style sheets that the manifest declares. */
export function contentScriptFiles(manifest: unknown): Set<string> {
  const texts = entriesOf(manifest).flatMap((entry) => [...textsOf([fieldOf(entry, 'js'), fieldOf(entry, 'css')])]);
  return new Set(texts.map((text) => text.replace(/^\.?\//, '')));
}

/** The entries in the form for injection; undefined when one selects its pages by globs, which tabs cannot be queried for. */
export function injectable(manifest: unknown): ContentScripts[] | undefined {
  const entries = entriesOf(manifest);
  const hasGlobs = entries.some((entry) =>
    ['include_globs', 'exclude_globs'].some((name) => textsAt(entry, name).length > 0),
  );
  if (hasGlobs) return undefined;
  return entries.map((entry) => ({
    matches: textsAt(entry, 'matches'),
    exclude_matches: textsAt(entry, 'exclude_matches'),
    js: textsAt(entry, 'js'),
    css: textsAt(entry, 'css'),
    all_frames: fieldOf(entry, 'all_frames') === true,
    world: fieldOf(entry, 'world') === 'MAIN' ? 'MAIN' : 'ISOLATED',
  }));
}

function entriesOf(manifest: unknown): readonly unknown[] {
  const entries = fieldOf(manifest, 'content_scripts');
  return Array.isArray(entries) ? entries : [];
}

/** The strings of a list, in their order. */
function textsAt(entry: unknown, name: string): string[] {
  const list = fieldOf(entry, name);
  return Array.isArray(list) ? list.filter((text) => typeof text === 'string') : [];
}
