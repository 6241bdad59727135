import type { JsonDocument } from '../document';
import { compareVersions, parseVersionNumber } from '../values/version';

/** The oldest browser that a manifest allows; undefined where it names none that is valid. */
export function minimumBrowser(document: JsonDocument): string | undefined {
  return leastVersion(document) && document.stringAt('minimum_chrome_version');
}

/** Whether a manifest allows a browser of a version, such as 156.0.8078.79; also true where one of the two versions is not valid. */
export function allowsBrowser(document: JsonDocument, version: string): boolean {
  const least = leastVersion(document);
  const actual = parseVersionNumber(version);
  return !least || !actual || compareVersions(actual, least) >= 0;
}

function leastVersion(document: JsonDocument): number[] | undefined {
  const text = document.stringAt('minimum_chrome_version');
  return text === undefined ? undefined : parseVersionNumber(text);
}
