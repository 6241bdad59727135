import type { JsonPath } from './finding';
import { proposing } from './proposal';
import type { Report } from './rule';
import { showPath, type ShapeFault } from './shape/fault';
import type { Wanted } from './wanted';

/** What else a report may have: the id of another rule, a proposal, a place in another file. */
export type More = Partial<Pick<Report, 'rule' | 'fix' | 'source' | 'span'>>;

/** What Chromium refuses to load: its text, and our message. */
export function refusal(chromium: string, message: string, path: JsonPath, more?: More): Report {
  return { severity: 'error', message, chromium, path, ...more };
}

/** What Chromium loads with an install warning. */
export function caution(chromium: string, message: string, path: JsonPath, more?: More): Report {
  return { severity: 'warning', message, chromium, path, ...more };
}

/** What some browsers refuse, by their machine or version, and others load. */
export function possibleRefusal(chromium: string, message: string, path: JsonPath, more?: More): Report {
  return { severity: 'warning', message, chromium, dependsOnBrowser: true, path, ...more };
}

/** A refusal because of a key's value. Without a path, the key is the path, with dots. */
export function invalidValue(key: string, wanted: Wanted, path: JsonPath = key.split('.')): Report {
  return refusal(`Invalid value for '${key}'.`, wanted(key), path);
}

/** A refusal because a value does not have the shape that Chromium expects; the fault's path is from the root of the manifest. */
export function shapeRefusal({ text, path, explain, fix }: ShapeFault): Report {
  return proposing(refusal(text, explain(showPath(path)), path), fix);
}
