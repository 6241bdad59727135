import type { JsonDocument } from './document';
import type { Finding, JsonPath } from './finding';
import type { ExtensionFolder } from './folder/folder';
import type { JsonNode, Leniency } from './json/node';
import type { PackageType } from './packageType';
import type { Proposal } from './proposal';
import type { Text } from './source/text';

/**
 * The stages of Chromium's loader, in order: it stops at the first stage with a fault, so the first finding of a list is the one that it
 * reports. Within `files` its order varies from run to run. Source: manifests with two faults each, loaded into Chromium 156.
 */
export const PHASES = [
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
export type Phase = (typeof PHASES)[number];

/** A finding of a rule, before the rule's id, the file and the range are added. */
export interface Report extends Pick<Finding, 'severity' | 'message' | 'chromium' | 'dependsOnBrowser'> {
  /** The id of the rule, when it is not that of the reporting rule. */
  rule?: string;
  /** The path of the value in the manifest; a missing one is shown where it would be. */
  path: JsonPath;
  /** A span of the text in bytes, when the finding is not about a value. */
  span?: { start: number; end: number };
  /** The file, when it is not the manifest; without its text, the finding is about the whole file. */
  source?: ReportSource;
  fix?: Proposal;
}

/** A file of the folder, with its text and document if known; `path` of a report is a path in the document. */
export interface ReportSource {
  file: string;
  text?: Text;
  document?: JsonDocument;
  /** The value in the text, where it is no document. */
  root?: JsonNode;
}

/** Options of a check. */
export interface RuleOptions {
  /** How the folder is loaded: by `--load-extension`, or by the service, which includes the strictest way. */
  loadedBy: 'flag' | 'service';
  /** Whether to report what the Chrome Web Store refuses, although Chromium loads it. */
  storeHints: boolean;
  /** The manifest that those have who have the extension, as a text: permissions that go beyond it are reported. */
  publishedManifest?: string;
  /** Whether that includes what all code and all files show, which takes longer than a push may wait. */
  readsCode: boolean;
  /** Whether the content of rulesets is left to the browser that loads them: lists of filters take it and the check seconds each. */
  skipsRulesets?: boolean;
  /** The functions of the API that the extension has called while it was tested, such as `tabs.query`. */
  calledApi?: readonly string[];
  /** False for paths that are not delivered; by default those of installed packages and of version control. */
  isDelivered?: (path: string) => boolean;
  /** True for files that somebody has asked for by their names: they are needed, whatever they look like. */
  isNamed?: (path: string) => boolean;
  /** How many bytes the files have that are delivered, where that is known. */
  deliveredBytes?: number;
  /** How many bytes they may have; any number by default. */
  mostBytes?: number;
  /** Asked of each file. A promise only where the content must be read. */
  secretState?: (path: string) => SecretState | Promise<SecretState>;
}

/**
 * What becomes of a file that may be a secret: left out of the push, or sent because a setting includes it; undefined for one that is none by its
 * name or content.
 */
export type SecretState = 'leftOut' | 'included' | undefined;

/** What rules check: the localised manifest, and its folder. */
export interface Context {
  /** The whole manifest, as Chromium sees it after localisation. */
  document: JsonDocument;
  /** The manifest without the keys that Chromium ignores for this kind of package. */
  manifest: JsonDocument;
  folder: ExtensionFolder;
  packageType: PackageType;
  /** True of a package that was converted from a user script, which may have other permissions. */
  isUserScript: boolean;
  /** 3 for newer versions, 1 for none that is valid. */
  manifestVersion: number;
  options: RuleOptions;
  /** The localised name; undefined when it is missing or not a string. */
  name: string | undefined;
  /** Where the manifest's text deviates from standard JSON. */
  leniencies: readonly Leniency[];
}

/** What a check finds: one report, several in order, or none. */
export type Found = Report | undefined | Iterable<Report> | AsyncIterable<Report>;

/** One check of Chromium (or of the service). `check` never throws because of a folder's content. */
export interface Rule {
  id: string;
  phase: Phase;
  check: (context: Context) => Found | Promise<Found>;
}

/** As `find`, but once for each check, since several rules need what it finds. */
export function oncePerCheck<T>(find: (context: Context) => Promise<T>): (context: Context) => Promise<T> {
  const found = new WeakMap<Context, Promise<T>>();
  return (context) => {
    const finding = found.get(context) ?? find(context);
    found.set(context, finding);
    return finding;
  };
}

/** A rule of a stage. */
export function ruleOf(id: string, phase: Phase, check: Rule['check']): Rule {
  return { id, phase, check };
}

/** A rule about the value of one key at the top; it is only checked where the package may have the key, and has it. */
export function keyRule(
  id: string,
  key: string,
  check: (node: JsonNode, context: Context) => ReturnType<Rule['check']>,
): Rule {
  return ruleOf(id, 'keys', (context) => {
    const node = context.manifest.at(key);
    return node && check(node, context);
  });
}

/** The reports of what a check has found. */
export function reportsOf(found: Found): Iterable<Report> | AsyncIterable<Report> {
  if (!found) return [];
  return Symbol.iterator in found || Symbol.asyncIterator in found ? found : [found];
}
