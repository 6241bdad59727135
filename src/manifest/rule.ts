import type { JsonDocument } from './document';
import type { JsonPath, Severity } from './finding';
import type { ExtensionFolder } from './folder';
import type { Leniency } from './json/node';
import type { PackageType } from './packageType';

/**
 * The stations of Chromium's loader, in its order: a fault at one keeps Chromium from seeing those after it, so the first finding of a
 * list is the one Chromium shows. Within `files` its own order varies from run to run. Source: manifests with two faults each, loaded into Chromium 156.
 */
export const STAGES = [
  'file',
  'json',
  'locales',
  'keys',
  'files',
  'catalogues',
  'rulesets',
  'policy',
  'delivery',
] as const;
export type Stage = (typeof STAGES)[number];

/** What a rule says about a value; the rule's id, the file and the range are added to it. */
export interface Report {
  severity: Severity;
  /** What is wrong and what to do, for people. */
  message: string;
  /** Chromium's own text, only when Chromium itself says it. */
  chromium?: string;
  /** The value in the manifest; a missing one is shown where it would belong. */
  path: JsonPath;
  /** A stretch of the manifest's text (bytes), when it is no value that is meant. */
  span?: { start: number; end: number };
}

/** What rules look at: the manifest after localisation of its name, and the folder around it. */
export interface Context {
  document: JsonDocument;
  folder: ExtensionFolder;
  packageType: PackageType;
  /** The name with its messages filled in; undefined when it is missing or no string. */
  name: string | undefined;
  /** What the manifest's text has beyond standard JSON. */
  leniencies: readonly Leniency[];
}

/** One thing Chromium (or the service) decides about a manifest. `check` never throws for what a folder holds. */
export interface Rule {
  id: string;
  stage: Stage;
  check: (context: Context) => Iterable<Report> | Promise<Iterable<Report>>;
}
