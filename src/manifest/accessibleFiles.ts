import { listField, textsField } from '../base/fields';
import { coversPath } from './values/matchPattern';

/** Which files of an extension web pages may load, by their paths, whatever the page: what a content script brings into one is among them (C-WAR-NEEDED). */
export function accessibleFiles(manifest: unknown): (path: string) => boolean {
  const entries = listField(manifest, 'web_accessible_resources').flatMap((entry) => textsField(entry, 'resources'));
  const patterns = entries.map((pattern) => pattern.replace(/^\//, ''));
  return (path) => patterns.some((pattern) => coversPath(pattern, path));
}
