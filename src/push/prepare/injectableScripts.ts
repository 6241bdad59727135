import { fieldOf, listField, textsField } from '../../base/fields';
import type { ContentScripts } from '../../devtools/inPage/stateCalls';

/** Paths of the content scripts and style sheets that the manifest declares. */
export function contentScriptFiles(manifest: unknown): Set<string> {
  const entries = listField(manifest, 'content_scripts');
  const texts = entries.flatMap((entry) => [...textsField(entry, 'js'), ...textsField(entry, 'css')]);
  return new Set(texts.map((text) => text.replace(/^\.?\//, '')));
}

/** The entries in the form for injection; undefined when one selects its pages by globs, which tabs cannot be queried for. */
export function injectable(manifest: unknown): ContentScripts[] | undefined {
  const entries = listField(manifest, 'content_scripts');
  const hasGlobs = entries.some((entry) =>
    ['include_globs', 'exclude_globs'].some((name) => textsField(entry, name).length > 0),
  );
  if (hasGlobs) return undefined;
  return entries.map((entry) => ({
    matches: textsField(entry, 'matches'),
    exclude_matches: textsField(entry, 'exclude_matches'),
    js: textsField(entry, 'js'),
    css: textsField(entry, 'css'),
    all_frames: fieldOf(entry, 'all_frames') === true,
    world: fieldOf(entry, 'world') === 'MAIN' ? 'MAIN' : 'ISOLATED',
  }));
}
