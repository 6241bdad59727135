import type { JsonPath } from './finding';
import type { Report } from './rule';
import { showPath, type ShapeFault } from './shape/fault';

/** What Chromium refuses to load, in its words and ours. */
export function refusal(chromium: string, message: string, path: JsonPath): Report {
  return { severity: 'error', message, chromium, path };
}

/** What Chromium loads with an install warning. */
export function caution(chromium: string, message: string, path: JsonPath): Report {
  return { severity: 'warning', message, chromium, path };
}

/** What some browsers refuse, by their machine or version, and others load. */
export function possibleRefusal(chromium: string, message: string, path: JsonPath): Report {
  return { severity: 'warning', message, chromium, dependsOnBrowser: true, path };
}

/** A refusal because a value does not have the shape Chromium expects; the fault's path is from the root of the manifest. */
export function shapeRefusal({ text, path, wrong }: ShapeFault): Report {
  return refusal(text, `"${showPath(path)}" ${wrong}.`, path);
}
