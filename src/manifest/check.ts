import type { JsonDocument } from './document';
import type { Finding, Fix, Range } from './finding';
import { fixFor } from './fixes';
import { EventLoop } from '../base/eventLoop';
import { ExtensionFolder, type FolderReader, type ReadText, type SeenPaths } from './folder/folder';
import { valueOf } from './json/node';
import { loadManifest, MANIFEST_FILE, NOWHERE } from './load';
import { localise } from './locale/localise';
import { summarise, type Manifest } from './manifest';
import { packageFacts } from './packageFacts';
import type { Proposal } from './proposal';
import { reportsOf, type Context, type Report, type Rule, type RuleOptions } from './rule';
import { RULES } from './rules/allRules';
import { declaredUses, type DeclaredUse } from './rules/declaredUses';

export interface CheckOptions extends Partial<RuleOptions> {
  /** Unsaved text of a file by its path relative to the folder, for a check while typing. */
  readText?: ReadText;
  signal?: AbortSignal;
  /** Reads the files; those on disk by default. */
  reader?: FolderReader;
}

const DEFAULTS = { loadedBy: 'service', storeHints: false, readsCode: false } as const;

/** What findings depend on. */
export interface Dependencies {
  dependsOn: SeenPaths;
  /** Whether that is cut, because it is very much. */
  isCut?: true;
}

export interface CheckResult extends Dependencies {
  /** All findings, in the order of Chromium's checks. An error means that Chromium refuses the folder. */
  findings: Finding[];
  /** Present when name, version and manifest version have the right types, also when there are errors. */
  manifest?: Manifest;
  /** What the code says of each permission and host, where it was read. */
  uses?: DeclaredUse[];
}

/**
 * Checks whether Chromium would load an unpacked extension, and what it would report. Rejects only with the signal's reason: missing,
 * vanishing or unreadable folders and files, and texts of any kind, end in findings.
 */
export async function checkFolder(
  path: string,
  { readText, signal, reader, isDelivered, secretState, ...given }: CheckOptions = {},
): Promise<CheckResult> {
  signal?.throwIfAborted();
  const eventLoop = new EventLoop();
  const folder = new ExtensionFolder(path, readText, reader);
  const loaded = await loadManifest(folder);
  if ('finding' in loaded) return { findings: [loaded.finding], dependsOn: folder.seen };

  const { document, leniencies } = loaded;
  const raw = valueOf(document.root);
  const findings: Finding[] = [];
  const add = ({ rule, ...report }: Report & { rule: string }): void => {
    findings.push(findingOf(rule, report, document));
  };
  const options = { ...DEFAULTS, ...given, ...(isDelivered && { isDelivered }), ...(secretState && { secretState }) };
  for (const report of await localise(document, folder, options)) add(report);
  await eventLoop.yield(signal);
  const context = contextOf(document, { folder, leniencies, options });
  for (const rule of await rulesFor(context)) {
    await eventLoop.yield(signal);
    let remaining = MAX_FINDINGS_OF_RULE;
    for await (const report of reportsOf(await rule.check(context))) {
      if (remaining-- === 0) break;
      add({ rule: rule.id, ...report });
    }
  }
  const manifest = summarise(context, raw);
  const uses = context.options.readsCode ? await declaredUses(context) : undefined;
  return { findings: capped(findings), dependsOn: folder.seen, ...(manifest && { manifest }), ...(uses && { uses }) };
}

/** The list of public suffixes, which only the comparison with another version needs, is read only for that. */
async function rulesFor({ options }: Context): Promise<readonly Rule[]> {
  const rules = options.skipsRulesets ? RULES.filter(({ phase }) => phase !== 'rulesets') : RULES;
  if (options.publishedManifest === undefined) return rules;
  const { updateRule } = await import('./update/updateRule');
  return [...rules, updateRule];
}

/** Limit of all findings. The first error is among them, which decides whether the folder is pushed. */
function capped(findings: Finding[]): Finding[] {
  const first = findings.slice(0, MAX_FINDINGS);
  const error = findings.find(({ severity }) => severity === 'error');
  return error && !first.includes(error) ? [...first, error] : first;
}

function contextOf(document: JsonDocument, rest: Pick<Context, 'folder' | 'leniencies' | 'options'>): Context {
  return { ...packageFacts(document), name: document.stringAt('name'), ...rest };
}

/** Limit per rule: Chromium itself keeps 100 warnings, and editors show 1,000 problems of a file. */
const MAX_FINDINGS_OF_RULE = 1000;

/** All findings are shown in one piece. */
const MAX_FINDINGS = 2000;

function findingOf(rule: string, { span, source, fix: proposal, ...report }: Report, manifest: JsonDocument): Finding {
  const range = rangeOf(report.path, span, source, manifest);
  const fix = proposal && proposedFix(report.path, proposal, source, manifest);
  return { rule, ...report, file: source?.file ?? MANIFEST_FILE, range, ...(fix && { fix }) };
}

function proposedFix(
  path: Report['path'],
  proposal: Proposal,
  source: Report['source'],
  manifest: JsonDocument,
): Fix | undefined {
  if (proposal.do === 'setting') return { title: proposal.title, edits: [], setting: proposal.setting };
  if (!source || proposal.inManifest)
    return fixFor({ file: MANIFEST_FILE, text: manifest.text, root: manifest.root }, proposal, path);
  const { file, document } = source;
  const text = source.text ?? document?.text;
  const root = source.root ?? document?.root ?? (text && { kind: 'null', start: 0, end: text.bytes.length });
  return text && root && fixFor({ file, text, root }, proposal, path);
}

function rangeOf(path: Report['path'], span: Report['span'], source: Report['source'], manifest: JsonDocument): Range {
  const document = source ? source.document : manifest;
  const text = source?.text ?? document?.text;
  if (span && text) return text.range(span.start, span.end);
  return document?.range(path) ?? NOWHERE;
}
