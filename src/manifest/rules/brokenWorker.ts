import * as l10n from '@vscode/l10n';
import { workerFile } from '../namedFile';
import type { JsonPath } from '../finding';
import { adviceForMissing } from '../folder/similar';
import { proposing, type Proposal } from '../proposal';
import { ruleOf, type Context, type Report } from '../rule';
import type { Span } from '../json/node';
import { Text } from '../source/text';
import { urlOf } from '../../base/url';
import { fileOfUrl, isScript } from '../values/resource';
import { ScriptCache } from '../worker/scriptCache';
import type { Dependency } from '../worker/script';
import { builtFileFix } from './builtFile';

/** The id of the rule about workers that load and never run: an error, although Chromium reports nothing at load. */
export const BROKEN_WORKER = 'R-SW-BROKEN';

/** A larger bundle was made by a tool that knows the syntax, and parsing it would take noticeable time. */
const MAX_PARSED_BYTES = 1024 * 1024;

/** Scripts that were parsed before: the worker does not change while its manifest is typed. */
const KNOWN_SCRIPTS = new ScriptCache();

/** The largest number of scripts that are followed. */
const MAX_SCRIPTS = 200;

const WORKER_PATH: JsonPath = ['background', 'service_worker'];

/**
 * R-SW-BROKEN: the worker loads, but its registration fails. The rule checks the name, the syntax and the static imports. Sideload's own:
 * Chromium 156 reports `Service worker registration failed` with a number, and only on chrome://extensions.
 */
export const brokenWorkerRule = ruleOf(BROKEN_WORKER, 'delivery', async (context) => {
  const worker = workerFile(context);
  const facts = worker && (await context.folder.stat(worker.file));
  if (!worker || !facts) return [];
  const wrong = (message: string): Report[] => [{ severity: 'error', message, path: WORKER_PATH }];
  if (facts.kind === 'folder')
    return wrong(l10n.t('The worker never starts: "{0}" is a folder. Name a script in it.', worker.written));
  if (!isScript(worker.file)) {
    const message = l10n.t(
      'The worker "{0}" never starts: its name has to end in .js or .mjs. Build it, and name the built file.',
      worker.written,
    );
    const fix = await builtFileFix(context, worker);
    return wrong(message).map((report) => proposing(report, fix));
  }
  if (worker.written.includes('#')) {
    const fix: Proposal = { do: 'replace', by: worker.written.replace(/#.*$/s, '') };
    return wrong(l10n.t('The worker "{0}" never starts. Remove the part from # on.', worker.written)).map((report) =>
      proposing(report, fix),
    );
  }
  const type = context.manifest.stringAt('background', 'type') === 'module' ? 'module' : 'classic';
  return followScripts(context, worker.file, type);
});

async function followScripts(context: Context, first: string, type: 'classic' | 'module'): Promise<Report[]> {
  const reports: Report[] = [];
  const seen = new Set([first]);
  for (const file of seen) {
    if (seen.size > MAX_SCRIPTS) return reports;
    const content = await context.folder.read(file);
    if (!('bytes' in content) || content.bytes.length > MAX_PARSED_BYTES) continue;
    const text = new Text(content.bytes);
    const written = Buffer.from(text.bytes).toString('utf8');
    const facts = KNOWN_SCRIPTS.read(written, type);
    const source = { file, text };
    if ('fault' in facts) {
      const { message, offset, isImport } = facts.fault;
      const advice = l10n.t('Add "type": "module" next to "service_worker".');
      const place = byteOffset(written, offset);
      const report = isImport
        ? `${l10n.t('The worker never starts because of {0}.', file)} ${advice}`
        : l10n.t('{0}, so the worker never starts.', message);
      const span = { start: place, end: place + 1 };
      const fix: Proposal | undefined = isImport
        ? { do: 'replace', at: ['background', 'type'], by: 'module', inManifest: true }
        : undefined;
      reports.push(proposing({ severity: 'error', message: report, path: [], source, span }, fix));
      continue;
    }
    for (const dependency of facts.dependencies) {
      // A module resolves from itself, a classic script from the worker.
      const found = await resolveDependency(context, dependency, type === 'module' ? file : first, type);
      if ('file' in found) seen.add(found.file);
      else if ('message' in found) {
        const span = { start: byteOffset(written, dependency.start), end: byteOffset(written, dependency.end) };
        const report: Report = { severity: 'error', message: found.message, path: [], source, span };
        reports.push(found.meant === undefined ? report : { ...report, fix: writeSpecifier(span, found.meant) });
      }
    }
  }
  return reports;
}

function writeSpecifier(span: Span, specifier: string): Proposal {
  const text = JSON.stringify(specifier);
  return { do: 'write', span, text, title: l10n.t('Change to {0}', text) };
}

function byteOffset(text: string, offset: number): number {
  return Buffer.byteLength(text.slice(0, offset));
}

type Resolved = { file: string } | { message: string; meant?: string } | { elsewhere: true };

async function resolveDependency(
  { folder }: Context,
  { specifier }: Dependency,
  from: string,
  type: 'classic' | 'module',
): Promise<Resolved> {
  if (type === 'module' && !/^(\.{0,2}\/|[a-z][a-z0-9+.-]*:)/i.test(specifier)) {
    return {
      message: l10n.t(
        'The worker never starts: browsers cannot find "{0}". Bundle it, or write a path such as "./{0}.js".',
        specifier,
      ),
    };
  }
  const base = new URL(from, 'https://extension.invalid/');
  const url = urlOf(specifier, base);
  if (!url) return { elsewhere: true };
  const file = url.origin === base.origin ? fileOfUrl(url.pathname) : undefined;
  // The browser's content security policy refuses code from elsewhere, and reports it.
  if (file === undefined) return { elsewhere: true };
  if (await folder.exists(file)) return isScript(file) ? { file } : { elsewhere: true };
  const missing = l10n.t('The worker never starts: "{0}" is not in the folder.', specifier);
  const { advice, fix } = await adviceForMissing(folder, file, specifier);
  return { message: `${missing} ${advice}`, ...(fix && { meant: fix.by }) };
}
