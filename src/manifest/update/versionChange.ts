import type { JsonDocument } from '../document';
import { compareVersions, parseVersionNumber } from '../values/version';

/** The versions of an update. Without a valid version, one is undefined. */
export interface VersionChange {
  before: string | undefined;
  after: string | undefined;
  /** Whether the version rises; Chromium and the stores refuse an update whose version does not. */
  rises: boolean;
}

/** Compares the versions of two manifests by their numbers (C-VERSION-FORM). */
export function versionChange(before: JsonDocument, after: JsonDocument): VersionChange {
  const [old, next] = [before, after].map((document) => versionAt(document, 'version'));
  return {
    before: old && before.stringAt('version'),
    after: next && after.stringAt('version'),
    rises: old !== undefined && next !== undefined && compareVersions(next, old) > 0,
  };
}

/** The oldest browser that a manifest allows; undefined where it names none that is valid. */
export function minimumBrowser(document: JsonDocument): string | undefined {
  return versionAt(document, 'minimum_chrome_version') && document.stringAt('minimum_chrome_version');
}

/** Whether a manifest allows a browser of a version, such as 156.0.8078.79; also true where one of the two versions is not valid. */
export function allowsBrowser(document: JsonDocument, version: string): boolean {
  const least = versionAt(document, 'minimum_chrome_version');
  const actual = parseVersionNumber(version);
  return !least || !actual || compareVersions(actual, least) >= 0;
}

function versionAt(document: JsonDocument, key: string): number[] | undefined {
  const text = document.stringAt(key);
  return text === undefined ? undefined : parseVersionNumber(text);
}
