import { listField, textsField } from '../base/fields';
import { coversPath } from './values/matchPattern';

/**
 * Which files of an extension web pages may load, by their paths, whatever the page: what a content script brings into one is among them
 * (C-WAR-NEEDED). `except`: patterns that do not count.
 */
export function accessibleFiles(manifest: unknown, { except }: { except?: RegExp } = {}): (path: string) => boolean {
  const entries = listField(manifest, 'web_accessible_resources').flatMap((entry) => textsField(entry, 'resources'));
  const patterns = entries.filter((pattern) => !except?.test(pattern)).map((pattern) => pattern.replace(/^\//, ''));
  return (path) => patterns.some((pattern) => coversPath(pattern, path));
}
