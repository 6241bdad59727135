import { errorOfFault } from '../console/buildErrors';
import type { Finding } from '../manifest/finding';
import type { PushOutcome } from '../push/outcome';
import { outcomeText } from '../push/outcomeText';
import type { BrowserEnd } from '../push/pushRun';
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
export async function pushText(browserEnd: BrowserEnd, pushed: PushedFolder): Promise<string> {
  const { end, browser, archive } = browserEnd;
  const { reader = 'agent' } = pushed;
  const label = browserName(browser);
  if (end.outcome === 'failed') return `FAILED: the push to ${label} did not end: ${errorText(end.error, reader)}`;
  const shown = pushed.show(pushed.folder);
  const text = outcomeText(withQuotes(end), label, shown === '.' ? '' : shown);
  switch (end.outcome) {
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
        `build ${end.digest.slice(0, DIGEST_LENGTH)}, id ${end.extensionId}, worker ${worker[end.worker]}, ${Math.round(end.ms)} ms`,
      ].join('\n');
    }
    case 'refusedByCheck':
      return [
        `REFUSED by the check, nothing was pushed: ${countOf(end.findings)}.`,
        ...findings(end.findings, pushed),
      ].join('\n');
    case 'refusedByBrowser':
      return `REFUSED by Chromium, and the browser goes on as before. Chromium says: ${quoted(end.chromium)}`;
    case 'workerFailed': {
      const faults = end.faults.slice(0, MOST_LISTED).map(errorOfFault);
      const build = { folder: pushed.folder, root: pushed.root, extensionId: end.extensionId };
      const lines = await Promise.all(faults.map((fault) => errorLine(fault, build, pushed.show)));
      const head = `WORKER FAILED: version ${oneLine(end.version, 30)} is loaded in ${label} (id ${end.extensionId}), but its service worker did not start.`;
      return [head, ...(lines.length > 0 ? lines : [oneLine(text)]), 'Fix it and push again.'].join('\n');
    }
    case 'unverified':
      return `DELIVERED, NOT VERIFIED: ${oneLine(text)} ${reader === 'agent' ? nextOf(end) : ''}`.trim();
    case 'heldBack':
      return `HELD BACK: ${oneLine(text)}`;
    default:
      return `NOT RUNNING: ${oneLine(text, 1500)} ${reader === 'agent' ? nextOf(end) : ''}`.trim();
  }
}

/** The outcome with names of extensions in quotes: they are texts of others. */
function withQuotes(outcome: PushOutcome): PushOutcome {
  if (outcome.outcome === 'heldBack') return { ...outcome, by: quoted(outcome.by, 60) };
  return 'name' in outcome ? { ...outcome, name: quoted(outcome.name, 60) } : outcome;
}

function countOf(all: readonly Finding[]): string {
  return countText(all.map(({ severity }) => severity));
}

function findings(all: readonly Finding[], { folder, show, reader }: PushedFolder): string[] {
  const errors = all.filter(({ severity }) => severity === 'error');
  const { items, more } = pageOf(errors, 0, MOST_LISTED);
  const next = reader === 'person' ? '.' : `: call get_extension_findings with offset ${items.length}.`;
  const rest = more > 0 ? [`${more} more errors${next}`] : [];
  return [...items.map((finding) => findingText(finding, folder, show)), ...rest, 'Fix these and push again.'];
}

function nextOf(outcome: PushOutcome): string {
  switch (outcome.outcome) {
    case 'unverified':
      return 'To push again proves nothing more; a browser whose DevTools can be reached would.';
    case 'unchanged':
      return 'Call reload_extension to load the same files again.';
    case 'doubled':
      return 'Create a fresh browser with create_extension_browser and push there.';
    case 'wrong':
      return 'Push again; if it ends the same, create a fresh browser.';
    default:
      return '';
  }
}
