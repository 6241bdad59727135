import type { JsonDocument } from './document';
import type { Fix, JsonPath, Severity } from './finding';
import type { ExtensionFolder } from './folder/folder';
import type { Leniency } from './json/node';
import type { PackageType } from './packageType';
import type { Text } from './source/text';

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
  /** The rule it belongs to, when that is not the one that reports it. */
  rule?: string;
  severity: Severity;
  /** What is wrong and what to do, for people. */
  message: string;
  /** Chromium's own text, only when Chromium itself says it. */
  chromium?: string;
  dependsOnBrowser?: true;
  /** The value in the manifest; a missing one is shown where it would belong. */
  path: JsonPath;
  /** A stretch of the text (bytes), when it is no value that is meant. */
  span?: { start: number; end: number };
  /** The file it is about when that is not the manifest; without its text, the whole file. */
  source?: ReportSource;
  fix?: Fix;
}

/** A file of the folder with as much of it as is known; `path` of a report is inside of its document. */
export interface ReportSource {
  file: string;
  text?: Text;
  document?: JsonDocument;
}

/** What the person who asks wants to know. */
export interface RuleOptions {
  /** The way the folder gets into a browser: by `--load-extension`, or in every way that the service has, the strictest of which counts. */
  loadedBy: 'flag' | 'service';
  /** Whether to hint at what the Chrome Web Store refuses, although Chromium loads it. */
  storeHints: boolean;
  /** False for what stays out of the archive, by its path in the folder; without it, only installed packages and version control do. */
  isDelivered?: (path: string) => boolean;
}

/** What rules look at: the manifest after localisation of its name, and the folder around it. */
export interface Context {
  /** The whole manifest, as Chromium sees it after localisation. */
  document: JsonDocument;
  /** What of it Chromium looks into: keys that this kind of package may not use are left out. */
  manifest: JsonDocument;
  folder: ExtensionFolder;
  packageType: PackageType;
  /** Chromium says that it was made of a user script, which changes what it may ask for. */
  isUserScript: boolean;
  /** 3 for everything newer, 1 when there is none that counts. */
  manifestVersion: number;
  options: RuleOptions;
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
