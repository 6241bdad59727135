import type { Finding } from './finding';
import { ExtensionFolder, type ReadText } from './folder';
import { loadManifest, MANIFEST_FILE } from './load';
import { localise } from './localise';
import { summarise, type Manifest } from './manifest';
import { packageTypeOf } from './packageType';
import type { Context, Report, Rule } from './rule';
import { RULES } from './rules/all';

export interface CheckOptions {
  /** Unsaved text of a file by its path relative to the folder, for a check while typing. */
  readText?: ReadText;
  signal?: AbortSignal;
}

export interface CheckResult {
  /** All of them at once, in the order in which Chromium would come to them. An error means that Chromium refuses the folder. */
  findings: Finding[];
  /** Present when name, version and manifest version have the right types, also when there are errors. */
  manifest?: Manifest;
}

/**
 * Says whether Chromium would load an unpacked extension, and what it would say. Rejects only with the signal's reason: folders and files
 * that are missing, vanish or cannot be read, and texts of any kind, end in findings.
 */
export async function checkFolder(folder: string, { readText, signal }: CheckOptions = {}): Promise<CheckResult> {
  signal?.throwIfAborted();
  const reader = new ExtensionFolder(folder, readText);
  const loaded = await loadManifest(reader);
  if ('finding' in loaded) return { findings: [loaded.finding] };

  const { document, leniencies } = loaded;
  const written = document.stringAt('name');
  const name = written === undefined ? undefined : await localise(written, document, reader);
  const context: Context = { document, folder: reader, packageType: packageTypeOf(document), name, leniencies };

  const findings: Finding[] = [];
  for (const rule of RULES) {
    signal?.throwIfAborted();
    for (const report of await rule.check(context)) findings.push(findingOf(rule, report, context));
  }
  const manifest = summarise(context);
  return manifest ? { findings, manifest } : { findings };
}

function findingOf(rule: Rule, { span, ...report }: Report, { document }: Context): Finding {
  const range = span ? document.text.range(span.start, span.end) : document.range(report.path);
  return { rule: rule.id, ...report, file: MANIFEST_FILE, range };
}
