import { errorOfFault } from '../console/buildErrors';
import type { Finding } from '../manifest/finding';
import type { KnownOutcome } from '../push/outcome';
import { isServedBy, type LocalhostUse, portsOf } from '../push/localhost';
import { outcomeText } from '../push/outcomeText';
import type { BrowserOutcome } from '../push/pushRun';
import { refusalText } from '../push/refusalText';
import { secretsText } from '../push/prepare/secretsText';
import { DIGEST_LENGTH, oneLine, pageOf, quoted } from './bounds';
import { browserName } from './namedBrowsers';
import { errorText, type Reader } from './errorText';
import { countText, errorLine, findingText, type ShowPath } from './findingText';

/** Findings and faults that are listed. */
const MOST_LISTED = 10;

/** Where the pushed folder and its sources are, and how paths are shown. */
export interface PushedFolder {
  folder: string;
  root: string;
  show: ShowPath;
  /** An agent by default. */
  reader?: Reader;
}

/** How a push ended: the verdict first, then what proves it, or what is wrong and what to do next. */
export async function pushText(browserOutcome: BrowserOutcome, pushed: PushedFolder): Promise<string> {
  const { outcome, browser, archive } = browserOutcome;
  const { reader = 'agent' } = pushed;
  const label = browserName(browser);
  if (outcome.kind === 'failed') return `FAILED: the push to ${label} did not end: ${errorText(outcome.error, reader)}`;
  if (outcome.kind === 'needsLocalhost' && reader === 'person')
    return `NOT RUNNING: Not pushed: ${oneLine(refusalText(outcome), 1500)}${localhostAdvice(outcome.uses)}`;
  const shown = pushed.show(pushed.folder);
  const text = outcomeText(withQuotes(outcome), label, shown === '.' ? '' : shown);
  const next = reader === 'agent' ? (NEXT[outcome.kind] ?? '') : '';
  switch (outcome.kind) {
    case 'running': {
      const worker = {
        running: 'running',
        paused: 'paused by a debugger',
        kept: 'kept, its files are unchanged',
        none: 'none',
      };
      const secrets = archive?.secrets ?? [];
      return [
        `RUNNING: ${oneLine(text)}`,
        ...(secrets.length > 0 ? [`${secretsText(secrets.length)} ${oneLine(secrets.join(', '))}`] : []),
        `build ${outcome.digest.slice(0, DIGEST_LENGTH)}, id ${outcome.extensionId}, worker ${worker[outcome.worker]}, ${Math.round(outcome.ms)} ms`,
      ].join('\n');
    }
    case 'refusedByCheck':
      return [
        `REFUSED by the check, nothing was pushed: ${countText(outcome.findings.map(({ severity }) => severity))}.`,
        ...findings(outcome.findings, pushed),
      ].join('\n');
    case 'refusedByBrowser':
      return `REFUSED by Chromium, and the browser goes on as before. Chromium says: ${quoted(outcome.chromium)}`;
    case 'workerFailed': {
      const faults = outcome.faults.slice(0, MOST_LISTED).map(errorOfFault);
      const build = { folder: pushed.folder, root: pushed.root, extensionId: outcome.extensionId };
      const lines = await Promise.all(faults.map((fault) => errorLine(fault, build, pushed.show)));
      const head = `WORKER FAILED: version ${oneLine(outcome.version, 30)} is loaded in ${label} (id ${outcome.extensionId}), but its service worker did not start.`;
      return [head, ...(lines.length > 0 ? lines : [oneLine(text)]), 'Fix it and push again.'].join('\n');
    }
    case 'unverified':
      return `DELIVERED, NOT VERIFIED: ${oneLine(text)} ${next}`.trim();
    case 'heldBack':
      return `HELD BACK: ${oneLine(text)}`;
    default:
      return `NOT RUNNING: ${oneLine(text, 1500)} ${next}`.trim();
  }
}

/** How a person at a terminal, who is asked nothing, lets a browser reach the servers of a build; nothing where that is impossible. */
function localhostAdvice(uses: readonly LocalhostUse[]): string {
  const ports = portsOf(uses);
  return isServedBy(uses, ports) ? ` Or let the browser reach its server: --localhost ${ports.join(',')}` : '';
}

/** The outcome with names of extensions in quotes: they are texts of others. */
function withQuotes(outcome: KnownOutcome): KnownOutcome {
  if (outcome.kind === 'heldBack') return { ...outcome, by: quoted(outcome.by, 60) };
  return 'name' in outcome ? { ...outcome, name: quoted(outcome.name, 60) } : outcome;
}

function findings(all: readonly Finding[], { folder, show, reader }: PushedFolder): string[] {
  const errors = all.filter(({ severity }) => severity === 'error');
  const { items, more } = pageOf(errors, 0, MOST_LISTED);
  const next = reader === 'person' ? '.' : `: call get_extension_findings with offset ${items.length}.`;
  const rest = more > 0 ? [`${more} more errors${next}`] : [];
  return [...items.map((finding) => findingText(finding, folder, show)), ...rest, 'Fix these and push again.'];
}

/** What an agent can do next. */
const NEXT: Partial<Record<KnownOutcome['kind'], string>> = {
  needsLocalhost:
    'The person is asked whether the browser may reach these ports: push again once it is allowed. Without an editor, start the program with --localhost.',
  unverified: 'To push again proves nothing more; a browser whose DevTools can be reached would.',
  unchanged: 'Call reload_extension to load the same files again.',
  doubled: 'Create a fresh browser with create_extension_browser and push there.',
  wrong: 'Push again; if it ends the same, create a fresh browser.',
};
